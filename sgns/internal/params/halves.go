package params

import (
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

// newHalves returns a matrix of zeros whose rows begin at cache lines, on huge pages like those of float32.
func newHalves(rows, cols int) vectors.Matrix {
	stride := simd.HalvesStride(cols)
	m := vectors.NewMatrix(rows, stride/2)
	h := &halves{cols: cols, scratch: sync.Pool{New: func() any { row := make([]float32, cols); return &row }}}
	h.Stride = stride
	h.Data = unsafe.Slice((*uint16)(unsafe.Pointer(unsafe.SliceData(m.Data))), 2*len(m.Data))
	return vectors.Stored(rows, cols, h)
}

// HalvesOf returns the rows of a matrix that is trained in 16 bits. ok is false for other matrices.
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

// DType returns the type in formats with several types. Writing this type loses nothing.
func (h *halves) DType() vectors.DType { return vectors.F16 }

func (h *halves) write(row []float32, r int) {
	for k := range h.Row(r, h.cols) {
		h.Row(r, h.cols)[k] = half.ToF16(row[k])
	}
}

// Change calls change with row r of a matrix, and stores the row, rounded if it is float16.
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
