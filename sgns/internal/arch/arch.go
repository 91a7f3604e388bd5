// Package arch has the architectures: what the inputs of a step are, and what they predict.
package arch

import (
	"slices"

	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/sgns/internal/capability"
	"github.com/w2v-go/w2v/sgns/internal/params"
	"github.com/w2v-go/w2v/sgns/internal/settings"
	"github.com/w2v-go/w2v/sgns/internal/step"
	"github.com/w2v-go/w2v/vocab"
)

// A Kind is an architecture to choose.
type Kind struct {
	Name string // by which users know it
	Help string // what predicts what
	// Plain tells that programs that know of no variants train it.
	Plain bool
	// New returns the architecture of a run with these settings.
	New func(settings.Run) Architecture
}

// Kinds returns every architecture. The first one is the default. A new architecture is a line
// here.
func Kinds() []Kind {
	return []Kind{
		SkipGram,
		CBOW,
		Structured,
	}
}

// Find returns the architecture of that name, the default if it is empty.
func Find(name string) (k Kind, ok bool) {
	all := Kinds()
	if name == "" {
		return all[0], true
	}
	i := slices.IndexFunc(all, func(k Kind) bool { return k.Name == name })
	if i < 0 {
		return Kind{}, false
	}
	return all[i], true
}

// Options returns what the settings add to an architecture, whether it can be added or not.
func Options(r settings.Run) (parts []capability.Part) {
	for _, option := range []func(settings.Run) (capability.Part, bool){wholeLines, positionWeights, wordNgrams} {
		if part, chosen := option(r); chosen {
			parts = append(parts, part)
		}
	}
	return parts
}

// An Architecture is that of a run. All workers share it.
type Architecture interface {
	// Check returns an error if it cannot have its settings.
	Check() error
	// Capabilities say what it can be combined with.
	Capabilities() capability.Part
	// Rates are the learning rates that suit it.
	Rates() Rates
	// Traits are those of blocks of so many centres.
	Traits(centres int) step.Traits
	// Draws returns how many words a block draws, given how many one of skip-gram draws.
	Draws(usual int) int
	// Output describes the matrix of output rows of so many words, for losses that have such.
	Output(words int) params.Matrix
	// Matrices describes those that the architecture has of its own.
	Matrices() []params.Matrix
	// Prepare makes what all workers need of the vocabulary.
	Prepare(*vocab.Vocab)
	// PreparedBytes is the size of what Prepare makes of so many words.
	PreparedBytes(words int) float64
	// Worker returns the part of a worker, and Bytes its size for blocks of so many centres.
	Worker(step.Parts) step.Architecture
	Bytes(centres int) float64
}

// Rates are the learning rates that suit an architecture, of words and with n-grams.
type Rates struct {
	Words, Subwords Rate
	// ByCentre tells that there is one step for each centre, however large the window is.
	ByCentre bool
}

// A Rate is that for 86 million tokens. It falls with a power of their number from the most.
type Rate struct{ Usual, Power, Most float64 }

// outputOf describes a matrix of output rows, one for each word and head.
func outputOf(words, heads, dim int) params.Matrix {
	return params.Matrix{
		Name: "output", Title: "context vectors", Role: params.Output, Keys: params.ByWord, Rows: words * heads, Cols: dim,
		Touched: func(w params.Words) []float32 {
			all := make([]float32, words*heads)
			for row := range all {
				all[row] = float32((w.Kept[row%words] + w.Drawn[row%words]) / float64(heads))
			}
			return all
		},
	}
}

// mostPositions returns how many positions may be contexts in a block.
func mostPositions(centres, window int) int {
	return min(centres+2*min(window, step.MaxText), step.MaxText)
}

// reach returns the positions that may be contexts of the centres of a batch.
func reach(b *step.Batch) (from, to int) {
	t := &b.Text
	return max(b.First-b.Window, int(t.From[b.First])), min(b.Last+b.Window, int(t.To[b.Last-1]))
}

// A centres has the centres' rows of the source as inputs.
type centres struct{ source step.Source }

// Compose makes inputs the rows of the centres.
func (c centres) Compose(b *step.Batch, inputs simd.Block) {
	c.source.Gather(inputs, b.CentreRows)
}

// Scatter adds the gradient to the rows of the centres.
func (c centres) Scatter(b *step.Batch, gradient simd.Block) {
	c.source.Scatter(b.CentreRows, gradient)
}
