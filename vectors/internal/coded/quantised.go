package vectors

import (
	"fmt"

	"github.com/w2v-go/w2v/internal/pq"
)

// A quantised is rows in product quantisation, which may lie in a file that was
// not checked: codes that are out of range stand for zeros.
type quantised struct {
	book  pq.Codebook
	codes []byte // those of the rows, one after the other

	// norms is what each row is multiplied by, nil for nothing. With normCodes it is
	// the lengths that there are, of which normCodes says which one each row has.
	norms     []float32
	normCodes []byte

	// rotation is a matrix of as many rows as columns, one row after the other, nil
	// for none: number i of a row is its row i times what the codes stand for.
	rotation []float32
}

func (q *quantised) Read(dst []float32, r int) {
	row := dst
	if q.rotation != nil {
		row = make([]float32, len(dst))
	}
	q.book.Decode(row, q.of(r))
	q.scale(row, r)
	if q.rotation != nil {
		pq.Unrotate(dst, row, q.rotation)
	}
}

// addRows adds the given rows to dst. A sum is rotated once.
func (q *quantised) addRows(dst []float32, rows []uint32, weights []float32) {
	to := dst
	if q.rotation != nil {
		to = make([]float32, len(dst))
	}
	var row []float32
	for i, r := range rows {
		if q.norms == nil && weights == nil {
			q.book.Add(to, q.of(int(r)))
			continue
		}
		if row == nil {
			row = make([]float32, len(dst))
		}
		q.book.Decode(row, q.of(int(r)))
		q.scale(row, int(r))
		weight := weightOf(weights, i)
		for k, x := range row {
			to[k] += weight * x
		}
	}
	if q.rotation == nil {
		return
	}
	turned := make([]float32, len(dst))
	pq.Unrotate(turned, to, q.rotation)
	for k, x := range turned {
		dst[k] += x
	}
}

// first returns the first rows.
func (q *quantised) first(rows int) *quantised {
	cut := *q
	cut.codes = q.codes[:rows*q.book.Parts()]
	switch {
	case q.normCodes != nil:
		cut.normCodes = q.normCodes[:rows]
	case q.norms != nil:
		cut.norms = q.norms[:rows]
	}
	return &cut
}

func (q *quantised) pick(rows []uint32) Storage {
	p := *q
	p.codes = make([]byte, 0, len(rows)*q.book.Parts())
	switch {
	case q.normCodes != nil:
		p.normCodes = make([]byte, 0, len(rows))
	case q.norms != nil:
		p.norms = make([]float32, 0, len(rows))
	}
	for _, r := range rows {
		p.codes = append(p.codes, q.of(int(r))...)
		switch {
		case q.normCodes != nil:
			p.normCodes = append(p.normCodes, q.normCodes[r])
		case q.norms != nil:
			p.norms = append(p.norms, q.norms[r])
		}
	}
	return &p
}

// of returns the codes of row r.
func (q *quantised) of(r int) []byte {
	n := q.book.Parts()
	return q.codes[r*n : (r+1)*n]
}

// scale multiplies a row by its norm.
func (q *quantised) scale(row []float32, r int) {
	if q.norms == nil {
		return
	}
	if q.normCodes != nil {
		r = int(q.normCodes[r])
	}
	var norm float32 // of a code that is out of range
	if r < len(q.norms) {
		norm = q.norms[r]
	}
	for k := range row {
		row[k] *= norm
	}
}

// checkSizes reports sizes that do not make so many rows.
func (q *quantised) checkSizes(rows, cols int) error {
	if err := q.book.Validate(); err != nil {
		return err
	}
	switch {
	case q.book.Dim != cols:
		return fmt.Errorf("a codebook of %d dimensions for rows of %d", q.book.Dim, cols)
	case int64(len(q.codes)) != int64(rows)*int64(q.book.Parts()): // also where int has 32 bits
		return fmt.Errorf("%d codes for %d rows of %d", len(q.codes), rows, q.book.Parts())
	case q.normCodes == nil && q.norms != nil && len(q.norms) != rows:
		return fmt.Errorf("norms of %d rows for %d rows", len(q.norms), rows)
	case q.normCodes != nil && len(q.normCodes) != rows:
		return fmt.Errorf("norms of %d rows for %d rows", len(q.normCodes), rows)
	case q.rotation != nil && int64(len(q.rotation)) != int64(cols)*int64(cols):
		return fmt.Errorf("a rotation of %d numbers for rows of %d", len(q.rotation), cols)
	}
	return nil
}

// check looks at every code.
func (q *quantised) check() error {
	if q.book.Size < pq.MaxSize {
		for i, code := range q.codes {
			if int(code) >= q.book.Size {
				return fmt.Errorf("row %d has code %d of %d", i/q.book.Parts(), code, q.book.Size)
			}
		}
	}
	if len(q.norms) < pq.MaxSize {
		for r, code := range q.normCodes {
			if int(code) >= len(q.norms) {
				return fmt.Errorf("row %d has norm %d of %d", r, code, len(q.norms))
			}
		}
	}
	return nil
}
