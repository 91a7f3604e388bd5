package simd

import "math"

// A Rounding replaces small errors by errors of one size or by 0, so that most updates can be left out,
// but the mean of each error stays what it was. An error is q times a weight in size, and q is at most 1 in
// logistic regression. If q is less than the threshold, the error becomes the threshold times the weight
// with probability q/threshold, and otherwise 0.
type Rounding struct {
	Threshold float32 // 0 for no rounding
	// Seed chooses the uniform numbers: one for each row and lane. The same seed gives the same numbers.
	Seed uint32
}

// uniforms are the states of a generator of uniform numbers for each lane.
type uniforms [Lanes]uint32

// Multipliers and increments of the generator and of the hash that begins it. Kernels in assembly have the
// same.
const (
	weyl     = 0x9e3779b9
	hash1    = 0x7feb352d
	hash2    = 0x846ca68b
	multiply = 0x93d765dd
)

// start returns the states of the first row.
func (r Rounding) start() (u uniforms) {
	for i := range u {
		x := r.Seed + uint32(i+1)*weyl
		x = (x ^ x>>16) * hash1
		x = (x ^ x>>15) * hash2
		u[i] = x ^ x>>16
	}
	return u
}

// next makes of the states of a row those of the next row.
func (u *uniforms) next() {
	for i := range u {
		u[i] = u[i]*multiply + weyl
	}
}

// limit returns the threshold times the uniform number of a lane.
func (r Rounding) limit(u *uniforms, lane int) float32 {
	return float32(u[lane]>>8) * (r.Threshold * (1.0 / (1 << 24)))
}

// round rounds q ≥ 0. Limit is what limit returned. What is not a number stays.
func (r Rounding) round(q, limit float32) (rounded float32, kept bool) {
	switch {
	case q <= limit && r.Threshold > 0:
		return 0, false
	case q < r.Threshold:
		return r.Threshold, true
	}
	return q, true
}

// Round rounds errors that were not found by Errors, and sets p.Kept. Errors of pairs are expected to be at
// most p.Weights in size, and those of others 0.
func (p Pairs) Round(g []float32) {
	u := p.Rounding.start()
	for j, with := range p.With[:len(p.Rows)] {
		p.Kept[j] = with
		if p.Rounding.Threshold > 0 {
			p.Kept[j] = p.roundRow(g[j*Lanes:][:Lanes], with, &u)
			u.next()
		}
	}
}

// roundRow rounds the errors of a row and returns which pairs are left.
func (p Pairs) roundRow(errors []float32, with uint16, u *uniforms) (kept uint16) {
	for i, e := range errors {
		if with>>i&1 == 0 {
			continue
		}
		weight := float32(math.Abs(float64(p.Weights[i])))
		q, keep := p.Rounding.round(float32(math.Abs(float64(e)))/weight, p.Rounding.limit(u, i))
		if !keep {
			errors[i] = 0
			continue
		}
		kept |= 1 << i
		if q == p.Rounding.Threshold {
			errors[i] = float32(math.Copysign(float64(q*weight), float64(e)))
		}
	}
	return kept
}

// logistic returns σ(x) = 1/(1+e⁻ˣ) and e = exp(−|x|), from which −log σ(−x) = max(x, 0) + log(1+e) is
// computed. It never overflows, because it does not compute positive powers.
func logistic(x float32) (sigma, e float32) {
	e = exp(-max(x, -x))
	sigma = 1 / (1 + e)
	if x < 0 {
		sigma *= e
	}
	return sigma, e
}

// exp computes eˣ for x ≤ 0 to within 2 units in the last place. Below -87, where float32 has no normal
// numbers, it returns e⁻⁸⁷. It writes x as n·ln 2 + r and uses a Taylor polynomial of r.
func exp(x float32) float32 {
	const (
		log2e = 1.44269504088896341
		ln2Hi = 0.693359375 // few bits, so that n·ln2Hi is exact
		ln2Lo = -2.12194440e-4
		round = 1.5 * (1 << 23) // adding it rounds to a whole number
	)
	x = max(x, -87)
	n := float32(x*log2e+round) - round
	r := (x - float32(n*ln2Hi)) - float32(n*ln2Lo)
	p := float32(1.0 / 5040)
	p = p*r + 1.0/720
	p = p*r + 1.0/120
	p = p*r + 1.0/24
	p = p*r + 1.0/6
	p = p*r + 0.5
	p = p*r + 1
	p = p*r + 1
	return p * math.Float32frombits(uint32(int32(n)+127)<<23)
}

// log computes the natural logarithm of a normal x > 0 to within 1e-6. It writes x as 2ⁿ·m with m in
// [√½, √2), and log m as 2·artanh(f) with f = (m−1)/(m+1), a series in f².
func log(x float32) float32 {
	const sqrtHalf = 0x3f3504f3 // bits of √½
	b := math.Float32bits(x) - sqrtHalf
	n := float32(int32(b) >> 23)
	m := math.Float32frombits(b&0x7fffff + sqrtHalf)
	f := (m - 1) / (m + 1)
	f2 := f * f
	p := float32(2.0 / 9)
	p = p*f2 + 2.0/7
	p = p*f2 + 2.0/5
	p = p*f2 + 2.0/3
	p = p*f2 + 2
	return p*f + n*math.Ln2
}
