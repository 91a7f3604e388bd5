package corpus

import (
	"math"
	"runtime"
	"sync"

	"golang.org/x/sync/errgroup"
)

// Resample returns a corpus that was drawn from the documents of x: a document has a random number
// of copies, none, one or more, one after the other. The number is Poisson's with mean 1, which
// for many documents is drawing as many of them as there are, with replacement (Hanley and
// MacGibbon 2006). It depends on the seed and the document's place alone.
//
// A document is a sentence of the ids: a line of a text, if nothing cuts lines into sentences.
// Documents of more than MaxSentence tokens are several. Nothing is written: the copies are made of
// the ids of x whenever they are read. Resample reads x once to count them. Close x and the
// result, in any order.
func (x *IDs) Resample(seed uint64) (*IDs, error) {
	if x == nil || x.from == nil {
		return newIDs(&resampled{}, 0, -1), nil
	}
	x.from.users.Add(1)
	from := *x
	r := &resampled{from: &from, seed: seed}
	out := newIDs(r, 0, x.most)
	var err error
	if out.tokens, err = r.count(); err == nil {
		err = x.Err()
	}
	if err != nil {
		_ = out.Close() // which has the same error, if any
		return nil, err
	}
	return out, nil
}

// resampled is the store of a resample.
type resampled struct {
	from    *IDs // nil for none
	seed    uint64
	readers sync.Pool // of *ChunkReader
}

func (r *resampled) chunks() int {
	if r.from == nil {
		return 0
	}
	return r.from.chunks
}

func (r *resampled) inOrder() bool { return r.from != nil && r.from.InOrder() }

func (r *resampled) close() error {
	if r.from == nil {
		return nil
	}
	return r.from.Close()
}

func (r *resampled) chunk(i int, into []uint32) ([]uint32, error) {
	reader, ok := r.readers.Get().(*ChunkReader)
	if !ok {
		reader = r.from.Reader()
	}
	defer r.readers.Put(reader)
	into = into[:0]
	r.copies(reader.Chunk(i), i, func(document []uint32) { into = append(into, document...) })
	return into, r.from.Err()
}

// copies calls yield with each copy of the documents of chunk i.
func (r *resampled) copies(pieces [][]uint32, i int, yield func(document []uint32)) {
	number := 0
	for _, piece := range pieces {
		begin := 0
		for k, id := range piece {
			if id&EndOfSentence == 0 {
				continue
			}
			for range poisson(r.seed, uint64(i), uint64(number)) {
				yield(piece[begin : k+1])
			}
			begin = k + 1
			number++
		}
	}
}

// count returns the number of tokens.
func (r *resampled) count() (uint64, error) {
	var tokens uint64
	var mu sync.Mutex
	var g errgroup.Group
	workers := runtime.GOMAXPROCS(0)
	if r.inOrder() {
		workers = 1
	}
	for w := range workers {
		g.Go(func() error {
			reader, sum := r.from.Reader(), 0
			for i := w; i < r.from.chunks; i += workers {
				r.copies(reader.Chunk(i), i, func(document []uint32) { sum += len(document) })
			}
			mu.Lock()
			defer mu.Unlock()
			tokens += uint64(sum)
			return nil
		})
	}
	return tokens, g.Wait()
}

// poisson returns the number of copies of a document of a chunk.
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
