package eval

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"strconv"
	"testing"

	"github.com/w2v-go/w2v/internal/clustering"
	"gonum.org/v1/gonum/stat/distuv"
)

// unrelated returns items that share no words.
func unrelated(n int) []Item {
	items := make([]Item, n)
	for i := range items {
		items[i] = Item{Key: strconv.Itoa(i), Words: []string{"a" + strconv.Itoa(i), "b" + strconv.Itoa(i)}}
	}
	return items
}

// normalPairs is a sample of pairs of normal numbers with a correlation.
func normalPairs(r *rand.Rand, n int, correlation float64) Sample {
	x, y := make([]float64, n), make([]float64, n)
	for i := range x {
		x[i] = r.NormFloat64()
		y[i] = correlation*x[i] + math.Sqrt(1-correlation*correlation)*r.NormFloat64()
	}
	return Sample{Items: unrelated(n), Score: newRankCorrelation(x, y).score}
}

// covered is the share of intervals of simulated pairs that have Spearman's correlation of the
// population in them.
func covered(n int, correlation float64, draws, resamples int) float64 {
	truth := 6 / math.Pi * math.Asin(correlation/2)
	r := rand.New(rand.NewPCG(uint64(n), math.Float64bits(correlation)))
	hits := 0
	for i := range draws {
		s := normalPairs(r, n, correlation)
		if at := bootstrap(s, Options{Resamples: resamples, Seed: uint64(i)}); at.Low <= truth && truth <= at.High {
			hits++
		}
	}
	return float64(hits) / float64(draws)
}

func TestIntervalsOfCorrelationsCoverTheTruth(t *testing.T) {
	const draws, resamples = 200, 400 // a share of 0.95 has the standard error 0.015
	const least, most = 0.91, 0.985
	all, cells := 0.0, 0.0
	for _, n := range []int{30, 65} {
		for _, correlation := range []float64{0, 0.3, 0.6, 0.9} {
			share := covered(n, correlation, draws, resamples)
			if share < least || share > most {
				t.Errorf("n %d, correlation %v: %.3f of the intervals cover the truth", n, correlation, share)
			}
			all, cells = all+share, cells+1
		}
	}
	if share := all / cells; share < 0.94 || share > 0.965 {
		t.Errorf("%.4f of all intervals cover the truth", share)
	}
}

// BenchmarkCoverage measures the table of docs/evaluation.md.
func BenchmarkCoverage(b *testing.B) {
	for _, n := range []int{30, 65, 100, 353, 1000} {
		for _, correlation := range []float64{0, 0.3, 0.6, 0.9} {
			b.Run(fmt.Sprintf("n=%d/rho=%v", n, correlation), func(b *testing.B) {
				for b.Loop() {
					b.ReportMetric(100*covered(n, correlation, 2000, 1000), "%covered")
				}
			})
		}
	}
}

// Of a share of right answers the chance of every outcome is known, so the coverage is exact.
func TestIntervalsOfAccuraciesCoverTheTruth(t *testing.T) {
	for _, n := range []int{50, 65, 100, 353} {
		items := unrelated(n)
		intervals := make([]Interval, n+1)
		for right := range intervals {
			values := make([]float64, n)
			for i := range right {
				values[i] = 1
			}
			intervals[right] = bootstrap(Sample{Items: items, Values: values, Score: weightedMean(values)}, Options{Seed: uint64(right)})
		}
		for p := 0.05; p < 0.96; p += 0.05 {
			share := 0.0
			for right, at := range intervals {
				if at.Low <= p && p <= at.High {
					share += distuv.Binomial{N: float64(n), P: p}.Prob(float64(right))
				}
			}
			if share < 0.925 || share > 0.975 {
				t.Errorf("%d questions, %.2f of them right: %.3f of the intervals cover that", n, p, share)
			}
		}
	}
}

