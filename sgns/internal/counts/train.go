package counts

import (
	"cmp"
	"math"
	"slices"
	"sync"

	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/sgns/internal/random"
)

// power is the power of counts by which pairs weigh (alpha of GloVe).
const power = 0.75

// steps is the number of steps by which the weights of logarithms are interpolated, and least the smallest logarithm, of a
// single pair in the widest window.
const (
	steps = 1 << 12
	least = -7 // log(1/1024) is -6.93
)

// weights says how much the error of a pair counts, by the logarithm of its count: GloVe's function.
type weights struct {
	most  float64 // the count from which on all weigh the same
	each  float32 // steps for each 1
	table [steps + 2]float32
}

func newWeights(most float64) *weights {
	w := &weights{most: most, each: float32(steps / (math.Log(max(most, 1)) - least))}
	for i := range w.table {
		w.table[i] = float32(w.ofCount(math.Exp(least + float64(i)/float64(w.each))))
	}
	return w
}

func (w *weights) ofCount(count float64) float64 { return math.Pow(min(count/w.most, 1), power) }

// of returns the weight of a pair with this logarithm of its count.
func (w *weights) of(log float32) float32 {
	x := (log - least) * w.each
	if x >= steps {
		return 1
	}
	x = max(x, 0)
	i := int(x)
	return w.table[i] + (x-float32(i))*(w.table[i+1]-w.table[i])
}

// A Side is the rows of all words on one side of pairs, with their biases and the sums of squares of both.
type Side struct{ Rows, Sums, Biases, BiasSums []float32 }

// A Trainer trains parts. It belongs to one worker.
type Trainer struct {
	pairs           *Pairs
	words, contexts Side
	squares         simd.Squares
	items           []uint32 // of the part in training

	with     [ofSegment + simd.SquaresAhead]uint32
	numbers  [ofSegment]float32
	weighted [ofSegment]float32
}

type segment struct {
	key uint64
	at  int
}

// Trainer returns a trainer of rows of so many numbers, which begin stride numbers apart.
func (p *Pairs) Trainer(words, contexts Side, cols, stride int) *Trainer {
	return &Trainer{
		pairs: p, words: words, contexts: contexts,
		squares: simd.Squares{Data: contexts.Rows, Sums: contexts.Sums, Stride: stride, Cols: cols, Biases: contexts.Biases, BiasSums: contexts.BiasSums},
	}
}

// A Share is a share of a part.
type Share struct {
	Part    int
	Place   int64 // of the part in the order of all parts of all epochs
	I, Of   int   // the share is the I-th of so many
	Epoch   int64 // which decides the order of the part
	Abreast int   // parts that are trained at a time
}

// ShareOf returns the share that is at place i of so many in an epoch. Parts are in the order that permute says. So many
// are trained at a time, one by each worker, whichever takes what: all are read at the same time, and each only once.
func (p *Pairs) ShareOf(i, chunks int64, abreast int, permute func(part, parts int64) int64) Share {
	parts, n := int64(p.Parts()), int64(abreast)
	begin := func(part int64) int64 { return (min(part, parts)*chunks + parts - 1) / parts }
	first := i * parts / chunks / n * n // of the parts that are trained at this time
	n = min(n, parts-first)
	from, to := begin(first), begin(first+n)
	of := (i - from) % n
	return Share{
		Part: int(permute(first+of, parts)), Place: first + of,
		I: int((i - from) / n), Of: int((to - from - of + n - 1) / n),
		Abreast: abreast,
	}
}

// Train trains a share. It returns the number of pairs and the sum of their losses.
func (t *Trainer) Train(s Share, rate float32) (n int, loss float64) {
	of, err := t.pairs.load(s)
	if err != nil {
		t.pairs.failed.CompareAndSwap(nil, &err)
		return 0, 0
	}
	t.items = of.items
	segments := len(of.segments)
	for _, s := range of.segments[segments*s.I/s.Of : segments*(s.I+1)/s.Of] {
		loss += t.train(s.at, rate)
		n += int(t.items[s.at+1])
	}
	t.items = nil
	t.pairs.done(of)
	return n, loss
}

// A loaded is a part in training, which its workers share.
type loaded struct {
	items    []uint32
	segments []segment
	left     int // shares that nobody has taken
	undone   int // shares that are not trained
	once     sync.Once
	err      error
}

// done says that a share of a part is trained. The memory of the part is used again after the last one.
func (p *Pairs) done(of *loaded) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if of.undone--; of.undone == 0 {
		p.spare = append(p.spare, of)
	}
}

// load returns the part of a share. The first worker that needs it reads it.
func (p *Pairs) load(s Share) (*loaded, error) {
	p.mu.Lock()
	of := p.loaded[s.Place]
	if of == nil {
		of = &loaded{left: s.Of, undone: s.Of}
		if last := len(p.spare) - 1; last >= 0 {
			of.items, of.segments = p.spare[last].items[:0], p.spare[last].segments[:0]
			p.spare = p.spare[:last]
		}
		for place := range p.loaded { // what nobody comes back to after a run has been resumed, or has gone back
			if place < s.Place-2*int64(s.Abreast) || place > s.Place+2*int64(s.Abreast) {
				delete(p.loaded, place)
			}
		}
		p.loaded[s.Place] = of
	}
	if of.left--; of.left <= 0 {
		delete(p.loaded, s.Place)
	}
	p.mu.Unlock()
	of.once.Do(func() { of.err = of.read(p, s) })
	return of, of.err
}

// read reads a part and orders its segments. The order does not depend on the threads that have counted.
func (l *loaded) read(p *Pairs, s Share) (err error) {
	if l.items, err = p.read(l.items, s.Part); err != nil {
		return err
	}
	for at := 0; at < len(l.items); at += 2 + 2*int(l.items[at+1]) {
		key := random.Mix(p.seed+uint64(s.Epoch)) ^ uint64(l.items[at])<<32 ^ uint64(l.items[at+2]) // a word and one of its pairs
		l.segments = append(l.segments, segment{random.Mix(key), at})
	}
	slices.SortFunc(l.segments, func(a, b segment) int { return cmp.Compare(a.key, b.key) })
	return nil
}

// train trains the segment at a place.
func (t *Trainer) train(at int, rate float32) float64 {
	word, n := int(t.items[at]), int(t.items[at+1])
	for j := range n {
		log := math.Float32frombits(t.items[at+3+2*j])
		t.with[j], t.numbers[j], t.weighted[j] = t.items[at+2+2*j], log, t.pairs.weights.of(log)
	}
	for j := range simd.SquaresAhead {
		t.with[n+j] = t.with[n-1]
	}
	row := word * t.squares.Stride
	return t.squares.Train(t.words.Rows[row:], t.words.Sums[row:], &t.words.Biases[word], &t.words.BiasSums[word], t.with[:n+simd.SquaresAhead], t.numbers[:n], t.weighted[:n], rate)
}
