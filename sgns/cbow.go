package sgns

import (
	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/internal/simd"
)

// The architecture of CBOW: the mean of its contexts' vectors predicts a centre. Each
// context gets its share of the mean's gradient. word2vec.c and those after it give it all
// of it (İrsoy, Benton and Stratos 2021, "Corrected CBOW performs as well as skip-gram").

// aimAtCentres makes the centres what the means of their contexts predict.
func (b *pairing) aimAtCentres(t text, first, last, window int) {
	from, to := b.reach(t, first, last, window)
	s := &b.contexts
	b.lead = first - from
	s.rows = t.rows[from:to]
	s.with = b.band(s.with, t, first, last, from, to, window)
	var shares [simd.Lanes]float32
	b.true, b.by = b.ids, b.by[:last-first]
	b.pairs = 0
	for c := first; c < last; c++ {
		i := c - first
		b.by[i], b.each[i] = 0, 0
		if n := contextsOf(t, c, window); n > 0 {
			b.by[i], b.each[i] = 1<<i, 1
			b.pairs++
			shares[i] = 1 / float32(n)
		}
	}
	if b.hasher != nil {
		b.aimRuns(t, first, last, from, to, window, &shares)
	}
	s.share(&shares)
	s.group(inOrder[:last-first], nil, b.frozen.in)
}

// newMean returns a side of at most so many rows that inputs are the means of: its errors
// are the shares that rows have in inputs.
func newMean(rows int) side {
	s := newSide(rows, 1)
	s.lowest = newRows(rows, simd.Lanes).Data
	for i := range s.lowest {
		s.lowest[i] = lowestScore
	}
	return s
}

// lowestScore is so low that the error of a true pair is all of its weight, and not so low
// that its exponential is a number that processors are slow with.
const lowestScore = -50

// share makes the errors of a side the shares of each input that its rows have. That is
// what the kernel makes of pairs whose scores could not be lower.
func (s *side) share(shares *[simd.Lanes]float32) {
	p := simd.Pairs{Rows: s.rows, With: s.with, Weights: shares[:], Positive: true}
	simd.ErrorsOfScores(s.errors[0], s.lowest, 0, 1, p, false)
}

// margin is how far from its centres a block reads input vectors.
func (c Config) margin() int {
	if c.arch() == CBOW {
		return min(c.Window, corpus.MaxSentence)
	}
	return 0
}
