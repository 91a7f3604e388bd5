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
	First, Last int              // positions of the centres
	Window      int              // of all centres of the block
	Centres     []uint32         // words
	CentreRows  []uint32         // of the source of words' vectors
	Drawn       []uint32         // words that were drawn for the block
	Contexts    random.Generator // that contexts are drawn with: see Traits
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
	ToInputs []uint16            // the same, for every input that the row is added to
	ToRows   []uint16            // the same, for every input that is added to the row
}

// PairsOf is what holds of the pairs of every block.
type PairsOf struct {
	Most int // rows
}

// NewPairs returns room for pairs, and for as many lists of errors.
func NewPairs(of PairsOf, lists int) Pairs {
	p := Pairs{
		PairsOf: of,
		Rows:    make([]uint32, 0, WholeLines(of.Most)),
		With:    make([]uint16, 0, WholeLines(of.Most)),
		Kept:    make([]uint16, WholeLines(of.Most)),
	}
	for range lists {
		p.Errors = append(p.Errors, NewRows(of.Most, simd.Lanes).Data)
	}
	return p
}

// PairsBytes is the size of Pairs of so many rows.
func PairsBytes(rows float64, lists int) float64 {
	return rows*float64(lists)*RowBytes(simd.Lanes) + LineItems(rows)*(4+2+2)
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
	b.Positives, b.Negatives = NewPairs(positives, lists), NewPairs(negatives, lists)
	b.Negatives.Rounding.Threshold = p.Division.Threshold
	for _, p := range []*Pairs{&b.Positives, &b.Negatives} {
		p.ToInputs, p.ToRows = p.Kept, p.Kept
		if direct && b.frozenSource != nil {
			p.ToInputs = make([]uint16, len(p.Kept))
		}
		if b.frozenOutput != nil {
			p.ToRows = make([]uint16, len(p.Kept))
		}
	}
	return b
}

// Prepare finds the pairs of the centres at positions first to last-1 of a text, and what they
// weigh. It returns the number of pairs of an input and a target.
func (b *Batch) Prepare(t Text, first, last, window int, rate float32) (pairs int) {
	b.Text, b.First, b.Last, b.Window = t, first, last, window
	b.Centres, b.CentreRows = t.IDs[first:last], t.Rows[first:last]
	b.architecture.Select(b)
	b.loss.Pair(b, rate)
	return b.Targets.Number
}

// Draw draws words for a block.
func (b *Batch) Draw(words []uint32, g *random.Generator) { b.loss.Draw(words, g) }

// Reseed draws what errors of the block are rounded by, and what its contexts are drawn with.
func (b *Batch) Reseed(g *random.Generator) {
	if b.Negatives.Rounding.Threshold > 0 {
		b.Negatives.Rounding.Seed = uint32(g.Next())
	}
	if b.traits.Drawn {
		b.Contexts = random.Generator(g.Next())
	}
}

// Settle takes from the errors of negatives the part of those that are targets too, and
// returns its loss if it is wanted: see Loss. It finds which rows and inputs change by what is left.
func (b *Batch) Settle(wantLoss bool, score func(negative, input, columns int) float32) float64 {
	loss := b.loss.Settle(b, wantLoss, score)
	b.Positives.thaw(b)
	b.Negatives.thaw(b)
	return loss
}

// thaw finds which pairs change a row or an input that is not frozen.
func (p *Pairs) thaw(b *Batch) {
	if b.direct && b.frozenSource != nil {
		var free uint16
		for i, row := range b.CentreRows {
			if !b.frozenSource[row] {
				free |= 1 << i
			}
		}
		for j := range p.Rows {
			p.ToInputs[j] = p.Kept[j] & free
		}
	}
	if b.frozenOutput != nil {
		for j, row := range p.Rows {
			p.ToRows[j] = 0
			if !b.frozenOutput[row] {
				p.ToRows[j] = p.Kept[j]
			}
		}
	}
}

// BatchBytes is the size of a batch, but for what its architecture and its loss have of their
// own. Its positives and negatives have as many rows at most.
func BatchBytes(positives, negatives float64, draws, lists int) float64 {
	const itself = 1200 // pairs of two kinds, with a number for each input, and other fields
	return itself + PairsBytes(positives, lists) + PairsBytes(negatives, lists) + 4*LineItems(float64(draws))
}
