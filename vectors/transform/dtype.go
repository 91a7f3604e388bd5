package transform

import (
	"fmt"

	"github.com/w2v-go/w2v/vectors"
)

// WithDType returns s with the numbers of its matrices rounded to a type, which is
// done when they are asked for, and with files in mind that are written in it. A
// number that is too large for the type is infinite, and cannot be written. What few
// rows depend on for all words, the projection of a product, the weights of pieces and
// those of positions, stays as it is. The set needs s: close s after it.
func WithDType(s *vectors.Set, d vectors.DType) *vectors.Set {
	if _, err := vectors.ParseDType(string(d)); err != nil {
		panic(fmt.Errorf("transform: %w", err))
	}
	return s.MapRows(func(m vectors.Matrix) vectors.Matrix { return withDType(m, d) })
}

func withDType(m vectors.Matrix, d vectors.DType) vectors.Matrix {
	if rows, projection, ok := m.Factors(); ok {
		return vectors.Product(withDType(rows, d), projection)
	}
	if m.Rows == 0 || m.Encoding() == string(d) {
		return m
	}
	return vectors.Stored(m.Rows, m.Cols, rounded{m, d})
}

// rounded is the rows of a matrix, rounded.
type rounded struct {
	source vectors.Matrix
	d      vectors.DType
}

func (m rounded) Read(dst []float32, r int) {
	m.source.Read(dst, r)
	m.d.Round(dst)
}

func (m rounded) DType() vectors.DType { return m.d }

// Unrounded returns the rows that are rounded: see vectors.Matrix.Exact.
func (m rounded) Unrounded() vectors.Matrix { return m.source }
