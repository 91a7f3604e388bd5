package vectors

import "math"

// Cosine returns the cosine of the angle between a and b, which have the same length, from
// -1 to 1, computed in float64. It is NaN if one of them has no direction because it is
// zero or not finite.
func Cosine(a, b []float32) float64 {
	var ab, aa, bb float64
	for i, x := range a {
		x, y := float64(x), float64(b[i])
		ab += x * y
		aa += x * x
		bb += y * y
	}
	return min(1, max(-1, ab/(math.Sqrt(aa)*math.Sqrt(bb)))) // 0/0 and ∞/∞ are NaN
}