// Questions that are made of few pairs of words, as in questions-words, are right or wrong together.
// Intervals that took them for independent would be right in half of the cases.
func TestIntervalsOfQuestionsThatShareWordsCoverTheTruth(t *testing.T) {
	const pairs, draws = 40, 300
	r := rand.New(rand.NewPCG(1, 1))
	hits, naive := 0, 0
	for i := range draws {
		skill := make([]float64, pairs)
		for k := range skill {
			skill[k] = r.NormFloat64()
		}
		var s Sample
		for a := range pairs {
			for c := range pairs {
				if a == c {
					continue
				}
				name := func(pair int, side string) string { return side + strconv.Itoa(pair) }
				s.Items = append(s.Items, Item{Words: []string{name(a, "a"), name(a, "b"), name(c, "a"), name(c, "b")}})
				value := 0.0
				if skill[a]+skill[c]+r.NormFloat64() > 0 { // in half of all cases
					value = 1
				}
				s.Values = append(s.Values, value)
			}
		}
		s.Score = weightedMean(s.Values)
		rules := Options{Resamples: 1000, Seed: uint64(i)}
		if at := bootstrap(s, rules); at.Low <= 0.5 && 0.5 <= at.High {
			hits++
		}
		s.Items = unrelated(len(s.Items))
		if at := bootstrap(s, rules); at.Low <= 0.5 && 0.5 <= at.High {
			naive++
		}
	}
	if share := float64(hits) / draws; share < 0.91 || share > 0.98 {
		t.Errorf("%.3f of the intervals cover the truth", share)
	}
	if share := float64(naive) / draws; share > 0.6 {
		t.Errorf("%.3f of the intervals for independent questions cover the truth: the simulation says nothing", share)
	}
}

func TestBootstrapDependsOnItemsAndSeedAlone(t *testing.T) {
	s := normalPairs(rand.New(rand.NewPCG(1, 2)), 50, 0.5)
	s.Items[1].Words = s.Items[0].Words
	cores := runtime.GOMAXPROCS(1)
	alone := bootstrap(s, Options{Seed: 1})
	runtime.GOMAXPROCS(4)
	together := bootstrap(s, Options{Seed: 1})
	runtime.GOMAXPROCS(cores)
	if alone != together {
		t.Errorf("%v with one core, %v with four", alone, together)
	}
	if other := bootstrap(s, Options{Seed: 2}); other == alone || math.Abs(other.Low-alone.Low) > 0.02 {
		t.Errorf("%v with seed 1, %v with seed 2", alone, other)
	}
}

func TestBootstrapWithoutInterval(t *testing.T) {
	one := normalPairs(rand.New(rand.NewPCG(1, 2)), 10, 0.5)
	constant := Sample{Items: unrelated(3), Score: newRankCorrelation([]float64{1, 1, 1}, []float64{1, 2, 3}).score}
	for name, got := range map[string]Interval{
		"no items":           bootstrap(Sample{Score: one.Score}, Options{}),
		"one item":           bootstrap(Sample{Items: one.Items[:1], Score: one.Score}, Options{}),
		"no score":           bootstrap(constant, Options{}),
		"no resamples asked": bootstrap(one, Options{Resamples: -1}),
	} {
		if got != (Interval{}) {
			t.Errorf("%s: %v", name, got)
		}
	}
	none := Sample{Items: unrelated(20), Values: make([]float64, 20), Score: weightedMean(make([]float64, 20))}
	// None of 20 is right: the interval has 0 and is one. With one right and one wrong answer
	// more it ends at the 97.5 % point of Beta(1, 21).
	if got, want := bootstrap(none, Options{}), 1-math.Pow(0.025, 1./21); got.Low != 0 || math.Abs(got.High-want) > 0.01 {
		t.Errorf("0 of 20: %v, want 0…%v", got, want)
	}
}

