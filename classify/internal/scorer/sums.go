package scorer

import (
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/internal/topk"
)

// sums keep, of each known word that a text had, the sum of its rows: a text is then one row a word. They are rounded in
// another order than fastText's sums.
type sums struct {
	rows     []float32       // of words
	state    []atomic.Uint64 // of words: how many rows count, plus 1, and the bits of their bound; 0 before they are summed
	building [64]sync.Mutex
	flat             // labels that may be certain
	largest  float64 // sum of a label's absolute numbers
	exact    bool    // what is printed of probabilities and vectors must be fastText's: sums find labels alone
}

// sumsMost is how many numbers the sums of a model may have. They never have more than its input rows.
const sumsMost = 1 << 27

// largestMost bounds the sums of labels that may be certain: products of larger numbers may leave the range of float32.
const largestMost = 1e30

// certainMost is how many labels a model may have whose best label is found without its probability.
const certainMost = 10_000

// summed is what a Predictor needs for sums.
type summed struct {
	useSums bool
	quick   bool     // the line is read for its label alone
	sure    bool     // the label is found
	known   []uint32 // words of the line, for their sums
	bound   float64  // no less than the sum of the largest absolute numbers of the line's rows
	fresh   []fresh
	found   []uint32  // rows of fresh words
	ends    []float32 // largest and smallest numbers of rows
	endsAt  []uint32
}

// A fresh word has no sum yet.
type fresh struct {
	id          int
	first, last int // its rows in found
	n           int // rows that count
}

func (s *summed) begin(of *sums) {
	s.useSums = of != nil && (s.quick || !of.exact)
	s.sure, s.known, s.bound, s.fresh, s.found = false, s.known[:0], 0, s.fresh[:0], s.found[:0]
}

// newSums returns nil for a model whose words have one row each, or whose texts need all rows, or whose sums would take more
// memory than its rows do; also if each label has a probability of its own, because a table of them has steps that a last
// digit of a score may cross.
func newSums(m *Model) *sums {
	if m.lists == nil || m.words == 0 || m.dense == nil || m.width != m.input.Cols || m.words > m.input.Rows || m.words*m.width > sumsMost {
		return nil
	}
	s := &sums{exact: m.set.Format() == formatFastText}
	s.flat, _ = m.score.(flat)
	if s.exact && s.labels > 0 && s.labels <= certainMost && s.factors == nil {
		s.largest = s.largestSum(s.labels)
	}
	if s.each || s.exact && !(s.largest > 0 && s.largest < largestMost) {
		return nil
	}
	s.rows, s.state = make([]float32, m.words*m.width), make([]atomic.Uint64, m.words)
	return s
}

// formatFastText is the name of fastText's formats.
const formatFastText = "fasttext"

// addKnown adds a word that has a row of sums.
func (p *Predictor) addKnown(id int) {
	p.known = append(p.known, uint32(id))
	if p.m.sums.state[id].Load() != 0 {
		return
	}
	first := len(p.found)
	all := p.m.rowsOf(p.found, id)
	p.found = withoutZeros(all, first)
	p.fresh = append(p.fresh, fresh{id, first, len(p.found), len(all) - first})
	simd.Prefetch(p.m.dense, p.m.stride, p.found[first:], p.m.width)
}

// addSums sums the rows of fresh words, and counts those of all.
func (p *Predictor) addSums() {
	for _, word := range p.fresh {
		p.sum(word)
	}
	for _, id := range p.known {
		state := p.m.sums.state[id].Load()
		p.N += int(state>>32) - 1
		p.bound += float64(math.Float32frombits(uint32(state)))
	}
}

// sum sums the rows of a word, unless another goroutine did.
func (p *Predictor) sum(word fresh) {
	s := p.m.sums
	lock := &s.building[word.id%len(s.building)]
	lock.Lock()
	defer lock.Unlock()
	if s.state[word.id].Load() == 0 {
		rows := p.found[word.first:word.last]
		p.gather(s.rows[word.id*p.m.width:][:p.m.width], p.m.dense, p.m.stride, rows)
		s.state[word.id].Store(uint64(word.n+1)<<32 | uint64(math.Float32bits(p.boundOf(rows))))
	}
}

