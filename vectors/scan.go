package vectors

import (
	"bufio"

	"github.com/w2v-go/w2v/internal/endian"
	"github.com/w2v-go/w2v/vectors/internal/backing"
)

// page is what looking at a row somewhere in a mapped file brings into memory: Linux
// maps up to 16 pages at a time of what is cached.
const page = 32 << 10

// EachRow calls visit with every row of m, which belongs to s. It is valid during
// the call. A row that cannot be read ends it with the error.
func (s *Set) EachRow(m Matrix, visit func(r int, row []float32) error) error {
	return s.file.Guarded(func() error {
		if m.Rows == 0 {
			return nil // whatever the number of columns is claimed to be
		}
		scratch := make([]float32, m.Cols)
		for r := range m.Rows {
			row := m.View(scratch, r)
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
			if r := s.BucketRow(uint32(b)); r >= 0 {
				row = s.input.View(scratch, r)
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
				s.file.Saw(page)
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
	return max(4*int64(s.Dim()), int64(len(c.rows))*page)
}

// writeRows writes the rows of m, which belongs to s, without their padding.
func (s *Set) writeRows(w *bufio.Writer, m Matrix) error {
	if m.Storage == nil && m.Stride == m.Cols && m.Rows > 0 && !endian.Big {
		for data := m.Data[:m.Rows*m.Cols]; len(data) > 0; {
			n := min(len(data), backing.EvictAfter/4)
			if err := endian.Write(w, data[:n]); err != nil {
				return err
			}
			data = data[n:]
			s.file.Saw(4 * int64(n))
		}
		return nil
	}
	if m.Storage == nil && !endian.Big { // rows in memory with padding between them
		for r := range m.Rows {
			if _, err := w.Write(endian.Bytes(m.Row(r))); err != nil {
				return err
			}
		}
		return nil
	}
	if f, ok := m.Storage.(*fileRows); ok {
		return f.copy(w, 4*int64(m.Rows)*int64(m.Cols))
	}
	return s.EachRow(m, func(_ int, row []float32) error { return endian.Write(w, row) })
}
