package sgns

import (
	"math"
	"math/bits"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vocab"
)

// parameters are what the workers share. Rows are changed without locks.
type parameters struct {
	input  vectors.Matrix
	output vectors.Matrix
	table  *subword.Table // which input rows make up each word
	noise  *vocab.Alias
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
	parameters
	inputs    vectors.Matrix // of the centres
	lists     simd.Lists     // of inputs: each row alone
	window    int
	negatives float32 // K
	centres   int     // S, the most centres in a block
	shared    int     // N, draws for a block
	random    random

	hidden     simd.Block // S × dim: the input vectors of the centres
	transposed []float32  // dim × lanes: hidden, for scores
	contexts   [simd.Lanes]float32
	rates      [simd.Lanes]float32 // the weight of a true pair of each centre
	shares     [simd.Lanes]float32 // the weight of a pair of each centre with a negative

	positive, negative side
	now, ahead         []uint32 // negatives: of this block and of the next, so that their rows can be on their way
}

// side is one of the two kinds of pairs that centres are in.
type side struct {
	with   []uint16     // for each row, which centres it is paired with
	errors []float32    // rows × lanes
	add    []simd.Group // centres, and the rows that are added to them
	update []simd.Group // rows, and the centres that are added to them
}

func newSide(rows int) side {
	return side{
		with:   make([]uint16, rows),
		errors: vectors.NewMatrix(rows, simd.Lanes).Data,
		add:    make([]simd.Group, 0, simd.Lanes),
		update: make([]simd.Group, 0, rows),
	}
}

// text is a stretch of a corpus as a block sees it: subsampled sentences one
// behind the other, with the bounds of the sentence of each position.
type text struct {
	ids      []uint32
	rows     []uint32 // of the input vectors, for those that are to be trained next
	from, to []int32
}

// newBlock returns a block of centres whose vectors are rows of inputs, each a
// list of its own.
func newBlock(p parameters, inputs vectors.Matrix, each simd.Lists, shape shape, c Config, random random) *block {
	s, n := shape.centres, shape.shared
	b := &block{
		parameters: p,
		inputs:     inputs,
		lists:      each,
		window:     c.Window,
		negatives:  float32(c.Negatives),
		centres:    s,
		shared:     n,
		random:     random,
		hidden:     newRows(s, c.Dim),
		transposed: vectors.NewMatrix(c.Dim, simd.Lanes).Data,
		positive:   newSide(min(s+2*min(c.Window, maxText), maxText)),
		negative:   newSide(n),
		now:        make([]uint32, n),
		ahead:      make([]uint32, n),
	}
	b.drawAhead()
	return b
}

// newRows returns rows of a worker's own.
func newRows(rows, cols int) simd.Block {
	m := vectors.NewMatrix(rows, cols)
	return simd.Block{Data: m.Data, Rows: rows, Cols: cols, Stride: m.Stride}
}

// maxText is the largest number of positions in a text.
const maxText = 2 * corpus.MaxSentence

// train does one step with the centres at positions first to last-1 of t, at most
// S of them, and returns the number of true pairs and, if loss is wanted, the sum of
// their losses, each with its share of the negatives' losses. The centres up to end-1
// come next.
func (b *block) train(t text, first, last, end int, rate float32, wantLoss bool) (pairs int, loss float64) {
	centres, window := t.rows[first:last], 1+b.random.below(b.window)
	b.now, b.ahead = b.ahead, b.now
	b.drawAhead()
	nextRows := t.rows[last:min(last+b.centres, end)]
	in, out := b.inputs, b.output
	simd.Prefetch(out.Data, out.Stride, b.ahead, out.Cols)

	hidden := b.hidden.Slice(0, len(centres))
	simd.GatherLists(hidden, in.Data, in.Stride, b.lists, centres)
	simd.Transpose(b.transposed, hidden)

	from, to := max(first-window, int(t.from[first])), min(last+window, int(t.to[last-1]))
	positions := t.ids[from:to]
	pairs = b.pair(t, first, last, from, to, window)
	b.group(centres, positions, first-from, window)
	unit := rate * b.negatives / float32(b.shared)
	for i, n := range b.contexts[:len(centres)] {
		b.rates[i], b.shares[i] = rate, unit*n
	}

	score := func(s *side, rows []uint32, weights []float32, positive bool) {
		p := simd.Pairs{Rows: rows, With: s.with, Weights: weights, Positive: positive}
		loss += simd.Errors(s.errors, hidden, b.transposed, out.Data, out.Stride, p, wantLoss)
	}
	score(&b.positive, positions, b.rates[:], true)
	simd.Prefetch(out.Data, out.Stride, t.ids[last:min(last+b.centres, len(t.ids))], out.Cols)
	score(&b.negative, b.now, b.shares[:], false)
	loss += b.spareContexts(positions, unit, wantLoss)

	hiddenRows := simd.Rows{Data: hidden.Data, Stride: hidden.Stride, IDs: inOrder[:]}
	centreRows := simd.Rows{Data: in.Data, Stride: in.Stride, IDs: centres}
	contextRows := simd.Rows{Data: out.Data, Stride: out.Stride, IDs: positions}
	negativeRows := simd.Rows{Data: out.Data, Stride: out.Stride, IDs: b.now}
	simd.AddRows(centreRows, contextRows, out.Cols, b.positive.errors, b.positive.add)
	simd.Prefetch(in.Data, in.Stride, nextRows, in.Cols)
	simd.AddRows(centreRows, negativeRows, out.Cols, b.negative.errors, b.negative.add)
	simd.UpdateRows(contextRows, hiddenRows, out.Cols, b.positive.errors, b.positive.update)
	simd.UpdateRows(negativeRows, hiddenRows, out.Cols, b.negative.errors, b.negative.update)
	if rate > 0 {
		loss /= float64(rate)
	}
	return pairs, loss
}

