// Package coded stores rows in fewer bits than float32: as 8-bit integers, or product-quantised.
package coded

import (
	"errors"
	"fmt"
	"math"

	"github.com/w2v-go/w2v/internal/pq"
)

// Rows are decoded on demand.
type Rows interface {
	// Read writes row r to dst.
	Read(dst []float32, r int)
}

// A Func is rows that a function writes to dst.
type Func func(dst []float32, r int)

// Read calls f.
func (f Func) Read(dst []float32, r int) { f(dst, r) }

// WeightOf returns weights[i], or 1 without weights.
func WeightOf(weights []float32, i int) float32 {
	if weights == nil {
		return 1
	}
	return weights[i]
}

// Int8s are rows of integers from -127 to 127, with a scale for each row. Rows in a mapped file are not
// checked; -128 is decoded as -128.
type Int8s struct {
	Codes  []uint8 // two's complement
	Scales []float32
	Cols   int
}

const int8Most = 127

// EncodeInt8 writes the codes of a row to codes and returns its scale: the largest magnitude divided by 127.
// The error of a number is at most half the scale.
func EncodeInt8(codes []uint8, row []float32) float32 {
	var most float64
	for _, x := range row {
		most = max(most, math.Abs(float64(x)))
	}
	scale := float32(most / int8Most)
	if scale == 0 { // all zeros, or numbers too small for a scale
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

// SumRows sets dst to the sum of the given rows.
func (m *Int8s) SumRows(dst []float32, rows []uint32, weights []float32) {
	clear(dst)
	for i, r := range rows {
		scale := m.Scales[r] * WeightOf(weights, i)
		for k, code := range m.Codes[int(r)*m.Cols:][:m.Cols] {
			dst[k] += scale * float32(int8(code))
		}
	}
}

// Pick returns the given rows.
func (m *Int8s) Pick(rows []uint32) Rows {
	return &Int8s{Codes: pick(m.Codes, m.Cols, rows), Scales: pick(m.Scales, 1, rows), Cols: m.Cols}
}

// pick returns the given rows of n numbers each; nil of nil.
func pick[T any](from []T, n int, rows []uint32) []T {
	if from == nil {
		return nil
	}
	to := make([]T, 0, len(rows)*n)
	for _, r := range rows {
		to = append(to, from[int(r)*n:][:n]...)
	}
	return to
}

// CheckSizes reports sizes that do not fit a matrix of rows × cols.
func (m *Int8s) CheckSizes(rows, cols int) error {
	switch {
	case m.Cols != cols || int64(len(m.Codes)) != int64(rows)*int64(cols): // int64, because int may have 32 bits
		return fmt.Errorf("%d codes for %d rows of %d", len(m.Codes), rows, cols)
	case len(m.Scales) != rows:
		return fmt.Errorf("scales of %d rows for %d rows", len(m.Scales), rows)
	}
	return nil
}

// Check looks at every code.
func (m *Int8s) Check() error { return nil } // every code is a number

// ErrInfinite says that a row cannot be quantised.
var ErrInfinite = errors.New("has a number that is not finite, or too large to compute with")

// Columns returns the first n numbers of all rows, with unchanged scales.
func (m *Int8s) Columns(n int) *Int8s {
	return &Int8s{Codes: firstOfEach(m.Codes, m.Cols, n), Scales: m.Scales, Cols: n}
}

func firstOfEach[T any](codes []T, of, n int) []T {
	first := make([]T, 0, len(codes)/of*n)
	for ; len(codes) > 0; codes = codes[of:] {
		first = append(first, codes[:n]...)
	}
	return first
}

// A Quantised has product-quantised rows. They may lie in an unchecked file: codes out of range decode to
// zeros.
type Quantised struct {
	Book  pq.Codebook
	Codes []byte // codes of all rows, one row after the other

	// Norms are the factors of rows; nil if there are none. With NormCodes, Norms are the distinct factors,
	// and NormCodes has the index of each row's factor.
	Norms     []float32
	NormCodes []byte

	// Rotation is a square matrix, row by row, or nil: number i of a decoded row is the product of row i of
	// the matrix and the decoded codes.
	Rotation []float32
}

// Read decodes row r.
func (q *Quantised) Read(dst []float32, r int) {
	row := dst
	if q.Rotation != nil {
		row = make([]float32, len(dst))
	}
	q.Book.Decode(row, q.Of(r))
	q.scale(row, r)
	if q.Rotation != nil {
		pq.Unrotate(dst, row, q.Rotation)
	}
}

// SumRows sets dst to the sum of rows, which is rotated once.
func (q *Quantised) SumRows(dst []float32, rows []uint32, weights []float32) {
	clear(dst)
	sum := dst
	if q.Rotation != nil {
		sum = make([]float32, len(dst))
	}
	var row []float32
	for i, r := range rows {
		if q.Norms == nil && weights == nil {
			q.Book.Add(sum, q.Of(int(r)))
			continue
		}
		if row == nil {
			row = make([]float32, len(dst))
		}
		q.Book.Decode(row, q.Of(int(r)))
		q.scale(row, int(r))
		weight := WeightOf(weights, i)
		for k, x := range row {
			sum[k] += weight * x
		}
	}
	if q.Rotation != nil {
		pq.Unrotate(dst, sum, q.Rotation)
	}
}

// First returns the first rows.
func (q *Quantised) First(rows int) *Quantised {
	cut := *q
	cut.Codes = q.Codes[:rows*q.Book.Parts()]
	switch {
	case q.NormCodes != nil:
		cut.NormCodes = q.NormCodes[:rows]
	case q.Norms != nil:
		cut.Norms = q.Norms[:rows]
	}
	return &cut
}

// From returns the rows from row first on.
func (q *Quantised) From(first int) *Quantised {
	cut := *q
	cut.Codes = q.Codes[first*q.Book.Parts():]
	switch {
	case q.NormCodes != nil:
		cut.NormCodes = q.NormCodes[first:]
	case q.Norms != nil:
		cut.Norms = q.Norms[first:]
	}
	return &cut
}

// Pick returns the given rows.
func (q *Quantised) Pick(rows []uint32) Rows {
	p := *q
	p.Codes, p.NormCodes = pick(q.Codes, q.Book.Parts(), rows), pick(q.NormCodes, 1, rows)
	if q.NormCodes == nil {
		p.Norms = pick(q.Norms, 1, rows)
	}
	return &p
}

// Of returns the codes of row r.
func (q *Quantised) Of(r int) []byte {
	n := q.Book.Parts()
	return q.Codes[r*n : (r+1)*n]
}

func (q *Quantised) scale(row []float32, r int) {
	if q.Norms != nil {
		norm := q.Norm(r)
		for k := range row {
			row[k] *= norm
		}
	}
}

// CheckSizes reports sizes that do not fit a matrix of rows × cols.
func (q *Quantised) CheckSizes(rows, cols int) error {
	if err := q.Book.Validate(); err != nil {
		return err
	}
	switch {
	case q.Book.Dim != cols:
		return fmt.Errorf("a codebook of %d dimensions for rows of %d", q.Book.Dim, cols)
	case int64(len(q.Codes)) != int64(rows)*int64(q.Book.Parts()): // int64, because int may have 32 bits
		return fmt.Errorf("%d codes for %d rows of %d", len(q.Codes), rows, q.Book.Parts())
	case q.NormCodes == nil && q.Norms != nil && len(q.Norms) != rows:
		return fmt.Errorf("norms of %d rows for %d rows", len(q.Norms), rows)
	case q.NormCodes != nil && len(q.NormCodes) != rows:
		return fmt.Errorf("norms of %d rows for %d rows", len(q.NormCodes), rows)
	case q.Rotation != nil && int64(len(q.Rotation)) != int64(cols)*int64(cols):
		return fmt.Errorf("a rotation of %d numbers for rows of %d", len(q.Rotation), cols)
	}
	return nil
}

// Check reports codes out of range.
func (q *Quantised) Check() error {
	if q.Book.Size < pq.MaxSize {
		for i, code := range q.Codes {
			if int(code) >= q.Book.Size {
				return fmt.Errorf("row %d has code %d of %d", i/q.Book.Parts(), code, q.Book.Size)
			}
		}
	}
	if len(q.Norms) < pq.MaxSize {
		for r, code := range q.NormCodes {
			if int(code) >= len(q.Norms) {
				return fmt.Errorf("row %d has norm %d of %d", r, code, len(q.Norms))
			}
		}
	}
	return nil
}

// Columns returns the first n numbers of all rows. The last part may become shorter.
func (q *Quantised) Columns(n int) *Quantised {
	cut := *q
	cut.Book = pq.BookOf(firstOfEach(q.Book.Rows(), q.Book.Dim, n), n, min(q.Book.Part, n))
	cut.Codes = firstOfEach(q.Codes, q.Book.Parts(), cut.Book.Parts())
	return &cut
}

// Norm returns the factor of row r.
func (q *Quantised) Norm(r int) float32 {
	if q.Norms == nil {
		return 1
	}
	if q.NormCodes != nil {
		r = int(q.NormCodes[r])
	}
	if r < len(q.Norms) {
		return q.Norms[r]
	}
	return 0 // for a code out of range
}
