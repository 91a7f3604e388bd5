package coded

import (
	"errors"
	"fmt"
	"math"
)

// Int8s is rows of whole numbers from -127 to 127, each row with a scale of its own.
// Those in a mapped file were not checked; -128 counts as what it is.
type Int8s struct {
	Codes  []uint8 // two's complement
	Scales []float32
	Cols   int
}

// int8Most is the largest code.
const int8Most = 127

// EncodeInt8 writes row to codes and returns its scale. Of each number at most half
// of the scale is lost, which is the largest one divided by 127.
func EncodeInt8(codes []uint8, row []float32) float32 {
	var most float64
	for _, x := range row {
		most = max(most, math.Abs(float64(x)))
	}
	scale := float32(most / int8Most)
	if scale == 0 { // or what is too small for a scale
		clear(codes)
		return 0
	}
	for k, x := range row {
		code := math.RoundToEven(float64(x) / float64(scale))
		codes[k] = uint8(int8(max(-int8Most, min(int8Most, code))))
	}
	return scale
}

// Read decodes row r.
func (m *Int8s) Read(dst []float32, r int) {
	scale := m.Scales[r]
	for k, code := range m.Codes[r*m.Cols : (r+1)*m.Cols] {
		dst[k] = scale * float32(int8(code))
	}
}

// First returns the first rows.
func (m *Int8s) First(rows int) *Int8s {
	return &Int8s{Codes: m.Codes[:rows*m.Cols], Scales: m.Scales[:rows], Cols: m.Cols}
}

// AddRows adds the given rows to dst.
func (m *Int8s) AddRows(dst []float32, rows []uint32, weights []float32) {
	for i, r := range rows {
		scale := m.Scales[r] * weightOf(weights, i)
		for k, code := range m.Codes[int(r)*m.Cols:][:m.Cols] {
			dst[k] += scale * float32(int8(code))
		}
	}
}

// Pick returns these rows.
func (m *Int8s) Pick(rows []uint32) Rows {
	p := &Int8s{Cols: m.Cols, Codes: make([]uint8, 0, len(rows)*m.Cols), Scales: make([]float32, len(rows))}
	for i, r := range rows {
		p.Codes = append(p.Codes, m.Codes[int(r)*m.Cols:][:m.Cols]...)
		p.Scales[i] = m.Scales[r]
	}
	return p
}

// CheckSizes reports sizes that do not make so many rows.
func (m *Int8s) CheckSizes(rows, cols int) error {
	switch {
	case m.Cols != cols || int64(len(m.Codes)) != int64(rows)*int64(cols): // also where int has 32 bits
		return fmt.Errorf("%d codes for %d rows of %d", len(m.Codes), rows, cols)
	case len(m.Scales) != rows:
		return fmt.Errorf("scales of %d rows for %d rows", len(m.Scales), rows)
	}
	return nil
}

// Check looks at every code.
func (m *Int8s) Check() error { return nil } // every code is a number

// ErrInfinite is said of a row that cannot be quantised.
var ErrInfinite = errors.New("has a number that is not finite, or too large to compute with")

// Columns returns the first n numbers of all rows, with the scales that they have.
func (m *Int8s) Columns(n int) *Int8s {
	return &Int8s{Codes: firstOfEach(m.Codes, m.Cols, n), Scales: m.Scales, Cols: n}
}

// firstOfEach returns the first n codes of each row of so many.
func firstOfEach(codes []byte, of, n int) []byte {
	first := make([]byte, 0, len(codes)/of*n)
	for ; len(codes) > 0; codes = codes[of:] {
		first = append(first, codes[:n]...)
	}
	return first
}
