package vectors

import (
	"bufio"
	"fmt"
	"math"
	"slices"

	"github.com/w2v-go/w2v/internal/endian"
	"github.com/w2v-go/w2v/internal/half"
)

// A DType is the type of the numbers that a matrix has in a file. Its value is the
// name that the command line knows it by. In memory and in all that is computed,
// numbers are float32.
type DType string

// The types. F32 is what vectors are trained in. F16 and BF16 take half of the
// room: F16 keeps three decimal digits of numbers from 0.00006 to 65504, BF16
// keeps two of any.
const (
	F32  DType = "f32"
	F16  DType = "f16"
	BF16 DType = "bf16"
)

// DTypes returns every type.
func DTypes() []DType { return []DType{F32, F16, BF16} }

// ParseDType returns the type of that name.
func ParseDType(name string) (DType, error) {
	if d := DType(name); slices.Contains(DTypes(), d) {
		return d, nil
	}
	return "", fmt.Errorf("the type %q is not known; known are %s, %s, %s", name, F32, F16, BF16)
}

// bytes returns the size of a number.
func (d DType) bytes() int64 {
	if d == F32 {
		return 4
	}
	return 2
}

// narrow returns the 16 bits of the number nearest to x.
func (d DType) narrow(x float32) uint16 {
	if d == F16 {
		return half.ToF16(x)
	}
	return half.ToBF16(x)
}

// widen writes the numbers of 16 bits each to dst.
func (d DType) widen(dst []float32, row []uint16) {
	if d == F16 {
		for i, h := range row {
			dst[i] = half.FromF16(h)
		}
		return
	}
	for i, h := range row {
		dst[i] = half.FromBF16(h)
	}
}

// Round replaces numbers by the nearest ones of the type.
func (d DType) Round(row []float32) {
	switch d {
	case F16:
		for i, x := range row {
			row[i] = half.FromF16(half.ToF16(x))
		}
	case BF16:
		for i, x := range row {
			row[i] = half.FromBF16(half.ToBF16(x))
		}
	}
}

// DType returns the type that the matrix was read as or WithDType gave it: what
// formats that know several types write it as.
func (m Matrix) DType() DType {
	if s, ok := m.Storage.(interface{ DType() DType }); ok {
		return s.DType()
	}
	return F32
}

// halves are rows of 16-bit numbers in memory, or in a mapped file.
type halves struct {
	data []uint16
	cols int
	d    DType
}

func (m halves) Read(dst []float32, r int) { m.d.widen(dst, m.data[r*m.cols:(r+1)*m.cols]) }

func (m halves) DType() DType { return m.d }

// typed is a storage that is known to give numbers of a type.
type typed struct {
	Storage
	d DType
}

func (s typed) DType() DType { return s.d }

// typedRows is rows for numbers of a type.
func (in *input) typedRows(d DType, rows, cols int64, expected string) (Matrix, error) {
	if d == F32 {
		return in.rows(rows, cols, expected)
	}
	if err := in.checkRows(rows, cols, d.bytes(), expected); err != nil {
		return Matrix{}, err
	}
	if in.reopen != nil && in.whole == nil && rows*cols > 0 {
		var half []uint16 // sequences read one row at a time
		size := d.bytes() * cols
		m := in.sequenceAt(in.offset, int(rows), int(cols), size, func(in *input, dst []float32) error {
			if half == nil { // by then the file has been seen to have the rows
				half = make([]uint16, cols)
			}
			if err := in.full(endian.Bytes(half), expected); err != nil {
				return err
			}
			endian.Swap(half)
			d.widen(dst, half)
			return nil
		})
		m.Storage = typed{m.Storage, d}
		return m, in.skip(rows*size, expected)
	}
	data, err := array[uint16](in, rows*cols, expected)
	if err != nil || rows == 0 {
		return Matrix{Rows: int(rows), Cols: int(cols), Stride: int(cols)}, err
	}
	return Stored(int(rows), int(cols), halves{data, int(cols), d}), nil
}

// writeTyped writes the rows of m, which belongs to s, as numbers of a type.
func (s *Set) writeTyped(w *bufio.Writer, m Matrix, d DType) error {
	if d == F32 {
		return s.writeRows(w, m)
	}
	// What is only rounded to be written is rounded here, so that numbers which are
	// too large are found. Numbers that are in 16 bits come back to the same.
	m = m.Exact(d)
	half := make([]uint16, m.Cols)
	return s.EachRow(m, func(r int, row []float32) error {
		if err := d.narrowRow(half, row); err != nil {
			return fmt.Errorf("row %d: %w", r, err)
		}
		return endian.Write(w, half)
	})
}

// narrowRow writes the numbers of row to dst in 16 bits.
func (d DType) narrowRow(dst []uint16, row []float32) error {
	infinite := d.narrow(float32(math.Inf(1)))
	for i, x := range row {
		h := d.narrow(x)
		if h&0x7fff == infinite && !math.IsInf(float64(x), 0) {
			return fmt.Errorf("%v is more than the type %s can hold: choose another type, or scale the vectors", x, d)
		}
		dst[i] = h
	}
	return nil
}

// dtypeFor returns the type that format f has the numbers of s in: that of s, or F32
// if the format does not know it.
func (s *Set) dtypeFor(f Format) DType {
	if d := s.input.DType(); slices.Contains(f.DTypes(), d) {
		return d
	}
	return F32
}

// writeVectors writes the vectors of all words as numbers of a type.
func (s *Set) writeVectors(w *bufio.Writer, d DType) error {
	if d == F32 {
		return s.EachVector(func(_ int, vector []float32) error { return endian.Write(w, vector) })
	}
	s = s.Exact(d) // rounded once, and only there
	return s.writeTyped(w, s.Rows(), d)
}

// Exact returns s without what only rounds its numbers to d.
func (s *Set) Exact(d DType) *Set {
	return s.MapRows(func(m Matrix) Matrix { return m.Exact(d) })
}

func (m Matrix) Exact(d DType) Matrix {
	if p, ok := m.Storage.(*product); ok {
		return p.with(p.rows.Exact(d)).First(m.Rows)
	}
	if r, ok := m.Storage.(interface{ Unrounded() Matrix }); ok && m.DType() == d {
		return r.Unrounded()
	}
	return m
}
