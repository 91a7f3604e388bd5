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
