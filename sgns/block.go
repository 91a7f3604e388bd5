package sgns

import (
	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vocab"
)

// tileCentres is how many neighbouring centres are scored together against the
// positions around them.
const tileCentres = 4

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
	window    int
	negatives float32 // K
	centres   int     // S, the most centres in a block
	shared    int     // N, draws for a block
	random    random

	hidden   simd.Block // S × dim: the input vectors of the centres
	gradient simd.Block // S × dim: what is added to their rows
	band     simd.Block // S × (tileCentres + 2·window): a row for each centre, columns its tile's positions
	dense    simd.Block // S × N: centres by negatives
	now      negatives  // of this block
	ahead    negatives  // of the next one, so that their rows can be on their way
	contexts []float32  // the number of true contexts of each centre
	tiles    []tile
}

// negatives are what a block of centres shares.
type negatives struct {
	ids   []uint32  // distinct
	drawn []float32 // how often each was drawn
}

// tile is a group of neighbouring centres and the positions around them.
type tile struct {
	first, last int // centres, counted from the start of the block
	from, to    int // positions in the text
}

// text is a stretch of a corpus as a block sees it: subsampled sentences one
// behind the other, with the bounds of the sentence of each position.
type text struct {
	ids      []uint32
	from, to []int32
}

func newBlock(p parameters, c Config, random random) *block {
	s, n := c.blockCentres, c.sharedNegatives
	if s == 0 {
		s = maxCentres
	}
	if n == 0 {
		n = drawsFor(c.Negatives)
	}
	newRows := func(cols int) simd.Block {
		stride := (cols + 15) / 16 * 16
		return simd.Block{Data: make([]float32, s*stride), Rows: s, Cols: cols, Stride: stride}
	}
	b := &block{
		parameters: p,
		window:     c.Window,
		negatives:  float32(c.Negatives),
		centres:    s,
		shared:     n,
		random:     random,
		hidden:     newRows(c.Dim),
		gradient:   newRows(c.Dim),
		band:       newRows(min(tileCentres+2*min(c.Window, maxText), maxText)),
		dense:      newRows(n),
		now:        newNegatives(n),
		ahead:      newNegatives(n),
		contexts:   make([]float32, s),
		tiles:      make([]tile, 0, (s+tileCentres-1)/tileCentres),
	}
	b.drawAhead()
	return b
}

func newNegatives(n int) negatives {
	return negatives{ids: make([]uint32, 0, n), drawn: make([]float32, 0, n)}
}

// maxText is the largest number of positions in a text.
const maxText = 2 * corpus.MaxSentence

// train does one step with the centres at positions first to last-1 of t, at most
// S of them, and returns the number of true pairs and the sum of their losses,
// each with its share of the negatives' losses.
func (b *block) train(t text, first, last int, rate float32) (pairs int, loss float64) {
	centres := last - first
	window := 1 + b.random.below(b.window)
	b.now, b.ahead = b.ahead, b.now
	b.drawAhead()
	next := t.ids[last:min(last+b.centres, len(t.ids))]
	simd.Prefetch(b.output.Data, b.output.Stride, b.ahead.ids, b.output.Cols)

	hidden, gradient := b.hidden.Slice(0, centres), b.gradient.Slice(0, centres)
	for i := range centres {
		rows, weights := b.table.Of(t.ids[first+i])
		simd.Gather(hidden.Row(i), b.input.Data, b.input.Stride, rows, weights)
	}
	clear(gradient.Data[:centres*gradient.Stride])

	pairs = b.placeTiles(t, first, last, window, rate)
	b.weighNegatives(t, first, centres, window, rate)

	in, out := b.input, b.output
	for _, tile := range b.tiles {
		rows := t.ids[tile.from:tile.to]
		loss += simd.Errors(b.tileErrors(tile), hidden.Slice(tile.first, tile.last), out.Data, out.Stride, rows, true)
	}
	simd.Prefetch(b.output.Data, b.output.Stride, next, b.output.Cols)
	dense := b.dense.Slice(0, centres)
	dense.Cols = len(b.now.ids)
	loss += simd.Errors(dense, hidden, out.Data, out.Stride, b.now.ids, false)

	for _, tile := range b.tiles {
		rows := t.ids[tile.from:tile.to]
		simd.AddRows(gradient.Slice(tile.first, tile.last), b.tileErrors(tile), out.Data, out.Stride, rows)
	}
	b.prefetchInputs(next)
	simd.AddRows(gradient, dense, out.Data, out.Stride, b.now.ids)

	for _, tile := range b.tiles {
		rows := t.ids[tile.from:tile.to]
		simd.UpdateRows(out.Data, out.Stride, rows, b.tileErrors(tile), hidden.Slice(tile.first, tile.last))
	}
	simd.UpdateRows(out.Data, out.Stride, b.now.ids, dense, hidden)

	// The whole gradient goes to every row of a centre, not each row's part of
	// it: so fastText does, and its learning rates are made for that.
	for i := range centres {
		rows, _ := b.table.Of(t.ids[first+i])
		simd.Scatter(in.Data, in.Stride, rows, gradient.Row(i))
	}
	if rate > 0 {
		loss /= float64(rate)
	}
	return pairs, loss
}

