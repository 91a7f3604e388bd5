package eval

import "math"

// undefined is the score of nothing.
func undefined() Score { return Score(math.NaN()) }

// A Convention is a score by one way to treat words that are not in the vocabulary.
type Convention struct {
	Used     int      `json:"used"` // items that count
	Score    Score    `json:"score"`
	Interval Interval `json:"interval,omitzero"` // 95 % bootstrap interval of Score
}

// Conventions are the scores of a result by three conventions, of which other programs use one
// each.
type Conventions struct {
	// InVocabulary covers the items whose words are all in the vocabulary.
	InVocabulary Convention `json:"in_vocabulary"`
	// Composed also covers items with composed words. It is the score of the result.
	Composed Convention `json:"composed"`
	// Zero covers all items, without composed words: a pair with a word that is not in the
	// vocabulary has similarity 0, and a question with such a word is wrong. It is nil for tasks
	// that do not define it.
	Zero *Convention `json:"zero,omitempty"`
	// ComposedZero covers all items, with composed words: only items with words that have no
	// vector at all count as zero or wrong. It is nil for vectors without n-grams, where it is Zero.
	ComposedZero *Convention `json:"composed_zero,omitempty"`
}

// zeroed is a result that can count missing items as zero.
type zeroed interface {
	zero() Score
}

// conventions scores a result by the three conventions.
func conventions(r Result, sum Summary, sample Sample, all []standing, rules Rules, composes bool) Conventions {
	c := Conventions{Composed: Convention{sum.Used, sum.Score, sum.Interval}}
	c.InVocabulary = c.Composed
	if _, n := weigh(all, known); n < len(all) {
		part := sample.only(all, known)
		weights, _ := weigh(make([]standing, n), known)
		c.InVocabulary = Convention{n, Score(part.Score(weights)), bootstrap(part, rules)}
	}
	z, ok := r.(zeroed)
	if !ok {
		return c
	}
	c.Zero = &Convention{Used: sum.Items, Score: z.zero()}
	if composes {
		c.ComposedZero = &Convention{Used: sum.Items, Score: z.zero()}
		if u, ok := r.(interface{ zeroUnknown() Score }); ok {
			c.Zero.Score = u.zeroUnknown()
		} else if sample.Values != nil {
			weights, n := weigh(all, known)
			c.Zero.Score = Score(share(sample.Score(weights), n, sum.Items))
		} else {
			c.Zero = nil // it takes the task to compute it
		}
	}
	return c
}

// only returns the sample of the items that count.
func (s Sample) only(all []standing, counts func(standing) bool) Sample {
	var at []int // their places
	part := Sample{}
	for i, standing := range all {
		if counts(standing) {
			at = append(at, i)
			part.Items = append(part.Items, s.Items[i])
			if s.Values != nil {
				part.Values = append(part.Values, s.Values[i])
			}
		}
	}
	part.Score = func(weights []float64) float64 {
		whole := make([]float64, len(all))
		for i, w := range weights {
			whole[at[i]] = w
		}
		return s.Score(whole)
	}
	return part
}

// share is the mean over all items of a mean over n of them, if the others are 0.
func share(mean float64, n, all int) float64 {
	if n == 0 {
		mean = 0
	}
	return mean * float64(n) / float64(all)
}
