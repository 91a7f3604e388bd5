package pq

import (
	"slices"

	"github.com/w2v-go/w2v/internal/simd"
)

// An Encoder finds the codes of rows. It is not for several goroutines at once;
// Clone makes more.
type Encoder struct {
	book  Codebook
	parts []*finder
}

// NewEncoder returns an encoder for b, which must be valid.
func NewEncoder(b Codebook) *Encoder {
	e := &Encoder{book: b}
	for p := range b.Parts() {
		f := newFinder(b.Size, b.width(p))
		f.set(b.part(p))
		e.parts = append(e.parts, f)
	}
	return e
}

// Clone returns an encoder for another goroutine.
func (e *Encoder) Clone() *Encoder {
	other := &Encoder{book: e.book}
	for _, f := range e.parts {
		other.parts = append(other.parts, f.clone())
	}
	return other
}

// Encode writes the codes of rows, which follow each other in rows, to codes:
// Parts codes a row. Of centroids that are equally near the first is taken. What the
// codes of numbers that are not finite stand for is not said.
func (e *Encoder) Encode(codes []byte, rows []float32) {
	parts, dim := e.book.Parts(), e.book.Dim
	n := len(rows) / dim
	for p, f := range e.parts {
		for first := 0; first < n; first += batch {
			count := min(batch, n-first)
			for i := range count {
				at := (first+i)*dim + p*e.book.Part
				f.put(i, rows[at:at+f.width])
			}
			for i, c := range f.find(count) {
				codes[(first+i)*parts+p] = byte(c)
			}
		}
	}
}

// batch is how many points a finder looks at together: their scores stay in the
// first-level cache.
const batch = 16

// A finder finds the nearest of some centroids. As ‖x−c‖² is ‖x‖²−2·(x·c−‖c‖²/2), it
// computes ‖c‖²/2−x·c: for all centroids at once, as the sum of the rows of a
// matrix with a column a centroid. The first row are the halves of squares, the
// others the centroids' numbers, one dimension a row.
type finder struct {
	width, size, stride int
	centre              []float32 // of the centroids: the origin, for the sake of precision
	columns             []float32 // width+1 rows

	lists   simd.Lists // for each point of a batch all rows, weighted by its numbers
	ids     []uint32
	scores  []float32
	nearest [batch]int
}

func newFinder(size, width int) *finder {
	const lane = 16
	f := &finder{width: width, size: size, stride: (size + lane - 1) / lane * lane}
	f.centre = make([]float32, width)
	f.columns = make([]float32, (width+1)*f.stride)
	f.scratch()
	return f
}

// scratch makes what a goroutine needs of its own.
func (f *finder) scratch() {
	f.scores = make([]float32, batch*f.stride)
	f.lists = simd.Lists{Starts: []uint64{0}, Weights: make([]float32, batch*(f.width+1))}
	f.ids = nil
	for i := range batch {
		for k := range f.width + 1 {
			f.lists.Rows = append(f.lists.Rows, uint32(k))
		}
		f.lists.Starts = append(f.lists.Starts, uint64(len(f.lists.Rows)))
		f.ids = append(f.ids, uint32(i))
	}
}

func (f *finder) clone() *finder {
	other := *f
	other.scratch()
	return &other
}

// set makes the centroids those.
func (f *finder) set(centroids []float32) {
	means := make([]float64, f.width)
	for c := range slices.Chunk(centroids, f.width) {
		for k, x := range c {
			means[k] += float64(x)
		}
	}
	for k, sum := range means {
		f.centre[k] = float32(sum / float64(f.size))
	}
	for i := range f.size {
		var square float64
		for k, x := range centroids[i*f.width:][:f.width] {
			x -= f.centre[k]
			f.columns[(k+1)*f.stride+i] = x
			square += float64(x) * float64(x)
		}
		f.columns[i] = float32(square / 2)
	}
}

// put makes x point i of the batch.
func (f *finder) put(i int, x []float32) {
	weights := f.lists.Weights[i*(f.width+1):][:f.width+1]
	weights[0] = 1
	for k, y := range x {
		weights[k+1] = f.centre[k] - y
	}
}

// find returns the nearest centroid of each of the first n points of the batch.
func (f *finder) find(n int) []int {
	scores := simd.Block{Data: f.scores, Rows: n, Cols: f.stride, Stride: f.stride}
	simd.GatherLists(scores, f.columns, f.stride, f.lists, f.ids[:n])
	for i := range n {
		best := 0
		row := scores.Data[i*f.stride:][:f.size]
		least := row[0]
		for c, x := range row {
			if x < least {
				least, best = x, c
			}
		}
		f.nearest[i] = best
	}
	return f.nearest[:n]
}
