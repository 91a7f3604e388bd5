package transform

import "github.com/w2v-go/w2v/vectors"

// Normalized returns the words of s with vectors of length 1. What has no
// direction, because it is zero or not finite, becomes zeros. The result is a
// plain set without context vectors: the mean of n-grams of length 1 would be
// another vector. Rows are made when they are asked for.
func Normalized(s *vectors.Set) *vectors.Set {
	n := sibling(s)
	n.Input = vectors.Stored(s.Len(), s.Dim(), unitRows{s.Rows()})
	return made(n)
}

// unitRows are the rows of a matrix scaled to length 1.
type unitRows struct{ of vectors.Matrix }

func (m unitRows) Read(dst []float32, r int) {
	m.of.Read(dst, r)
	vectors.Unit(dst, dst)
}
