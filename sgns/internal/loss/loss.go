// Package loss has the losses: which output rows are to score high with an input, which low,
// and what an error costs.
package loss

import (
	"slices"

	"github.com/w2v-go/w2v/sgns/internal/capability"
	"github.com/w2v-go/w2v/sgns/internal/params"
	"github.com/w2v-go/w2v/sgns/internal/settings"
	"github.com/w2v-go/w2v/sgns/internal/step"
	"github.com/w2v-go/w2v/vocab"
)

// A Kind is a loss to choose.
type Kind struct {
	Name string // by which users know it
	Help string // what it is, in a few words
	// Samples tells that negatives are drawn, as many as the settings say.
	Samples bool
	// Plain tells that programs that know of no variants train with it.
	Plain bool
	// New returns the loss of a run with these settings.
	New func(settings.Run) Loss
}

// Kinds returns every loss. The first one is the default. A new loss is a line here.
func Kinds() []Kind {
	return []Kind{
		NegativeSampling,
		HierarchicalSoftmax,
	}
}

// Find returns the loss of that name, the default if it is empty.
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

// A Loss is that of a run. All workers share it.
type Loss interface {
	// Capabilities say what it can be combined with.
	Capabilities() capability.Part
	// Draws returns how many words a block draws, given how many one of its architecture draws
	// with negative sampling.
	Draws(usual int) int
	// Outputs describes the output rows for a vocabulary of so many words. Words are the output
	// rows that the architecture has for words.
	Outputs(words params.Matrix, vocabulary int) params.Matrix
	// Most returns how many rows the positives and the negatives of a block have at most, given
	// how many targets and draws it has.
	Most(targets, draws int, v *vocab.Vocab) (positives, negatives float64)
	// Prepare makes what all workers need of the vocabulary.
	Prepare(*vocab.Vocab)
	// PreparedBytes is the size of what Prepare makes.
	PreparedBytes(*vocab.Vocab) float64
	// ZeroScore is the mean loss of an input and a target, with its share of negatives, when all
	// scores are zero.
	ZeroScore(*vocab.Vocab) float64
	// Scored reports whether errors are found from scores: see step.Objective.
	Scored() bool
	// Worker returns the part of a worker, and Bytes its size with so many heads.
	Worker(step.Parts) step.Loss
	Bytes(heads int) float64
}
