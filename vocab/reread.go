package vocab

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"runtime"
	"sync"

	"github.com/w2v-go/w2v/corpus"
)

// recentChunks is how many chunks are cached: workers read about in order.
const recentChunks = 64

// A textStore computes chunks from the text whenever they are read.
type textStore struct {
	ctx    context.Context
	name   string
	shards []corpus.Shard
	id     func(token []byte) (int32, bool)
	most   int // ids of a sentence

	mu     sync.Mutex
	reader *corpus.Reader
	shard  int // index of the next shard to open
	cut    *cutter
	recent [recentChunks][]uint32 // chunk i is at index i modulo recentChunks
	first  textSize               // size found by the first reading
}

type textSize struct {
	chunks int
	tokens uint64
}

// reread returns a corpus as ids without a cache: whenever ids are read, the text is read and tokenized again
// from the start. Sentences have at most so many ids. id returns the id of a token, if it has one. The ids are the same as in a cache. reread
// reads the corpus once, in one goroutine, to find its chunks. The corpus must be readable more than once.
// When ctx ends, reading fails.
func reread(ctx context.Context, src *corpus.Source, longest int, id func(token []byte) (int32, bool)) (*IDs, error) {
	if err := src.Again(); err != nil {
		return nil, err
	}
	shards, err := src.Shards(1)
	if err != nil {
		return nil, err
	}
	r := &textStore{ctx: ctx, name: src.Name(), shards: shards, id: id, most: longest}
	r.begin()
	for more := true; more; {
		if more, err = r.step(); err != nil {
			return nil, errors.Join(err, r.close())
		}
	}
	r.first = textSize{r.cut.chunks, r.cut.tokens}
	return newIDs(r, r.first.chunks, true, r.cut.tokens, r.cut.most), nil
}

func (r *textStore) begin() {
	r.shard = 0
	r.cut = newCutter(r.most, func(chunk []uint32) error {
		r.recent[(r.cut.chunks-1)%recentChunks] = append([]uint32(nil), chunk...)
		return nil
	})
}

func (r *textStore) chunk(i int, _ []uint32) ([]uint32, error) {
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
		if !more && (textSize{r.cut.chunks, r.cut.tokens}) != r.first {
			return nil, fmt.Errorf("%s: the text has %d tokens of the vocabulary, and had %d when it was read before: leave it alone while it is trained on", r.name, r.cut.tokens, r.first.tokens)
		}
	}
	return r.recent[i%recentChunks], nil
}

// step reads the next sentence. It reports whether there may be more.
func (r *textStore) step() (more bool, err error) {
	if err := r.ctx.Err(); err != nil {
		return false, err
	}
	if r.reader == nil && r.shard < len(r.shards) {
		if r.reader, err = r.shards[r.shard].Open(r.ctx); err != nil {
			return false, err
		}
		r.shard++
	}
	for r.reader != nil {
		token, err := r.reader.Next()
		switch {
		case errors.Is(err, io.EOF):
			if err := errors.Join(r.cut.endSentence(), r.closeReader()); err != nil || r.shard < len(r.shards) {
				return true, err
			}
		case err != nil:
			return false, err
		case len(token) == 0:
			return true, r.cut.endSentence()
		default:
			if id, ok := r.id(token); ok {
				if err := r.cut.add([]uint32{uint32(id)}); err != nil {
					return false, err
				}
			}
		}
	}
	return false, r.cut.finish()
}

func (r *textStore) closeReader() error {
	if r.reader == nil {
		return nil
	}
	err := r.reader.Close()
	r.reader = nil
	return err
}

func (r *textStore) close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.closeReader()
}

// Resample returns a bootstrap sample of the documents of x, which are sentences of the ids. Each document is
// repeated by a random number with a Poisson distribution of mean 1, which depends only on the seed and the
// document's position. For many documents, that is like drawing as many as there are, with replacement
// (Hanley and MacGibbon 2006). Copies are consecutive, and made whenever they are read. Resample reads x once
// to count them. Close x and the result, in any order.
func (x *IDs) Resample(seed uint64) (*IDs, error) {
	if x.from == nil {
		return nil, errClosed
	}
	x.from.users.Add(1)
	from := *x
	r := &resampled{from: &from, seed: seed}
	out := newIDs(r, from.Chunks(), from.InOrder(), 0, x.most)
	tokens := make([]uint64, runtime.GOMAXPROCS(0))
	from.inParts(len(tokens), func(k, chunk int, reader *ChunkReader) {
		for document := range r.copies(reader, chunk) {
			tokens[k] += uint64(len(document))
		}
	})
	for _, n := range tokens {
		out.tokens += n
	}
	if err := x.Err(); err != nil {
		_ = out.Close() // Close returns the same error, if any
		return nil, err
	}
	return out, nil
}

type resampled struct {
	from    *IDs
	seed    uint64
	readers sync.Pool // of *ChunkReader
}

func (r *resampled) close() error { return r.from.Close() }

func (r *resampled) chunk(i int, into []uint32) ([]uint32, error) {
	reader, ok := r.readers.Get().(*ChunkReader)
	if !ok {
		reader = r.from.Reader()
	}
	defer r.readers.Put(reader)
	into = into[:0]
	for document := range r.copies(reader, i) {
		into = append(into, document...)
	}
	return into, r.from.Err()
}

// copies yields each copy of the documents of chunk i.
func (r *resampled) copies(reader *ChunkReader, i int) iter.Seq[[]uint32] {
	return func(yield func(document []uint32) bool) {
		number := uint64(0)
		for _, piece := range reader.Chunk(i) {
			begin := 0
			for k, id := range piece {
				if id&EndOfSentence == 0 {
					continue
				}
				for range poisson(r.seed, uint64(i), number) {
					if !yield(piece[begin : k+1]) {
						return
					}
				}
				begin = k + 1
				number++
			}
		}
	}
}

func poisson(seed, chunk, document uint64) int {
	h := mixed(mixed(mixed(seed)+chunk) + document)
	u := float64(h>>11) / (1 << 53)
	n, p := 0, 1/math.E
	for sum := p; u >= sum && n < 20; sum += p {
		n++
		p /= float64(n)
	}
	return n
}

// mixed is splitmix64 of Steele, Lea and Flood 2014.
func mixed(n uint64) uint64 {
	n += 0x9e3779b97f4a7c15
	n = (n ^ n>>30) * 0xbf58476d1ce4e5b9
	n = (n ^ n>>27) * 0x94d049bb133111eb
	return n ^ n>>31
}
