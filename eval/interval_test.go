package eval

import (
	"math"
	"testing"
)

func TestSpearmanInterval(t *testing.T) {
	tests := []struct {
		r    float64
		n    int
		want Interval
	}{
		// atanh 0.5 = 0.549306, standard error √(1.125/100) = 0.106066.
		{0.5, 103, Interval{0.328637, 0.639230}},
		// Standard error 1.
		{0, 4, Interval{-0.961059, 0.961059}},
		{1, 10, Interval{1, 1}},
		{0.5, 3, Interval{}},
		{math.NaN(), 10, Interval{}},
	}
	for _, test := range tests {
		got := spearmanInterval(test.r, test.n)
		if math.Abs(got[0]-test.want[0]) > 1e-3 || math.Abs(got[1]-test.want[1]) > 1e-3 {
			t.Errorf("r %v, n %d: %v, want %v", test.r, test.n, got, test.want)
		}
	}
}

func TestWilsonInterval(t *testing.T) {
	tests := []struct {
		correct, n int
		want       Interval
	}{
		// The centre is (4+1.92)/(10+3.84).
		{4, 10, Interval{0.168180, 0.687326}},
		{0, 10, Interval{0, 0.277533}},
		{10, 10, Interval{0.722467, 1}},
		{0, 0, Interval{}},
	}
	for _, test := range tests {
		got := wilsonInterval(test.correct, test.n)
		if math.Abs(got[0]-test.want[0]) > 1e-5 || math.Abs(got[1]-test.want[1]) > 1e-5 {
			t.Errorf("%d of %d: %v, want %v", test.correct, test.n, got, test.want)
		}
	}
}
