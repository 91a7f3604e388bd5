package vectors

import "slices"

// withZeros returns the words of s with others after them whose vectors are zeros, and without
// n-grams.
func (s *Set) withZeros(after []string) *Set {
	var words WordsBuilder
	words.Grow(int64(s.Len() + len(after)))
	for id := range s.Len() {
		words.Add(s.words.list.word(id))
	}
	for _, word := range after {
		words.Add(word)
	}
	framed := func(m Matrix) Matrix {
		return Stored(s.Len()+len(after), s.Dim(), zerosAfter{m})
	}
	t := s.plainWith(framed(s.Rows()), Matrix{})
	if s.output.Rows > 0 {
		t.output = framed(s.output)
	}
	t.words = words.Words()
	if s.counts != nil {
		t.counts = slices.Concat(s.counts, make([]uint64, len(after)))
	}
	return t
}

// zerosAfter is the rows of a matrix with rows of zeros after them.
type zerosAfter struct{ source Matrix }

func (f zerosAfter) Read(dst []float32, r int) {
	if r >= f.source.Rows {
		clear(dst)
		return
	}
	f.source.Read(dst, r)
}

func (f zerosAfter) DType() DType { return f.source.DType() }
