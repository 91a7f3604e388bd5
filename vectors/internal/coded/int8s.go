package vectors

import (
	"errors"
	"fmt"
	"math"
)

// int8s is rows of whole numbers from -127 to 127, each row with a scale of its own.
// Those in a mapped file were not checked; -128 counts as what it is.
type int8s struct {
	codes  []uint8 // two's complement
	scales []float32
	cols   int
}

// int8Most is the largest code.
const int8Most = 127

// encodeInt8 writes row to codes and returns its scale. Of each number at most half
// of the scale is lost, which is the largest one divided by 127.
func encodeInt8(codes []uint8, row []float32) float32 {
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

func (m *int8s) Read(dst []float32, r int) {
	scale := m.scales[r]
	for k, code := range m.codes[r*m.cols : (r+1)*m.cols] {
		dst[k] = scale * float32(int8(code))
	}
}

// first returns the first rows.
func (m *int8s) first(rows int) *int8s {
	return &int8s{codes: m.codes[:rows*m.cols], scales: m.scales[:rows], cols: m.cols}
}

// addRows adds the given rows to dst.
func (m *int8s) addRows(dst []float32, rows []uint32, weights []float32) {
	for i, r := range rows {
		scale := m.scales[r] * weightOf(weights, i)
		for k, code := range m.codes[int(r)*m.cols:][:m.cols] {
			dst[k] += scale * float32(int8(code))
		}
	}
}

func (m *int8s) pick(rows []uint32) Storage {
	p := &int8s{cols: m.cols, codes: make([]uint8, 0, len(rows)*m.cols), scales: make([]float32, len(rows))}
	for i, r := range rows {
		p.codes = append(p.codes, m.codes[int(r)*m.cols:][:m.cols]...)
		p.scales[i] = m.scales[r]
	}
	return p
}

func (m *int8s) checkSizes(rows, cols int) error {
	switch {
	case m.cols != cols || int64(len(m.codes)) != int64(rows)*int64(cols): // also where int has 32 bits
		return fmt.Errorf("%d codes for %d rows of %d", len(m.codes), rows, cols)
	case len(m.scales) != rows:
		return fmt.Errorf("scales of %d rows for %d rows", len(m.scales), rows)
	}
	return nil
}

func (m *int8s) check() error { return nil } // every code is a number

// errInfinite is said of a row that cannot be quantised.
var errInfinite = errors.New("has a number that is not finite, or too large to compute with")
