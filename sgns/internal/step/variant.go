package step

import (
	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/sgns/internal/params"
	"github.com/w2v-go/w2v/sgns/internal/random"
	"github.com/w2v-go/w2v/vectors"
)

// A step is the same for every variant. What differs between variants it asks of an
// Architecture, a Loss and a Composition, each of which is one worker's own. They are called
// once a block, and allocate nothing there.

// An Architecture says which inputs a block has, and what they are to predict.
type Architecture interface {
	Traits() Traits
	// Select sets the targets of the batch, whose text, centres and window are set.
	Select(b *Batch)
	// Compose makes the inputs of the batch, one for each centre, of rows of the source.
	Compose(b *Batch, inputs simd.Block)
	// Scatter gives the rows that inputs are made of their shares of the inputs' gradient.
	// It is not called where inputs are rows themselves: see Traits.
	Scatter(b *Batch, gradient simd.Block)
}

// Traits are what holds of all blocks of an architecture.
type Traits struct {
	Targets int  // the most of a block
	Heads   int  // output matrices, each with a row for every word
	Rows    bool // inputs are the centres' rows of the source
	Around  bool // inputs are made of the rows of words around the centres
	Drawn   bool // contexts are drawn at random: see Batch.Contexts
}

// A Loss says which output rows are to score high with which inputs, and which low.
type Loss interface {
	// Pairs returns how many rows the positives and the negatives of a block have at most,
	// and of what shape they are.
	Pairs() (positives, negatives PairsOf)
	// Fetched returns output rows of one head that a block reads if these words are its targets,
	// and that are worth fetching ahead. They are valid until the next call.
	Fetched(words []uint32) []uint32
	// Draw draws words for a block.
	Draw(words []uint32, g *random.Generator)
	// Pair makes pairs of the targets of the batch, and of the words that were drawn.
	Pair(b *Batch, rate float32)
	// Settle takes from the errors of negatives the part of those that are targets too. It
	// returns the loss of that part if it is wanted. Score returns the score of a negative
	// and an input, by columns (see nested.go).
	Settle(b *Batch, wantLoss bool, score func(negative, input, columns int) float32) float64
	// Objective returns how errors are found. It is nil for logistic regression.
	Objective() Objective
}

// An Objective finds the errors of pairs from their scores.
type Objective interface {
	// Errors sets errors[j*simd.Lanes+i] to the error of the pair of row p.Rows[j] and input
	// i: minus the derivative of its loss by the score scores[j*simd.Lanes+i], times
	// p.Weights[i]. It is 0 for what is no pair. If loss is wanted, Errors returns the sum of
	// weights times losses, else 0.
	Errors(errors, scores []float32, p simd.Pairs, wantLoss bool) float64
}

// A Composition makes the vectors of words, and gives the rows that they are made of the
// changes of these. It trains a text in spans of consecutive tokens, and spans in steps.
type Composition interface {
	// Source is where the vectors of words are.
	Source() Source
	// Span is how many tokens are in a span, whole steps.
	Span() int
	// Begin begins the span of positions first to last-1 of the text, trained in steps of so
	// many centres. It sets the text's rows, also of the words around the span that are needed.
	Begin(t Text, first, last, centres int)
	// Compose makes the vectors of the words that step k of the span needs first.
	Compose(k int)
	// Scatter gives the rows of words that no step behind step k needs what these words'
	// vectors have changed by. Rows of fewer bits are rounded at random, by the seed.
	Scatter(k int, seed uint32)
	// Projection turns inputs into vectors of the model's width; nil if they are that already.
	Projection() Projection
}

// A Projection turns inputs into wider ones.
type Projection interface {
	// Inputs returns the block of so many inputs that is to be projected.
	Inputs(n int) simd.Block
	// Project sets hidden to the projected inputs.
	Project(hidden simd.Block)
	// Back takes the step of the projection itself, given the gradient of what it made, and
	// returns the gradient of the inputs.
	Back(gradient simd.Block) simd.Block
}

// Parts are what a worker's own part of a variant is made with.
type Parts struct {
	Values   *params.Values
	Replicas *Replicas
	Division Division
	Source   Source // of the composition, for its architecture
	Traits   Traits // of the architecture, for its loss
}

// outputName is the name of the matrix of output rows.
func (p Parts) outputName() string {
	for _, m := range p.Values.List() {
		if m.Role == params.Output {
			return m.Name
		}
	}
	return ""
}

// Output is the matrix of output rows.
func (p Parts) Output() vectors.Matrix { return p.Values.Matrix(p.outputName()) }

// A Division is how a run divides its work.
type Division struct {
	Centres   int     // the most centres of a block
	Draws     int     // words drawn for a block
	SuperStep int     // blocks that a column-parallel group trains in one step; 0 for workers who do not wait for each other
	Cached    int     // tokens whose vectors are composed once; 0 for plain words
	Contexts  float64 // that a centre has on the average, where inputs are means of them
	Segments  []int   // of a column-parallel group: see package engine
	Threshold float32 // of the rounding of negatives' errors; 0 for none
}

// Step is the most centres that are trained in one step.
func (d Division) Step() int { return d.Centres * max(d.SuperStep, 1) }
