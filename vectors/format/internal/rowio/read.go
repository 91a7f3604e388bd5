// Package rowio reads and writes the rows of matrices: in place where a file is mapped, left
// in the file where it can be read again, and into memory otherwise.
package rowio

import (
	"math"

	"github.com/w2v-go/w2v/internal/endian"
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
