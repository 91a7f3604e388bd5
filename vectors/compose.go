package vectors

import (
	"slices"

	"github.com/w2v-go/w2v/internal/simd"
)

// A composer is the memory that composing vectors takes.
type composer struct {
	buckets, rows []uint32
	own           [1]uint32
	ones          []float32 // the weight of each row
	row           []float32
}

// word writes the vector of word id to dst.
func (c *composer) word(dst []float32, s *Set, id int) {
	if v := c.view(dst, s, id); len(v) > 0 && &v[0] != &dst[0] {
		copy(dst, v)
	}
}

// view returns the vector of word id, in scratch where it has to be made.
func (c *composer) view(scratch []float32, s *Set, id int) []float32 {
	if s.composes() {
		var own []uint32
		if s.Composition != ComposePieces {
			c.own[0] = uint32(s.ownRow(id))
			own = c.own[:]
		}
		c.compose(scratch, s, own, s.Words.At(id))
		return scratch
	}
	if r := s.ownRow(id); r < s.Input.Rows {
		return s.Input.view(scratch, r)
	}
	clear(scratch)
	return scratch
}

// compose writes the mean of the given rows and those of the word's n-grams to
// dst, and returns of how many. Buckets that were never trained count, and add
// nothing.
func (c *composer) compose(dst []float32, s *Set, rows []uint32, word string) int {
	c.list(s, rows, word)
	c.sum(dst, s.Input)
	n := len(rows) + len(c.buckets)
	if n > 0 { // the sum first: so fastText rounds
		mean := 1 / float32(n)
		for k := range dst {
			dst[k] *= mean
		}
	}
	return n
}

// list makes c.rows the given rows and those of the word's n-grams, as far as there
// are any.
func (c *composer) list(s *Set, rows []uint32, word string) {
	c.buckets = s.Subword.Append(c.buckets[:0], word)
	c.rows = c.rows[:0]
	for _, r := range rows {
		if int64(r) < int64(s.Input.Rows) {
			c.rows = append(c.rows, r)
		}
	}
	for _, b := range c.buckets {
		if r := s.bucketRow(b); r >= 0 {
			c.rows = append(c.rows, uint32(r))
		}
	}
}

// sum writes the sum of the rows of m that c lists to dst.
func (c *composer) sum(dst []float32, m Matrix) {
	if m.Storage != nil {
		clear(dst)
		if adds, ok := m.Storage.(rowAdder); ok {
			adds.addRows(dst, c.rows)
			return
		}
		c.row = slices.Grow(c.row[:0], len(dst))[:len(dst)]
		for _, r := range c.rows {
			m.Storage.Read(c.row, int(r))
			for k, x := range c.row {
				dst[k] += x
			}
		}
		return
	}
	for len(c.ones) < len(c.rows) {
		c.ones = append(c.ones, 1)
	}
	simd.Gather(dst, m.Data, m.Stride, c.rows, c.ones[:len(c.rows)])
}

// composes tells whether words' vectors are made of several rows.
func (s *Set) composes() bool { return s.Subword != nil && s.Composition != ComposeWhole }

// ownRow returns the input row of word id itself, which in a file that was not
// checked may be none of the matrix: then it is the number of its rows.
func (s *Set) ownRow(id int) int {
	if s.WordRow == nil {
		return id
	}
	return int(min(int64(s.WordRow[id]), int64(s.Input.Rows))) // 32 bits may not hold it
}

// firstBucket is the row of bucket 0 where BucketRow does not say.
func (s *Set) firstBucket() int {
	if s.Composition == ComposePieces {
		return 0
	}
	return s.Len()
}

// bucketRow is the input row of bucket b, -1 if it was never trained.
func (s *Set) bucketRow(b uint32) int {
	if s.BucketRow == nil {
		return s.firstBucket() + int(b)
	}
	if r := int(s.BucketRow[b]); r < s.Input.Rows {
		return max(r, -1)
	}
	return -1 // in a file that was not checked
}
