package corpus

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// ChunkTokens is the smallest number of tokens in a chunk of IDs. Only the last chunk may
// have fewer.
const ChunkTokens = 1 << 13

// A chunker cuts a corpus into chunks.
type chunker struct {
	pieces [][]uint32
	ends   []int
	tokens uint64
	open   int    // tokens in the unfinished chunk
	cache  *cache // holds the ids that are added; nil if they are not in a cache
}

// add appends ids to the corpus without copying them. They must be whole sentences.
func (c *chunker) add(ids []uint32) {
	for len(ids) > 0 {
		n := min(ChunkTokens-c.open, len(ids))
		for n < len(ids) && ids[n-1]&EndOfSentence == 0 {
			n++
		}
		c.piece(ids[:n:n])
		if c.cache != nil {
			c.cache.saw(n)
		}
		if c.open >= ChunkTokens {
			c.end()
		}
		ids = ids[n:]
	}
}

// piece appends ids to the chunk.
func (c *chunker) piece(ids []uint32) {
	if len(ids) > 0 {
		c.pieces = append(c.pieces, ids)
		c.open += len(ids)
	}
}

// end ends the chunk, if it has any tokens.
func (c *chunker) end() {
	if c.open > 0 {
		c.ends = append(c.ends, len(c.pieces))
		c.tokens += uint64(c.open)
		c.open = 0
	}
}

func (c *chunker) finish() (pieces [][]uint32, ends []int, tokens uint64) {
	c.end()
	return c.pieces, c.ends, c.tokens
}

// Split divides the corpus into sentences to train on and sentences that are held out. It
// holds out the last sentences of every chunk, so many that the held-out share of all tokens
// so far is as near to the fraction as whole sentences allow. The result depends only on the
// corpus and the fraction. Both parts read from the cache of x. The cache is removed when x
// and both parts have been closed, in any order. Split returns an error if the fraction is
// not between 0 and 1, or if one part would have no sentence.
func (x *IDs) Split(fraction float64) (train, heldOut *IDs, err error) {
	if x == nil || x.cache == nil {
		return nil, nil, errors.New("corpus: the ids to split are closed or nil")
	}
	if !(fraction > 0 && fraction < 1) {
		return nil, nil, fmt.Errorf("cannot hold out a fraction of %v of the corpus: it must be above 0 and below 1", fraction)
	}
	var kept, held chunker
	seen := 0.0
	for i := range x.Chunks() {
		chunk := x.Chunk(i)
		length := 0
		for _, piece := range chunk {
			length += len(piece)
		}
		seen += float64(length)
		keep := length - tail(chunk, fraction*seen-float64(held.tokens))
		for _, piece := range chunk {
			cut := min(keep, len(piece))
			keep -= cut
			kept.piece(piece[:cut:cut])
			held.piece(piece[cut:])
		}
		kept.end()
		held.end()
	}
	if held.tokens == 0 {
		return nil, nil, fmt.Errorf("a fraction of %v of %d tokens holds out no whole sentence: take a larger one, or held-out text of its own", fraction, x.tokens)
	}
	if kept.tokens == 0 {
		return nil, nil, fmt.Errorf("a fraction of %v of %d tokens leaves no whole sentence to train on: take a smaller one, or held-out text of its own", fraction, x.tokens)
	}
	part := func(c chunker) *IDs {
		x.cache.users.Add(1)
		p := &IDs{cache: x.cache, most: x.most}
		p.pieces, p.ends, p.tokens = c.finish()
		return p
	}
	return part(kept), part(held), nil
}

// tail returns the number of tokens in the last sentences of a chunk, as many whole
// sentences as come nearest to the wanted number of tokens. If two numbers are equally near,
// it returns the smaller one.
func tail(chunk [][]uint32, wanted float64) int {
	best, n := 0, 0
	for _, piece := range slices.Backward(chunk) {
		for len(piece) > 0 {
			if float64(n) >= wanted {
				return best
			}
			last := len(piece) - 1
			for last > 0 && piece[last-1]&EndOfSentence == 0 {
				last--
			}
			n += len(piece) - last
			piece = piece[:last]
			if math.Abs(float64(n)-wanted) < math.Abs(float64(best)-wanted) {
				best = n
			}
		}
	}
	return best
}
