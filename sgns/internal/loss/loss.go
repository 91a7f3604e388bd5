// Package loss has the losses: which output rows should score high with an input, which low, and what an
// error costs.
package loss

import (
	"github.com/w2v-go/w2v/sgns/internal/capability"
	"github.com/w2v-go/w2v/sgns/internal/params"
	"github.com/w2v-go/w2v/sgns/internal/settings"
	"github.com/w2v-go/w2v/sgns/internal/step"
	"github.com/w2v-go/w2v/vocab"
)

// A Kind is a loss to choose.
type Kind = settings.Kind[Loss]

// Kinds returns every loss, the default first. A new loss is a line here.
func Kinds() []Kind {
	return []Kind{
		NegativeSampling,
		HierarchicalSoftmax,
	}
}

// A Loss belongs to a run. All workers share it.
type Loss interface {
	// Capabilities says what the loss can be combined with.
	Capabilities() capability.Part
	// Draws returns the number of words that a block draws. Usual is the number for the architecture with
	// negative sampling.
	Draws(usual int) int
	// Outputs describes the output rows for a vocabulary of so many words. words describes the architecture's
	// output rows of words.
	Outputs(words params.Matrix, vocabulary int) params.Matrix
	// Most returns the largest numbers of rows of positives and of negatives in a block, given its numbers of
	// targets and draws.
	Most(targets, draws int, v *vocab.Vocab) (positives, negatives float64)
	// Prepare computes what all workers need from the vocabulary.
	Prepare(*vocab.Vocab)
	// PreparedBytes is the size of the result of Prepare.
	PreparedBytes(*vocab.Vocab) float64
	// ZeroScore is the mean loss of an input and a target, with the target's share of negatives, if all
	// scores are zero.
	ZeroScore(*vocab.Vocab) float64
	// Scored reports whether errors are computed from scores: see step.Objective.
	Scored() bool
	// Worker returns a worker's part of the loss. Bytes is its size with so many heads.
	Worker(step.Parts) step.Loss
	Bytes(heads int) float64
}
