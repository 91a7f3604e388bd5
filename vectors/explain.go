package vectors

import (
	"cmp"
	"math"
	"slices"
)

// A WordPart is a summand of a word's vector: the row of the word itself, or that of an n-gram, each times
// its weight.
type WordPart struct {
	Text   string // the n-gram, or the word
	Own    bool   // the row belongs to the word as a whole
	Vector []float32
}

// Share returns what the part adds to the length of v, the vector that it is a part of: the dot product of
// both, divided by that of v with itself, in float64. Shares of all parts of a vector sum up to 1. It is NaN
// if v is zero.
func (p WordPart) Share(v []float32) float64 { return dot(v, p.Vector) / dot(v, v) }

// WordParts returns what the vector of a word is the sum of: its own row first, if it has one, and its
// n-grams in the order of Subword().Ngrams. An n-gram that is in the word several times, or that has several
// rows, is one part. Parts of buckets that were never trained are zeros. There are no parts if the word has
// no vector, and one part if the vector is not composed.
func (s *Set) WordParts(word string) []WordPart {
	return guarded(s.file, func() []WordPart { return s.wordParts(word) })
}

func (s *Set) wordParts(word string) []WordPart {
	id, known := s.parts.Words.find(word)
	v := make([]float32, s.Dim())
	if !s.vector(v, word) {
		return nil
	}
	if s.parts.Subword == nil || known && !s.Composes() {
		return []WordPart{{Text: word, Own: true, Vector: v}}
	}
	c, texts := composer{}, s.parts.Subword.Ngrams(word)
	n := c.list(s, id, word)
	row := make([]float32, s.Dim())
	var parts []WordPart
	add := func(text string, own bool, weight float32) { // row times its weight
		i := slices.IndexFunc(parts, func(p WordPart) bool { return p.Text == text && p.Own == own })
		if i < 0 {
			i = len(parts)
			parts = append(parts, WordPart{text, own, make([]float32, len(row))})
		}
		for k, x := range row {
			parts[i].Vector[k] += weight * x
		}
	}
	if c.terms.Own {
		if r := s.ownRow(id); r < s.parts.Input.Rows {
			s.parts.Input.Read(row, r)
			add(word, true, 1/float32(n))
		}
	}
	texts = texts[len(texts)-len(c.terms.Buckets):] // without the first ones, if they have no part in the vector
	for i, b := range c.terms.Buckets {
		clear(row)
		if r := s.bucketRow(b); r >= 0 {
			s.parts.Input.Read(row[:s.parts.Input.Cols], r)
		}
		weight := 1 / float32(n)
		if len(c.weights) > 0 {
			weight = c.weights[i]
		}
		if len(c.appended) > 0 {
			row[s.parts.Input.Cols+int(c.terms.Cells[i])%len(c.appended)] = 1
		}
		add(texts[i], len(c.weights) > 0 && texts[i] == word, weight)
	}
	return parts
}

// A Contribution is the share of a cosine that a part of one vector and a part of the other have: their dot
// product, divided by the lengths of both vectors. Contributions of all pairs of parts sum up to the cosine.
type Contribution struct {
	A, B   int // indices of the parts
	Cosine float64
}

// Contributions returns the contributions of all pairs of parts of two vectors, the largest first and of
// equal ones those of the first parts first, and the cosine, which is their sum. If a vector has no
// direction, the cosine is NaN, and there are no contributions.
func Contributions(a, b []WordPart) (pairs []Contribution, cosine float64) {
	norm := math.Sqrt(squaredSum(a)) * math.Sqrt(squaredSum(b))
	if !(norm > 0) || math.IsInf(norm, 0) {
		return nil, math.NaN()
	}
	for i, x := range a {
		for j, y := range b {
			share := dot(x.Vector, y.Vector) / norm
			pairs = append(pairs, Contribution{i, j, share})
			cosine += share
		}
	}
	slices.SortStableFunc(pairs, func(x, y Contribution) int { return cmp.Compare(y.Cosine, x.Cosine) })
	return pairs, cosine
}

func squaredSum(parts []WordPart) (squares float64) {
	if len(parts) == 0 {
		return 0
	}
	for k := range parts[0].Vector {
		var sum float64
		for _, p := range parts {
			sum += float64(p.Vector[k])
		}
		squares += sum * sum
	}
	return squares
}
