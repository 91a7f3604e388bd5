// Package pq does product quantisation of rows of float32: the nearest of 256 centroids, one byte, replaces each part of a
// row. See Jégou, Douze and Schmid, "Product quantization for nearest neighbor search", 2011, and, for rotations, Ge and
// others, "Optimized product quantization", 2013.
package pq

import (
	"fmt"
	"slices"

	"github.com/w2v-go/w2v/internal/simd"
)

// MaxSize is the largest number of centroids of a part, because a code is one byte.
const MaxSize = 256

// A Codebook decodes rows of Dim numbers. Parts have Part numbers, the last one perhaps fewer, and Size centroids.
// Centroid c of part p begins at Centroids[p*Size*Part+c*width], where width is the size of part p, as in fastText's files.
type Codebook struct {
	Dim, Part, Size int
	Centroids       []float32
}

// Parts returns the number of parts, which is also the number of codes of a row.
func (b Codebook) Parts() int { return (b.Dim + b.Part - 1) / b.Part }

func (b Codebook) width(p int) int { return min(b.Part, b.Dim-p*b.Part) }

func (b Codebook) part(p int) []float32 {
	first := p * b.Size * b.Part
	return b.Centroids[first : first+b.Size*b.width(p)]
}

// Validate returns an error if the sizes do not fit together.
func (b Codebook) Validate() error {
	switch {
	case b.Dim < 1:
		return fmt.Errorf("a codebook of %d dimensions, must be at least 1", b.Dim)
	case b.Part < 1 || b.Part > b.Dim:
		return fmt.Errorf("a codebook with parts of %d numbers, must be from 1 to %d", b.Part, b.Dim)
	case b.Size < 1 || b.Size > MaxSize:
		return fmt.Errorf("a codebook of %d centroids a part, must be from 1 to %d", b.Size, MaxSize)
	case len(b.Centroids) != b.Size*b.Dim:
		return fmt.Errorf("a codebook of %d numbers, must be %d", len(b.Centroids), b.Size*b.Dim)
	}
	return nil
}

// Decode writes the row with these codes, Parts of them, to dst. A code without a centroid gives zeros.
func (b Codebook) Decode(dst []float32, codes []byte) {
	first := 0 // first centroid of the part
	for p, code := range codes[:b.Parts()] {
		at := p * b.Part
		part := dst[at:min(at+b.Part, b.Dim)]
		if int(code) < b.Size {
			copy(part, b.Centroids[first+int(code)*len(part):])
		} else {
			clear(part)
		}
		first += b.Size * b.Part
	}
}

// Add is like Decode, but adds the row to dst.
func (b Codebook) Add(dst []float32, codes []byte) {
	first := 0
	for p, code := range codes[:b.Parts()] {
		at := p * b.Part
		part := dst[at:min(at+b.Part, b.Dim)]
		if int(code) < b.Size {
			for k, x := range b.Centroids[first+int(code)*len(part):][:len(part)] {
				part[k] += x
			}
		}
		first += b.Size * b.Part
	}
}

// Rows returns the centroids as rows: row c has the centroids c of all parts, one after the other.
func (b Codebook) Rows() []float32 {
	rows := make([]float32, len(b.Centroids))
	for p := range b.Parts() {
		width, part := b.width(p), b.part(p)
		for c := range b.Size {
			copy(rows[c*b.Dim+p*b.Part:], part[c*width:(c+1)*width])
		}
	}
	return rows
}

// BookOf returns the codebook with these Rows, of dim numbers, in parts of part numbers.
func BookOf(rows []float32, dim, part int) Codebook {
	b := Codebook{Dim: dim, Part: part, Size: len(rows) / dim, Centroids: make([]float32, len(rows))}
	for p := range b.Parts() {
		width, part := b.width(p), b.part(p)
		for c := range b.Size {
			copy(part[c*width:(c+1)*width], rows[c*dim+p*b.Part:])
		}
	}
	return b
}

// WithZeros returns b with a centroid more for each part, all zeros, so that a row of zeros is coded exactly.
func (b Codebook) WithZeros() Codebook {
	rows := append(b.Rows(), make([]float32, b.Dim)...)
	return BookOf(rows, b.Dim, b.Part)
}

// An Encoder finds the codes of rows. Each goroutine needs its own; Clone makes more.
type Encoder struct {
	book  Codebook
	parts []*finder
	// a finder for the last part, which may have fewer numbers, and one for all others, to save memory
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

// EncoderBytes returns about how many bytes an encoder takes that was trained on so many rows of dim numbers.
func EncoderBytes(rows, dim int) float64 { return 4 * 2 * float64(min(rows, MaxSize)) * float64(dim) }

// Clone returns an encoder for another goroutine.
func (e *Encoder) Clone() *Encoder {
	first, last := e.parts[0], e.parts[len(e.parts)-1]
	return &Encoder{book: e.book, parts: e.parts, last: newPoints(last), others: newPoints(first)}
}

// Encode writes Parts codes for each of the rows, which follow one another without gaps. Of equally near centroids, it
// takes the first. Rows with numbers that are not finite have unspecified codes.
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

const batch = 16 // the scores of a batch of points stay in the first-level cache

// A finder finds the nearest centroid of a point. Since ‖x−c‖² = ‖x‖²−2·(x·c−‖c‖²/2), it looks
// for the smallest ‖c‖²/2−x·c. It computes this for all centroids at once, as a weighted sum of
// rows of a matrix that has one column for each centroid. The first row holds the ‖c‖²/2, and each
// other row holds one dimension of the centroids.
type finder struct {
	width, size, stride int
	centre              []float32 // of the centroids; it is the origin, for better precision
	columns             []float32 // width+1 rows
}

func newFinder(size, width int) *finder {
	const lane = 16
	f := &finder{width: width, size: size, stride: (size + lane - 1) / lane * lane}
	f.centre = make([]float32, width)
	f.columns = make([]float32, (width+1)*f.stride)
	return f
}

// points is a batch of points with a finder's scratch memory. Each goroutine has its own.
type points struct {
	lists   simd.Lists // for each point of the batch, all rows, weighted by its numbers
	ids     []uint32
	scores  []float32
	nearest [batch]int
}

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

func (f *finder) put(p *points, i int, x []float32) {
	weights := p.lists.Weights[i*(f.width+1):][:f.width+1]
	weights[0] = 1
	for k, y := range x {
		weights[k+1] = f.centre[k] - y
	}
}

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
