// Package rowio reads and writes the rows of matrices, as binary numbers, as tensors of safetensors
// files and as lines of text. Rows stay in a file that is mapped or can be read again; other rows are
// read into memory.
package rowio

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/w2v-go/w2v/internal/endian"
	"github.com/w2v-go/w2v/internal/half"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format/internal/source"
)

// Read reads a matrix of float32: in place where the file is in memory, and not
// at all where its rows can be read again. Expected names it, for the error.
func Read(in *source.Input, rows, cols int64, expected string) (vectors.Matrix, error) {
	if err := check(in, rows, cols, 4, expected); err != nil {
		return vectors.Matrix{}, err
	}
	if in.Rereads() && !in.Mapped() && rows*cols > 0 {
		size := 4 * cols
		m := Sequence(in, in.Offset(), int(rows), int(cols), size, func(in *source.Input, dst []float32) error {
			return Next(in, dst, expected)
		})
		return m, in.Skip(rows*size, expected)
	}
	if left, _ := in.Left(); in.Direct() != nil && in.Mapped() && rows*cols > 0 && rows*cols <= left/4 {
		at := &fileRows{in.Direct(), in.Offset(), in.Behind()}
		return vectors.Stored(int(rows), int(cols), at), in.Skip(4*rows*cols, expected)
	}
	data, err := source.Array[float32](in, rows*cols, expected)
	if err != nil {
		return vectors.Matrix{}, err
	}
	return vectors.Matrix{Data: data, Rows: int(rows), Cols: int(cols), Stride: int(cols)}, nil
}

// Next reads the next row of float32 to dst.
func Next(in *source.Input, dst []float32, expected string) error {
	if err := in.Full(endian.Bytes(dst), expected); err != nil {
		return err
	}
	endian.Swap(dst)
	return nil
}

// check tells whether so many rows of numbers of that size can be a matrix.
func check(in *source.Input, rows, cols, size int64, expected string) error {
	if rows < 0 || cols < 0 || rows > math.MaxInt32 || cols > math.MaxInt32 || cols > 0 && rows > endian.MaxBytes/size/cols {
		return in.Fail("expected %s, found %d rows of %d, more than fit into memory", expected, rows, cols)
	}
	return nil
}

// Fits is an error if so many rows of numbers of one byte cannot be a matrix.
func Fits(in *source.Input, rows, cols int64, expected string) error {
	return check(in, rows, cols, 1, expected)
}

// Typed is Read for numbers of a type.
func Typed(in *source.Input, d vectors.DType, rows, cols int64, expected string) (vectors.Matrix, error) {
	if d == vectors.F32 {
		return Read(in, rows, cols, expected)
	}
	const bytes = 2 // a number
	if err := check(in, rows, cols, bytes, expected); err != nil {
		return vectors.Matrix{}, err
	}
	if in.Rereads() && !in.Mapped() && rows*cols > 0 {
		var half []uint16 // sequences read one row at a time
		size := bytes * cols
		m := Sequence(in, in.Offset(), int(rows), int(cols), size, func(in *source.Input, dst []float32) error {
			if half == nil { // by then the file has been seen to have the rows
				half = make([]uint16, cols)
			}
			if err := in.Full(endian.Bytes(half), expected); err != nil {
				return err
			}
			endian.Swap(half)
			widen(dst, half, d)
			return nil
		})
		m.Storage = typed{m.Storage, d}
		return m, in.Skip(rows*size, expected)
	}
	data, err := source.Array[uint16](in, rows*cols, expected)
	if err != nil || rows == 0 {
		return vectors.Matrix{Rows: int(rows), Cols: int(cols), Stride: int(cols)}, err
	}
	return vectors.Stored(int(rows), int(cols), halves{data, int(cols), d}), nil
}

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
