package transform

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/internal/coded"
)

// First returns s with the first n of its dimensions, as they are: of a set that was
// trained so ("nested" in Training) vectors of their own, and as good as those that were
// trained with n dimensions. "nested" in Training ends with n then, and is empty where n is
// none of those in it.
//
// All that s has stays: n-grams, context vectors, rows of runs of words, nodes. Rows are
// cut when they are asked for, or before that where they are codes, which stay codes
// unless they are rotated. Of a product the projection is cut; its rows are as wide as
// before, and so are position weights and rows of runs of words, which are multiplied by
// it. Appended weights of hash embeddings are left out if n has none of them, and cannot be
// cut themselves, because there is one for each hash. If n is all there are, the result is s.
func First(s *vectors.Set, n int) (*vectors.Set, error) {
	switch d := s.Dim(); {
	case n < 1:
		return nil, fmt.Errorf("%d dimensions asked for, must be at least 1", n)
	case n > d:
		return nil, fmt.Errorf("%d dimensions asked for, there are %d", n, d)
	case n == d:
		return s, nil
	case n > s.Input().Cols:
		return nil, fmt.Errorf("%d dimensions asked for, and the last %d of %d are weights, one for each hash, of which all stay or none: ask for %d at most",
			n, d-s.Input().Cols, d, s.Input().Cols)
	}
	cut := func(m vectors.Matrix) vectors.Matrix { return columns(m, n) }
	f := s.MapRows(cut).SharedParts()
	f.Subword = subword.WithoutAppended(s.Subword())
	_, _, factored := rowSpace(s)
	for _, m := range matricesOf(s, func(k vectors.MatrixKind) bool { return k.RowSpace }) {
		if !factored {
			m.Matrix = cut(m.Matrix)
		}
		f.Put(m.Name, m.Matrix)
	}
	f.Training.Set("nested", nestedTo(s.Training().Text("nested"), n))
	return vectors.New(f)
}

// nestedTo returns a list of nested dimensions up to n, nothing if n is none of them.
func nestedTo(list string, n int) string {
	dims := strings.Split(list, ",")
	return strings.Join(dims[:slices.Index(dims, strconv.Itoa(n))+1], ",")
}

// columns returns the first n columns of the matrix.
func columns(m vectors.Matrix, n int) vectors.Matrix {
	if n >= m.Cols {
		return m
	}
	if rows, projection, ok := m.Factors(); ok { // so that they stay factors
		return vectors.Product(rows, columns(projection, n))
	}
	switch of := m.Coded().(type) {
	case nil:
		m.Cols = n
		return m
	case rounded: // so that writing finds what is too large
		return withDType(columns(of.source, n), of.d)
	case *coded.Int8s:
		return vectors.Stored(m.Rows, n, of.Columns(n))
	case *coded.Quantised:
		if of.Rotation == nil {
			return vectors.Stored(m.Rows, n, of.Columns(n))
		}
	}
	return vectors.Stored(m.Rows, n, firstColumns{m})
}

// firstColumns are the first numbers of the rows of a matrix.
type firstColumns struct{ of vectors.Matrix }

func (m firstColumns) Read(dst []float32, r int) {
	row := make([]float32, m.of.Cols)
	m.of.Read(row, r)
	copy(dst, row)
}

// AddRows adds the given rows to dst, as the matrix itself adds them up.
func (m firstColumns) AddRows(dst []float32, rows []uint32, weights []float32) {
	sum := make([]float32, m.of.Cols)
	m.of.Sum(sum, rows, weights)
	for k := range dst {
		dst[k] += sum[k]
	}
}

func (m firstColumns) DType() vectors.DType { return m.of.DType() }

func (m firstColumns) CheckSizes(rows, cols int) error {
	if rows > m.of.Rows || cols > m.of.Cols {
		return fmt.Errorf("%d×%d of %d×%d", rows, cols, m.of.Rows, m.of.Cols)
	}
	return m.of.CheckSizes()
}

func (m firstColumns) Check() error { return m.of.Check() }
