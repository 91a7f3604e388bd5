package simd

import (
	"bytes"
	"flag"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/w2v-go/w2v/internal/longtest"
)

// shape is the size of a fixture: rows of h and of the matrix, and their columns.
type shape struct {
	nh, n, cols int
	seed        uint64
}

func (s shape) String() string {
	return fmt.Sprintf("%d rows by %d rows of %d numbers, seed %d", s.nh, s.n, s.cols, s.seed)
}

// few is for processors that are emulated, where a test takes some hundred times as long.
var few = flag.Bool("few", false, "try few shapes")

// lengths goes through the lengths of rows to try, from 1 to most.
func lengths(most int) iter.Seq[int] {
	return func(yield func(cols int) bool) {
		for cols := 1; cols <= most; cols++ {
			if *few && !slices.Contains([]int{1, 7, 15, 16, 17, 31, 65, 100, 117, 255}, cols) {
				continue
			}
			if !yield(cols) {
				return
			}
		}
	}
}

// eachShape goes through all columns from 1 to 257 with counts of rows about the
// sizes of tiles. Each number of columns has some of the counts, in turn: the fewer the longer rows are, and
// more in long tests.
func eachShape(test func(s shape)) {
	counts := []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 24}
	for cols := range lengths(257) {
		turns := 1
		switch {
		case *few || longtest.Enabled() && cols > 96:
			turns = 3
		case !longtest.Enabled() && cols > 33:
			turns = len(counts)
		case !longtest.Enabled():
			turns = 4
		}
		for i, n := range counts {
			if (i+cols)%turns == 0 {
				test(shape{nh: counts[(3*i+cols)%len(counts)], n: n, cols: cols, seed: uint64(cols)})
			}
		}
	}
}

// fixture is a worker's rows and a matrix. Behind the columns of rows, where there
// is room, and in what is not to be read stands guard.
type fixture struct {
	shape
	h, matrix  Block
	rows       []uint32 // of the matrix: the last, the others in any order, perhaps twice
	order      []uint32 // of the centres, each once
	zeros      []uint32 // one for each centre
	lists      Lists
	ids        []uint32  // of the lists, one for each row of h
	with       []uint16  // for each of rows, which centres it is paired with
	each       []uint16  // for each of rows, the one centre it is paired with, or none
	weights    []float32 // of centres in pairs
	rounding   Rounding  // of errors, of half of the fixtures
	bits       []uint16  // for each of rows, which errors were kept
	kept       []float32 // n × Lanes: 1 for these, 0 for others
	w          []float32 // n × Lanes, for AddRows and UpdateRows
	triples    []Triple  // of centres, centres and rows
	windows    []Window  // of rows, for centres
	ofRows     []float32 // a weight for each of rows
	back       []Window  // of centres, for rows
	dst, dots  Block     // for results: nh rows of cols numbers, and of n
	transposed []float32 // cols × Lanes
	errors     []float32 // n × Lanes
	products   []float32 // one for each row of the lists ids
	scores     []float32 // parts of n × Lanes, apart from each other
	parts      int
	loss       []float32
}

// guard is a NaN that no kernel makes: it shows when it is read, too.
var guard = math.Float32frombits(0x7fdead01)

func isGuard(x float32) bool {
	return x != x && math.Float32bits(x) == math.Float32bits(guard)
}

// guards returns n guards.
func guards(n int) []float32 { return slices.Repeat([]float32{guard}, n) }

// centres are the rows of h that pairs are made with.
func (f fixture) centres() Block { return f.h.Slice(0, min(f.nh, Lanes)) }

