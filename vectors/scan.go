package vectors

import (
	"bufio"

	"github.com/w2v-go/w2v/internal/endian"
)

// evictAfter is how many bytes of a mapped file are looked at before its pages
// are given back, so that walking through a file of any size takes little
// memory.
const evictAfter = 64 << 20

// An evictor counts what is read of the file behind a set.
type evictor struct{ behind *backing }

// saw notes that about n bytes of the file were looked at.
func (e evictor) saw(n int64) {
	b := e.behind
	if b == nil || len(b.evict) == 0 {
		return
	}
	if seen := b.seen.Add(n); seen >= evictAfter && b.seen.CompareAndSwap(seen, 0) {
		for _, evict := range b.evict {
			evict()
		}
	}
}

// page is what looking at a row somewhere in a mapped file brings into memory: Linux
// maps up to 16 pages at a time of what is cached.
const page = 32 << 10

// eachRow calls visit with every row of m, which belongs to s. It is valid during
// the call. A row that cannot be read ends it with the error.
func (s *Set) eachRow(m Matrix, visit func(r int, row []float32) error) error {
	return s.file.guarded(func() error {
		if m.Rows == 0 {
			return nil // whatever the number of columns is claimed to be
		}
		scratch := make([]float32, m.Cols)
		evict := evictor{behind: s.file}
		for r := range m.Rows {
			row := m.view(scratch, r)
			if err := s.Err(); err != nil {
				return err
			}
			if err := visit(r, row); err != nil {
				return err
			}
			evict.saw(4 * int64(m.Cols))
		}
		return nil
	})
}

// eachVector calls visit with the vector of every word, as eachRow does.
func (s *Set) eachVector(visit func(id int, vector []float32) error) error {
	return s.file.guarded(func() error {
		scratch := make([]float32, s.Dim())
		evict := evictor{behind: s.file}
		var c composer
		for id := range s.Len() {
			vector := c.view(scratch, s, id)
			if err := s.Err(); err != nil {
				return err
			}
			if err := visit(id, vector); err != nil {
				return err
			}
			evict.saw(c.looked(s))
		}
		return nil
	})
}

// eachBucket calls visit with the rows of the first n buckets of n-grams, zeros for
// one that was never trained, as eachRow does.
func (s *Set) eachBucket(n int, visit func(row []float32) error) error {
	return s.file.guarded(func() error {
		scratch := make([]float32, s.input.Cols)
		evict := evictor{behind: s.file}
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
				evict.saw(4 * int64(s.Dim()))
			} else {
				evict.saw(page)
			}
		}
		return nil
	})
}

// looked is about how many bytes of a mapped file have come into memory for the last
// vector of s that was made.
func (c *composer) looked(s *Set) int64 {
	if _, ok := s.input.Storage.(*fileRows); ok {
		return 0
	}
	return max(4*int64(s.Dim()), int64(len(c.rows))*page)
}

// writeRows writes the rows of m, which belongs to s, without their padding.
func (s *Set) writeRows(w *bufio.Writer, m Matrix) error {
	if m.Storage == nil && m.Stride == m.Cols && m.Rows > 0 && !endian.Big {
		evict := evictor{behind: s.file}
		for data := m.Data[:m.Rows*m.Cols]; len(data) > 0; {
			n := min(len(data), evictAfter/4)
			if err := endian.Write(w, data[:n]); err != nil {
				return err
			}
			data = data[n:]
			evict.saw(4 * int64(n))
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
	return s.eachRow(m, func(_ int, row []float32) error { return endian.Write(w, row) })
}
