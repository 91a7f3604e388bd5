package classify

import (
	"math"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/internal/topk"
)

// sums keep, of each known word that a text had, the sum of its rows: a text is then one row a word. They are rounded in
// another order than fastText's sums.
type sums struct {
	rows     []float32       // of words
	state    []atomic.Uint64 // of words: how many rows count, plus 1, and the bits of their bound; 0 before they are summed
	building [64]sync.Mutex
	exact    bool // what is printed of probabilities and vectors must be fastText's: sums find labels alone
}

// sumsMost is how many numbers the sums of a model may have.
const sumsMost = 1 << 28

// certainMost is how many labels a model may have whose best label is found without its probability.
const certainMost = 10_000

// summed is what a predictor needs for sums.
type summed struct {
	useSums bool
	quick   bool     // the line is read for its label alone
	sure    bool     // the label is found
	known   []uint32 // words of the line, for their sums
	bound   float64  // no less than the sum of the largest absolute numbers of the line's rows
	fresh   []freshWord
	found   []uint32 // rows of fresh words
}

func (s *summed) begin(of *sums) {
	s.useSums = of != nil && (s.quick || !of.exact)
	s.sure, s.known, s.bound, s.fresh, s.found = false, s.known[:0], 0, s.fresh[:0], s.found[:0]
}

// A freshWord has no sum yet.
type freshWord struct {
	id   int
	last int // its rows end here in found
	n    int // rows that count
}

// newSums returns nil for a model whose words have one row each, or whose texts need all rows; also if each label has a
// probability of its own, because a table of them has steps that a last digit of a score may cross.
func newSums(m *Model) *sums {
	if len(m.known) == 0 || m.dense == nil || m.width != m.input.Cols || m.words*m.width > sumsMost {
		return nil
	}
	exact := m.set.Format() == formatFastText
	if f, ok := m.score.(flat); ok && f.each || exact && !(f.largest > 0) {
		return nil
	}
	return &sums{rows: make([]float32, m.words*m.width), state: make([]atomic.Uint64, m.words), exact: exact}
}

// formatFastText is the name of fastText's formats.
const formatFastText = "fasttext"

// addKnown adds the sum of a word's rows to the line.
func (p *predictor) addKnown(id int) {
	s := p.m.sums
	p.known = append(p.known, uint32(id))
	state := s.state[id].Load()
	if state == 0 {
		first := len(p.found)
		rows := p.m.rowsOf(p.found, id)
		p.found = withoutZeros(rows, first)
		p.fresh = append(p.fresh, freshWord{id, len(p.found), len(rows) - first})
		simd.Prefetch(p.m.dense, p.m.stride, p.found[first:], p.m.width)
		return
	}
	p.addState(state)
}

func (p *predictor) addState(state uint64) {
	p.n += int(state>>32) - 1
	p.bound += float64(math.Float32frombits(uint32(state)))
}

// addFresh sums the rows of those words of the line that no text had before.
func (p *predictor) addFresh() {
	first := 0
	for _, of := range p.fresh {
		p.addState(p.sum(of.id, p.found[first:of.last], of.n))
		first = of.last
	}
}

// sum sums the rows of a word, of which n count.
func (p *predictor) sum(id int, rows []uint32, n int) uint64 {
	s := p.m.sums
	lock := &s.building[id%len(s.building)]
	lock.Lock()
	defer lock.Unlock()
	state := s.state[id].Load()
	if state == 0 {
		p.gather(s.rows[id*p.m.width:][:p.m.width], p.m.dense, p.m.stride, rows)
		bound := p.boundOf(rows)
		state = uint64(n+1)<<32 | uint64(math.Float32bits(bound))
		s.state[id].Store(state)
	}
	return state
}

// boundOf returns no less than the sum of the largest absolute numbers of rows.
func (p *predictor) boundOf(rows []uint32) float32 {
	if !p.m.sums.exact {
		return 0
	}
	const sign = 1 << 31
	dense := unsafe.Slice((*uint32)(unsafe.Pointer(unsafe.SliceData(p.m.dense))), len(p.m.dense))
	var a, b, c, d uint32 // the bits of absolute numbers, which are in the order of the numbers; NaN is the largest
	for _, r := range rows {
		row := dense[int(r)*p.m.stride:][:p.m.width]
		for ; len(row) >= 4; row = row[4:] {
			a = max(a, row[0]&^sign)
			b = max(b, row[1]&^sign)
			c = max(c, row[2]&^sign)
			d = max(d, row[3]&^sign)
		}
		for _, x := range row {
			a = max(a, x&^sign)
		}
	}
	return math.Float32frombits(max(a, b, c, d)) * float32(len(rows)) * (1 + 1e-6)
}

// readQuick is read for a caller that needs the most probable label and no probability. It is the label that fastText's
// sums would find: where the sums of words leave that uncertain, the line is read again and p.sure is false.
func (p *predictor) readQuick(data []byte, single bool) int {
	s := p.m.sums
	if s == nil || !s.exact || p.m.unknown > 0 {
		return p.read(data, single)
	}
	p.quick = true
	n := p.read(data, single)
	p.quick = false
	if p.sure = p.err == nil && p.n > 0 && p.certain(p.m.score.(flat)); !p.sure {
		return p.read(data, single)
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
func (p *predictor) certain(f flat) bool {
	p.bound += float64(p.boundOf(p.rows))
	for _, r := range p.apart {
		for _, x := range p.m.runs.separate.View(p.scratch, int(r)) {
			p.bound += math.Abs(float64(x)) // more than the largest
		}
	}
	const u = 1.0 / (1 << 24)
	rounded := float64(p.n+1+p.m.width) * u
	size := p.bound / float64(p.n) * f.largest
	if !(rounded < 0.01 && p.bound < 1e30 && size < 1e30) {
		return false
	}
	p.average()
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
	p.best = append(p.best[:0], topk.Entry{ID: at})
	return true
}

// largestSum returns the largest sum of a row's absolute numbers.
func (o *output) largestSum(rows int) (most float64) {
	for r := range rows {
		sum := 0.0
		for k := range o.cols {
			sum += math.Abs(float64(o.blocks[(r/lanes*o.cols+k)*lanes+r%lanes]))
		}
		if !(sum <= most) {
			most = sum
		}
	}
	return most
}