func newFixture(s shape) fixture {
	r := rand.New(rand.NewPCG(s.seed, uint64(s.cols<<16+s.n<<8+s.nh)))
	block := func(rows, cols int) Block {
		b := Block{Rows: rows, Cols: cols, Stride: cols + r.IntN(2)*r.IntN(17)}
		b.Data = guards((rows-1)*b.Stride + cols)
		for i := range rows {
			for k := range b.Row(i) {
				b.Row(i)[k] = float32(r.NormFloat64())
			}
		}
		return b
	}
	centres := min(s.nh, Lanes)
	f := fixture{
		shape:      s,
		h:          block(s.nh, s.cols),
		matrix:     block(s.n, s.cols),
		rows:       randomRows(r, s.n),
		lists:      randomLists(r, s),
		weights:    guards(Lanes),
		w:          guards(s.n * Lanes),
		dst:        block(s.nh, s.cols),
		dots:       block(s.nh, s.n),
		transposed: guards(s.cols * Lanes),
		errors:     guards(s.n * Lanes),
		bits:       make([]uint16, s.n),
		kept:       guards(s.n * Lanes),
		loss:       []float32{0},
	}
	for _, i := range r.Perm(centres) {
		f.order, f.zeros = append(f.order, uint32(i)), append(f.zeros, 0)
		f.weights[i] = float32(r.NormFloat64())
	}
	for range s.nh {
		f.ids = append(f.ids, uint32(r.IntN(len(f.lists.Starts)-1)))
	}
	for j := range s.n {
		f.with = append(f.with, uint16(r.Uint32())&(1<<centres-1))
		switch r.IntN(6) {
		case 0, 1:
			f.with[j] = 1<<centres - 1
		case 2:
			f.with[j] = 0
		}
		for i := range centres {
			f.w[j*Lanes+i] = float32(r.NormFloat64())
		}
	}
	for range s.n {
		f.each = append(f.each, 1<<r.IntN(centres)*uint16(min(1, r.IntN(8))))
		f.triples = append(f.triples, Triple{
			uint32(r.IntN(centres)), uint32(r.IntN(centres)), uint32(r.IntN(s.n)), float32(r.NormFloat64()),
		})
	}
	for _, id := range f.ids {
		f.products = append(f.products, guards(int(f.lists.Starts[id+1]-f.lists.Starts[id]))...)
	}
	for range s.n {
		f.ofRows = append(f.ofRows, float32(r.NormFloat64()))
	}
	f.windows, f.back = randomWindows(r, centres, s.n), randomWindows(r, s.n, centres)
	if r.IntN(2) == 0 {
		f.rounding = Rounding{r.Float32(), r.Uint32()}
	}
	f.parts = 1 + r.IntN(4)
	f.scores = guards((f.parts-1)*f.apart() + s.n*Lanes)
	for part := range f.parts {
		for i := range s.n * Lanes {
			f.scores[part*f.apart()+i] = float32(r.NormFloat64())
		}
	}
	return f
}

// apart is how far apart the parts of scores begin.
func (f fixture) apart() int { return f.n*Lanes + 16*(f.cols%3) }

// randomRows are n rows of n in any order. The last is always among them.
func randomRows(r *rand.Rand, n int) (rows []uint32) {
	for _, i := range r.Perm(n) {
		rows = append(rows, uint32(i))
	}
	if r.IntN(2) == 0 { // some twice, and so others not at all
		for i := range rows {
			rows[i] = uint32(r.IntN(n))
		}
	}
	rows[r.IntN(n)] = uint32(n - 1)
	return rows
}

// randomLists are a few lists, of none to n rows, of which some are listed twice.
func randomLists(r *rand.Rand, s shape) Lists {
	l := Lists{Starts: []uint64{0}}
	for range 1 + r.IntN(s.nh+1) {
		if r.IntN(4) > 0 {
			rows := randomRows(r, s.n)
			l.Rows = append(l.Rows, rows[:r.IntN(len(rows)+1)]...)
		}
		l.Starts = append(l.Starts, uint64(len(l.Rows)))
	}
	for range l.Rows {
		l.Weights = append(l.Weights, float32(r.NormFloat64()))
	}
	return l
}

// randomWindows are windows of so many sources for rows, of which some have two and some none,
// as some windows have no rows or are for none. Half of the lists go on as those of a text do.
func randomWindows(r *rand.Rand, rows, sources int) (list []Window) {
	for range rows {
		from, to := r.IntN(sources+1), r.IntN(sources+1)
		w := Window{int32(r.IntN(rows)), int32(min(from, to)), int32(max(from, to)), -1, float32(r.NormFloat64())}
		if r.IntN(8) == 0 {
			w.Row = -1
		}
		if from != to && r.IntN(4) > 0 {
			w.Except = w.From + r.Int32N(w.To-w.From)
		}
		list = append(list, w)
	}
	if r.IntN(2) == 0 {
		slices.SortFunc(list, func(a, b Window) int { return int(a.From - b.From) })
		for i := 1; i < len(list); i++ {
			list[i].To = max(list[i].To, list[i-1].To)
		}
	}
	return list
}

// numbers are what f has numbers in that kernels may change.
func (f *fixture) numbers() []*[]float32 {
	return []*[]float32{
		&f.h.Data, &f.matrix.Data, &f.lists.Weights, &f.weights, &f.w,
		&f.dst.Data, &f.dots.Data, &f.transposed, &f.errors, &f.scores, &f.loss,
		&f.products, &f.ofRows, &f.kept,
	}
}

