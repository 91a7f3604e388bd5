package decimal

import (
	"encoding/binary"
	"math"
	"math/bits"
	"slices"
	"strconv"
)

// AppendDigits appends x as C prints it with %.5g, or with another number of digits. It is several times as fast as
// strconv.AppendFloat if x is a float32 without an exponent and has 5 or 6 digits.
func AppendDigits(dst []byte, x float64, digits int) []byte {
	switch f := float32(x); {
	case float64(f) == x && isUsual(f) && hasUsual(digits):
		dst = slices.Grow(dst, mostBytes)
		return dst[:len(dst)+putUsual(dst[len(dst):][:mostBytes], f, digits)]
	case math.IsNaN(x) && math.Signbit(x):
		return append(dst, "-nan"...)
	case math.IsNaN(x):
		return append(dst, "nan"...)
	case math.IsInf(x, 1):
		return append(dst, "inf"...)
	case math.IsInf(x, -1):
		return append(dst, "-inf"...)
	}
	return strconv.AppendFloat(dst, x, 'g', digits, 64)
}

// AppendRow appends the numbers of a row as AppendDigits does, and a blank after each.
func AppendRow(dst []byte, row []float32, digits int) []byte {
	if !hasUsual(digits) {
		for _, x := range row {
			dst = append(AppendDigits(dst, float64(x), digits), ' ')
		}
		return dst
	}
	const most = mostBytes + 1
	for ; len(row) > 0; row = row[1:] {
		dst = slices.Grow(dst, most*len(row)) // once, and again after numbers that are not usual
		line, at := dst[len(dst):cap(dst)], 0
		for len(row) > 0 && isUsual(row[0]) {
			at += putUsual(line[at:][:mostBytes], row[0], digits)
			line[at] = ' '
			at, row = at+1, row[1:]
		}
		if dst = dst[:len(dst)+at]; len(row) == 0 {
			return dst
		}
		dst = append(AppendDigits(dst, float64(row[0]), digits), ' ')
	}
	return dst
}

const (
	mostDigits = 6
	mostBytes  = 16 // of a usual number; 13 are used at most
)

func hasUsual(digits int) bool { return digits == mostDigits-1 || digits == mostDigits }

// isUsual reports whether a number is between the powers.
func isUsual(x float32) bool {
	return math.Float32bits(x)&^(1<<31)-leastUsual < math.Float32bits(1e4)-leastUsual
}

// leastUsual has the bits of the least float32 that is not below the first power.
const leastUsual = 0x38d1b718

var (
	// powers are powers of ten between which %g writes numbers without an exponent, with at least 5 digits.
	powers = [...]float64{1e-4, 1e-3, 1e-2, 1e-1, 1, 10, 100, 1000, 1e4}
	// scales are powers of ten from 1.
	scales = [...]float64{1, 10, 100, 1000, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9}
	// triples are the three digits of numbers below 1000, the first in the lowest byte.
	triples = func() (all [1000]uint32) {
		for n := range all {
			all[n] = uint32('0'+n/100) | uint32('0'+n/10%10)<<8 | uint32('0'+n%10)<<16
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

// putUsual writes a usual number to a line of mostBytes, and returns its length. It has few branches. Without powers of two, the
// numbers that it multiplies have 24 bits each at most. So the product is exact, and it is rounded once, to even.
func putUsual(line []byte, number float32, digits int) int {
	_ = line[mostBytes-1]
	line[0] = '-'
	at, x := int(math.Float32bits(number)>>31), math.Abs(float64(number))

	point := int(places[math.Float64bits(x)>>52-1023+14])
	if x >= powers[point+4] {
		point++
	}
	n := uint64(int64(math.RoundToEven(x * scales[digits-point])))
	if digits < mostDigits {
		n *= 10 // the last one is zero
	}
	if n == 1_000_000 { // 99999.5 has a digit more when it is rounded
		n, point = n/10, point+1
	}
	text := uint64(triples[n/1000%1000]) | uint64(triples[n%1000])<<24
	const zeros = 0x303030303030
	digits = mostDigits - bits.LeadingZeros64((text^zeros)<<16)/8
	if point <= 0 {
		copy(line[at:at+8], "0.000000")
		at += 2 - point
		binary.LittleEndian.PutUint64(line[at:], text)
		return at + digits
	}
	before := 8 * point
	binary.LittleEndian.PutUint64(line[at:], text&(1<<before-1)|'.'<<before|text>>before<<(before+8))
	if digits <= point {
		return at + point
	}
	return at + digits + 1
}
