package fasttext

import (
	"math"
	"testing"
)

// Numbers are printed as by C++.
func TestNumbers(t *testing.T) {
	for _, test := range []struct {
		x    float64
		want string
	}{
		{0, "0"},
		{1, "1"},
		{-0.5, "-0.5"},
		{123456, "1.2346e+05"},
		{12345, "12345"},
		{99999.5, "1e+05"},
		{0.0001, "0.0001"},
		{0.00001234567, "1.2346e-05"},
		{1e100, "1e+100"},
		{math.Inf(1), "inf"},
		{math.Inf(-1), "-inf"},
		{math.NaN(), "nan"},
		{math.Copysign(math.NaN(), -1), "-nan"},
	} {
		if got := string(appendNumber(nil, test.x, vectorDigits)); got != test.want {
			t.Errorf("%v: %s, want %s", test.x, got, test.want)
		}
	}
}
