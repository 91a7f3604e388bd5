package static

import (
	"math"

	"github.com/w2v-go/w2v/internal/safetensors"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format/internal/source"
	"github.com/w2v-go/w2v/vectors/format/internal/tensors"
)

// tensorFloats reads a row of numbers.
func tensorFloats(in *source.Input, t safetensors.Tensor) ([]float32, error) {
	if len(t.Shape) != 1 || t.Shape[0] > math.MaxInt32 {
		return nil, in.FailAt(safetensors.LengthSize, "tensor %q: expected a shape of one dimension, found %v", t.Name, t.Shape)
	}
	flat := t
	flat.Shape = []uint64{1, t.Shape[0]}
	m, err := tensors.Rows(in, flat)
	if err != nil || m.Rows == 0 || m.Cols == 0 {
		return []float32{}, err
	}
	return m.Row(0), nil
}

// tensorIndices reads numbers of rows.
func tensorIndices(in *source.Input, t safetensors.Tensor) ([]uint32, error) {
	if len(t.Shape) != 1 || t.Shape[0] > math.MaxInt32 {
		return nil, in.FailAt(safetensors.LengthSize, "tensor %q: expected a shape of one dimension, found %v", t.Name, t.Shape)
	}
	rows := make([]uint32, 0, in.Backed(int64(t.Shape[0]), 4))
	add := func(row int64) error {
		if row < 0 || row > math.MaxInt32 {
			return in.Fail("tensor %q: token %d has the row %d", t.Name, len(rows), row)
		}
		rows = append(rows, uint32(row))
		return nil
	}
	switch t.DType {
	case "I64":
		numbers, err := source.Array[int64](in, t.Size()/8, "tensor "+t.Name)
		if err != nil {
			return nil, err
		}
		for _, n := range numbers {
			if err := add(n); err != nil {
				return nil, err
			}
		}
	case "I32":
		numbers, err := source.Array[int32](in, t.Size()/4, "tensor "+t.Name)
		if err != nil {
			return nil, err
		}
		for _, n := range numbers {
			if err := add(int64(n)); err != nil {
				return nil, err
			}
		}
	default:
		return nil, in.FailAt(safetensors.LengthSize, "tensor %q: expected dtype I64 or I32, found %.20q", t.Name, t.DType)
	}
	return rows, nil
}

// weighted are rows of a matrix, each times a number.
type weighted struct {
	source  vectors.Matrix
	rows    []uint32 // of source; nil if they are all in order
	weights []float32
}

func (m weighted) Read(dst []float32, r int) {
	row := r
	if m.rows != nil {
		row = int(m.rows[r])
	}
	m.source.Read(dst, row)
	for i := range dst {
		dst[i] *= m.weights[r]
	}
}
