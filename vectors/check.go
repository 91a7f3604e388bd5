package vectors

import (
	"fmt"
	"math"

	"github.com/w2v-go/w2v/internal/absent"
	"github.com/w2v-go/w2v/subword"
)

// Check reports what in the set does not fit together. Open checks what it reads;
// of a mapped file it checks the sizes alone, and this looks at every word and
// every row number. Until then, rows that are not there count as zeros.
func (s *Set) Check() error {
	if s == nil {
		return errNoSet
	}
	return s.file.Guarded(s.check)
}

// check is Check where faults are looked after.
func (s *Set) check() error {
	if err := s.checkSizes(); err != nil {
		return err
	}
	if err := s.words.Check(); err != nil {
		return err
	}
	for _, m := range s.everyMatrix() {
		if err := m.Check(); err != nil {
			return fmt.Errorf("%s: %w", labelOf(m.Name), err)
		}
	}
	if err := s.words.checkTable(); err != nil {
		return err
	}
	for i, r := range s.wordRows {
		if int64(r) >= int64(s.input.Rows) {
			return fmt.Errorf("word %d has input row %d of %d", i, r, s.input.Rows)
		}
	}
	for b, r := range s.bucketRows {
		if r < -1 || int64(r) >= int64(s.input.Rows) {
			return fmt.Errorf("bucket %d has input row %d of %d", b, r, s.input.Rows)
		}
	}
	return nil
}

// CheckSizes is Check without looking at every word and row number.
func (s *Set) CheckSizes() (err error) {
	if s == nil {
		return errNoSet
	}
	s.file.Guard(func() { err = s.checkSizes() }) // tied matrices are compared
	return err
}

// checkSizes is CheckSizes where faults are looked after.
func (s *Set) checkSizes() error {
	if err := subword.Readable(s.subword); err != nil { // as other programs write them
		return err
	}
	words, rows := s.Len(), s.input.Rows
	own, buckets := words, 0 // rows that words and buckets have of their own
	if s.subword != nil {
		buckets = s.subword.Rows()
		if !s.composition.OwnRows() {
			own = 0
		}
	}
	for _, m := range s.everyMatrix() {
		if err := m.CheckSizes(); err != nil {
			return fmt.Errorf("%s: %w", labelOf(m.Name), err)
		}
	}
	if err := s.checkState(); err != nil {
		return err
	}
	switch {
	case words > math.MaxInt32:
		return fmt.Errorf("%d words, at most %d are possible", words, math.MaxInt32)
	case s.input.Cols < 1:
		return fmt.Errorf("%d dimensions, must be at least 1", s.input.Cols)
	case s.counts != nil && len(s.counts) != words:
		return fmt.Errorf("%d counts for %d words", len(s.counts), words)
	case s.output.Rows != 0 && (s.output.Rows != words || s.output.Cols != s.Dim()):
		return fmt.Errorf("output matrix of %d×%d, must be %d×%d", s.output.Rows, s.output.Cols, words, s.Dim())
	case !s.composition.Known():
		return fmt.Errorf("unknown composition %q", string(s.composition))
	case s.composition != subword.Mean && s.subword == nil:
		return fmt.Errorf("composition %q in a set without subwords", string(s.composition))
	case s.wordRows != nil && len(s.wordRows) != words:
		return fmt.Errorf("rows of %d words for %d words", len(s.wordRows), words)
	case s.bucketRows != nil && s.subword == nil:
		return fmt.Errorf("rows of %d buckets in a set without subwords", len(s.bucketRows))
	case s.bucketRows != nil && len(s.bucketRows) != buckets:
		return fmt.Errorf("rows of %d buckets for %d buckets", len(s.bucketRows), buckets)
	case s.wordRows == nil && s.bucketRows == nil && rows != own+buckets:
		return fmt.Errorf("%d input rows for %d words and %d buckets", rows, words, buckets)
	case s.wordRows == nil && rows < own:
		return fmt.Errorf("%d input rows for %d words", rows, words)
	case s.bucketRows == nil && s.subword != nil && rows < own+buckets:
		return fmt.Errorf("%d input rows for %d words and %d buckets", rows, words, buckets)
	}
	return s.checkMatrices()
}

// CheckSizes reports sizes that do not make a matrix.
func (m Matrix) CheckSizes() error {
	if m.Rows == 0 {
		return nil
	}
	if m.Storage != nil && absent.Is(m.Storage) {
		return fmt.Errorf("its Storage is a nil %T", m.Storage)
	}
	if m.Storage != nil && m.Rows > 0 && m.Cols > 0 && m.Data == nil {
		if c, ok := m.Storage.(checkable); ok {
			return c.CheckSizes(m.Rows, m.Cols)
		}
		return nil
	}
	if m.Rows < 0 || m.Cols < 0 || m.Stride < m.Cols || len(m.Data) < (m.Rows-1)*m.Stride+m.Cols {
		return fmt.Errorf("%d numbers for %d rows of %d, %d apart", len(m.Data), m.Rows, m.Cols, m.Stride)
	}
	return nil
}

// Check looks at what a matrix is stored as.
func (m Matrix) Check() error {
	if c, ok := m.Storage.(checkable); ok {
		return c.Check()
	}
	return nil
}
