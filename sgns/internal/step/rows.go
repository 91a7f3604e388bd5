package step

import (
	"math"

	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/vectors"
)

// NewRows returns rows of a worker's own.
func NewRows(rows, cols int) simd.Block {
	m := vectors.NewMatrix(rows, cols)
	return simd.Block{Data: m.Data, Rows: rows, Cols: cols, Stride: m.Stride}
}

// InOrder are the numbers of a block's rows.
var InOrder = func() (rows [simd.Lanes]uint32) {
	for i := range rows {
		rows[i] = uint32(i)
	}
	return rows
}()

// OwnRows are the rows of a block in their order.
func OwnRows(b simd.Block) simd.Rows {
	return simd.Rows{Data: b.Data, Stride: b.Stride, IDs: InOrder[:]}
}

// RowsOf are rows of a matrix.
func RowsOf(m vectors.Matrix, rows []uint32) simd.Rows {
	return simd.Rows{Data: m.Data, Stride: m.Stride, IDs: rows}
}

// EachAlone returns n lists, each of the row of its number.
func EachAlone(n int) (l simd.Lists) {
	for i := range n {
		l.Starts = append(l.Starts, uint64(i))
		l.Rows = append(l.Rows, uint32(i))
		l.Weights = append(l.Weights, 1)
	}
	l.Starts = append(l.Starts, uint64(n))
	return l
}

// WholeLines returns for how many things to make room if n are needed, so that nobody
// else's are on their cache lines: Go aligns what takes a multiple of 64 bytes.
func WholeLines(n int) int { return (n + 31) &^ 31 }

// What rows and lists take in memory. Numbers of bytes are float64 lest some product is more
// than an integer holds.

// RowBytes is the size of a row of a worker's own.
func RowBytes(cols int) float64 { return math.Ceil(float64(cols)/16) * 64 }

// LineItems is WholeLines for a number of things that may be large.
func LineItems(n float64) float64 { return math.Ceil(n/32) * 32 }

// Grown is how much is allocated, about, for a list that grows until it is as long as it
// is to be.
const Grown = 2

// AloneBytes is the size of what names a row that is alone: see EachAlone.
const AloneBytes = 8 + 4 + 4
