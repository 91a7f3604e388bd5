// Package half converts float32 to float16, which is IEEE 754's binary16, with 5 bits of exponent and 10 of mantissa, and
// to bfloat16, the upper half of a float32. Both are rounded to the nearest, of two equally near ones to the even one.
package half

import "math"

const (
	// float16Shift is how many bits of mantissa a float16 lacks, float16Bias how much lower its exponents count.
	float16Shift = 23 - 10
	float16Bias  = (127 - 15) << 23
	infinity     = 0x7f800000
	// float16Normal is 2⁻¹⁴, the least of full precision, float16Over 65520, from which on the nearest is infinite.
	float16Normal = 0x38800000
	float16Over   = 0x477ff000
)

// ToF16 returns the float16 nearest to x.
func ToF16(x float32) uint16 {
	b := math.Float32bits(x)
	sign := uint16(b >> 16 & 0x8000)
	b &^= 1 << 31
	switch {
	case b > infinity: // not a number; it stays none whatever is cut off
		return sign | 0x7e00 | uint16(b>>float16Shift)&0x3ff
	case b >= float16Over:
		return sign | 0x7c00
	case b < float16Normal:
		// Around a half, float32 are as far apart as subnormal float16 are.
		sum := math.Float32frombits(b) + 0.5
		return sign | uint16(math.Float32bits(sum)-math.Float32bits(0.5))
	}
	b += 1<<(float16Shift-1) - 1 + b>>float16Shift&1
	return sign | uint16((b-float16Bias)>>float16Shift)
}

// FromF16 returns the number that a float16 is.
func FromF16(h uint16) float32 {
	sign := uint32(h&0x8000) << 16
	magnitude := uint32(h &^ 0x8000)
	switch {
	case magnitude >= 0x7c00:
		return math.Float32frombits(sign | infinity | magnitude<<float16Shift)
	case magnitude < 0x400:
		return math.Float32frombits(sign | math.Float32bits(float32(magnitude)*0x1p-24))
	}
	return math.Float32frombits(sign | (magnitude<<float16Shift + float16Bias))
}

// ToBF16 returns the bfloat16 nearest to x.
func ToBF16(x float32) uint16 {
	b := math.Float32bits(x)
	if b&^(1<<31) > infinity {
		return uint16(b>>16) | 0x40
	}
	return uint16((b + 0x7fff + b>>16&1) >> 16)
}

// FromBF16 returns the number that a bfloat16 is.
func FromBF16(h uint16) float32 { return math.Float32frombits(uint32(h) << 16) }
