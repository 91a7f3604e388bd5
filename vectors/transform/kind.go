package transform

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/internal/coded"
)

// A Kind is one of the two vectors that training gives a word, or a combination of both. Its value is its
// name on the command line.
type Kind string

const (
	// KindInput is the vector of a word in the centre of a window, composed of n-grams if there are any.
	KindInput Kind = "input"
	// KindOutput are the context vectors.
	KindOutput Kind = "output"
	// KindSum is the sum of both, as GloVe does.
	KindSum Kind = "sum"
	// KindConcat is the input vector followed by the context vector, with twice the dimensions.
	KindConcat Kind = "concat"
)

// Kinds returns every kind.
func Kinds() []Kind { return []Kind{KindInput, KindOutput, KindSum, KindConcat} }

// ParseKind returns the kind of that name.
func ParseKind(name string) (Kind, error) {
	if k := Kind(name); slices.Contains(Kinds(), k) {
		return k, nil
	}
	return "", fmt.Errorf("there are no %q vectors; known are %s, %s, %s, %s", name, KindInput, KindOutput, KindSum, KindConcat)
}

var errNoContext = errors.New("the model has no context vectors: the native format and fastText's .bin keep them, in models that were trained to have some")

var errNodes = errors.New("the model was trained with hierarchical softmax, whose output vectors are those of the nodes of a tree and not of words: take the input vectors")

// WordVectors returns the words of s with vectors of that kind. All but KindInput, which is s itself, are
// plain sets without context vectors and n-grams.
func WordVectors(s *vectors.Set, k Kind) (*vectors.Set, error) {
	if _, err := ParseKind(string(k)); err != nil {
		return nil, err
	}
	if k == KindInput {
		return s, nil
	}
	d := sibling(s)
	n, dim, input, output := s.Len(), s.Dim(), s.Rows(), s.Output()
	if output.Rows == 0 {
		if len(matricesOf(s, func(k vectors.MatrixKind) bool { return k.Tree })) > 0 {
			return nil, errNodes
		}
		return nil, errNoContext
	}
	switch k {
	case KindOutput:
		d.Input = output
	case KindSum:
		behind := errorsOf(s)
		d.Source = behind
		spare := sync.Pool{New: func() any { return new(make([]float32, dim)) }}
		sum := vectors.Stored(n, dim, coded.Func(func(dst []float32, r int) {
			scratch := spare.Get().(*[]float32)
			input.Read(dst, r)
			for k, x := range output.View(*scratch, r) {
				dst[k] += x
			}
			spare.Put(scratch)
		}))
		d.Input = guarded(s, behind, sum, vectors.MatrixOutput, "added to the input vector", input, output)
	case KindConcat:
		d.Input = vectors.Stored(n, 2*dim, coded.Func(func(dst []float32, r int) {
			input.Read(dst[:dim], r)
			output.Read(dst[dim:], r)
		}))
	}
	return vectors.New(d)
}
