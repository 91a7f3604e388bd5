// Package size estimates what parts of a file take, from the shape of a set.
package size

import (
	"slices"

	"github.com/w2v-go/w2v/vectors"
)

// Decimals returns the least bytes of so many vectors in decimal, the end of a number or line
// included.
func Decimals(s vectors.Shape, n int) float64 {
	each := 2.0 // a digit
	if s.Trained {
		each = 8 // those with fewer digits are outnumbered
	}
	return each * float64(n) * float64(s.Dim)
}

// Vectors returns the bytes of the vectors of words in a format that knows some types of
// numbers.
func Vectors(s vectors.Shape, known []vectors.DType) float64 {
	number := 4.0
	if d := vectors.DType(s.Encoding); d != vectors.F32 && slices.Contains(known, d) {
		number = 2
	}
	return number * float64(s.Words) * float64(s.Dim)
}

// Full returns the bytes of so many vectors in float32.
func Full(s vectors.Shape, n int) float64 { return 4 * float64(n) * float64(s.Dim) }

// Words returns the bytes of words with so many bytes more for each.
func Words(s vectors.Shape, more int) float64 {
	return float64(s.Text) + float64(more)*float64(s.Words)
}