// drawAhead draws the N negatives of the next block, those drawn more than once
// merged.
func (b *block) drawAhead() {
	n := &b.ahead
	n.ids, n.drawn = n.ids[:0], n.drawn[:0]
	var seen bloom
	for range b.shared {
		id := b.noise.Draw(b.random.next())
		if seen.has(id) {
			if at := index(n.ids, id); at >= 0 {
				n.drawn[at]++
				continue
			}
		}
		seen.add(id)
		n.ids = append(n.ids, id)
		n.drawn = append(n.drawn, 1)
	}
}

// prefetchInputs asks for the rows that compose the centres of the next block.
func (b *block) prefetchInputs(centres []uint32) {
	if b.table.Identity() {
		simd.Prefetch(b.input.Data, b.input.Stride, centres, b.input.Cols)
		return
	}
	for _, id := range centres {
		rows, _ := b.table.Of(id)
		simd.Prefetch(b.input.Data, b.input.Stride, rows, b.input.Cols)
	}
}

// placeTiles cuts the centres into tiles, gives every true pair the weight rate
// and every other entry of the band 0. It counts the contexts of each centre and
// returns the number of true pairs.
func (b *block) placeTiles(t text, first, last, window int, rate float32) (pairs int) {
	b.tiles = b.tiles[:0]
	for p := first; p < last; p += tileCentres {
		end := min(p+tileCentres, last)
		tile := tile{
			first: p - first, last: end - first,
			from: max(p-window, int(t.from[p])),
			to:   min(end+window, int(t.to[end-1])),
		}
		b.tiles = append(b.tiles, tile)
		for c := p; c < end; c++ {
			weights := b.band.Row(c - first)[:tile.to-tile.from]
			clear(weights)
			from, to := max(c-window, int(t.from[c])), min(c+window+1, int(t.to[c]))
			for j := from; j < to; j++ {
				weights[j-tile.from] = rate
			}
			weights[c-tile.from] = 0
			b.contexts[c-first] = float32(to - from - 1)
			pairs += to - from - 1
		}
	}
	return pairs
}

// tileErrors returns the part of the band that belongs to a tile.
func (b *block) tileErrors(t tile) simd.Block {
	errors := b.band.Slice(t.first, t.last)
	errors.Cols = t.to - t.from
	return errors
}

// weighNegatives gives every pair of centre and negative its weight.
func (b *block) weighNegatives(t text, first, centres, window int, rate float32) {
	unit := rate * b.negatives / float32(b.shared)
	for i := range centres {
		weights := b.dense.Row(i)[:len(b.now.drawn)]
		if i > 0 && b.contexts[i] == b.contexts[i-1] {
			copy(weights, b.dense.Row(i-1)) // as for most
			continue
		}
		for j, times := range b.now.drawn {
			weights[j] = unit * times * b.contexts[i]
		}
	}
	// A negative is not one for a pair of which it is the context.
	from, to := b.tiles[0].from, b.tiles[len(b.tiles)-1].to
	var near bloom
	for _, id := range t.ids[from:to] {
		near.add(id)
	}
	for j, id := range b.now.ids {
		if !near.has(id) {
			continue
		}
		for k := from; k < to; k++ {
			if t.ids[k] != id {
				continue
			}
			low, high := max(k-window, int(t.from[k]), first), min(k+window+1, int(t.to[k]), first+centres)
			for c := low; c < high; c++ {
				if c != k {
					b.dense.Row(c - first)[j] -= unit * b.now.drawn[j]
				}
			}
		}
	}
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

// index returns where id stands in ids, -1 if it does not.
func index(ids []uint32, id uint32) int {
	for i, other := range ids {
		if other == id {
			return i
		}
	}
	return -1
}
