package corpus

import (
	"errors"
	"fmt"
	"sync/atomic"
)

// EndOfSentence is set in the last id of every sentence of IDs.
const EndOfSentence = 1 << 31

// MaxSentence is the largest number of tokens in a sentence of IDs. A longer sentence is
// divided into several, and no token is lost.
const MaxSentence = 1024

// IDs is a corpus stored as the ids of its tokens, in a cache file that is mapped into
// memory. vocab.Index makes one.
type IDs struct {
	pieces [][]uint32 // whole sentences, none of them empty, in the order of the corpus
	ends   []int      // for each chunk, the index in pieces at which it ends
	tokens uint64
	most   int    // the largest id; -1 if there are no ids
	cache  *cache // nil after Close
}

// Largest returns the largest id in the corpus, or -1 if there are no ids. For a part that
// Split returned, it is the largest id in the whole corpus. The vocabulary of the ids must
// have more tokens than this number.
func (x *IDs) Largest() int {
	if x.tokens == 0 {
		return -1
	}
	return x.most
}

// Tokens returns the number of ids in the corpus.
func (x *IDs) Tokens() uint64 { return x.tokens }

// Chunks returns the number of chunks.
func (x *IDs) Chunks() int { return len(x.ends) }

// Chunk returns chunk i: some thousands of consecutive ids, in one or more pieces. A piece
// consists of whole sentences. A sentence has at most MaxSentence ids, and its last id has
// EndOfSentence set. All chunks in order are the corpus in order. Chunks end at the same
// places however many workers have read the corpus; where pieces end has no meaning. The
// caller must not change the ids.
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

// closed is the part of a message that says that the ids are closed, if they are.
func (x *IDs) closed() string {
	if x.cache == nil && x.tokens > 0 {
		return ", which are closed"
	}
	return ""
}

// Close removes the cache, unless parts that Split returned still need it. The chunks of x
// must not be used afterwards. Closing again does nothing.
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

// cache is the set of cache files behind one IDs, or behind several that Split made.
type cache struct {
	recorders []*Recorder
	users     atomic.Int32
	seen      atomic.Int64 // ids handed out since pages were last given back
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
