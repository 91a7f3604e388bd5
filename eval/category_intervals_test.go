package eval

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/w2v-go/w2v/internal/clustering"
)

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
		if _, _, at := s.entropyIntervals(Rules{Seed: uint64(i), Resamples: resamples}); at.Low <= mean && mean <= at.High {
			hits++
		}
	}
	return float64(hits) / float64(draws)
}

func TestIntervalsOfVMeasureCoverItsMean(t *testing.T) {
	if testing.Short() {
		t.Skip("a simulation of some seconds")
	}
	for _, n := range []int{100, 400} {
		for _, agreement := range []float64{0.6, 0.9} {
			if share := coveredMeans(n, 10, agreement, 200, 300); share < 0.91 || share > 0.995 {
				t.Errorf("%d words, agreement %v: %.3f of the intervals cover the mean", n, agreement, share)
			}
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
