// Package pq is product quantisation of float32 rows: a row is cut into parts, and
// each part is replaced by the number of the nearest of at most 256 centroids, a
// byte. See Jégou, Douze and Schmid, "Product quantization for nearest neighbor
// search", 2011, and, for rotations, Ge and others, "Optimized product
// quantization", 2013.
package pq

import "fmt"

// MaxSize is the largest number of centroids of a part: what a byte can tell apart.
const MaxSize = 256

// A Codebook says what the codes of rows stand for. Rows of Dim numbers are cut
// into parts of Part numbers, of which the last may have fewer. Every part has
// Size centroids; centroid c of part p begins at Centroids[p*Size*Part+c*width],
// width being that of the part. This is the order of fastText's files.
type Codebook struct {
	Dim, Part, Size int
	Centroids       []float32
}

// Parts returns the number of parts, which is that of codes of a row.
func (b Codebook) Parts() int { return (b.Dim + b.Part - 1) / b.Part }

// width returns how many numbers part p has.
func (b Codebook) width(p int) int { return min(b.Part, b.Dim-p*b.Part) }

// part returns the centroids of part p.
func (b Codebook) part(p int) []float32 {
	first := p * b.Size * b.Part
	return b.Centroids[first : first+b.Size*b.width(p)]
}

// Validate reports sizes that do not fit together.
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

// Decode writes the row with the given codes, Parts of them, to dst, which has Dim
// numbers. A code that stands for no centroid gives zeros.
func (b Codebook) Decode(dst []float32, codes []byte) {
	first := 0 // centroid of the part
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

// Add adds the row with the given codes to dst, otherwise as Decode.
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

// Rows returns the centroids in another order: row c of Dim numbers is centroid c of
// every part, one beside the other.
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

// BookOf returns the codebook whose Rows are rows, of dim numbers and parts of part.
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

// WithZeros returns b with one more centroid a part, of zeros, so that a row of zeros
// is held exactly. There must be room for it.
func (b Codebook) WithZeros() Codebook {
	rows := append(b.Rows(), make([]float32, b.Dim)...)
	return BookOf(rows, b.Dim, b.Part)
}
