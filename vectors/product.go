package vectors

import (
	"fmt"

	"github.com/w2v-go/w2v/internal/simd"
)

// Product returns the matrix whose rows are those of rows times projection, which has as
// many rows as they have numbers: row r is the sum over h of number h of rows' row r times
// row h of projection. Products are made when they are asked for. A sum of rows takes one
// product, not one a row, so a word of many n-grams costs little more than a plain one.
func Product(rows, projection Matrix) Matrix {
	if projection.Storage != nil { // all of it is needed for every row
		p := NewMatrix(projection.Rows, projection.Cols)
		for r := range p.Rows {
			projection.Read(p.Row(r), r)
		}
		projection = p
	}
	p := &product{rows: rows, projection: projection, all: make([]uint32, projection.Rows)}
	for h := range p.all {
		p.all[h] = uint32(h)
	}
	return Stored(rows.Rows, projection.Cols, p)
}

// Factors takes a product apart: ok is false if the matrix is not one that Product made.
func (m Matrix) Factors() (rows, projection Matrix, ok bool) {
	p, ok := m.Storage.(*product)
	if !ok {
		return Matrix{}, Matrix{}, false
	}
	return p.rows.First(m.Rows).in(m), p.projection.in(m), true
}

// product is rows times a projection.
type product struct {
	rows, projection Matrix
	all              []uint32 // the rows of projection
}

func (p *product) Read(dst []float32, r int) {
	scratch := make([]float32, p.rows.Cols)
	p.multiply(dst, p.rows.View(scratch, r))
}

// AddRows adds the given rows to dst: their sum is multiplied once.
func (p *product) AddRows(dst []float32, rows []uint32, weights []float32) {
	sum, times := make([]float32, p.rows.Cols), make([]float32, len(dst))
	var c composer
	c.sum(sum, p.rows, rows, weights)
	p.multiply(times, sum)
	for k, x := range times {
		dst[k] += x
	}
}

// multiply sets dst to a row times the projection.
func (p *product) multiply(dst, row []float32) {
	simd.Gather(dst, p.projection.Data, p.projection.Stride, p.all, row)
}

// with returns the product of other rows and the same projection.
func (p *product) with(rows Matrix) Matrix {
	q := *p
	q.rows = rows
	return Stored(rows.Rows, p.projection.Cols, &q)
}

func (p *product) DType() DType { return p.rows.DType() }

func (p *product) CheckSizes(rows, cols int) error {
	if err := p.rows.CheckSizes(); err != nil {
		return err
	}
	if err := p.projection.CheckSizes(); err != nil {
		return fmt.Errorf("projection: %w", err)
	}
	switch x := p.projection; {
	case rows > p.rows.Rows:
		return fmt.Errorf("%d rows are those of %d", rows, p.rows.Rows)
	case p.rows.Cols != x.Rows || x.Cols != cols || cols < 1 || x.Rows < 1:
		return fmt.Errorf("rows of %d numbers times a projection of %d×%d, must be %d×%d", p.rows.Cols, x.Rows, x.Cols, p.rows.Cols, cols)
	}
	return nil
}

func (p *product) Check() error { return p.rows.Check() }
