package sgns

import (
	"math"

	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vocab"
)

// maxCentres is the largest number of centres in a block. See docs/architecture.md
// for how it and the number of draws were chosen.
const maxCentres = simd.Lanes

// draws returns how many negatives a block draws. Structured skip-gram has some for each
// head.
func (c Config) draws() int {
	switch {
	case c.loss() == HierarchicalSoftmax:
		return 0
	case c.arch() == Structured:
		return c.heads() * ((drawsFor(c.Negatives) + 2) / 3)
	case c.arch() == CBOW:
		return (5*drawsFor(c.Negatives) + 11) / 12
	}
	return drawsFor(c.Negatives)
}

// drawsFor returns how many negatives a block draws for K negatives a pair: 24 for
// up to 5, and so many more for more that none weighs more than with 5.
func drawsFor(negatives int) int {
	const draws, usual = 24, 5
	return max(draws, int(min((draws*int64(negatives)+usual-1)/usual, math.MaxInt32)))
}

// overlap returns how much the input vector of one token moves, on the average,
// when another token is trained: the expected sum, over the rows they share, of
// one's gradient and the other's weight. It is 1 for the token itself, about
// 0.005 for two tokens of English or German text with n-grams, and near 1 where
// all tokens begin with the same characters, as URLs or item numbers may.
func overlap(v *vocab.Vocab, table *subword.Table, keep []float64) float64 {
	var total float64
	for w, p := range keep {
		total += p * float64(v.Count(w))
	}
	trained := make([]float64, table.Rows()) // by an average token
	used := make([]float64, table.Rows())    // in an average token
	for w, p := range keep {
		p *= float64(v.Count(w)) / total
		rows, weights := table.Of(uint32(w))
		for i, r := range rows {
			trained[r] += p
			used[r] += p * float64(weights[i])
		}
	}
	var sum float64
	for r := range used {
		sum += trained[r] * used[r]
	}
	return sum
}

// centresFor returns how many centres to train in one step, given how much
// tokens overlap. The gradients of a step are all taken at its start and then
// added up, so tokens that move together are moved too far: their step is kept
// to about twice that of one token.
func centresFor(overlap float64) int {
	return min(maxCentres, 1+int(1/max(overlap, 1e-9)))
}

// maxRound is the most blocks in a round. With 8, training was no faster than with 4, and
// learned a little less: see docs/architecture.md.
const maxRound = 4

// roundFor returns how many blocks of so many centres a team trains in one step, given how
// much tokens overlap. What a block moves, the other blocks of its round do not see, so
// that is kept to a third of the movement of one token.
func roundFor(overlap float64, centres int) int {
	blocks := 1 + int(1/max(3*overlap, 1e-9))/centres
	return min(blocks, maxRound)
}

// stretchFor returns for how many tokens, whole blocks of centres, the vectors of words
// are composed once. Within a stretch a word does not see what others do to the rows
// that they share, so tokens that move together are moved too far, as in a step: what
// others do to a word unseen is kept to about twice the movement of one token.
func stretchFor(overlap float64, centres int) int {
	blocks := int(2/max(overlap, 1e-9)) / centres
	return min(max(blocks, 1), maxText/centres) * centres
}
