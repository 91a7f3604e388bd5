package eval

import (
	"fmt"
	"slices"

	"github.com/w2v-go/w2v/vectors"
)

// A Band is the score of a part of a set's items, by how frequent or known their words are.
type Band struct {
	Name string `json:"name"` // "1-1000", …, "in vocabulary", "composed" or "missing"
	// From and To are ranks in the vocabulary, from 1; 0 if the band has none.
	From int `json:"from,omitempty"`
	To   int `json:"to,omitempty"`
	// Items counts the items of the band. Those that are missing are not scored.
	Items int   `json:"items"`
	Score Score `json:"score"`
	// Interval is the 95 % bootstrap interval of Score, if Options.BandIntervals asks for it.
	Interval Interval `json:"interval,omitzero"`
}

// DefaultBands are the last ranks of frequency bands, but for the last band, which ends with the
// vocabulary.
func DefaultBands() []int { return []int{1000, 10000, 100000, 1000000} }

// checkBands returns an error if ranks do not rise from 1.
func checkBands(ranks []int) error {
	for i, r := range ranks {
		if r < 1 || i > 0 && r <= ranks[i-1] {
			return fmt.Errorf("eval: the last ranks of frequency bands are %v, must be 1 or more and rise", ranks)
		}
	}
	return nil
}

// A standing is how well the vocabulary knows the words of an item.
type standing struct {
	rarest   int  // largest id of its words in the vocabulary; -1 if none is
	composed bool // a word is not in the vocabulary and was composed
}

// standings looks up the words of a sample. Words without vectors do not count.
func standings(s *vectors.Set, sample Sample, rules Rules) ([]standing, error) {
	var words []string
	for _, item := range sample.Items {
		words = append(words, item.Words...)
	}
	l, err := newLookup(s, rules.Spelling, words)
	if err != nil {
		return nil, err
	}
	all := make([]standing, len(sample.Items))
	for i, item := range sample.Items {
		all[i].rarest = -1
		for _, word := range item.Words {
			if e := l.find(word); !rules.lacks(e) {
				all[i].rarest = max(all[i].rarest, e.id)
				all[i].composed = all[i].composed || e.composed()
			}
		}
	}
	return all, nil
}

// weigh returns a weight of 1 for each item that counts, and their number.
func weigh(all []standing, counts func(standing) bool) (weights []float64, n int) {
	weights = make([]float64, len(all))
	for i, s := range all {
		if counts(s) {
			weights[i] = 1
			n++
		}
	}
	return weights, n
}

// bandOf scores the items that count.
func bandOf(name string, sum Summary, sample Sample, all []standing, opt Options, counts func(standing) bool) Band {
	weights, n := weigh(all, counts)
	b := Band{Name: name, Items: n, Score: sum.Score}
	if n < len(all) {
		b.Score = Score(sample.Score(weights))
	}
	switch {
	case !opt.BandIntervals || n == 0:
	case n == len(all):
		b.Interval = sum.Interval
	default:
		b.Interval = bootstrap(partOf(sample, weights), opt.Rules)
	}
	return b
}

// partOf returns the sample of the items with a weight.
func partOf(sample Sample, weights []float64) Sample {
	var items []int
	of := Sample{}
	for i, w := range weights {
		if w == 0 {
			continue
		}
		items = append(items, i)
		of.Items = append(of.Items, sample.Items[i])
		if len(sample.Values) > 0 {
			of.Values = append(of.Values, sample.Values[i])
		}
	}
	of.Score = func(drawn []float64) float64 {
		all := make([]float64, len(weights))
		for i, item := range items {
			all[item] = drawn[i]
		}
		return sample.Score(all)
	}
	return of
}

// bands scores the items by their rarest word, and by whether words were composed. The first
// bands have the items whose words are all in the vocabulary.
func bands(words int, sum Summary, sample Sample, all []standing, opt Options) (byRank, byWords []Band) {
	ranks := opt.Bands
	if ranks == nil {
		ranks = DefaultBands()
	}
	from := 0
	for _, to := range append(slices.Clone(ranks), words) {
		if to = min(to, words); from >= to {
			continue
		}
		b := bandOf(fmt.Sprintf("%d-%d", from+1, to), sum, sample, all, opt, func(s standing) bool {
			return !s.composed && s.rarest >= from && s.rarest < to
		})
		b.From, b.To = from+1, to
		byRank = append(byRank, b)
		from = to
	}
	return byRank, []Band{
		bandOf("in vocabulary", sum, sample, all, opt, known),
		bandOf("composed", sum, sample, all, opt, func(s standing) bool { return s.composed }),
		{Name: "missing", Items: sum.Items - sum.Used, Score: undefined()},
	}
}

func known(s standing) bool { return !s.composed }
