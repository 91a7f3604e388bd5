package sgns

import (
	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/sgns/internal/random"
	"github.com/w2v-go/w2v/vectors"
)

// sources are the rows that are words' input vectors: those of the words, or of a
// stretch.
type sources struct {
	vectors.Matrix
	each   simd.Lists // each row alone
	free   simd.Lists // each that is not frozen
	frozen []bool     // by row; nil for none
}

// A block trains a few consecutive centres as one step: every vector that it
// needs is read as it was before the step, and every gradient is added at the
// end. It is one worker's own.
//
// All centres of the block share one window b, drawn uniformly from 1…window, and
// one set of negatives. What its inputs are and what they predict is the architecture's
// business, and how that is told from others the loss's: see pairing.
type block struct {
	pairing
	output     vectors.Matrix
	inputs     sources // of the words
	random     random.Generator
	ahead      []uint32   // negatives of the next block, so that their rows can be on their way
	hidden     simd.Block // S × dim: the input vectors
	transposed []float32  // dim × lanes: hidden, for scores
	moved      simd.Block // S × dim: what inputs move by, where that does not go to rows at once
	columns    []columns
	scores     []float32 // of nested vectors: by columns, row and lane

	projection *projection    // nil where rows are as wide as vectors
	positions  *positions     // nil where positions have no weights
	ngrams     vectors.Matrix // rows of word n-grams; none where there are none
}

// text is a part of a corpus as a block sees it: subsampled sentences one
// behind the other, with the bounds of the sentence of each position.
type text struct {
	ids      []uint32
	rows     []uint32 // of the input vectors, for those that are to be trained next
	from, to []int32
}

// newBlock returns a block of centres whose words' vectors are rows of inputs.
func newBlock(p parameters, inputs sources, division shape, c Config, source random.Generator) *block {
	b := &block{
		pairing:    newPairing(p, inputs, division, c),
		output:     p.output,
		inputs:     inputs,
		random:     source,
		hidden:     newRows(division.centres, c.Dim),
		transposed: newRows(c.Dim, simd.Lanes).Data,
		ahead:      make([]uint32, division.shared),
		columns:    columnsOf(c),
	}
	if !b.direct {
		b.moved = newRows(division.centres, c.Dim)
	}
	if len(b.columns) > 1 {
		most := max(cap(b.positive.rows), cap(b.negative.rows))
		b.scores = newRows(most*len(b.columns), simd.Lanes).Data
	}
	b.ngrams = p.runs
	b.projection = newProjection(p, division, c)
	b.positions = newPositions(p, c)
	b.drawAhead()
	return b
}

// direct reports whether what inputs move by can go to rows of their own at once. If not,
// it is summed up first: where an input is made of several rows, or where rows that are
// changed are also read.
func (c Config) direct() bool { return c.arch() != CBOW && c.Rank == 0 && !c.Tied }

// newRows returns rows of a worker's own.
func newRows(rows, cols int) simd.Block {
	m := vectors.NewMatrix(rows, cols)
	return simd.Block{Data: m.Data, Rows: rows, Cols: cols, Stride: m.Stride}
}

// maxText is the largest number of positions in a text.
const maxText = 2 * corpus.MaxSentence

// train does one step with the centres at positions first to last-1 of t, at most
// S of them, and returns what score does. The centres up to end-1 come next.
func (b *block) train(t text, first, last, end int, rate float32, wantLoss bool) (pairs int, loss float64) {
	window := b.draw()
	pairs, loss = b.score(t, first, last, window, t.ids[last:min(last+b.centres, len(t.ids))], rate, wantLoss)
	if b.mean.rows == nil {
		b.update(t.rows[last:min(last+b.centres, end)])
	} else {
		from := last + window // what is behind it has been read
		b.update(t.rows[min(from, end):min(from+b.centres, end)])
	}
	return pairs, loss
}

// draw draws the window of this block and the negatives of the next.
func (b *block) draw() (window int) {
	window = 1 + b.random.Below(b.window)
	b.drawAhead()
	return window
}

// drawAhead makes the negatives that were drawn ahead those of this block, and draws
// the N of the next.
func (b *block) drawAhead() {
	b.now, b.ahead = b.ahead, b.now
	b.draws(b.ahead, &b.random)
	b.fetch(b.ahead)
}

// fetch asks for the output rows of words that are going to be read.
func (b *block) fetch(words []uint32) {
	if b.heads == nil && b.tree == nil {
		simd.Prefetch(b.output.Data, b.output.Stride, words, b.output.Cols)
	}
}

