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
	// Of the last part, which may have fewer numbers, and of all others. There may be so many
	// parts that each had better not have its own.
	last, others *points
}

// NewEncoder returns an encoder for b, which must be valid.
func NewEncoder(b Codebook) *Encoder {
	e := &Encoder{book: b}
	for p := range b.Parts() {
		f := newFinder(b.Size, b.width(p))
		f.set(b.part(p))
		e.parts = append(e.parts, f)
	}
	return e.Clone()
}

// EncoderBytes is about what an encoder takes for so many rows, of dim numbers, that its
// codebook was trained on.
func EncoderBytes(rows, dim int) float64 { return 4 * 2 * float64(min(rows, MaxSize)) * float64(dim) }

// Clone returns an encoder for another goroutine.
func (e *Encoder) Clone() *Encoder {
	first, last := e.parts[0], e.parts[len(e.parts)-1]
	return &Encoder{book: e.book, parts: e.parts, last: newPoints(last), others: newPoints(first)}
}

// Encode writes the codes of rows, which follow each other in rows, to codes:
// Parts codes a row. Of centroids that are equally near the first is taken. What the
// codes of numbers that are not finite stand for is not said.
func (e *Encoder) Encode(codes []byte, rows []float32) {
	parts, dim := e.book.Parts(), e.book.Dim
	n := len(rows) / dim
	for p, f := range e.parts {
		at := e.others
		if p == len(e.parts)-1 {
			at = e.last
		}
		for first := 0; first < n; first += batch {
			count := min(batch, n-first)
			for i := range count {
				from := (first+i)*dim + p*e.book.Part
				f.put(at, i, rows[from:from+f.width])
			}
			for i, c := range f.find(at, count) {
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
}

func newFinder(size, width int) *finder {
	const lane = 16
	f := &finder{width: width, size: size, stride: (size + lane - 1) / lane * lane}
	f.centre = make([]float32, width)
	f.columns = make([]float32, (width+1)*f.stride)
	return f
}

// points are those of a batch, and what a finder makes of them. They are one goroutine's own.
type points struct {
	lists   simd.Lists // for each point of a batch all rows, weighted by its numbers
	ids     []uint32
	scores  []float32
	nearest [batch]int
}

// newPoints returns points for f, and for others of its size and width.
func newPoints(f *finder) *points {
	p := &points{
		scores: make([]float32, batch*f.stride),
		lists:  simd.Lists{Starts: []uint64{0}, Weights: make([]float32, batch*(f.width+1))},
	}
	for i := range batch {
		for k := range f.width + 1 {
			p.lists.Rows = append(p.lists.Rows, uint32(k))
		}
		p.lists.Starts = append(p.lists.Starts, uint64(len(p.lists.Rows)))
		p.ids = append(p.ids, uint32(i))
	}
	return p
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
func (f *finder) put(p *points, i int, x []float32) {
	weights := p.lists.Weights[i*(f.width+1):][:f.width+1]
	weights[0] = 1
	for k, y := range x {
		weights[k+1] = f.centre[k] - y
	}
}

// find returns the nearest centroid of each of the first n points of the batch.
func (f *finder) find(p *points, n int) []int {
	scores := simd.Block{Data: p.scores, Rows: n, Cols: f.stride, Stride: f.stride}
	simd.GatherLists(scores, f.columns, f.stride, p.lists, p.ids[:n])
	for i := range n {
		best := 0
		row := scores.Data[i*f.stride:][:f.size]
		least := row[0]
		for c, x := range row {
			if x < least {
				least, best = x, c
			}
		}
		p.nearest[i] = best
	}
	return p.nearest[:n]
}
