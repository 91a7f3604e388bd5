package rowio

import (
	"fmt"
	"math"

	"github.com/w2v-go/w2v/internal/half"
	"github.com/w2v-go/w2v/vectors"
)

// halves are rows of 16-bit numbers in memory, or in a mapped file.
type halves struct {
	data []uint16
	cols int
	d    vectors.DType
}

func (m halves) Read(dst []float32, r int) { widen(dst, m.data[r*m.cols:(r+1)*m.cols], m.d) }

// DType returns what the numbers are.
func (m halves) DType() vectors.DType { return m.d }

// typed is a storage that is known to give numbers of a type.
type typed struct {
	vectors.Storage
	d vectors.DType
}

// DType returns what the numbers are.
func (s typed) DType() vectors.DType { return s.d }

// widen writes numbers of 16 bits each to dst.
func widen(dst []float32, row []uint16, d vectors.DType) {
	if d == vectors.F16 {
		for i, h := range row {
			dst[i] = half.FromF16(h)
		}
		return
	}
	for i, h := range row {
		dst[i] = half.FromBF16(h)
	}
}

// narrow writes the numbers of row to dst in 16 bits.
func narrow(dst []uint16, row []float32, d vectors.DType) error {
	to := half.ToBF16
	if d == vectors.F16 {
		to = half.ToF16
	}
	infinite := to(float32(math.Inf(1)))
	for i, x := range row {
		h := to(x)
		if h&0x7fff == infinite && !math.IsInf(float64(x), 0) {
			return fmt.Errorf("%v is more than the type %s can hold: choose another type, or scale the vectors", x, d)
		}
		dst[i] = h
	}
	return nil
}
