package vectors

import (
	"fmt"
	"math"
	"sync"

	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors/internal/coded"
)

// Check reports parts of the set that do not fit together. It looks at every word and every row number.
// Readers check files that they read, but only sizes of files that they map: until Check is called, row
// numbers out of range count as rows of zeros.
func (s *Set) Check() error {
	return s.file.Guarded(s.check)
}

func (s *Set) check() error {
	if err := s.checkSizes(); err != nil {
		return err
	}
	if err := s.parts.Words.Check(); err != nil {
		return err
	}
	for _, m := range s.everyMatrix() {
		if err := m.Check(); err != nil {
			return fmt.Errorf("%s: %w", labelOf(m.Name), err)
		}
	}
	if err := s.parts.Labels.check(); err != nil {
		return err
	}
	if err := s.parts.Words.checkTable(); err != nil {
		return err
	}
	for i, r := range s.parts.WordRows {
		if int64(r) >= int64(s.parts.Input.Rows) {
			return fmt.Errorf("word %d has input row %d of %d", i, r, s.parts.Input.Rows)
		}
	}
	for b, r := range s.parts.BucketRows {
		if r < -1 || int64(r) >= int64(s.parts.Input.Rows) {
			return fmt.Errorf("bucket %d has input row %d of %d", b, r, s.parts.Input.Rows)
		}
	}
	return nil
}

// CheckSizes is Check without looking at every word and row number.
func (s *Set) CheckSizes() error {
	return guarded(s.file, s.checkSizes) // reads rows of tied matrices to compare them
}

func (s *Set) checkSizes() error {
	if err := subword.Readable(s.parts.Subword); err != nil { // an indexer may come from another program's file
		return err
	}
	words, rows := s.Len(), s.parts.Input.Rows
	own, buckets := words, 0 // input rows that words and buckets have of their own
	if s.parts.Subword != nil {
		buckets = s.parts.Subword.Rows()
		if !s.OwnRows() {
			own = 0
		}
	}
	for _, m := range s.everyMatrix() {
		if err := m.CheckSizes(); err != nil {
			return fmt.Errorf("%s: %w", labelOf(m.Name), err)
		}
	}
	if s.parts.State == nil && len(s.parts.StateRows) > 0 {
		return fmt.Errorf("%d matrices of state and no state", len(s.parts.StateRows))
	}
	for i, m := range s.parts.StateRows {
		if err := m.CheckSizes(); err != nil {
			return fmt.Errorf("matrix %d of the state: %w", i, err)
		}
		if m.Rows > 0 && m.Cols < 1 {
			return fmt.Errorf("matrix %d of the state: %d dimensions, must be at least 1", i, m.Cols)
		}
	}
	composed := subword.CheckComposition(s.of(), s.parts.Subword)
	switch {
	case words > math.MaxInt32:
		return fmt.Errorf("%d words, at most %d are possible", words, math.MaxInt32)
	case s.parts.Input.Cols < 1:
		return fmt.Errorf("%d dimensions, must be at least 1", s.parts.Input.Cols)
	case s.parts.Counts != nil && len(s.parts.Counts) != words:
		return fmt.Errorf("%d counts for %d words", len(s.parts.Counts), words)
	case s.parts.Output.Rows != 0 && (s.parts.Output.Rows != words || s.parts.Output.Cols != s.Dim()):
		return fmt.Errorf("output matrix of %d×%d, must be %d×%d", s.parts.Output.Rows, s.parts.Output.Cols, words, s.Dim())
	case composed != nil:
		return composed
	case s.parts.WordRows != nil && len(s.parts.WordRows) != words:
		return fmt.Errorf("rows of %d words for %d words", len(s.parts.WordRows), words)
	case s.parts.BucketRows != nil && s.parts.Subword == nil:
		return fmt.Errorf("rows of %d buckets in a set without subwords", len(s.parts.BucketRows))
	case s.parts.BucketRows != nil && len(s.parts.BucketRows) != buckets:
		return fmt.Errorf("rows of %d buckets for %d buckets", len(s.parts.BucketRows), buckets)
	case s.parts.WordRows == nil && s.parts.BucketRows == nil && rows != own+buckets:
		return fmt.Errorf("%d input rows for %d words and %d buckets", rows, words, buckets)
	case s.parts.WordRows == nil && rows < own:
		return fmt.Errorf("%d input rows for %d words", rows, words)
	case s.parts.BucketRows == nil && s.parts.Subword != nil && rows < own+buckets:
		return fmt.Errorf("%d input rows for %d words and %d buckets", rows, words, buckets)
	}
	if err := s.checkLabels(); err != nil {
		return err
	}
	return s.checkMatrices()
}

// CheckSizes reports sizes that do not fit a matrix.
func (m Matrix) CheckSizes() error {
	of, checks := m.Storage.(checkable)
	switch {
	case m.Rows == 0:
	case m.Storage != nil && m.Rows > 0 && m.Cols > 0 && m.Data == nil:
		if checks {
			return of.CheckSizes(m.Rows, m.Cols)
		}
	case m.Rows < 0 || m.Cols < 0 || m.Stride < m.Cols || len(m.Data) < (m.Rows-1)*m.Stride+m.Cols:
		return fmt.Errorf("%d numbers for %d rows of %d, %d apart", len(m.Data), m.Rows, m.Cols, m.Stride)
	}
	return nil
}

