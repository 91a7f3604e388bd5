package vectors

import (
	"errors"
	"fmt"
	"strings"
)

// A Kind says which of the two vectors that training gives a word is meant, or
// both. Its value is the name that the command line knows it by.
type Kind string

const (
	// KindInput is what every other method means: the vectors that words have as
	// the centre of a window, composed of n-grams where there are some.
	KindInput Kind = "input"
	// KindOutput are the context vectors.
	KindOutput Kind = "output"
	// KindSum is the sum of both, as GloVe does.
	KindSum Kind = "sum"
	// KindConcat has the context vector behind the input vector, in twice the
	// dimensions.
	KindConcat Kind = "concat"
)

// Kinds returns every kind.
func Kinds() []Kind { return []Kind{KindInput, KindOutput, KindSum, KindConcat} }

// ParseKind returns the kind of that name.
func ParseKind(name string) (Kind, error) {
	var names []string
	for _, k := range Kinds() {
		if string(k) == name {
			return k, nil
		}
		names = append(names, string(k))
	}
	return "", fmt.Errorf("there are no %q vectors; known are %s", name, strings.Join(names, ", "))
}

// errNoContext is the answer where context vectors are asked for.
var errNoContext = errors.New("the model has no context vectors: the native format and fastText's .bin keep them, in models that were trained to have some")

// WordVectors returns the words of s with vectors of that kind. All but KindInput,
// which is s itself, are plain sets without context vectors: n-grams are no part
// of them. Rows are made when they are asked for.
func (s *Set) WordVectors(k Kind) (*Set, error) {
	if err := s.usable(); err != nil {
		return nil, err
	}
	if _, err := ParseKind(string(k)); err != nil {
		return nil, err
	}
	if k == KindInput {
		return s, nil
	}
	if s.output.Rows == 0 && s.Matrix(MatrixNodes).Rows > 0 {
		return nil, errNodes
	}
	if s.output.Rows == 0 {
		return nil, errNoContext
	}
	d := s.sibling()
	n, dim := s.Len(), s.Dim()
	switch k {
	case KindOutput:
		d.input = s.output
	case KindSum:
		d.file = s.errorsOf()
		d.input = Stored(n, dim, sumRows{s.Rows(), s.output})
		d.input = s.guarded(d.file, d.input, outputMatrix, "added to the input vector", s.Rows(), s.output)
	case KindConcat:
		d.input = Stored(n, 2*dim, joinedRows{s.Rows(), s.output})
	}
	return d, nil
}

// sumRows are the sums of the rows of two matrices of one size.
type sumRows struct{ a, b Matrix }

func (m sumRows) Read(dst []float32, r int) {
	m.a.Read(dst, r)
	for k, x := range m.b.Row(r) {
		dst[k] += x
	}
}

// joinedRows are the rows of two matrices behind each other.
type joinedRows struct{ a, b Matrix }

func (m joinedRows) Read(dst []float32, r int) {
	m.a.Read(dst[:m.a.Cols], r)
	m.b.Read(dst[m.a.Cols:], r)
}
