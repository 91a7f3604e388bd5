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

// IDs is a corpus as the ids of its tokens. They are packed in a cache file that is mapped into
// memory, or else made of the text whenever they are read: see Reread. vocab.Index makes IDs.
type IDs struct {
	from   *shared // nil after Close
	parts  bool    // views says which parts of chunks there are; else all
	views  []view
	chunks int
	tokens uint64
	most   int // the largest id; -1 if there are no ids
}

// A view is consecutive ids of a chunk of the store.
type view struct{ chunk, from, to int32 }

// A store has the chunks of a corpus.
type store interface {
	chunks() int
	// chunk returns a chunk, in into if there is room. It is not changed afterwards.
	chunk(i int, into []uint32) ([]uint32, error)
	// inOrder reports whether chunks should be read one after the other.
	inOrder() bool
	close() error
}

// shared is the store behind one IDs, or behind several that Split made.
type shared struct {
	store
	users  atomic.Int32
	failed atomic.Pointer[error]
}

func newIDs(s store, tokens uint64, most int) *IDs {
	x := &IDs{from: &shared{store: s}, chunks: s.chunks(), tokens: tokens, most: most}
	x.from.users.Store(1)
	return x
}

// add adds part of a chunk as a chunk of its own, if there is anything in it.
func (x *IDs) add(v view) {
	x.parts = true
	if v.to > v.from {
		x.views = append(x.views, v)
		x.tokens += uint64(v.to - v.from)
		x.chunks++
	}
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
func (x *IDs) Chunks() int { return x.chunks }

// InOrder reports whether chunks should be read one after the other, because they are made of
// the text again. A chunk before the last one that was read begins the text anew.
func (x *IDs) InOrder() bool { return x.from != nil && x.from.inOrder() }

// Err returns the first error of reading chunks. Ids in a cache of this process have none. Where
// chunks are made of the text again, a file may have changed or vanished. Chunks are empty from
// the error on.
func (x *IDs) Err() error {
	if x.from == nil {
		return nil
	}
	if err := x.from.failed.Load(); err != nil {
		return *err
	}
	return nil
}

// Chunk returns chunk i: some thousands of consecutive ids, in one or more pieces. A piece
// consists of whole sentences. A sentence has at most MaxSentence ids, and its last id has
// EndOfSentence set. All chunks in order are the corpus in order. Chunks end at the same
// places however many workers have read the corpus; where pieces end has no meaning. A
// ChunkReader reads many chunks faster.
func (x *IDs) Chunk(i int) [][]uint32 { return x.Reader().Chunk(i) }

// A ChunkReader reads chunks of IDs into its own memory. It is for one goroutine.
type ChunkReader struct {
	ids    *IDs
	buf    []uint32
	at     int // the chunk in pieces; -1 for none
	pieces [1][]uint32
}

// Reader returns a reader of the chunks.
func (x *IDs) Reader() *ChunkReader { return &ChunkReader{ids: x, at: -1} }

// Chunk returns what IDs.Chunk returns. It is valid until another chunk is read, and must not
// be changed.
func (r *ChunkReader) Chunk(i int) [][]uint32 {
	x := r.ids
	if i < 0 || i >= x.chunks {
		panic(fmt.Sprintf("corpus: chunk %d of %d of the ids%s", i, x.chunks, x.closed()))
	}
	if i == r.at {
		return r.pieces[:]
	}
	if x.Err() != nil {
		return nil
	}
	v := x.view(i)
	ids, err := x.from.chunk(int(v.chunk), r.buf)
	if err != nil {
		x.from.failed.CompareAndSwap(nil, &err)
		return nil
	}
	if !x.from.inOrder() {
		r.buf = ids // else they are the store's
	}
	r.at, r.pieces[0] = i, ids[v.from:v.to:v.to]
	if !x.parts {
		r.pieces[0] = ids
	}
	return r.pieces[:]
}

// view returns where chunk i is in the store. Without parts, it is all of a chunk.
func (x *IDs) view(i int) view {
	if x.parts {
		return x.views[i]
	}
	return view{chunk: int32(i)}
}

// closed is the part of a message that says that the ids are closed, if they are.
func (x *IDs) closed() string {
	if x.from == nil && x.tokens > 0 {
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
	from := x.from
	x.from, x.views, x.chunks = nil, nil, 0
	if from == nil || from.users.Add(-1) > 0 {
		return nil
	}
	return from.close()
}
