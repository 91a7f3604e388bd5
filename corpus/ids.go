package corpus

import (
	"errors"
	"fmt"
	"sync/atomic"
)

// EndOfSentence is set in the last id of every sentence of IDs.
const EndOfSentence = 1 << 31

// MaxSentence is the largest number of tokens in a sentence of IDs. A longer
// one is cut; its tokens are all kept.
const MaxSentence = 1024

// IDs is a corpus as the ids of its tokens, in a mapped cache file.
type IDs struct {
	pieces [][]uint32 // whole sentences, none of them empty, in the order of the corpus
	ends   []int      // of the chunks, in pieces
	tokens uint64
	most   int    // the largest id; -1 if there are none
	cache  *cache // nil when closed
}

// Largest returns the largest id of a corpus, and of a part of one at least that of the
// part; -1 if there are no ids. A vocabulary of these ids has more tokens than that.
func (x *IDs) Largest() int {
	if x.tokens == 0 {
		return -1
	}
	return x.most
}

// Tokens returns the number of ids.
func (x *IDs) Tokens() uint64 { return x.tokens }

// Chunks returns the number of chunks.
func (x *IDs) Chunks() int { return len(x.ends) }

// Chunk returns some thousands of consecutive ids, in pieces: each is whole
// sentences, each of at most MaxSentence ids, the last id of each with
// EndOfSentence set. The chunks in order are the corpus in order. Where a
// chunk ends depends on the corpus alone, and not on who read it; where a piece
// of it ends has no meaning. They must not be changed.
func (x *IDs) Chunk(i int) [][]uint32 {
	if i < 0 || i >= len(x.ends) {
		panic(fmt.Sprintf("corpus: chunk %d of %d of the ids%s", i, len(x.ends), x.closed()))
	}
	first := 0
	if i > 0 {
		first = x.ends[i-1]
	}
	chunk := x.pieces[first:x.ends[i]]
	if x.cache != nil {
		n := 0
		for _, piece := range chunk {
			n += len(piece)
		}
		x.cache.saw(n)
	}
	return chunk
}

// closed says in a message that the ids are closed, if they are.
func (x *IDs) closed() string {
	if x.cache == nil && x.tokens > 0 {
		return ", which are closed"
	}
	return ""
}

// Close removes the cache, if it is not needed by what Split made any more. No
// chunk of x may be used afterwards. To close it once more does nothing.
func (x *IDs) Close() error {
	if x == nil {
		return errors.New("corpus: there are no ids to close: they are nil")
	}
	c := x.cache
	x.pieces, x.ends, x.cache = nil, nil, nil
	if c == nil {
		return nil
	}
	return c.release()
}

// cache is what recorders hold, for one IDs or several.
type cache struct {
	recorders []*Recorder
	users     atomic.Int32
	seen      atomic.Int64 // ids handed out since pages were given back
}

func (c *cache) release() error {
	if c.users.Add(-1) > 0 {
		return nil
	}
	var errs []error
	for _, r := range c.recorders {
		errs = append(errs, r.Close())
	}
	return errors.Join(errs...)
}
