package vectors

import "bufio"

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
	if b.seen.Add(n) >= evictAfter {
		b.seen.Store(0)
		for _, evict := range b.evict {
			evict()
		}
	}
}

// page is what looking at a row somewhere in a mapped file brings into memory.
const page = 4 << 10

// eachRow calls visit with every row of m, which belongs to s. It is valid during
// the call. A row that cannot be read ends it with the error.
func (s *Set) eachRow(m Matrix, visit func(r int, row []float32) error) error {
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
}

// eachVector calls visit with the vector of every word, as eachRow does.
func (s *Set) eachVector(visit func(id int, vector []float32) error) error {
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
		evict.saw(max(4*int64(s.Dim()), int64(len(c.rows))*page))
	}
	return nil
}

// writeRows writes the rows of m, which belongs to s, without their padding.
func (s *Set) writeRows(w *bufio.Writer, m Matrix) error {
	if m.Storage == nil && m.Stride == m.Cols && m.Rows > 0 && !bigEndian {
		evict := evictor{behind: s.file}
		for data := m.Data[:m.Rows*m.Cols]; len(data) > 0; {
			n := min(len(data), evictAfter/4)
			if err := writeArray(w, data[:n]); err != nil {
				return err
			}
			data = data[n:]
			evict.saw(4 * int64(n))
		}
		return nil
	}
	return s.eachRow(m, func(_ int, row []float32) error { return writeArray(w, row) })
}
