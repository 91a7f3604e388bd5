package align

import (
	"cmp"
	"math"
	"slices"

	"github.com/w2v-go/w2v/vectors"
)

// A Band is words of about the same frequency, and how far they have moved.
type Band struct {
	MinCount uint64  `json:"min_count,omitempty"` // of the two counts of a word the smaller one; 0 where counts are not known
	MaxCount uint64  `json:"max_count,omitempty"`
	Words    int     `json:"words"`
	Median   float64 `json:"median"` // of the distances
	Q90      float64 `json:"q90"`    // nine of ten distances are below it
}

const (
	// deviationWindow is how many words of about its frequency a word is compared with, and
	// deviationStep for how many words in a row they are the same.
	deviationWindow = 250
	deviationStep   = 50
	// toDeviation times the median absolute deviation is the standard deviation, of a normal
	// distribution.
	toDeviation = 1.4826
	// rounding is what distances of vectors in float32 differ by that are the same. Where words of a
	// frequency differ by no more, there is no deviation.
	rounding = 1e-6
	// bands is how many bands there are, at most, of as many words each.
	bands = 10
	// bandWords is how many words a band has at least.
	bandWords = 20
)

// frequencyOrder returns the indexes of words, the most frequent ones first: by the smaller of a
// word's two counts or, without counts, by the larger of its two ids.
func frequencyOrder(old, new *vectors.Set, pairs []Pair, words []Moved) []int {
	order := make([]int, len(words))
	for i := range order {
		order[i] = i
	}
	known := old.Counts() != nil && new.Counts() != nil
	slices.SortStableFunc(order, func(x, y int) int {
		if known {
			return cmp.Compare(words[y].count(), words[x].count())
		}
		return cmp.Compare(max(pairs[x].A, pairs[x].B), max(pairs[y].A, pairs[y].B))
	})
	return order
}

// count returns the smaller one of a word's two counts.
func (m Moved) count() uint64 { return min(m.OldCount, m.NewCount) }

// deviations sets the deviation of all words, whose indexes are given in the order of frequency, and
// returns the bands of frequency.
func deviations(words []Moved, order []int) []Band {
	for first := 0; first < len(order); first += deviationStep {
		last := min(len(order), first+deviationStep)
		from := max(0, (first+last-deviationWindow)/2)
		to := min(len(order), from+deviationWindow)
		from = max(0, to-deviationWindow)
		distances := distancesOf(words, order[from:to])
		median := quantile(distances, 0.5)
		for i, x := range distances {
			distances[i] = math.Abs(x - median)
		}
		slices.Sort(distances)
		spread := toDeviation * quantile(distances, 0.5)
		for _, i := range order[first:last] {
			if spread > rounding {
				words[i].Deviation = (words[i].Distance - median) / spread
			}
		}
	}
	n := max(1, min(bands, len(order)/bandWords))
	all := []Band{}
	for b := range n {
		in := order[len(order)*b/n : len(order)*(b+1)/n]
		if len(in) == 0 {
			continue
		}
		distances := distancesOf(words, in)
		all = append(all, Band{
			MinCount: words[in[len(in)-1]].count(), MaxCount: words[in[0]].count(), Words: len(in),
			Median: quantile(distances, 0.5), Q90: quantile(distances, 0.9),
		})
	}
	return all
}

// distancesOf returns the distances of some words, sorted.
func distancesOf(words []Moved, indexes []int) []float64 {
	distances := make([]float64, len(indexes))
	for i, at := range indexes {
		distances[i] = words[at].Distance
	}
	slices.Sort(distances)
	return distances
}

// medianOf returns the median distance, 0 without words.
func medianOf(words []Moved) float64 {
	distances := make([]float64, len(words))
	for i, w := range words {
		distances[i] = w.Distance
	}
	slices.Sort(distances)
	return quantile(distances, 0.5)
}

// quantile returns a quantile of sorted numbers, between two of them if need be (type 7 of Hyndman
// and Fan 1996); 0 without numbers.
func quantile(sorted []float64, q float64) float64 {
	if len(sorted) == 0 {
		return 0
	}
	at := q * float64(len(sorted)-1)
	below := int(at)
	above := min(below+1, len(sorted)-1)
	return sorted[below] + (at-float64(below))*(sorted[above]-sorted[below])
}
