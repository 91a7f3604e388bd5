package sgns

import (
	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vocab"
)

// sources are the rows that are the input vectors of a block's centres: those of the
// words, or of a stretch.
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
// one set of negatives. Pair by pair, word2vec draws K negatives for each true
// pair. A block draws N, and gives each the weight (contexts of the centre)·K/N
// for every centre, which is the same gradient on the average. A negative that
// is the true context of a pair does not count for that pair, as in word2vec.c.
type block struct {
	pairing
	output     vectors.Matrix // of all words
	inputs     sources        // of the centres
	random     random
	hidden     simd.Block // S × dim: the input vectors of the centres
	transposed []float32  // dim × lanes: hidden, for scores
	ahead      []uint32   // negatives of the next block, so that their rows can be on their way
}

// A pairing is what there is to know about a block without its vectors.
type pairing struct {
	frozen    bounds
	noise     *vocab.Alias
	window    int
	negatives float32 // K
	centres   int     // S, the most centres in a block
	shared    int     // N, draws for a block

	words     []uint32            // the centres
	rows      []uint32            // of inputs: those of the centres
	positions []uint32            // the words that are contexts of some centre
	now       []uint32            // the negatives
	contexts  [simd.Lanes]float32 // how many each centre has
	unit      float32             // the weight of a negative for each context
	rates     [simd.Lanes]float32 // the weight of a true pair of each centre
	shares    [simd.Lanes]float32 // the weight of a pair of each centre with a negative

	positive, negative side
}

// bounds are rows that must not be changed, of the centres' vectors and of the output;
// nil for none.
type bounds struct{ in, out []bool }

// side is one of the two kinds of pairs that centres are in.
type side struct {
	with   []uint16     // for each row, which centres it is paired with
	errors []float32    // rows × lanes
	add    []simd.Group // centres, and the rows that are added to them
	update []simd.Group // rows, and the centres that are added to them
}

func newSide(rows int) side {
	return side{
		with:   make([]uint16, rows, wholeLines(rows)),
		errors: vectors.NewMatrix(rows, simd.Lanes).Data,
		add:    make([]simd.Group, 0, simd.Lanes),
		update: make([]simd.Group, 0, wholeLines(rows)),
	}
}

// wholeLines returns for how many things to make room if n are needed, so that nobody
// else's are on their cache lines: Go aligns what takes a multiple of 64 bytes.
func wholeLines(n int) int { return (n + 31) &^ 31 }

// text is a part of a corpus as a block sees it: subsampled sentences one
// behind the other, with the bounds of the sentence of each position.
type text struct {
	ids      []uint32
	rows     []uint32 // of the input vectors, for those that are to be trained next
	from, to []int32
}

// newBlock returns a block of centres whose vectors are rows of inputs.
func newBlock(p parameters, inputs sources, division shape, c Config, random random) *block {
	b := &block{
		pairing:    newPairing(p, inputs, division, c),
		output:     p.output,
		inputs:     inputs,
		random:     random,
		hidden:     newRows(division.centres, c.Dim),
		transposed: vectors.NewMatrix(c.Dim, simd.Lanes).Data,
		ahead:      make([]uint32, division.shared),
	}
	b.drawAhead()
	return b
}

func newPairing(p parameters, inputs sources, division shape, c Config) pairing {
	s, n := division.centres, division.shared
	return pairing{
		frozen:    bounds{inputs.frozen, p.frozenOutput},
		noise:     p.noise,
		window:    c.Window,
		negatives: float32(c.Negatives),
		centres:   s,
		shared:    n,
		now:       make([]uint32, n, wholeLines(n)),
		positive:  newSide(mostPositions(s, c)),
		negative:  newSide(n),
	}
}

// mostPositions returns how many positions may be contexts in a block.
func mostPositions(centres int, c Config) int {
	return min(centres+2*min(c.Window, maxText), maxText)
}

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
	b.update(t.rows[last:min(last+b.centres, end)])
	return pairs, loss
}

// draw draws the window of this block and the negatives of the next.
func (b *block) draw() (window int) {
	window = 1 + b.random.below(b.window)
	b.drawAhead()
	return window
}

// drawAhead makes the negatives that were drawn ahead those of this block, and draws
// the N of the next.
func (b *block) drawAhead() {
	b.now, b.ahead = b.ahead, b.now
	b.draws(b.ahead, &b.random)
	simd.Prefetch(b.output.Data, b.output.Stride, b.ahead, b.output.Cols)
}

// draws draws negatives.
func (b *pairing) draws(negatives []uint32, r *random) {
	for i := range negatives {
		negatives[i] = b.noise.Draw(r.next())
	}
}

