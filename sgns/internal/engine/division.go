package engine

import (
	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/sgns/internal/step"
	"github.com/w2v-go/w2v/sgns/internal/variant"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vocab"
)

// MaxCentres is the largest number of centres in a block. See docs/benchmarks.md for how it
// and the number of draws were chosen.
const MaxCentres = simd.Lanes

// Divide returns the division of work that suits a vocabulary of which each word is kept with
// probability keep. Sizes that are given stay.
func Divide(v *variant.Variant, words *vocab.Vocab, table *subword.Table, keep []float64, given step.Division) step.Division {
	d := given
	overlapping := overlap(words, table, keep)
	if d.Centres == 0 {
		d.Centres = centresFor(overlapping)
	}
	if d.Draws == 0 {
		d.Draws, d.Threshold = v.Draws(), v.Threshold()
	}
	if v.ColumnParallel() {
		if d.SuperStep == 0 {
			d.SuperStep = superStepFor(overlapping, d.Centres)
		}
		d.Segments = Segments(v.Run.Dim, v.Run.Subword != nil)
	} else {
		d.SuperStep = 0
	}
	if d.Cached == 0 && !table.Identity() {
		d.Cached = cachedFor(overlapping, d.Step())
	}
	return d
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
	return min(MaxCentres, 1+int(1/max(overlap, 1e-9)))
}

// maxSuperStep is the most blocks in a super-step. With 8, training was no faster than with 4, and
// learned a little less: see docs/benchmarks.md.
const maxSuperStep = 4

// superStepFor returns how many blocks of so many centres a group trains in one step, given how
// much tokens overlap. What a block moves, the other blocks of its super-step do not see, so
// that is kept to a third of the movement of one token.
func superStepFor(overlap float64, centres int) int {
	blocks := 1 + int(1/max(3*overlap, 1e-9))/centres
	return min(blocks, maxSuperStep)
}

// cachedFor returns for how many tokens, whole blocks of centres, the vectors of words
// are composed once. Within such a span a word does not see what others do to the rows
// that they share, so tokens that move together are moved too far, as in a step: what
// others do to a word unseen is kept to about twice the movement of one token.
func cachedFor(overlap float64, centres int) int {
	blocks := int(2/max(overlap, 1e-9)) / centres
	return min(max(blocks, 1), step.MaxText/centres) * centres
}
