package vectors

import (
	"fmt"
	"slices"

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
