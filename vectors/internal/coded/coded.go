// Package coded holds rows that are stored in fewer bits than float32 takes: as whole
// numbers of 8 bits, or product-quantised.
package coded

import (
	"errors"
	"fmt"
	"math"

	"github.com/w2v-go/w2v/internal/pq"
)

// Rows are rows that are decoded when they are asked for.
type Rows interface {
	// Read writes row r to dst.
	Read(dst []float32, r int)
}

// weightOf returns the weight of row i of those that are added up, 1 without weights.
func weightOf(weights []float32, i int) float32 {
	if weights == nil {
		return 1
	}
	return weights[i]
}

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

// A Quantised is rows in product quantisation, which may lie in a file that was
// not checked: codes that are out of range stand for zeros.
type Quantised struct {
	Book  pq.Codebook
	Codes []byte // those of the rows, one after the other

	// Norms is what each row is multiplied by, nil for nothing. With NormCodes it is
	// the lengths that there are, of which NormCodes says which one each row has.
	Norms     []float32
	NormCodes []byte

	// Rotation is a matrix of as many rows as columns, one row after the other, nil
	// for none: number i of a row is its row i times what the codes stand for.
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

// AddRows adds the given rows to dst. A sum is rotated once.
func (q *Quantised) AddRows(dst []float32, rows []uint32, weights []float32) {
	to := dst
	if q.Rotation != nil {
		to = make([]float32, len(dst))
	}
	var row []float32
	for i, r := range rows {
		if q.Norms == nil && weights == nil {
			q.Book.Add(to, q.Of(int(r)))
			continue
		}
		if row == nil {
			row = make([]float32, len(dst))
		}
		q.Book.Decode(row, q.Of(int(r)))
		q.scale(row, int(r))
		weight := weightOf(weights, i)
		for k, x := range row {
			to[k] += weight * x
		}
	}
	if q.Rotation == nil {
		return
	}
	turned := make([]float32, len(dst))
	pq.Unrotate(turned, to, q.Rotation)
	for k, x := range turned {
		dst[k] += x
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

// Pick returns these rows.
func (q *Quantised) Pick(rows []uint32) Rows {
	p := *q
	p.Codes = make([]byte, 0, len(rows)*q.Book.Parts())
	switch {
	case q.NormCodes != nil:
		p.NormCodes = make([]byte, 0, len(rows))
	case q.Norms != nil:
		p.Norms = make([]float32, 0, len(rows))
	}
	for _, r := range rows {
		p.Codes = append(p.Codes, q.Of(int(r))...)
		switch {
		case q.NormCodes != nil:
			p.NormCodes = append(p.NormCodes, q.NormCodes[r])
		case q.Norms != nil:
			p.Norms = append(p.Norms, q.Norms[r])
		}
	}
	return &p
}

// Of returns the codes of row r.
func (q *Quantised) Of(r int) []byte {
	n := q.Book.Parts()
	return q.Codes[r*n : (r+1)*n]
}

// scale multiplies a row by its norm.
func (q *Quantised) scale(row []float32, r int) {
	if q.Norms == nil {
		return
	}
	if q.NormCodes != nil {
		r = int(q.NormCodes[r])
	}
	var norm float32 // of a code that is out of range
	if r < len(q.Norms) {
		norm = q.Norms[r]
	}
	for k := range row {
		row[k] *= norm
	}
}

// CheckSizes reports sizes that do not make so many rows.
func (q *Quantised) CheckSizes(rows, cols int) error {
	if err := q.Book.Validate(); err != nil {
		return err
	}
	switch {
	case q.Book.Dim != cols:
		return fmt.Errorf("a codebook of %d dimensions for rows of %d", q.Book.Dim, cols)
	case int64(len(q.Codes)) != int64(rows)*int64(q.Book.Parts()): // also where int has 32 bits
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

// Check looks at every code.
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

// Columns returns the first n numbers of all rows: the last part may become shorter.
func (q *Quantised) Columns(n int) *Quantised {
	dim := q.Book.Dim
	var centroids []float32
	for rows := q.Book.Rows(); len(rows) > 0; rows = rows[dim:] {
		centroids = append(centroids, rows[:n]...)
	}
	cut := *q
	cut.Book = pq.BookOf(centroids, n, min(q.Book.Part, n))
	cut.Codes = firstOfEach(q.Codes, q.Book.Parts(), cut.Book.Parts())
	return &cut
}

// Norm returns what row r is multiplied by.
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
	return 0 // of a code that is out of range
}
