package vectors

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/w2v-go/w2v/internal/pq"
	"github.com/w2v-go/w2v/subword"
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
	switch of := m.coded().(type) {
	case nil:
		m.Cols = n
		return m
	case *product: // so that they stay factors
		cut := *of
		cut.projection = of.projection.columns(n)
		return stored(m.Rows, n, &cut)
	case rounded: // so that writing finds what is too large
		return of.source.columns(n).withDType(of.d)
	case *int8s:
		return stored(m.Rows, n, of.columns(n))
	case *quantised:
		if of.rotation == nil {
			return stored(m.Rows, n, of.columns(n))
		}
	}
	return stored(m.Rows, n, firstColumns{m})
}

// firstColumns are the first numbers of the rows of a matrix.
type firstColumns struct{ of Matrix }

func (m firstColumns) Read(dst []float32, r int) {
	row := make([]float32, m.of.Cols)
	m.of.Read(row, r)
	copy(dst, row)
}

// addRows adds the given rows to dst, as the matrix itself adds them up.
func (m firstColumns) addRows(dst []float32, rows []uint32, weights []float32) {
	var c composer
	sum := make([]float32, m.of.Cols)
	c.sum(sum, m.of, rows, weights)
	for k := range dst {
		dst[k] += sum[k]
	}
}

func (m firstColumns) dtype() DType { return m.of.DType() }

func (m firstColumns) checkSizes(rows, cols int) error {
	if rows > m.of.Rows || cols > m.of.Cols {
		return fmt.Errorf("%d×%d of %d×%d", rows, cols, m.of.Rows, m.of.Cols)
	}
	return m.of.check()
}

func (m firstColumns) check() error { return m.of.checkNumbers() }

// columns returns the first n numbers of all rows: the last part may become shorter.
func (q *quantised) columns(n int) *quantised {
	dim := q.book.Dim
	var centroids []float32
	for rows := q.book.Rows(); len(rows) > 0; rows = rows[dim:] {
		centroids = append(centroids, rows[:n]...)
	}
	cut := *q
	cut.book = pq.BookOf(centroids, n, min(q.book.Part, n))
	cut.codes = firstOfEach(q.codes, q.book.Parts(), cut.book.Parts())
	return &cut
}

// columns returns the first n numbers of all rows, with the scales that they have.
func (m *int8s) columns(n int) *int8s {
	return &int8s{codes: firstOfEach(m.codes, m.cols, n), scales: m.scales, cols: n}
}

// firstOfEach returns the first n codes of each row of so many.
func firstOfEach(codes []byte, of, n int) []byte {
	first := make([]byte, 0, len(codes)/of*n)
	for ; len(codes) > 0; codes = codes[of:] {
		first = append(first, codes[:n]...)
	}
	return first
}
