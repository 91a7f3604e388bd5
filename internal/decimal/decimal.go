// Package decimal reads numbers of data files, and writes float32 as text, exactly and quickly. Go's own syntax, 0x1p-3
// or 1_000, makes no number of a word of a file.
package decimal

import (
	"encoding/binary"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"unsafe"
)

// Float reads a number as C, Go or Python print it. Its errors are those of strconv.ParseFloat.
func Float(s string) (float64, error) {
	if strings.ContainsAny(s, goSyntax) {
		return 0, &strconv.NumError{Func: "ParseFloat", Num: s, Err: strconv.ErrSyntax}
	}
	return strconv.ParseFloat(s, 64)
}

const goSyntax = "_xX" // characters of numbers in Go that no other number has

// Parse is Float without allocating. The result is false for what is not a number or too large for a float32.
func Parse(b []byte) (float32, bool) {
	if x, ok := parseDecimal(b); ok {
		return x, true
	}
	if len(b) == 0 {
		return 0, false
	}
	text := unsafe.String(&b[0], len(b)) // strconv does not keep it
	x, err := strconv.ParseFloat(text, 32)
	if err == nil && !strings.ContainsAny(text, goSyntax) {
		return float32(x), true
	}
	// C prints a sign before nan, which Go does not take.
	if s := string(b); s == "-nan" || s == "+nan" {
		return float32(math.NaN()), true
	}
	return 0, false
}

// powersOfTen are those that a float64 holds exactly and parseDecimal uses.
var powersOfTen = [...]float64{
	1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
}

// parseDecimal reads digits with at most one point and a sign several times faster than strconv does. The result is
// false for what it cannot round exactly or does not know.
func parseDecimal(b []byte) (float32, bool) {
	negative := false
	if len(b) > 0 && b[0] == '-' {
		negative, b = true, b[1:]
	}
	if len(b) == 0 || len(b) > len(powersOfTen) { // 15 digits fit into 53 bits
		return 0, false
	}
	point := len(b)
	mantissa := uint64(0)
	for i, c := range b {
		if c-'0' <= 9 {
			mantissa = 10*mantissa + uint64(c-'0')
		} else if c == '.' && point == len(b) && len(b) > 1 {
			point = i
		} else {
			return 0, false
		}
	}
	digits := max(len(b)-point-1, 0) // after the point
	// Both are exact, so the quotient is the nearest float64, and the float32 nearest to that is the nearest, unless the
	// float64 lies halfway between two of them, or the float32 is subnormal.
	x := float64(mantissa) / powersOfTen[digits]
	const dropped = 52 - 23
	if math.Float64bits(x)&(1<<dropped-1) == 1<<(dropped-1) || x < 0x1p-126 && mantissa != 0 {
		return 0, false
	}
	if negative {
		x = -x
	}
	return float32(x), true
}

// Append appends the shortest decimal that parses to x again.
func Append(dst []byte, x float32) []byte {
	return strconv.AppendFloat(dst, float64(x), 'g', -1, 32)
}

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
	places = [...]int8{-3, -3, -3, -3, -3, -2, -2, -2, -1, -1, -1, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 4}
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
