package vectors

import "github.com/w2v-go/w2v/vectors/internal/backing"

// EachRow calls visit with every row of m, which belongs to s. It is valid during
// the call. A row that cannot be read ends it with the error.
func (s *Set) EachRow(m Matrix, visit func(r int, row []float32) error) error {
	return s.file.Guarded(func() error {
		if m.Rows == 0 {
			return nil // whatever the number of columns is claimed to be
		}
		scratch := make([]float32, m.Cols)
		for r := range m.Rows {
			row := m.view(scratch, r)
			if err := s.Err(); err != nil {
				return err
			}
			if err := visit(r, row); err != nil {
				return err
			}
			s.file.Saw(4 * int64(m.Cols))
		}
		return nil
	})
}

// EachVector calls visit with the vector of every word, as EachRow does.
func (s *Set) EachVector(visit func(id int, vector []float32) error) error {
	return s.file.Guarded(func() error {
		scratch := make([]float32, s.Dim())
		var c composer
		for id := range s.Len() {
			vector := c.view(scratch, s, id)
			if err := s.Err(); err != nil {
				return err
			}
			if err := visit(id, vector); err != nil {
				return err
			}
			s.file.Saw(c.looked(s))
		}
		return nil
	})
}

// EachBucket calls visit with the rows of the first n buckets of n-grams, zeros for
// one that was never trained, as EachRow does.
func (s *Set) EachBucket(n int, visit func(row []float32) error) error {
	return s.file.Guarded(func() error {
		scratch := make([]float32, s.input.Cols)
		for b := range n {
			row := scratch
			if r := s.bucketRow(uint32(b)); r >= 0 {
				row = s.input.view(scratch, r)
			} else {
				clear(scratch)
			}
			if err := s.Err(); err != nil {
				return err
			}
			if err := visit(row); err != nil {
				return err
			}
			if s.bucketRows == nil {
				s.file.Saw(4 * int64(s.Dim()))
			} else {
				s.file.Saw(backing.Page)
			}
		}
		return nil
	})
}

// looked is about how many bytes of a mapped file have come into memory for the last
// vector of s that was made.
func (c *composer) looked(s *Set) int64 {
	if _, ok := s.input.Storage.(interface{ Unmapped() }); ok { // reading brings nothing of a mapped file into memory
		return 0
	}
	return max(4*int64(s.Dim()), int64(len(c.rows))*backing.Page)
}
