package vectors

import (
	"errors"
	"fmt"
	"slices"
)

// WithSpecialTokens returns the words of s with others before them whose vectors are
// zeros, such as the padding of a batch, which a network learns or leaves alone. They
// come first, in the given order, since programs expect padding to be number 0. The
// result has no n-grams. It is an error if one is a word already.
func (s *Set) WithSpecialTokens(tokens ...string) (*Set, error) {
	if err := s.usable(); err != nil {
		return nil, err
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
	var t *Set
	err := s.file.Guarded(func() error {
		t = s.withZeros(tokens, nil)
		t.specials += len(tokens)
		return nil
	})
	return t, err
}

// withZeros returns the words of s with others before and after them whose vectors
// are zeros, and without n-grams.
func (s *Set) withZeros(before, after []string) *Set {
	var words WordsBuilder
	words.Grow(int64(len(before) + s.Len() + len(after)))
	for _, word := range before {
		words.Add(word)
	}
	for id := range s.Len() {
		words.Add(s.words.list.word(id))
	}
	for _, word := range after {
		words.Add(word)
	}
	framed := func(m Matrix) Matrix {
		d := m.DType()
		return Stored(len(before)+s.Len()+len(after), s.Dim(), frame{m.Exact(d), len(before)}).withDType(d)
	}
	t := s.plainWith(framed(s.Rows()), Matrix{})
	if s.output.Rows > 0 {
		t.output = framed(s.output)
	}
	t.words = words.Words()
	if s.counts != nil {
		t.counts = slices.Concat(make([]uint64, len(before)), s.counts, make([]uint64, len(after)))
	}
	return t
}

// frame is the rows of a matrix with rows of zeros before and after them.
type frame struct {
	source Matrix
	before int
}

func (f frame) Read(dst []float32, r int) {
	if r -= f.before; r < 0 || r >= f.source.Rows {
		clear(dst)
		return
	}
	f.source.Read(dst, r)
}

// Tied returns s as one matrix for a network's input and output, as a language model
// has it whose last layer multiplies by the embedding of each word: context vectors
// are left out, and files for torch say so. Word vectors are what they were: those
// that trained against context vectors are near, but not equal, to what a network
// with tied weights learns, so this is for a start that training goes on from.
func (s *Set) Tied() *Set {
	t := s.withMatrices(s.input, Matrix{})
	t.tied = true
	return t
}
