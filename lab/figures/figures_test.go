package figures

import (
	"math"
	"slices"
	"testing"
)

func TestMedian(t *testing.T) {
	for _, test := range []struct {
		samples []float64
		want    float64
	}{
		{[]float64{7}, 7},
		{[]float64{3, 1, 2}, 2},
		{[]float64{4, 1, 3, 2}, 2.5},
	} {
		before := slices.Clone(test.samples)
		if got := Median(test.samples); got != test.want {
			t.Errorf("median of %v is %v", test.samples, got)
		}
		if !slices.Equal(test.samples, before) {
			t.Errorf("%v became %v", before, test.samples)
		}
	}
	if !math.IsNaN(Median(nil)) {
		t.Error("nothing has a median")
	}
}

func TestMeanDeviation(t *testing.T) {
	if mean, deviation := MeanDeviation([]float64{2, 4, 6}); mean != 4 || deviation != 2 {
		t.Errorf("%v ± %v", mean, deviation)
	}
	if mean, deviation := MeanDeviation([]float64{2}); mean != 2 || !math.IsNaN(deviation) {
		t.Errorf("%v ± %v", mean, deviation)
	}
}

func TestNumbersInCells(t *testing.T) {
	for _, test := range []struct{ got, want string }{
		{Significant(0), "0.00"},
		{Significant(0.08912), "0.0891"},
		{Significant(3.014), "3.01"},
		{Significant(36.12), "36.1"},
		{Significant(1234.5), "1234"},
		{Seconds(0.00512), "5.12 ms"},
		{Seconds(1.5), "1.50 s"},
		{Megabytes(191.6e6), "192 MB"},
		{Millions(89_123), "0.0891 M"},
		{MedianAndRange([]float64{2, 1, 4}), "2.00 (1.00–4.00)"},
		{MedianAndRange([]float64{2}), "2.00"},
		{MeanAndDeviation([]float64{0.5, 0.7}), "0.600 ± 0.141"},
		{MeanAndDeviation([]float64{0.5}), "0.500"},
	} {
		if test.got != test.want {
			t.Errorf("%q, want %q", test.got, test.want)
		}
	}
}