var numberNames = []string{
	"h", "matrix", "weights of lists", "weights of centres", "w",
	"dst", "dots", "transposed", "errors", "scores", "loss",
	"products", "weights of rows", "kept errors",
}

// memory is where a fixture stands while a kernel runs, and what checks that it
// changed nothing else.
type memory interface {
	place(bytes int) []byte
	check(t *testing.T)
}

// in returns a copy of f in m.
func (f fixture) in(m memory) fixture {
	for _, x := range f.numbers() {
		*x = placed(m, *x)
	}
	f.rows, f.order, f.ids, f.lists.Rows = placed(m, f.rows), placed(m, f.order), placed(m, f.ids), placed(m, f.lists.Rows)
	f.zeros, f.lists.Starts = placed(m, f.zeros), placed(m, f.lists.Starts)
	f.with, f.each, f.bits = placed(m, f.with), placed(m, f.each), placed(m, f.bits)
	f.triples = placed(m, f.triples)
	f.windows, f.back = placed(m, f.windows), placed(m, f.back)
	return f
}

// placed returns a copy of x in m.
func placed[T any](m memory, x []T) []T {
	if len(x) == 0 {
		return nil
	}
	to := m.place(len(x) * int(unsafe.Sizeof(x[0])))
	y := unsafe.Slice((*T)(unsafe.Pointer(&to[0])), len(x))
	copy(y, x)
	return y
}

// copy returns a copy of what f has numbers in.
func (f fixture) copy() fixture {
	for _, b := range f.numbers() {
		*b = slices.Clone(*b)
	}
	return f
}

// change changes every number x but guards to to(x).
func (f fixture) change(to func(x float32) float32) {
	for _, b := range f.numbers() {
		numbers := *b
		for i, x := range numbers {
			if !isGuard(x) {
				numbers[i] = to(x)
			}
		}
	}
}

// specialNumbers puts numbers that are special among those of f.
func (f fixture) specialNumbers(r *rand.Rand) {
	special := []float32{nan, inf, -inf, 0, float32(math.Copysign(0, -1)), 1e-40, -1e-45, 1e-38, 1e15}
	for _, b := range []Block{f.h, f.matrix, f.dst} {
		for i := range b.Rows {
			if r.IntN(2) == 0 {
				b.Row(i)[r.IntN(f.cols)] = special[r.IntN(len(special))]
			}
		}
	}
	if r.IntN(2) == 0 {
		f.scores[r.IntN(f.n*Lanes)] = special[r.IntN(len(special))]
	}
	if n := len(f.lists.Weights); n > 0 {
		f.lists.Weights[r.IntN(n)] = special[r.IntN(len(special))]
	}
	if f.cols%2 == 0 {
		f.ofRows[f.cols/2%f.n] = special[f.cols/2%len(special)]
	}
	// Not 0: the portable kernels leave rows of that weight out, be they NaN.
	f.w[0] = []float32{-1e15, 1e-40, 1e15}[r.IntN(3)]
	f.weights[0] = []float32{-1e15, 1e-40, 1e15}[r.IntN(3)]
}

// bytesOf is x as bytes.
func bytesOf(x []float32) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(x))), 4*len(x))
}

// heap is memory between guards, not aligned but for offset 0.
type heap struct {
	offset int // in float32s
	used   []placement
}

// placement is where something stands among guards.
type placement struct {
	all         []byte
	first, last int
}

func (m *heap) place(bytes int) []byte {
	p := placement{bytesOf(guards(m.offset + (bytes+3)/4 + 16)), 4 * m.offset, 4*m.offset + bytes}
	m.used = append(m.used, p)
	return p.all[p.first:p.last:p.last]
}

func (m *heap) check(t *testing.T) {
	t.Helper()
	clean := bytesOf(guards(17))
	for _, p := range m.used {
		before, behind := p.all[:p.first], p.all[p.last:]
		if !bytes.Equal(before, clean[:len(before)]) {
			t.Errorf("changed what stands before its own to %x", before)
		}
		if !bytes.Equal(behind, clean[p.last%4:][:len(behind)]) {
			t.Errorf("changed what stands behind its own to %x", behind)
		}
	}
	m.used = nil
}

// isas lists what the kernels can be run in here.
func isas() (names []string) {
	for _, i := range available() {
		names = append(names, string(i))
	}
	return names
}

// use runs the kernels in the named set of instructions until the test ends.
func use(tb testing.TB, name string) {
	before := chosen
	chosen = isa(name)
	tb.Cleanup(func() { chosen = before })
}

// transposes reports whether Transpose does what it says: the portable Errors does
// not need it.
func transposes() bool { return chosen != portable }
