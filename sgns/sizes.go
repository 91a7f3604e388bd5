package sgns

import (
	"math"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/internal/simd"
)

// sizes are what the state of a run depends on besides its configuration: how the work was
// divided when the run began. Other programs may divide it otherwise. A run that is resumed
// goes on with the sizes of its checkpoint, so that it comes to the same bits.
type sizes struct {
	Centres  int     `json:"centres"`            // most centres in a block
	Draws    int     `json:"draws"`              // negatives of a block
	Round    int     `json:"round,omitempty"`    // blocks that a team trains in one step; 0 without a team
	Stretch  int     `json:"stretch,omitempty"`  // tokens whose vectors are composed once; 0 for plain words
	Contexts float64 `json:"contexts,omitempty"` // that a centre of CBOW has on the average
	Segments []int   `json:"segments,omitempty"` // first columns of a team's segments, and how many there are

	// Those that this program cannot change.
	Text     int `json:"text"`     // most tokens in a text
	Sentence int `json:"sentence"` // most tokens in a sentence
	Chunk    int `json:"chunk"`    // least tokens in a chunk of the corpus
}

// sizesOf returns the sizes of a run that is divided so.
func (c Config) sizesOf(s shape) sizes {
	z := sizes{
		Centres: s.centres, Draws: s.shared, Round: s.round, Stretch: s.stretch, Contexts: s.contexts,
		Text: maxText, Sentence: corpus.MaxSentence, Chunk: corpus.ChunkTokens,
	}
	if c.teamed() {
		z.Segments = c.segments()
	}
	return z
}

// shape is how a run of these sizes is divided.
func (z *sizes) shape() shape {
	return shape{centres: z.Centres, shared: z.Draws, round: z.Round, stretch: z.Stretch, contexts: z.Contexts}
}

// complete reports whether these are all sizes: a checkpoint of revision 1 says no more
// than how many negatives its workers have drawn, and has the others that suit this program.
func (z *sizes) complete() bool { return z != nil && z.Centres > 0 }

// runnable returns an error if this program cannot train with the sizes.
func (z *sizes) runnable(c Config) error {
	for _, fixed := range []struct {
		name       string
		was, known int
	}{
		{"texts", z.Text, maxText},
		{"sentences", z.Sentence, corpus.MaxSentence},
		{"chunks of the corpus", z.Chunk, corpus.ChunkTokens},
	} {
		if fixed.was != fixed.known {
			return unrunnable("%s of %d tokens, and this program has %d", fixed.name, fixed.was, fixed.known)
		}
	}
	if z.Centres < 1 || z.Centres > maxCentres {
		return unrunnable("blocks of %d centres, and this program has from 1 to %d", z.Centres, maxCentres)
	}
	if err := c.drawable(z.Draws); err != nil {
		return err
	}
	if n := z.Contexts; !(n >= 0 && n <= 2*float64(c.Window)) || c.arch() != CBOW && n != 0 {
		return unrunnable("%v contexts for a centre, of windows of %d", n, c.Window)
	}
	if c.teamed() != (z.Round > 0) || z.Round < 0 || z.Round > maxText/z.Centres {
		return unrunnable("steps of %d blocks, and this program has from 1 to %d where several threads train deterministically, and 0 elsewhere", z.Round, maxText/z.Centres)
	}
	step := z.shape().step()
	if (c.Subword != nil) != (z.Stretch > 0) || z.Stretch < 0 || z.Stretch > maxText || z.Stretch%step != 0 {
		return unrunnable("words composed for %d tokens, and this program does so for a multiple of %d up to %d with n-grams, and for 0 without", z.Stretch, step, maxText)
	}
	return c.divisible(z.Segments)
}

// drawable returns an error if blocks cannot draw so many negatives.
func (c Config) drawable(draws int) error {
	switch {
	case c.loss() == HierarchicalSoftmax:
		if draws != 0 {
			return unrunnable("%d negatives a block, and hierarchical softmax has none", draws)
		}
	case draws < 1 || draws > math.MaxInt32 || draws%c.heads() != 0:
		return unrunnable("%d negatives a block, and this program draws a multiple of %d from 1 to %d", draws, c.heads(), math.MaxInt32)
	}
	return nil
}

// divisible returns an error if a team cannot divide the columns so.
func (c Config) divisible(segments []int) error {
	if !c.teamed() {
		if len(segments) > 0 {
			return unrunnable("columns that a team divides, and there is none")
		}
		return nil
	}
	for i, first := range segments {
		last := i == len(segments)-1
		if i == 0 && first != 0 || i > 0 && first <= segments[i-1] || last && first != c.Dim || !last && first%simd.Lanes != 0 {
			return unrunnable("columns divided at %d, and this program divides %d at multiples of %d", segments, c.Dim, simd.Lanes)
		}
	}
	if len(segments) < 2 {
		return unrunnable("columns divided at %d, and this program divides them from 0 to %d", segments, c.Dim)
	}
	return nil
}

// sizesBefore returns the sizes of a checkpoint of revision 1, which names none: what its
// workers have drawn ahead tells how many negatives a block has.
func (c Config) sizesBefore(s state) (*sizes, error) {
	z := &sizes{Draws: len(s.Workers[0].Ahead)}
	return z, c.drawable(z.Draws)
}