// A p-value is twice the share of resamples on the other side of zero; those at zero count half.
func TestPValue(t *testing.T) {
	scores := func(negative, zero, positive int) (all []float64) {
		for range negative {
			all = append(all, -1)
		}
		for range zero {
			all = append(all, 0)
		}
		for range positive {
			all = append(all, 1)
		}
		return all
	}
	for _, test := range []struct {
		d    drawn
		want float64
	}{
		{drawn{1, scores(0, 0, 999), math.Inf(1)}, 2 * 0.5 / 1000},
		{drawn{1, scores(10, 0, 989), math.Inf(1)}, 2 * 10.5 / 1000},
		{drawn{1, scores(10, 20, 969), math.Inf(1)}, 2 * 20.5 / 1000},
		{drawn{-1, scores(969, 20, 10), math.Inf(1)}, 2 * 20.5 / 1000},
		{drawn{1, scores(499, 1, 499), math.Inf(1)}, 1},
		{drawn{0, scores(10, 0, 989), math.Inf(1)}, 1},
	} {
		if got := test.d.pValue(); math.Abs(got-test.want) > 1e-12 {
			t.Errorf("p %v, want %v", got, test.want)
		}
	}
	// With few independent items the same resamples say less.
	few, many := drawn{1, scores(10, 0, 989), 5}.pValue(), drawn{1, scores(10, 0, 989), 1e6}.pValue()
	if !(few > 3*many) || math.Abs(many/0.021-1) > 0.01 {
		t.Errorf("p %v with five items, %v with many", few, many)
	}
	if p := (drawn{}).pValue(); !math.IsNaN(p) {
		t.Errorf("p %v of nothing", p)
	}
}

// simulatedClusters has n words of k equally frequent categories. The cluster of a word tells its
// category with the probability agreement, and nothing otherwise.
func simulatedClusters(r *rand.Rand, n, k int, agreement float64) CategoryResult {
	result := CategoryResult{Categories: k}
	for i := range n {
		class := r.IntN(k)
		of := class
		if r.Float64() > agreement {
			of = r.IntN(k)
		}
		result.clusters, result.classes = append(result.clusters, of), append(result.classes, class)
		result.Clusters = append(result.Clusters, ClusteredWord{Word: strconv.Itoa(i), Category: strconv.Itoa(class), Cluster: of})
	}
	return result
}

// coveredMeans is the share of intervals of V-measure, of simulated words, that have the mean over
// many sets of as many words in them.
func coveredMeans(n, k int, agreement float64, draws, resamples int) float64 {
	r := rand.New(rand.NewPCG(uint64(n), uint64(k)))
	const sets = 3000
	mean := 0.0
	for range sets {
		s := simulatedClusters(r, n, k, agreement)
		mean += clustering.Count(s.clusters, s.classes).VMeasure() / sets
	}
	hits := 0
	for i := range draws {
		s := simulatedClusters(r, n, k, agreement)
		if _, _, at := s.entropyIntervals(Options{Seed: uint64(i), Resamples: resamples}); at.Low <= mean && mean <= at.High {
			hits++
		}
	}
	return float64(hits) / float64(draws)
}

func TestIntervalsOfVMeasureCoverItsMean(t *testing.T) {
	for _, agreement := range []float64{0.6, 0.9} {
		if share := coveredMeans(100, 10, agreement, 200, 300); share < 0.91 || share > 0.995 {
			t.Errorf("agreement %v: %.3f of the intervals cover the mean", agreement, share)
		}
	}
}

// BenchmarkCoverageOfVMeasure measures the figures of docs/evaluation.md.
func BenchmarkCoverageOfVMeasure(b *testing.B) {
	for _, n := range []int{50, 100, 400} {
		for _, k := range []int{2, 10, 20} {
			for _, agreement := range []float64{0.3, 0.6, 0.9} {
				b.Run(fmt.Sprintf("words=%d/categories=%d/agreement=%v", n, k, agreement), func(b *testing.B) {
					for b.Loop() {
						b.ReportMetric(100*coveredMeans(n, k, agreement, 500, 500), "%covered")
					}
				})
			}
		}
	}
}
