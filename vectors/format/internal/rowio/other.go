package rowio

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/w2v-go/w2v/internal/endian"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format/internal/source"
)

// Numbers of types that are read and not written: 64 bits are rounded to float32, 8
// bits are what they are.

// Doubles is Read for numbers of 64 bits.
func Doubles(in *source.Input, rows, cols int64, expected string) (vectors.Matrix, error) {
	return readOthers(in, rows, cols, expected, single)
}

// Bytes is Read for whole numbers of 8 bits.
func Bytes(in *source.Input, rows, cols int64, expected string) (vectors.Matrix, error) {
	return readOthers(in, rows, cols, expected, func(dst []float32, row []int8) error {
		for i, x := range row {
			dst[i] = float32(x)
		}
		return nil
	})
}

// single rounds numbers to float32.
func single(dst []float32, row []float64) error {
	for i, x := range row {
		dst[i] = float32(x)
		if math.IsInf(float64(dst[i]), 0) && !math.IsInf(x, 0) {
			return fmt.Errorf("%v is too large for a float32", x)
		}
	}
	return nil
}

// readOthers is Read for numbers that convert makes float32 of.
func readOthers[T int8 | float64](in *source.Input, rows, cols int64, expected string, convert func(dst []float32, row []T) error) (vectors.Matrix, error) {
	size := int64(1)
	if _, ok := any(*new(T)).(float64); ok {
		size = 8
	}
	if err := check(in, rows, cols, size, expected); err != nil {
		return vectors.Matrix{}, err
	}
	if in.Rereads() && !in.Mapped() && rows*cols > 0 {
		var row []T // sequences read one row at a time
		m := Sequence(in, in.Offset(), int(rows), int(cols), size*cols, func(in *source.Input, dst []float32) error {
			if row == nil { // by then the file has been seen to have the rows
				row = make([]T, cols)
			}
			if err := in.Full(endian.Bytes(row), expected); err != nil {
				return err
			}
			endian.Swap(row)
			if err := convert(dst, row); err != nil {
				return in.FailAt(in.Offset()-size*cols, "%w", err)
			}
			return nil
		})
		return m, in.Skip(rows*size*cols, expected)
	}
	start := in.Offset()
	data, err := source.Array[T](in, rows*cols, expected)
	m := vectors.Matrix{Rows: int(rows), Cols: int(cols), Stride: int(cols)}
	if err != nil || rows*cols == 0 {
		return m, err
	}
	if in.Mapped() {
		return vectors.Stored(m.Rows, m.Cols, others[T]{data, m.Cols, convert, func(r int, err error) {
			in.Behind().Fail(source.WithPath(in.Path(), &source.Error{Offset: start + size*int64(r)*cols, Err: err}))
		}}), nil
	}
	m.Data = make([]float32, len(data))
	for r := range m.Rows {
		if err := convert(m.Row(r), data[r*m.Cols:][:m.Cols]); err != nil {
			return m, in.FailAt(start+size*int64(r)*cols, "%w", err)
		}
	}
	return m, nil
}

// others are rows of such numbers in a mapped file.
type others[T int8 | float64] struct {
	data    []T
	cols    int
	convert func(dst []float32, row []T) error
	fail    func(r int, err error)
}

func (m others[T]) Read(dst []float32, r int) {
	if err := m.convert(dst, m.data[r*m.cols:][:m.cols]); err != nil {
		m.fail(r, err)
		clear(dst)
	}
}

// Arranged is Read for floating-point numbers of size bytes, in that order, which may lie column by
// column. They are read into memory.
func Arranged(in *source.Input, size int64, order binary.ByteOrder, byColumn bool, rows, cols int64, expected string) (vectors.Matrix, error) {
	if err := check(in, rows, cols, size, expected); err != nil {
		return vectors.Matrix{}, err
	}
	start := in.Offset()
	data, err := source.Array[byte](in, rows*cols*size, expected)
	m := vectors.Matrix{Rows: int(rows), Cols: int(cols), Stride: int(cols)}
	if err != nil || rows*cols == 0 {
		return m, err
	}
	var small []uint16
	if size == 2 {
		small = make([]uint16, rows*cols)
	} else {
		m.Data = make([]float32, rows*cols)
	}
	for i := range rows * cols {
		number, at := data[i*size:], i
		if byColumn {
			at = i%rows*cols + i/rows
		}
		switch size {
		case 2:
			small[at] = order.Uint16(number)
		case 4:
			m.Data[at] = math.Float32frombits(order.Uint32(number))
		default:
			if err := single(m.Data[at:at+1], []float64{math.Float64frombits(order.Uint64(number))}); err != nil {
				return m, in.FailAt(start+i*size, "%w", err)
			}
		}
	}
	if small != nil {
		return vectors.Stored(m.Rows, m.Cols, halves{small, m.Cols, vectors.F16}), nil
	}
	return m, nil
}
