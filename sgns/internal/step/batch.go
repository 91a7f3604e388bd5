package step

import (
	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/sgns/internal/random"
)

// A Batch is what there is to know about a block without its vectors: which of its inputs are
// paired with which output rows, and what that weighs. An architecture selects the targets
// of its inputs, and a loss makes pairs of them.
type Batch struct {
	Text        Text
	First, Last int      // positions of the centres
	Window      int      // of all centres of the block
	Centres     []uint32 // words
	CentreRows  []uint32 // of the source of words' vectors
	Drawn       []uint32 // words that were drawn for the block
	Targets
	Positives, Negatives Pairs

	architecture Architecture
	loss         Loss
	traits       Traits
	direct       bool // what inputs change by goes to rows of the source at once
	// Rows that stay as they are; nil for none.
	frozenSource, frozenOutput []bool
}

// Targets are the words that inputs are to predict.
type Targets struct {
	Words  []uint32            // the targets
	Heads  []uint32            // for each, which output matrix it is predicted with; nil where there is one
	Inputs []uint16            // for each, a bit for every input that predicts it
	Number int                 // of pairs of an input and a target
	Each   [simd.Lanes]float32 // pairs of an input with one output matrix, whose share of negatives each draw stands for
}

// Pairs are the positives of a block, or its negatives: pairs of an input and an output row.
type Pairs struct {
	PairsOf
	Rows     []uint32            // of the matrix
	With     []uint16            // for each row, a bit for every input that it is paired with
	Weights  [simd.Lanes]float32 // of a pair of each input
	Errors   [][]float32         // by columns (see nested.go): rows × lanes
	Kept     []uint16            // for each row, a bit for every input whose error was not rounded to 0
	Rounding simd.Rounding       // of errors
	ToInputs []simd.Group        // inputs, and the rows that are added to them
	ToRows   []simd.Group        // rows, and the inputs that are added to them
}

// PairsOf is what holds of the pairs of every block.
type PairsOf struct {
	Most    int  // rows
	Single  bool // no row is paired with more than one input
	Full    bool // every row is paired with all inputs
	Aligned bool // row number i is paired with input i, if any; there are no groups
}

// NewPairs returns room for pairs, and for as many lists of errors.
func NewPairs(of PairsOf, lists int) Pairs {
	p := Pairs{
		PairsOf:  of,
		Rows:     make([]uint32, 0, WholeLines(of.Most)),
		With:     make([]uint16, 0, WholeLines(of.Most)),
		Kept:     make([]uint16, WholeLines(of.Most)),
		ToInputs: make([]simd.Group, 0, simd.Lanes), // at most one of each row
		ToRows:   make([]simd.Group, 0, WholeLines(of.Most)),
	}
	for range lists {
		p.Errors = append(p.Errors, NewRows(of.Most, simd.Lanes).Data)
	}
	return p
}

// PairsBytes is the size of Pairs of so many rows.
func PairsBytes(rows float64, lists int) float64 {
	const group = 16
	return group*simd.Lanes + rows*float64(lists)*RowBytes(simd.Lanes) + LineItems(rows)*(4+2+2+group)
}

// Kernels returns the pairs as kernels have them.
func (p *Pairs) Kernels(positive bool) simd.Pairs {
	return simd.Pairs{
		Rows: p.Rows, With: p.With, Weights: p.Weights[:], Positive: positive,
		Rounding: p.Rounding, Kept: p.Kept[:len(p.Rows)],
	}
}

// NewBatch returns a batch of blocks of a variant, with as many lists of errors. What inputs
// change by goes to rows of the source at once if it is direct.
func NewBatch(a Architecture, l Loss, p Parts, lists int, direct bool) Batch {
	t := a.Traits()
	positives, negatives := l.Pairs()
	b := Batch{
		Drawn:        make([]uint32, p.Division.Draws, WholeLines(p.Division.Draws)),
		architecture: a,
		loss:         l,
		traits:       t,
		direct:       direct,
		frozenSource: p.Source.Frozen,
		frozenOutput: p.Values.Frozen(p.outputName()),
	}
	positives.Aligned = positives.Aligned && b.frozenOutput == nil
	b.Positives, b.Negatives = NewPairs(positives, lists), NewPairs(negatives, lists)
	return b
}

// Prepare finds the pairs of the centres at positions first to last-1 of a text, and what they
// weigh. It returns the number of pairs of an input and a target.
func (b *Batch) Prepare(t Text, first, last, window int, rate float32) (pairs int) {
	b.Text, b.First, b.Last, b.Window = t, first, last, window
	b.Centres, b.CentreRows = t.IDs[first:last], t.Rows[first:last]
	b.architecture.Select(b)
	b.loss.Pair(b, rate)
	inputs, frozen := b.Centres, b.frozenSource // words differ where their rows do
	if !b.direct {
		inputs, frozen = InOrder[:last-first], nil
	}
	if !b.Positives.Aligned {
		b.Positives.Group(inputs, frozen, b.frozenOutput)
	}
	b.Negatives.Group(inputs, frozen, b.frozenOutput)
	return b.Targets.Number
}

// Draw draws words for a block.
func (b *Batch) Draw(words []uint32, g *random.Generator) { b.loss.Draw(words, g) }

// Settle takes from the errors of negatives the part of those that are targets too, and
// returns its loss if it is wanted: see Loss.
func (b *Batch) Settle(wantLoss bool, score func(negative, input, columns int) float32) float64 {
	return b.loss.Settle(b, wantLoss, score)
}

// BatchBytes is the size of a batch, but for what its architecture and its loss have of their
// own. Its positives and negatives have as many rows at most.
func BatchBytes(positives, negatives float64, draws, lists int) float64 {
	const itself = 1200 // pairs of two kinds, with a number for each input, and other fields
	return itself + PairsBytes(positives, lists) + PairsBytes(negatives, lists) + 4*LineItems(float64(draws))
}
