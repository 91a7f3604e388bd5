package vectors

import "fmt"

// normed is rows of which the first have been divided by their lengths, and are
// given back as they were: finalfusion keeps words so.
type normed struct {
	rows  Matrix
	norms []float32
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

// addRows adds the given rows to dst. Words are composed of n-grams' rows alone,
// which are as they were.
func (s *normed) addRows(dst []float32, rows []uint32, weights []float32) {
	adds, ok := s.rows.Storage.(rowAdder)
	for _, r := range rows {
		ok = ok && int(r) >= len(s.norms)
	}
	if ok {
		adds.addRows(dst, rows, weights)
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

func (s *normed) checkSizes(rows, cols int) error {
	if s.rows.Rows != rows || s.rows.Cols != cols || len(s.norms) > rows {
		return fmt.Errorf("%d norms of %d×%d for %d×%d", len(s.norms), s.rows.Rows, s.rows.Cols, rows, cols)
	}
	return s.rows.check()
}

func (s *normed) check() error { return s.rows.checkNumbers() }

// coded returns the storage of a matrix, or one of the same rows where norms are
// beside codes, with the norms among those of the codes.
func (m Matrix) coded() Storage {
	s, ok := m.Storage.(*normed)
	if !ok {
		return m.Storage
	}
	q, ok := s.rows.Storage.(*quantised)
	if !ok {
		return s
	}
	folded := *q
	folded.norms, folded.normCodes = make([]float32, s.rows.Rows), nil
	for r := range folded.norms {
		folded.norms[r] = q.norm(r)
		if r < len(s.norms) {
			folded.norms[r] *= s.norms[r]
		}
	}
	return &folded
}
