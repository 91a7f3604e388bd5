package transform

import (
	"errors"
	"fmt"
	"slices"

	"github.com/w2v-go/w2v/vectors"
)

// WithSpecialTokens returns the words of s with others before them whose vectors are
// zeros, such as the padding of a batch, which a network learns or leaves alone. They
// come first, in the given order, since programs expect padding to be number 0. The
// result has no n-grams. It is an error if one is a word already.
func WithSpecialTokens(s *vectors.Set, tokens ...string) (*vectors.Set, error) {
	if s == nil {
		return nil, errNoSet
	}
	for i, token := range tokens {
		if token == "" {
			return nil, errors.New("a special token is empty")
		}
		if id, ok := s.ID(token); ok {
			return nil, fmt.Errorf("the special token %.40q is a word already, number %d", token, id)
		}
		if slices.Contains(tokens[:i], token) {
			return nil, fmt.Errorf("the special token %.40q is named twice", token)
		}
	}
	if len(tokens) == 0 {
		return s, nil
	}
	if s.Dim() < 1 {
		return nil, errors.New("a special token has a vector of zeros, and the set has 0 dimensions")
	}
	var p vectors.Parts
	err := behind(s).Guarded(func() error {
		p = withZeros(s, tokens)
		p.Specials += len(tokens)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return vectors.New(p)
}

// withZeros returns the words of s with others before them whose vectors are zeros, and
// without n-grams.
func withZeros(s *vectors.Set, before []string) vectors.Parts {
	var words vectors.WordsBuilder
	words.Grow(int64(len(before) + s.Len()))
	for _, word := range before {
		words.Add(word)
	}
	for id := range s.Len() {
		words.Add(s.Words().At(id))
	}
	framed := func(m vectors.Matrix) vectors.Matrix {
		d := m.DType()
		return withDType(vectors.Stored(len(before)+s.Len(), s.Dim(), frame{m.Exact(d), len(before)}), d)
	}
	t := plainWith(s, framed(s.Rows()), vectors.Matrix{})
	if s.Output().Rows > 0 {
		t.Output = framed(s.Output())
	}
	t.Words = words.Words()
	if s.Counts() != nil {
		t.Counts = slices.Concat(make([]uint64, len(before)), s.Counts())
	}
	return t
}

// frame is the rows of a matrix with rows of zeros before them.
type frame struct {
	source vectors.Matrix
	before int
}

func (f frame) Read(dst []float32, r int) {
	if r -= f.before; r < 0 {
		clear(dst)
		return
	}
	f.source.Read(dst, r)
}

// OneMatrix returns s as one matrix for a network's input and output, as a language model
// has it whose last layer multiplies by the embedding of each word: context vectors
// are left out, and files for torch say so. Word vectors are what they were: those
// that trained against context vectors are near, but not equal, to what a network
// with tied weights learns, so this is for a start that training goes on from.
func OneMatrix(s *vectors.Set) *vectors.Set {
	t := withMatrices(s, s.Input(), vectors.Matrix{})
	drop(&t, func(k vectors.MatrixKind) bool { return k.Output }) // context vectors may be made of it
	t.OneMatrix = true
	return made(t)
}
