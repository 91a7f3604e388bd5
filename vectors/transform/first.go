package vectors

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors/internal/coded"
)

// First returns s with the first n of its dimensions, as they are: of a set that was
// trained so (see Training.Nested) vectors of their own, and as good as those that were
// trained with n dimensions. Training.Nested ends with n then, and is empty where n is
// none of those in it.
//
// All that s has stays: n-grams, context vectors, rows of runs of words, nodes. Rows are
// cut when they are asked for, or before that where they are codes, which stay codes
// unless they are rotated. Of a product the projection is cut; its rows are as wide as
// before, and so are position weights and rows of runs of words, which are multiplied by
// it. Appended weights of hash embeddings are left out if n has none of them, and cannot be
// cut themselves, because there is one for each hash. If n is all there are, the result is s.
func (s *Set) First(n int) (*Set, error) {
	if err := s.usable(); err != nil {
		return nil, err
	}
	hash, _ := subword.Value(s.subword).(subword.Hash)
	switch d := s.Dim(); {
	case n < 1:
		return nil, fmt.Errorf("%d dimensions asked for, must be at least 1", n)
	case n > d:
		return nil, fmt.Errorf("%d dimensions asked for, there are %d", n, d)
	case n == d:
		return s, nil
	case n > s.input.Cols:
		return nil, fmt.Errorf("%d dimensions asked for, and the last %d of %d are weights, one for each hash, of which all stay or none: ask for %d at most",
			n, s.appended(), d, s.input.Cols)
	}
	cut := func(m Matrix) Matrix { return m.columns(n) }
	f := s.withRows(cut)
	if hash.AppendWeights {
		hash.AppendWeights = false
		f.subword = hash
	}
	if _, p := s.rowSpace(); p != nil {
		f.putAll(s.matricesOf(kind.ofRows))
	} else {
		for _, m := range s.matricesOf(kind.ofRows) {
			f.put(m.Name, cut(m.Matrix))
		}
	}
	f.training.Nested = nestedTo(s.training.Nested, n)
	return f, nil
}

// nestedTo returns a list of nested dimensions up to n, nothing if n is none of them.
func nestedTo(list string, n int) string {
	dims := strings.Split(list, ",")
	return strings.Join(dims[:slices.Index(dims, strconv.Itoa(n))+1], ",")
}

// columns returns the first n columns of the matrix.
func (m Matrix) columns(n int) Matrix {
	if n >= m.Cols {
		return m
	}
	switch of := m.Coded().(type) {
	case nil:
		m.Cols = n
		return m
	case *product: // so that they stay factors
		cut := *of
		cut.projection = of.projection.columns(n)
		return Stored(m.Rows, n, &cut)
	case rounded: // so that writing finds what is too large
		return of.source.columns(n).withDType(of.d)
	case *coded.Int8s:
		return Stored(m.Rows, n, of.Columns(n))
	case *coded.Quantised:
		if of.Rotation == nil {
			return Stored(m.Rows, n, of.Columns(n))
		}
	}
	return Stored(m.Rows, n, firstColumns{m})
}

// firstColumns are the first numbers of the rows of a matrix.
type firstColumns struct{ of Matrix }

func (m firstColumns) Read(dst []float32, r int) {
	row := make([]float32, m.of.Cols)
	m.of.Read(row, r)
	copy(dst, row)
}

// AddRows adds the given rows to dst, as the matrix itself adds them up.
func (m firstColumns) AddRows(dst []float32, rows []uint32, weights []float32) {
	var c composer
	sum := make([]float32, m.of.Cols)
	c.sum(sum, m.of, rows, weights)
	for k := range dst {
		dst[k] += sum[k]
	}
}

func (m firstColumns) DType() DType { return m.of.DType() }

func (m firstColumns) CheckSizes(rows, cols int) error {
	if rows > m.of.Rows || cols > m.of.Cols {
		return fmt.Errorf("%d×%d of %d×%d", rows, cols, m.of.Rows, m.of.Cols)
	}
	return m.of.check()
}

func (m firstColumns) Check() error { return m.of.checkNumbers() }
