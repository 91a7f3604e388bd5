package sgns

import (
	"fmt"
	"math"

	"github.com/w2v-go/w2v/sgns/internal/params"
	"github.com/w2v-go/w2v/sgns/internal/random"
	"github.com/w2v-go/w2v/subword"
)

// bucketRow returns the row of a bucket in the set, -1 if it has none.
func (s *start) bucketRow(b int) int {
	switch {
	case s.unprojected.BucketRows() != nil:
		return int(s.unprojected.BucketRows()[b])
	case !s.unprojected.Composition().OwnRows():
		return b
	}
	return s.unprojected.Len() + b
}

// wordRow returns the row of a word's own vector in the set.
func (s *start) wordRow(id int) int {
	if s.unprojected.WordRows() != nil {
		return int(s.unprojected.WordRows()[id])
	}
	return id
}

// mark reads the rows of so many words of the run, which have rows of their own, and of
// buckets, in the order of the file as far as they are in one, so that the table of the
// run keeps apart what differs.
func (s *start) mark(words, buckets int) error {
	// A word's own row that is not one of the set's is like no bucket's.
	alone := subword.Mark{math.MaxUint64, math.MaxUint64}
	of := make([]subword.Mark, s.unprojected.Input().Rows)
	done := make([]bool, len(of))
	row := make([]float32, s.unprojected.Input().Cols)
	read := func(r int, name func() string) (subword.Mark, error) {
		if !done[r] {
			if err := s.read(row, r, name); err != nil {
				return alone, err
			}
			of[r], done[r] = markOf(row), true
		}
		return of[r], nil
	}
	s.marks = make([]subword.Mark, words+buckets)
	for w := range words {
		s.marks[w] = alone
	}
	if s.own {
		err := s.known(func(w, id int) (err error) {
			s.marks[w], err = read(s.wordRow(id), func() string { return s.word(id) })
			return err
		})
		if err != nil {
			return err
		}
	}
	for b := range buckets {
		r := s.bucketRow(b)
		if r < 0 {
			continue
		}
		mark, err := read(r, func() string { return fmt.Sprintf("n-gram bucket %d", b) })
		if err != nil {
			return err
		}
		s.marks[words+b] = mark
	}
	return s.from.Err()
}

// known calls visit with every word of the run that the set has, and its id there, by
// rising id.
func (s *start) known(visit func(w, id int) error) error {
	words := make([]int32, s.from.Len())
	for id := range words {
		words[id] = -1
	}
	for w, id := range s.id {
		if id >= 0 {
			words[id] = int32(w)
		}
	}
	for id, w := range words {
		if w < 0 {
			continue
		}
		if err := visit(int(w), id); err != nil {
			return err
		}
	}
	return nil
}

// word names a word of the set in an error.
func (s *start) word(id int) string { return fmt.Sprintf("%.40q", s.from.Words().At(id)) }

// read reads a row of the input matrix. name names it in an error.
func (s *start) read(dst []float32, r int, name func() string) error {
	s.unprojected.Input().Read(dst, r)
	return s.readable(dst, "vector", name)
}

// readable reports a row that could not be read, or not be trained.
func (s *start) readable(row []float32, kind string, name func() string) error {
	if err := s.from.Err(); err != nil {
		return err
	}
	if !params.Finite(row) {
		return unfit("the %s of %s has a number that is not finite", kind, name())
	}
	return nil
}

// markOf returns a hash of a row, that of zeros if all are zeros.
func markOf(row []float32) (m subword.Mark) {
	zeros := true
	for _, x := range row {
		bits := uint64(math.Float32bits(x))
		m[0] = random.Mix(m[0] + bits + 1)
		m[1] = random.Mix(m[1] ^ bits<<32)
		zeros = zeros && x == 0
	}
	if zeros {
		return subword.Mark{}
	}
	return m
}