// score finds how far off the pairs of the centres at positions first to last-1 are, at
// most S of them, and changes no parameters. It returns the number of true pairs and, if
// loss is wanted, the sum of their losses, each with its share of the negatives' losses.
// The words next are contexts in what is scored next.
func (b *block) score(t text, first, last, window int, next []uint32, rate float32, wantLoss bool) (pairs int, loss float64) {
	in, out := b.inputs, b.output
	b.hidden.Rows = last - first
	simd.GatherLists(b.hidden, in.Data, in.Stride, in.each, t.rows[first:last])
	simd.Transpose(b.transposed, b.hidden)
	pairs = b.prepare(t, first, last, window, rate)

	score := func(s *side, rows []uint32, weights []float32, positive bool) {
		p := simd.Pairs{Rows: rows, With: s.with, Weights: weights, Positive: positive}
		loss += simd.Errors(s.errors, b.hidden, b.transposed, out.Data, out.Stride, p, wantLoss)
	}
	score(&b.positive, b.positions, b.rates[:], true)
	simd.Prefetch(out.Data, out.Stride, next, out.Cols)
	score(&b.negative, b.now, b.shares[:], false)
	loss -= b.spareContexts(b.positions, b.unit, wantLoss, b.scoreAgain)
	if rate > 0 {
		loss /= float64(rate)
	}
	return pairs, max(loss, 0) // of what is left of two that are nearly equal
}

// scoreAgain returns the score of a negative and a centre.
func (b *block) scoreAgain(negative, centre int) float32 {
	var score [1]float32
	row := b.output.Data[int(b.now[negative])*b.output.Stride:]
	simd.Dots(score[:], 1, b.hidden.Row(centre), b.hidden.Stride, 1, row, b.output.Stride, 1, b.output.Cols)
	return score[0]
}

// prepare finds the pairs of the centres at positions first to last-1 with their contexts
// and the negatives, and what they weigh. It returns the number of true pairs.
func (b *pairing) prepare(t text, first, last, window int, rate float32) (pairs int) {
	from, to := max(first-window, int(t.from[first])), min(last+window, int(t.to[last-1]))
	b.words, b.rows, b.positions = t.ids[first:last], t.rows[first:last], t.ids[from:to]
	pairs = b.pair(t, first, last, from, to, window)
	b.group(first-from, window)
	b.unit = rate * b.negatives / float32(b.shared)
	for i, n := range b.contexts[:last-first] {
		b.rates[i], b.shares[i] = rate, b.unit*n
	}
	return pairs
}

// update takes the step that was scored. The input rows next are those of the next
// block's centres.
func (b *block) update(next []uint32) {
	in, out := b.inputs, b.output
	hidden := simd.Rows{Data: b.hidden.Data, Stride: b.hidden.Stride, IDs: inOrder[:]}
	centres := simd.Rows{Data: in.Data, Stride: in.Stride, IDs: b.rows}
	contexts := simd.Rows{Data: out.Data, Stride: out.Stride, IDs: b.positions}
	negatives := simd.Rows{Data: out.Data, Stride: out.Stride, IDs: b.now}
	simd.AddRows(centres, contexts, out.Cols, b.positive.errors, b.positive.add)
	simd.Prefetch(in.Data, in.Stride, next, in.Cols)
	simd.AddRows(centres, negatives, out.Cols, b.negative.errors, b.negative.add)
	simd.UpdateRows(contexts, hidden, out.Cols, b.positive.errors, b.positive.update)
	simd.UpdateRows(negatives, hidden, out.Cols, b.negative.errors, b.negative.update)
}

// inOrder are the numbers of a block's rows.
var inOrder = func() (rows [simd.Lanes]uint32) {
	for i := range rows {
		rows[i] = uint32(i)
	}
	return rows
}()

// pair says which of the centres from first to last-1 each of the positions from
// from to to-1 is a context of, counts each centre's contexts and returns the number
// of all.
func (b *pairing) pair(t text, first, last, from, to, window int) (pairs int) {
	for c := first; c < last; c++ {
		low, high := max(c-window, int(t.from[c])), min(c+window+1, int(t.to[c]))
		b.contexts[c-first] = float32(high - low - 1)
		pairs += high - low - 1
	}
	for p := from; p < to; p++ {
		low, high := max(p-window, int(t.from[p]), first), min(p+window+1, int(t.to[p]), last)
		var with uint32
		if low < high {
			with = (1<<(high-low) - 1) << (low - first)
		}
		if first <= p && p < last {
			with &^= 1 << (p - first)
		}
		b.positive.with[p-from] = uint16(with)
	}
	all := uint16(1<<(last-first) - 1)
	for i := range b.negative.with {
		b.negative.with[i] = all
	}
	return pairs
}
