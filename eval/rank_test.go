package eval

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestRanks(t *testing.T) {
	tests := []struct{ x, want []float64 }{
		{nil, []float64{}},
		{[]float64{7}, []float64{1}},
		{[]float64{3, 1, 2}, []float64{3, 1, 2}},
		{[]float64{5, 5}, []float64{1.5, 1.5}},
		{[]float64{2, 1, 2, 0, 2}, []float64{4, 2, 4, 1, 4}},
		{[]float64{0, math.Copysign(0, -1), -1}, []float64{2.5, 2.5, 1}},
	}
	for _, test := range tests {
		if got := ranks(test.x); !slices.Equal(got, test.want) {
			t.Errorf("ranks of %v are %v, want %v", test.x, got, test.want)
		}
	}
}

func TestCorrelations(t *testing.T) {
	nan := math.NaN()
	tests := []struct {
		name              string
		x, y              []float64
		spearman, pearson float64
	}{
		{"rising", []float64{1, 2, 4}, []float64{10, 20, 40}, 1, 1},
		{"falling", []float64{1, 2, 3}, []float64{9, 5, 1}, -1, -1},
		// Ranks 1 2 3 and 1 2 3; deviations -1 0 1 and -11/3 -8/3 19/3:
		// 10 / √(2·546/9).
		{"rising, not straight", []float64{1, 2, 3}, []float64{0, 1, 10}, 1, 10 / math.Sqrt(2*546/9.0)},
		// Ranks 1 2.5 2.5 4 and 1 3 2 4: 4.5 / √(4.5·5).
		{"tie", []float64{1, 2, 2, 3}, []float64{1, 3, 2, 4}, 4.5 / math.Sqrt(4.5*5), 3 / math.Sqrt(2*5)},
		{"nothing", nil, nil, nan, nan},
		{"one pair", []float64{1}, []float64{2}, nan, nan},
		{"constant", []float64{0.1, 0.1, 0.1}, []float64{1, 2, 3}, nan, nan},
		{"constant judgements", []float64{1, 2, 3}, []float64{0.7, 0.7, 0.7}, nan, nan},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := spearman(test.x, test.y); !near(got, test.spearman) {
				t.Errorf("Spearman %v, want %v", got, test.spearman)
			}
			if got := pearson(test.x, test.y); !near(got, test.pearson) {
				t.Errorf("Pearson %v, want %v", got, test.pearson)
			}
		})
	}
}

func near(got, want float64) bool {
	return math.IsNaN(got) && math.IsNaN(want) || math.Abs(got-want) < 1e-12
}

// TestSpearmanFormula holds spearman against 1 − 6Σd²/(n³−n), which is exact
// where there are no ties.
func TestSpearmanFormula(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		n := 2 + rng.IntN(60)
		x, y := make([]float64, n), make([]float64, n)
		for i, v := range rng.Perm(n) {
			x[i], y[i] = float64(i), float64(v)
		}
		var sum float64
		for i := range x {
			sum += (x[i] - y[i]) * (x[i] - y[i])
		}
		want := 1 - 6*sum/float64(n*n*n-n)
		if got := spearman(x, y); math.Abs(got-want) > 1e-12 {
			t.Fatalf("got %v, want %v", got, want)
		}
	}
}
