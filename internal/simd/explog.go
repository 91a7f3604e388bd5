package simd

import "math"

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
