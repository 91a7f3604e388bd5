package decimal

import (
	"encoding/binary"
	"math"
	"math/bits"
	"slices"
	"strconv"
)

// AppendDigits appends x as C prints it with %.5g, or with another number of digits: as strconv.AppendFloat does, and several
// times as fast if x is a float32 without an exponent and has 5 or 6 digits.
func AppendDigits(dst []byte, x float64, digits int) []byte {
	if (digits == mostDigits-1 || digits == mostDigits) && float64(float32(x)) == x && math.Abs(x) >= powers[0] && math.Abs(x) < powers[len(powers)-1] {
		return appendUsual(dst, x, digits)
	}
	return strconv.AppendFloat(dst, x, 'g', digits, 64)
}

const mostDigits = 6

var (
	// powers are powers of ten between which %g writes numbers without an exponent, with at least 5 digits.
	powers = [...]float64{1e-4, 1e-3, 1e-2, 1e-1, 1, 10, 100, 1000, 1e4}
	// scales are powers of ten from 1.
	scales = [...]float64{1, 10, 100, 1000, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9}
	// pairs are the two digits of numbers below 100, the first in the lower byte.
	pairs = func() (all [100]uint64) {
		for n := range all {
			all[n] = uint64('0'+n/10) | uint64('0'+n%10)<<8
		}
		return all
	}()
	// places are how many digits are before the point in powers of two from 2^-14 on.
	places = func() (all [28]int8) {
		for i := range all {
			for all[i] = -3; math.Ldexp(1, i-14) >= powers[all[i]+4]; all[i]++ {
			}
		}
		return all
	}()
)

// appendUsual is AppendDigits for a float32 between the powers. It has few branches. Without powers of two, the numbers that
// it multiplies have 24 bits each at most. So the product is exact, and it is rounded once, to even.
func appendUsual(text []byte, x float64, digits int) []byte {
	const most = 16 // bytes; 13 are used at most
	text = slices.Grow(text, most)
	at := len(text)
	line := text[:at+most]
	line[at] = '-'
	sign := math.Float64bits(x) >> 63
	at, x = at+int(sign), math.Abs(x)

	point := int(places[math.Float64bits(x)>>52-1023+14])
	if x >= powers[point+4] {
		point++
	}
	n := uint64(math.RoundToEven(x * scales[digits-point]))
	if digits < mostDigits {
		n *= 10 // the last one is zero
	}
	if n == 1_000_000 { // 99999.5 has a digit more when it is rounded
		n, point = n/10, point+1
	}
	number := pairs[n/10_000] | pairs[n/100%100]<<16 | pairs[n%100]<<32
	const zeros = 0x303030303030
	digits = mostDigits - bits.LeadingZeros64((number^zeros)<<16)/8
	if point <= 0 {
		copy(line[at:at+8], "0.000000")
		at += 2 - point
		binary.LittleEndian.PutUint64(line[at:], number)
		return line[:at+digits]
	}
	before := 8 * point
	binary.LittleEndian.PutUint64(line[at:], number&(1<<before-1)|'.'<<before|number>>before<<(before+8))
	if digits <= point {
		return line[:at+point]
	}
	return line[:at+digits+1]
}