// Check reports stored values, such as codes, that a matrix cannot decode.
func (m Matrix) Check() error {
	if c, ok := m.Storage.(checkable); ok {
		return c.Check()
	}
	return nil
}

// A NotFinite counts the rows of a set that contain a NaN or an infinity.
type NotFinite struct {
	Rows  int    // of all matrices
	First string // names the first such row and the number in it, as "the vector of word 3, "cat""
}

func (n NotFinite) String() string {
	if n.Rows == 1 {
		return "1 row has numbers that are not finite: " + n.First
	}
	return fmt.Sprintf("%d rows have numbers that are not finite, first %s", n.Rows, n.First)
}

// NotFinite counts the rows of s that are not finite, in all matrices. Readers keep such numbers as the file
// has them.
func (s *Set) NotFinite() (NotFinite, error) {
	return s.notFinite(func(matrix string) bool { return matrix != MatrixOutput || !s.parts.OutputIsInput() })
}

// NotFiniteInput is NotFinite of the input rows alone, which word vectors are made of.
func (s *Set) NotFiniteInput() (NotFinite, error) {
	return s.notFinite(func(matrix string) bool { return matrix == MatrixInput })
}

func (s *Set) notFinite(among func(matrix string) bool) (NotFinite, error) {
	if s.counted != nil {
		return *s.counted, nil
	}
	var all NotFinite
	for _, m := range s.everyMatrix() {
		if !among(m.Name) {
			continue
		}
		var mu sync.Mutex
		first, n := m.Rows, 0
		s.file.InTurn(m.Rows, func(from, to int) {
			scratch := make([]float32, m.Cols)
			for r := from; r < to; r++ {
				if !Finite(m.view(scratch, r)) {
					mu.Lock()
					first = min(first, r)
					n++
					mu.Unlock()
				}
				s.file.Saw(4 * int64(m.Cols))
			}
		})
		if err := s.Err(); err != nil {
			return all, err
		}
		if n > 0 && all.Rows == 0 {
			all.First = bad(s.RowName(m.Name, first), m.Row(first))
		}
		all.Rows += n
	}
	return all, nil
}

// RowName describes a row of the named matrix in messages.
func (s *Set) RowName(matrix string, r int) string {
	s.file.MustBeOpen()
	switch {
	case matrix == MatrixInput && s.parts.Subword == nil && s.parts.WordRows == nil && r < s.Len():
		return vectorOfWord(r, s.parts.Words.At(r))
	case matrix == MatrixInput:
		return guarded(s.file, func() string { return s.nameOfRow(r) })
	case matrix == MatrixOutput && r < s.Len():
		return fmt.Sprintf("the context vector of word %d, %.40q,", r, s.parts.Words.At(r))
	}
	return fmt.Sprintf("row %d of the %s", r, labelOf(matrix))
}

func vectorOfWord(id int, word string) string {
	return fmt.Sprintf("the vector of word %d, %.40q,", id, word)
}

// Look counts the vector of a word if it is not finite.
func (n *NotFinite) Look(id int, word string, row []float32) {
	if Finite(row) {
		return
	}
	if n.Rows++; n.Rows == 1 {
		n.First = bad(vectorOfWord(id, word), row)
	}
}

func bad(name string, row []float32) string {
	for _, x := range row {
		if x-x != 0 {
			return fmt.Sprintf("%s has %v", name, x)
		}
	}
	return name
}

// Finite reports whether a vector has neither NaN nor infinity.
func Finite(row []float32) bool {
	for _, x := range row {
		if x-x != 0 {
			return false
		}
	}
	return true
}

// carefully sets dst to the weighted sum of rows of m, plus more, divided by parts. It sums in float64
// because the sum can overflow float32 where the quotient does not.
func carefully(dst []float32, m Matrix, rows []uint32, weights []float32, more []float64, parts int) {
	sums := make([]float64, len(dst))
	copy(sums, more)
	scratch := make([]float32, m.Cols)
	for i, r := range rows {
		weight := float64(coded.WeightOf(weights, i))
		for k, x := range m.view(scratch, int(r)) {
			sums[k] += weight * float64(x)
		}
	}
	for k, sum := range sums {
		sum /= float64(parts)
		if x := math.Abs(sum); x > math.MaxFloat32 && x < math.MaxFloat32*(1+1e-6) { // rounded weights can carry a sum slightly past the largest float32
			sum = math.Copysign(math.MaxFloat32, sum)
		}
		dst[k] = float32(sum)
	}
}

func (s *Set) nameOfRow(r int) string {
	for id, word := range s.parts.Words.All() {
		if s.OwnRows() && s.ownRow(id) == r {
			return fmt.Sprintf("the row of word %d, %.40q,", id, word)
		}
	}
	if s.parts.Subword != nil {
		for b := range s.parts.Subword.Rows() {
			if s.bucketRow(uint32(b)) == r {
				return fmt.Sprintf("the row of n-gram bucket %d", b)
			}
		}
	}
	if n := s.parts.Input.Rows; r >= n {
		return fmt.Sprintf("the row of word n-gram bucket %d", r-n)
	}
	return fmt.Sprintf("input row %d", r)
}
