package eval

import (
	"math"
	"strconv"
	"strings"
)

// newItem names item number i of a set by its words.
func newItem(i int, words ...string) Item {
	return Item{Key: strconv.Itoa(i) + " " + strings.Join(words, " "), Words: words}
}

// Judgements returns the used pairs: the set's numbers beside the cosines. A result that was read
// from JSON has none.
func (r SimilarityResult) Judgements() []Judgement { return r.used }

// Summary returns what results of every task have. The score is Spearman's correlation.
func (r SimilarityResult) Summary() Summary {
	return Summary{
		Set:      r.Set,
		Task:     TaskSimilarity,
		Metric:   "spearman",
		Score:    r.Spearman,
		Interval: r.CI95,
		Items:    r.Pairs,
		Used:     r.Used,
		Composed: r.Composed,
		Missing:  r.Missing,
		Parts:    []Part{{Name: "pearson", Metric: "pearson", Score: r.Pearson, Interval: r.PearsonCI95, Items: r.Pairs, Used: r.Used}},
	}
}

// Sample returns the used pairs, and Spearman's correlation of them. A result that was read from
// JSON has none.
func (r SimilarityResult) Sample() Sample { return judgedSample(r.used) }

// judgedSample returns judgements, and Spearman's correlation of them.
func judgedSample(judgements []Judgement) Sample {
	items, model, human := columns(judgements)
	return Sample{Items: items, Score: newRankCorrelation(model, human).score}
}

// columns returns what judgements have in a slice of its own each.
func columns(judgements []Judgement) (items []Item, model, human []float64) {
	for _, j := range judgements {
		items, model, human = append(items, j.Item), append(model, j.Model), append(human, j.Human)
	}
	return items, model, human
}

// zero returns the score over all pairs if pairs with missing words have cosine 0.
func (r SimilarityResult) zero() Score { return r.missingZero }

// zeroUnknown returns the score over all pairs if pairs with a word that is not in the vocabulary
// have cosine 0.
func (r SimilarityResult) zeroUnknown() Score { return r.unknownZero }

// weightedMean returns a function that computes the mean of values if value i counts weights[i]
// times.
func weightedMean(values []float64) func(weights []float64) float64 {
	return func(weights []float64) float64 {
		sum, total := 0.0, 0.0
		for i, w := range weights {
			sum += w * values[i]
			total += w
		}
		if total == 0 {
			return math.NaN()
		}
		return sum / total
	}
}
