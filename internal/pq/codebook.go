// Package pq does product quantisation of rows of float32. It divides a row into parts, and
// replaces each part by the number of the nearest of at most 256 centroids, which is one byte. See
// Jégou, Douze and Schmid, "Product quantization for nearest neighbor search", 2011, and, for
// rotations, Ge and others, "Optimized product quantization", 2013.
package pq

import "fmt"

// MaxSize is the largest number of centroids of a part, because a code is one byte.
const MaxSize = 256

// A Codebook decodes rows. Rows of Dim numbers are divided into parts of Part numbers; the last
// part may have fewer. Every part has Size centroids. Centroid c of part p begins at
// Centroids[p*Size*Part+c*width], where width is the number of numbers in part p. This is the
// order in fastText's files.
type Codebook struct {
	Dim, Part, Size int
	Centroids       []float32
}

// Parts returns the number of parts, which is also the number of codes of a row.
func (b Codebook) Parts() int { return (b.Dim + b.Part - 1) / b.Part }

// width returns how many numbers part p has.
func (b Codebook) width(p int) int { return min(b.Part, b.Dim-p*b.Part) }

// part returns the centroids of part p.
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

// Decode writes the row with the given codes to dst. There are Parts codes, and dst has Dim
// numbers. A code without a centroid gives zeros.
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

// Rows returns the centroids as rows of Dim numbers: row c consists of the centroids c of all
// parts, one after the other.
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

// BookOf returns the codebook whose method Rows returns rows, with rows of dim numbers and parts of
// part numbers.
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

// WithZeros returns b with one more centroid for each part, which is all zeros, so that a row of
// zeros is coded exactly. Size must be less than MaxSize.
func (b Codebook) WithZeros() Codebook {
	rows := append(b.Rows(), make([]float32, b.Dim)...)
	return BookOf(rows, b.Dim, b.Part)
}