// score finds how far off the pairs of the centres at positions first to last-1 are, at
// most S of them, and changes no parameters. It returns the number of true pairs and, if
// loss is wanted, the sum of their losses, each with its share of the negatives' losses.
// The words next are true in what is scored next.
func (b *block) score(t text, first, last, window int, next []uint32, rate float32, wantLoss bool) (pairs int, loss float64) {
	pairs = b.prepare(t, first, last, window, rate)
	b.hidden.Rows, b.moved.Rows = last-first, last-first
	b.compose()
	simd.Transpose(b.transposed, b.hidden)
	loss = b.errors(&b.positive, true, wantLoss)
	b.fetch(next)
	loss += b.errors(&b.negative, false, wantLoss)
	if b.tree == nil {
		loss -= b.spare(wantLoss, b.scoreAgain)
	}
	if rate > 0 {
		loss /= float64(rate)
	}
	return pairs, max(loss, 0) // of what is left of two that are nearly equal
}

// compose makes the hidden vectors.
func (b *block) compose() {
	in, h := b.inputs, b.hidden
	if b.projection != nil {
		h = b.projection.low(h.Rows)
	}
	switch {
	case b.positions != nil:
		b.positions.compose(h, in.Matrix, &b.mean)
	case b.mean.rows != nil:
		b.mean.compose(h, in.Matrix)
	default:
		simd.GatherLists(h, in.Data, in.Stride, in.each, b.rows)
	}
	if b.hasher != nil {
		simd.AddRows(ownRows(h), rowsOf(b.ngrams, b.runs.rows), h.Cols, b.runs.errors[0], b.runs.add)
	}
	if b.projection != nil {
		b.projection.project(b.hidden)
	}
}

// ownRows are the rows of a block in their order.
func ownRows(b simd.Block) simd.Rows {
	return simd.Rows{Data: b.Data, Stride: b.Stride, IDs: inOrder[:]}
}

// update takes the step that was scored. The input rows next are those of the next
// block's centres.
func (b *block) update(next []uint32) {
	in, out := b.inputs, b.output
	to, set := rowsOf(in.Matrix, b.rows), false
	if !b.direct {
		to, set = ownRows(b.moved), b.negative.all // of what all inputs are paired with, their sums begin
		if !set {
			clear(b.moved.Data)
		}
	}
	b.addTo(to, &b.negative, set)
	simd.Prefetch(in.Data, in.Stride, next, in.Cols)
	b.addTo(to, &b.positive, false)
	if !b.direct {
		b.release() // reads inputs, which may be outputs too
	}
	for k, part := range b.columns {
		hidden := part.of(ownRows(b.hidden))
		for _, s := range []*side{&b.positive, &b.negative} {
			rows := part.of(rowsOf(out, s.rows))
			if s.each {
				simd.AddEach(rows, hidden, part.width(), s.errors[k])
			} else {
				simd.UpdateRows(rows, hidden, part.width(), s.errors[k], s.update)
			}
		}
	}
}

// addTo adds to the inputs what they move by for the pairs of a side, or sets them to that.
func (b *block) addTo(to simd.Rows, s *side, set bool) {
	rows := rowsOf(b.output, s.rows)
	if s.each {
		to.IDs = to.IDs[:len(s.rows)]
	}
	for k, part := range b.columns {
		to, rows := part.of(to), part.of(rows)
		switch {
		case s.each:
			simd.AddEach(to, rows, part.width(), s.errors[k])
		case set:
			simd.SetRows(to, rows, part.width(), s.errors[k], s.add)
		default:
			simd.AddRows(to, rows, part.width(), s.errors[k], s.add)
		}
	}
}

// release gives what inputs have moved by to the rows that they are made of.
func (b *block) release() {
	in, moved := b.inputs, b.moved
	if b.projection != nil {
		moved = b.projection.back(b.moved)
	}
	if b.hasher != nil {
		simd.UpdateRows(rowsOf(b.ngrams, b.runs.rows), ownRows(moved), moved.Cols, b.runs.errors[1], b.runs.update)
	}
	switch {
	case b.positions != nil:
		b.positions.release(in.Matrix, moved, &b.mean, b.boost)
	case b.mean.rows != nil:
		b.mean.release(in.Matrix, moved)
	default:
		simd.ScatterLists(in.Data, in.Stride, in.free, b.rows, moved)
	}
}

// inOrder are the numbers of a block's rows.
var inOrder = func() (rows [simd.Lanes]uint32) {
	for i := range rows {
		rows[i] = uint32(i)
	}
	return rows
}()
