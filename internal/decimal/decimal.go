// Package decimal reads numbers of data files, and writes float32 as text, exactly and quickly. Go's own syntax, 0x1p-3
// or 1_000, makes no number of a word of a file.
package decimal

import (
	"math"
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
