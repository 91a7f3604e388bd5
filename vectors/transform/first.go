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

// First returns s with the first n of its dimensions, unchanged. If s was trained for n dimensions ("nested"
// in Training), the result is as good as vectors trained with n dimensions, and "nested" ends with n.
// Otherwise "nested" becomes empty.
//
// N-grams, context vectors, rows of word n-grams and nodes stay. Codes stay codes, unless they are rotated.
// In a factorized set First cuts the projection alone. Appended weights of hash embeddings are kept whole or
// left out, because each hash has one weight.
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
	_, _, factored := s.Input().Factors()
	for _, m := range matricesOf(s, func(k vectors.MatrixKind) bool { return k.RowSpace }) {
		if !factored {
			m.Matrix = cut(m.Matrix)
		}
		f.Put(m.Name, m.Matrix)
	}
	f.Training.Set("nested", nestedTo(s.Training().Text("nested"), n))
	return vectors.New(f)
}

// nestedTo returns the nested dimensions up to n, or nothing if n is not in the list.
func nestedTo(list string, n int) string {
	dims := strings.Split(list, ",")
	return strings.Join(dims[:slices.Index(dims, strconv.Itoa(n))+1], ",")
}

func columns(m vectors.Matrix, n int) vectors.Matrix {
	if n >= m.Cols {
		return m
	}
	if rows, projection, ok := m.Factors(); ok { // keeps the factors
		return vectors.Product(rows, columns(projection, n))
	}
	switch of := m.Coded().(type) {
	case nil:
		m.Cols = n
		return m
	case rounded: // lets writing find numbers that are too large
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

type firstColumns struct{ of vectors.Matrix }

func (m firstColumns) Read(dst []float32, r int) {
	row := make([]float32, m.of.Cols)
	m.of.Read(row, r)
	copy(dst, row)
}

// SumRows sets dst to the sum of the given rows, in the same way as the whole matrix.
func (m firstColumns) SumRows(dst []float32, rows []uint32, weights []float32) {
	sum := make([]float32, m.of.Cols)
	m.of.Sum(sum, rows, weights)
	copy(dst, sum)
}

func (m firstColumns) DType() vectors.DType { return m.of.DType() }

func (m firstColumns) CheckSizes(rows, cols int) error {
	if rows > m.of.Rows || cols > m.of.Cols {
		return fmt.Errorf("%d×%d of %d×%d", rows, cols, m.of.Rows, m.of.Cols)
	}
	return m.of.CheckSizes()
}

func (m firstColumns) Check() error { return m.of.Check() }
