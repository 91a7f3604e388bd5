package corpus

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
)

// recentChunks is how many chunks are kept after they were made of the text. Workers read chunks in
// about the order of the corpus.
const recentChunks = 64

// reread makes chunks of the text again whenever they are read.
type reread struct {
	ctx    context.Context
	name   string
	shards []Shard
	id     func(token []byte) (int32, bool)

	mu     sync.Mutex
	reader *Reader
	shard  int // the next one to open
	cut    *cutter
	recent [recentChunks][]uint32 // chunk i is at i modulo their number
	first  text                   // what the first reading found
}

// text is the size of a text in ids.
type text struct {
	chunks int
	tokens uint64
}

// Reread returns a corpus as ids that are in no cache: text is read and cut again whenever its ids
// are, each time from the start. id returns the id of a token, if it has one. The ids are the same
// as those of a cache. Reread reads the corpus once, by one goroutine, to find its chunks. The
// corpus must be one that can be read again. Reading ends with an error when ctx ends.
func Reread(ctx context.Context, src *Source, id func(token []byte) (int32, bool)) (*IDs, error) {
	if err := src.Again(); err != nil {
		return nil, err
	}
	shards, err := src.Shards(1)
	if err != nil {
		return nil, err
	}
	r := &reread{ctx: ctx, name: src.Name(), shards: shards, id: id}
	r.begin()
	for {
		more, err := r.step()
		if err != nil {
			return nil, errors.Join(err, r.close())
		}
		if !more {
			break
		}
	}
	r.first = text{r.cut.chunks, r.cut.tokens}
	return newIDs(r, r.cut.tokens, r.cut.most), nil
}

func (r *reread) chunks() int { return r.first.chunks }

func (r *reread) inOrder() bool { return true }

// begin goes to the start of the text.
func (r *reread) begin() {
	r.shard = 0
	r.cut = newCutter(func(chunk []uint32) error {
		r.recent[(r.cut.chunks-1)%recentChunks] = append([]uint32(nil), chunk...)
		return nil
	})
}

func (r *reread) chunk(i int, _ []uint32) ([]uint32, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if i+recentChunks < r.cut.chunks || i >= r.cut.chunks && r.reader == nil && r.shard == len(r.shards) {
		if err := r.closeReader(); err != nil {
			return nil, err
		}
		r.begin()
	}
	for r.cut.chunks <= i {
		more, err := r.step()
		if err != nil {
			return nil, err
		}
		if !more && (text{r.cut.chunks, r.cut.tokens}) != r.first {
			return nil, fmt.Errorf("%s: the text has %d tokens of the vocabulary, and had %d when it was read before: leave it alone while it is trained on", r.name, r.cut.tokens, r.first.tokens)
		}
	}
	return r.recent[i%recentChunks], nil
}

// step reads the next sentence. It reports whether there may be more.
func (r *reread) step() (more bool, err error) {
	if err := r.ctx.Err(); err != nil {
		return false, err
	}
	if r.reader == nil {
		if r.shard == len(r.shards) {
			return false, r.cut.finish()
		}
		if r.reader, err = r.shards[r.shard].Open(r.ctx); err != nil {
			return false, err
		}
		r.shard++
	}
	for {
		token, err := r.reader.Next()
		if errors.Is(err, io.EOF) {
			if err := r.cut.endSentence(); err != nil {
				return false, err
			}
			if err := r.closeReader(); err != nil {
				return false, err
			}
			if r.shard == len(r.shards) {
				return false, r.cut.finish()
			}
			return true, nil
		}
		if err != nil {
			return false, err
		}
		if len(token) == 0 {
			return true, r.cut.endSentence()
		}
		if id, ok := r.id(token); ok {
			if err := r.cut.add([]uint32{uint32(id)}); err != nil {
				return false, err
			}
		}
	}
}

func (r *reread) closeReader() error {
	if r.reader == nil {
		return nil
	}
	err := r.reader.Close()
	r.reader = nil
	return err
}

func (r *reread) close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.closeReader()
}
