package counting_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/w2v-go/w2v/internal/counting"
	"gonum.org/v1/gonum/stat/distuv"
)

// Draws follow the weights by a chi-squared test at one in a million.
func TestAlias(t *testing.T) {
	many := make([]float64, 1000)
	for i := range many {
		many[i] = math.Pow(float64(i+1), -0.75)
	}
	for name, weights := range map[string][]float64{
		"one":      {5},
		"equal":    {2, 2, 2, 2},
		"with 0":   {0, 1, 0, 3},
		"one huge": {1e9, 1, 1e6, 1e7},
		"Zipf":     many,
	} {
		a := counting.NewAlias(weights)
		const draws = 300_000
		r := rand.New(rand.NewPCG(1, 2))
		seen := make([]float64, len(weights))
		for range draws {
			seen[a.Draw(r.Uint64())]++
		}
		var sum, chi2 float64
		for _, w := range weights {
			sum += w
		}
		cells := 0
		for i, w := range weights {
			want := w / sum * draws
			if w == 0 && seen[i] > 0 {
				t.Errorf("%s: %v draws of weight 0", name, seen[i])
			}
			if want < 5 {
				continue // too few for the test
			}
			chi2 += (seen[i] - want) * (seen[i] - want) / want
			cells++
		}
		if cells < 2 {
			continue
		}
		if limit := (distuv.ChiSquared{K: float64(cells - 1)}).Quantile(1 - 1e-6); chi2 > limit {
			t.Errorf("%s: chi-squared %.1f of %d cells, limit %.1f", name, chi2, cells, limit)
		}
	}
}

// Negatives are drawn by count to the power of the exponent, also a negative one, with which rare
// tokens are drawn more often.
func TestNoiseFollowsTheExponent(t *testing.T) {
	counts := []uint64{1000, 100, 10, 10, 1}
	for _, exponent := range []float64{-1, -0.5, 0, 0.75, 1} {
		const rounds = 100_000
		noise, random := counting.Noise(counts, exponent), rand.New(rand.NewPCG(1, 2))
		drawn := make([]float64, len(counts))
		for range rounds {
			drawn[noise.Draw(random.Uint64())]++
		}
		sum := 0.0
		for id := range counts {
			sum += math.Pow(float64(counts[id]), exponent)
		}
		for id, n := range drawn {
			p := math.Pow(float64(counts[id]), exponent) / sum
			if got, off := n/rounds, 5*math.Sqrt(p*(1-p)/rounds); math.Abs(got-p) > off {
				t.Errorf("exponent %v: %s is drawn with probability %.5f, want %.5f ± %.5f", exponent, fmt.Sprint(id), got, p, off)
			}
		}
	}
}

// BenchmarkDraw draws from a vocabulary that is as large and as skewed as that of 10⁸ tokens.
func BenchmarkDraw(b *testing.B) {
	weights := make([]float64, 1_500_000)
	for i := range weights {
		weights[i] = float64(1 + 10_000_000/(i+1)) // a count
	}
	noise := counting.NewAlias(weights)
	random := rand.NewPCG(1, 2)
	var words [64]uint32
	for b.Loop() {
		for i := range words {
			words[i] = noise.Draw(random.Uint64())
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(words)), "ns/draw")
}
