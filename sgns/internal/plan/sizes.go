package plan

import (
	"errors"
	"fmt"
	"math"

	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/sgns/internal/arch"
	"github.com/w2v-go/w2v/sgns/internal/config"
	"github.com/w2v-go/w2v/sgns/internal/engine"
	"github.com/w2v-go/w2v/sgns/internal/settings"
	"github.com/w2v-go/w2v/sgns/internal/step"
	"github.com/w2v-go/w2v/sgns/internal/variant"
	"github.com/w2v-go/w2v/vocab"
)

// Sizes are what the state of a run depends on besides its configuration: how the work was divided when the
// run began. Other programs may divide it differently. A resumed run keeps the sizes of its checkpoint, so
// that its result has the same bits. The names in JSON, such as round and stretch, are part of the file
// format and must not change.
type Sizes struct {
	step.Division
	Whole bool `json:"whole,omitempty"` // frequent words are not subsampled because the corpus is small

	// Sizes that are constants of this program.
	Text     int `json:"text"`     // most tokens in a text
	Sentence int `json:"sentence"` // most tokens in a sentence
	Chunk    int `json:"chunk"`    // least tokens in a chunk of the corpus
}

// LeastSubsampled is the smallest number of tokens of a corpus whose frequent words are subsampled, for any
// Config.Sample. In a smaller corpus, subsampling would leave too little to learn from.
const LeastSubsampled = 5000

// Sample returns the subsampling threshold for a corpus of so many tokens on all ranks. z are the sizes of a
// resumed run, nil for a new run.
func Sample(c config.Config, z *Sizes, tokens uint64) float64 {
	whole := tokens < LeastSubsampled && !config.TuningOf(&c).Subsample
	if z != nil {
		whole = z.Whole
	}
	if whole {
		return 0
	}
	return c.Sample
}

// SizesOf returns the sizes of a run with the subsampling threshold sample.
func SizesOf(c config.Config, d step.Division, sample float64) *Sizes {
	return &Sizes{
		Division: d, Whole: sample != c.Sample,
		Text: step.MaxText, Sentence: vocab.MaxSentence, Chunk: vocab.ChunkTokens,
	}
}

// Given returns the division with the sizes that are given, by z or by the tuning; zeros are to be chosen.
func Given(c config.Config, z *Sizes) step.Division {
	if z != nil {
		return z.Division
	}
	return config.TuningOf(&c).Division
}

// Runnable returns an error if this program cannot train with the sizes.
func (z *Sizes) Runnable(v *variant.Variant) error {
	for _, fixed := range []struct {
		name       string
		was, known int
	}{
		{"texts", z.Text, step.MaxText},
		{"sentences", z.Sentence, vocab.MaxSentence},
		{"chunks of the corpus", z.Chunk, vocab.ChunkTokens},
	} {
		if fixed.was != fixed.known {
			return unrunnable("%s of %d tokens, and this program has %d", fixed.name, fixed.was, fixed.known)
		}
	}
	if z.Centres < 1 || z.Centres > engine.MaxCentres {
		return unrunnable("blocks of %d centres, and this program has from 1 to %d", z.Centres, engine.MaxCentres)
	}
	if err := drawable(v, z.Draws); err != nil {
		return err
	}
	if n, window := z.Contexts, v.Run.Window; !(n >= 0 && n <= 2*float64(window)) || !v.Around() && n != 0 {
		return unrunnable("%v contexts for a centre, of windows of %d", n, window)
	}
	if v.ColumnParallel() != (z.SuperStep > 0) || z.SuperStep < 0 || z.SuperStep > step.MaxText/z.Centres {
		return unrunnable("steps of %d blocks, and this program has from 1 to %d where several threads train deterministically, and 0 elsewhere", z.SuperStep, step.MaxText/z.Centres)
	}
	if !(z.Threshold >= 0 && z.Threshold <= 1) {
		return unrunnable("errors rounded to %v, and this program rounds them to 0 to 1 of their weight", z.Threshold)
	}
	most := z.Step()
	if (v.Run.Subword != nil) != (z.Cached > 0) || z.Cached < 0 || z.Cached > step.MaxText || z.Cached%most != 0 {
		return unrunnable("words composed for %d tokens, and this program does so for a multiple of %d up to %d with n-grams, and for 0 without", z.Cached, most, step.MaxText)
	}
	return divisible(v, z.Segments)
}

func drawable(v *variant.Variant, draws int) error {
	switch {
	case v.Draws() == 0:
		if draws != 0 {
			return unrunnable("%d negatives a block, and its loss has none", draws)
		}
	case draws < 1 || draws > math.MaxInt32 || draws%v.Heads() != 0:
		return unrunnable("%d negatives a block, and this program draws a multiple of %d from 1 to %d", draws, v.Heads(), math.MaxInt32)
	}
	return nil
}

func divisible(v *variant.Variant, segments []int) error {
	if !v.ColumnParallel() {
		if len(segments) > 0 {
			return unrunnable("columns that a group divides, and there is none")
		}
		return nil
	}
	dim := v.Run.Dim
	for i, first := range segments {
		last := i == len(segments)-1
		if i == 0 && first != 0 || i > 0 && first <= segments[i-1] || last && first != dim || !last && first%simd.Lanes != 0 {
			return unrunnable("columns divided at %d, and this program divides %d at multiples of %d", segments, dim, simd.Lanes)
		}
	}
	if len(segments) < 2 {
		return unrunnable("columns divided at %d, and this program divides them from 0 to %d", segments, dim)
	}
	return nil
}

// MeanContexts returns the mean number of contexts of a centre, if each word is kept with probability keep.
func MeanContexts(ids *vocab.IDs, words *vocab.Vocab, r settings.Run, keep []float64) float64 {
	return arch.MeanContexts(ids, r.Window, r.WindowMode, arch.KeptOf(words, keep))
}

// unrunnable is the error of sizes that this program cannot train with.
func unrunnable(format string, args ...any) error {
	return errors.New("the checkpoint began with " + fmt.Sprintf(format, args...) + ": resume it with the w2v that made it, or train again")
}