// boundOf returns no less than the sum of the largest absolute numbers of rows. It leaves NaN out, which no label is certain with.
func (p *Predictor) boundOf(rows []uint32) float32 {
	if !p.m.sums.exact || len(rows) == 0 {
		return 0
	}
	cols := p.m.width
	if p.ends == nil {
		p.ends, p.endsAt = make([]float32, 2*cols), make([]uint32, 2*cols)
	}
	simd.Extremes(p.ends[:cols], p.ends[cols:], p.endsAt[:cols], p.endsAt[cols:], p.m.dense, p.m.stride, rows)
	return max(slices.Max(p.ends[:cols]), -slices.Min(p.ends[cols:])) * float32(len(rows)) * (1 + 1e-6)
}

// ReadQuick is Read for a caller that needs the most probable label and no probability. It is the label that fastText's
// sums would find: where the sums of words leave that uncertain, the line is read again and p.sure is false.
func (p *Predictor) ReadQuick(data []byte, single bool) int {
	s := p.m.sums
	if s == nil || !s.exact || p.m.unknown > 0 {
		return p.Read(data, single)
	}
	p.quick = true
	n := p.Read(data, single)
	p.quick = false
	if p.sure = p.Err == nil && p.N > 0 && p.certain(); !p.sure {
		return p.Read(data, single)
	}
	return n
}

// certain finds the label with the largest score, and reports whether it has it for any order of sums.
//
// Let u be 2^-24, n the number of rows, b the sum of their largest absolute numbers, and c the number of columns. A sum of
// n numbers in any order is wrong by at most n·u/(1-n·u) times the sum of their absolute values, which is at most b; after
// the mean, rounded once more, two orders differ in each column by at most 2(n+1)u'·b/n, where u' is u and what is of second
// order. No number of the mean is more than b/n, so a product with a label's row, whose absolute numbers sum to at most w,
// is rounded by at most c·u'·w·b/n, twice. Two scores are certainly in order if they differ by more than twice the sum of
// both errors, 2(n+1+c)u'·w·b/n. What is added keeps apart probabilities, and their logarithms, that are rounded after
// that, and covers products too small for a float32: of 10,000 labels or fewer, the best one's probability is 1e-4 or more,
// where a difference of 1e-4 is a hundred roundings of the logarithm.
func (p *Predictor) certain() bool {
	f := &p.m.sums.flat
	p.bound += float64(p.boundOf(p.rows))
	for _, r := range p.apart {
		for _, x := range p.rowApart(r) {
			p.bound += math.Abs(float64(x)) // more than the largest
		}
	}
	const u = 1.0 / (1 << 24)
	rounded := float64(p.N+1+p.m.width) * u
	size := p.bound / float64(p.N) * p.m.sums.largest
	if !(rounded < 0.01 && p.bound < largestMost && size < largestMost) {
		return false
	}
	p.Average()
	if f.products(p, f.labels) != nil {
		return false
	}
	best, second, at := float32(math.Inf(-1)), math.Inf(-1), 0
	for id, x := range p.scores {
		switch {
		case x != x:
			return false
		case x > best:
			best, second, at = x, float64(best), id
		case float64(x) > second:
			second = float64(x)
		}
	}
	if !(float64(best)-second > 4*rounded*1.03*size+1e-4) {
		return false
	}
	p.Best = append(p.Best[:0], topk.Entry{ID: at})
	return true
}

// largestSum returns the largest sum of a row's absolute numbers, NaN if one of them is.
func (o *output) largestSum(rows int) (most float64) {
	for r := range rows {
		sum := 0.0
		for k := range o.cols {
			sum += math.Abs(float64(o.blocks[o.place(r, k)]))
		}
		most = max(most, sum) // NaN if a number is
	}
	return most
}
