package counts

import (
	"cmp"
	"math"
	"slices"

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
	items           []uint32
	segments        []segment
	read            int // number of the part in items; -1 for none
	epoch           int64

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
		pairs: p, words: words, contexts: contexts, read: -1,
		squares: simd.Squares{Data: contexts.Rows, Sums: contexts.Sums, Stride: stride, Cols: cols, Biases: contexts.Biases, BiasSums: contexts.BiasSums},
	}
}

// Train trains chunk i of so many that all pairs are divided into, in an order that depends on the epoch. It returns the
// number of pairs and the sum of their losses.
func (t *Trainer) Train(i, chunks int, epoch int64, rate float32) (n int, loss float64) {
	parts := t.pairs.Parts()
	of := i * parts / chunks
	if of != t.read || epoch != t.epoch {
		if err := t.load(of, epoch); err != nil {
			t.pairs.failed.CompareAndSwap(nil, &err)
			return 0, 0
		}
	}
	first := (of*chunks + parts - 1) / parts // of the chunks of the part
	last := ((of+1)*chunks + parts - 1) / parts
	segments := len(t.segments)
	for _, s := range t.segments[segments*(i-first)/(last-first) : segments*(i-first+1)/(last-first)] {
		loss += t.train(s.at, rate)
		n += int(t.items[s.at+1])
	}
	return n, loss
}

// load reads a part and orders its segments. The order does not depend on the threads that have counted.
func (t *Trainer) load(of int, epoch int64) (err error) {
	t.read = -1
	if t.items, err = t.pairs.read(t.items[:0], of); err != nil {
		return err
	}
	t.segments = t.segments[:0]
	for at := 0; at < len(t.items); at += 2 + 2*int(t.items[at+1]) {
		key := random.Mix(t.pairs.seed+uint64(epoch)) ^ uint64(t.items[at])<<32 ^ uint64(t.items[at+2]) // a word and one of its pairs
		t.segments = append(t.segments, segment{random.Mix(key), at})
	}
	slices.SortFunc(t.segments, func(a, b segment) int { return cmp.Compare(a.key, b.key) })
	t.read, t.epoch = of, epoch
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