// inOrder are the numbers of a block's rows.
var inOrder = func() (rows [simd.Lanes]uint32) {
	for i := range rows {
		rows[i] = uint32(i)
	}
	return rows
}()

// drawAhead draws the N negatives of the next block.
func (b *block) drawAhead() {
	for i := range b.ahead {
		b.ahead[i] = b.noise.Draw(b.random.next())
	}
}

// pair says which of the centres from first to last-1 each of the positions from
// from to to-1 is a context of, counts each centre's contexts and returns the number
// of all.
func (b *block) pair(t text, first, last, from, to, window int) (pairs int) {
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

// group says which rows are to be changed together, and by which: rows in a group
// must differ, lest one update is lost. The first of the centres is the position
// number offset.
func (b *block) group(centres, positions []uint32, offset, window int) {
	s, p, n := len(centres), len(positions), len(b.now)
	b.positive.add, b.negative.add = b.positive.add[:0], b.negative.add[:0]
	for i := 0; i < s; i += groupRows {
		rows := min(groupRows, s-i)
		from, to := max(offset+i-window, 0), min(offset+i+rows+window, p)
		b.positive.add = appendDistinct(b.positive.add, centres, i, rows, from, to)
		b.negative.add = appendDistinct(b.negative.add, centres, i, rows, 0, n)
	}
	b.positive.update = b.positive.update[:0]
	for j := 0; j < p; j += groupRows {
		rows := min(groupRows, p-j)
		from, to := max(j-offset-window, 0), min(j+rows-offset+window, s)
		b.positive.update = appendDistinct(b.positive.update, positions, j, rows, from, to)
	}
	b.negative.update = b.negative.update[:0]
	for j := 0; j < n; j += groupRows {
		b.negative.update = appendDistinct(b.negative.update, b.now, j, min(groupRows, n-j), 0, s)
	}
}

// groupRows is how many rows the kernels change together.
const groupRows = 4

// appendDistinct appends the group of so many rows from first on, or each of them alone
// if some are the same.
func appendDistinct(groups []simd.Group, ids []uint32, first, rows, from, to int) []simd.Group {
	step := rows
	if !distinct(ids[first : first+rows]) {
		step = 1
	}
	for i := first; i < first+rows; i += step {
		groups = append(groups, simd.Group{First: int32(i), Rows: int32(step), From: int32(from), To: int32(to)})
	}
	return groups
}

// distinct reports whether up to four rows differ from each other.
func distinct(r []uint32) bool {
	switch len(r) {
	case 4:
		return r[0] != r[1] && r[0] != r[2] && r[0] != r[3] && r[1] != r[2] && r[1] != r[3] && r[2] != r[3]
	case 3:
		return r[0] != r[1] && r[0] != r[2] && r[1] != r[2]
	case 2:
		return r[0] != r[1]
	}
	return true
}

// spareContexts takes from the errors of negatives the part of those pairs of which
// the negative is the context: unit for each. It returns by how much the loss changes,
// if that is wanted.
func (b *block) spareContexts(positions []uint32, unit float32, wantLoss bool) (loss float64) {
	var near bloom
	for _, id := range positions {
		near.add(id)
	}
	for j, id := range b.now {
		if !near.has(id) {
			continue
		}
		var times [simd.Lanes]float32
		found := uint16(0)
		for p, other := range positions {
			if other == id {
				with := b.positive.with[p]
				found |= with
				for ; with != 0; with &= with - 1 {
					times[bits.TrailingZeros16(with)]++
				}
			}
		}
		errors := b.negative.errors[j*simd.Lanes:][:simd.Lanes]
		for ; found != 0; found &= found - 1 {
			i := bits.TrailingZeros16(found)
			if wantLoss {
				sigma := min(-errors[i]/b.shares[i], 1-0x1p-24)
				loss += float64(times[i]*unit) * math.Log1p(-float64(sigma))
			}
			errors[i] *= 1 - times[i]/b.contexts[i]
		}
	}
	return loss
}

// bloom is a set of ids of which has says either "not" or "perhaps".
type bloom [4]uint64

func (s *bloom) add(id uint32) {
	h := id * 0x9e3779b1
	s[h>>30] |= 1 << (h >> 24 & 63)
}

func (s *bloom) has(id uint32) bool {
	h := id * 0x9e3779b1
	return s[h>>30]&(1<<(h>>24&63)) != 0
}
