// Package arch has the architectures: what the inputs of a step are, and what they predict.
package arch

import (
	"math"
	"slices"

	"github.com/w2v-go/w2v/sgns/internal/capability"
	"github.com/w2v-go/w2v/sgns/internal/params"
	"github.com/w2v-go/w2v/sgns/internal/settings"
	"github.com/w2v-go/w2v/sgns/internal/step"
	"github.com/w2v-go/w2v/vocab"
)

// A Kind is an architecture to choose.
type Kind struct {
	Name string // by which users know it
	// New returns the architecture of a run with these settings.
	New func(settings.Run) Architecture
}

// All returns every architecture. The first one is the default.
func All() []Kind { return []Kind{SkipGram, CBOW, Structured} }

// Find returns the architecture of that name, the default if it is empty.
func Find(name string) (k Kind, ok bool) {
	all := All()
	if name == "" {
		return all[0], true
	}
	i := slices.IndexFunc(all, func(k Kind) bool { return k.Name == name })
	if i < 0 {
		return Kind{}, false
	}
	return all[i], true
}

// An Architecture is that of a run, which all workers share.
type Architecture interface {
	// Capabilities say what it can be combined with.
	Capabilities() []capability.Part
	// Rate is how a learning rate by the size of a corpus suits it.
	Rate() Rate
	// Traits are those of blocks of so many centres.
	Traits(centres int) step.Traits
	// Draws returns how many words a block draws, given how many one of skip-gram draws.
	Draws(usual int) int
	// Matrices are those that it adds to the inputs and outputs.
	Matrices() []params.Matrix
	// Prepare makes what all workers need of the vocabulary.
	Prepare(*vocab.Vocab)
	// Worker returns the architecture of a worker.
	Worker(step.Parts) step.Architecture
	// Bytes is the size of what Worker returns, and of what Prepare makes for so many words.
	Bytes(centres, words int) (worker, prepared float64)
}

// A Rate is a learning rate at 86 million tokens, the power of their number by which it falls,
// and the most; with n-grams, too.
type Rate struct {
	Words, Subwords Law
	// Centres tells that a step is made for each centre, whatever its window is.
	Centres bool
}

// A Law is one of powers.
type Law struct{ Rate, Power, Most float64 }

// MostPositions returns how many positions may be contexts in a block.
func mostPositions(centres, window int) int {
	return min(centres+2*min(window, step.MaxText), step.MaxText)
}

// reach returns the positions that may be contexts of the centres of a batch.
func reach(b *step.Batch) (from, to int) {
	t := &b.Text
	return max(b.First-b.Window, int(t.From[b.First])), min(b.Last+b.Window, int(t.To[b.Last-1]))
}

// overflowing is the most that rows can have numbers for.
const overflowing = math.MaxUint32
