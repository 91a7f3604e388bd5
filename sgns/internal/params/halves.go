package params

import (
	"fmt"
	"sync"
	"unsafe"

	"github.com/w2v-go/w2v/internal/half"
	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/vectors"
)

// halves are rows of float16: the Storage of a matrix that is trained in 16 bits.
type halves struct {
	simd.Halves
	cols    int
	scratch sync.Pool // of rows of float32
}

// newHalves returns a matrix of zeros whose rows begin at cache lines, on huge pages as those of
// float32 are.
func newHalves(rows, cols int) vectors.Matrix {
	stride := simd.HalvesStride(cols)
	m := vectors.NewMatrix(rows, stride/2)
	h := &halves{cols: cols, scratch: sync.Pool{New: func() any { row := make([]float32, cols); return &row }}}
	h.Stride = stride
	h.Data = unsafe.Slice((*uint16)(unsafe.Pointer(unsafe.SliceData(m.Data))), 2*len(m.Data))
	return vectors.Stored(rows, cols, h)
}

// HalvesOf returns the rows of a matrix that is trained in 16 bits, and whether it is.
func HalvesOf(m vectors.Matrix) (simd.Halves, bool) {
	if h, ok := m.Storage.(*halves); ok {
		return h.Halves, true
	}
	return simd.Halves{}, false
}

// Read writes row r to dst.
func (h *halves) Read(dst []float32, r int) {
	for k, x := range h.Row(r, h.cols) {
		dst[k] = half.FromF16(x)
	}
}

// DType is what formats that know several types write the rows as. It loses nothing.
func (h *halves) DType() vectors.DType { return vectors.F16 }

// write makes row r the halves nearest to row.
func (h *halves) write(row []float32, r int) {
	for k := range h.Row(r, h.cols) {
		h.Row(r, h.cols)[k] = half.ToF16(row[k])
	}
}

// Change calls change with row r of a matrix, which becomes what change makes of it, or the nearest
// halves.
func Change(m vectors.Matrix, r int, change func(row []float32)) {
	h, ok := m.Storage.(*halves)
	if !ok {
		change(m.Row(r))
		return
	}
	row := h.scratch.Get().(*[]float32)
	h.Read(*row, r)
	change(*row)
	h.write(*row, r)
	h.scratch.Put(row)
}

// Edit calls edit with all rows of a matrix as float32, which become what edit makes of them, or the
// nearest halves. For rows of halves that takes EditBytes of memory meanwhile, and it is an error if edit
// makes a number that halves do not have.
func Edit(m vectors.Matrix, edit func(rows vectors.Matrix) error) error {
	h, ok := m.Storage.(*halves)
	if !ok {
		return edit(m)
	}
	rows := vectors.NewMatrix(m.Rows, m.Cols)
	inParts(m.Rows, func(first, last int) {
		for r := first; r < last; r++ {
			h.Read(rows.Row(r), r)
		}
	})
	if err := edit(rows); err != nil {
		return err
	}
	for r := range m.Rows {
		for _, x := range rows.Row(r) {
			if x > mostHalf || x < -mostHalf {
				return fmt.Errorf("row %d has the number %.6g, and float16 ends at %d: train with precision f32, or scale the vectors", r, x, mostHalf)
			}
		}
	}
	inParts(m.Rows, func(first, last int) {
		for r := first; r < last; r++ {
			h.write(rows.Row(r), r)
		}
	})
	return nil
}

// mostHalf is the largest number that a float16 has.
const mostHalf = 65504

// EditBytes is what Edit allocates.
func (m Matrix) EditBytes() float64 {
	if !m.Halves {
		return 0
	}
	return float64(m.Rows) * (Matrix{Cols: m.Cols}).RowBytes()
}

// finiteHalves reports whether none of x is infinite or not a number.
func finiteHalves(x []uint16) bool {
	const exponent = 0x1f << 10 // all bits of it are set in NaN and Inf
	return allInParts(len(x), func(first, last int) bool {
		var most uint16
		for _, v := range x[first:last] {
			most = max(most, v&exponent)
		}
		return most < exponent
	})
}
