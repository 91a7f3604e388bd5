package vectors

import (
	"fmt"

	"github.com/w2v-go/w2v/vectors/internal/coded"
)

// normed is rows of which the first have been divided by their lengths, and are
// given back as they were: finalfusion keeps words so.
type normed struct {
	rows  Matrix
	norms []float32
}

// Normed returns the rows of a matrix, of which the first have been divided by these norms,
// as they were.
func Normed(rows Matrix, norms []float32) Matrix {
	return Stored(rows.Rows, rows.Cols, &normed{rows, norms})
}

// Norms takes apart what Normed made: ok is false if the matrix is not one of these.
func (m Matrix) Norms() (rows Matrix, norms []float32, ok bool) {
	n, ok := m.Storage.(*normed)
	if !ok {
		return Matrix{}, nil, false
	}
	return n.rows.in(m), n.norms, true
}

func (s *normed) Read(dst []float32, r int) {
	s.rows.Read(dst, r)
	if r < len(s.norms) {
		norm := s.norms[r]
		for k := range dst {
			dst[k] *= norm
		}
	}
}

// AddRows adds the given rows to dst. Words are composed of n-grams' rows alone,
// which are as they were.
func (s *normed) AddRows(dst []float32, rows []uint32, weights []float32) {
	adds, ok := s.rows.Storage.(rowAdder)
	for _, r := range rows {
		ok = ok && int(r) >= len(s.norms)
	}
	if ok {
		adds.AddRows(dst, rows, weights)
		return
	}
	row := make([]float32, len(dst))
	for i, r := range rows {
		s.Read(row, int(r))
		weight := weightOf(weights, i)
		for k, x := range row {
			dst[k] += weight * x
		}
	}
}

func (s *normed) CheckSizes(rows, cols int) error {
	if s.rows.Rows != rows || s.rows.Cols != cols || len(s.norms) > rows {
		return fmt.Errorf("%d norms of %d×%d for %d×%d", len(s.norms), s.rows.Rows, s.rows.Cols, rows, cols)
	}
	return s.rows.CheckSizes()
}

func (s *normed) Check() error { return s.rows.Check() }

// Coded returns the storage of a matrix, or one of the same rows where norms are
// beside codes, with the norms among those of the codes.
func (m Matrix) Coded() Storage {
	s, ok := m.Storage.(*normed)
	if !ok {
		return m.Storage
	}
	q, ok := s.rows.Storage.(*coded.Quantised)
	if !ok {
		return s
	}
	folded := *q
	folded.Norms, folded.NormCodes = make([]float32, s.rows.Rows), nil
	for r := range folded.Norms {
		folded.Norms[r] = q.Norm(r)
		if r < len(s.norms) {
			folded.Norms[r] *= s.norms[r]
		}
	}
	return &folded
}
