// Package trial has sets of all kinds to try things on, and what tests of sets share.
package trial

import "github.com/w2v-go/w2v/vectors"

// New is vectors.New of parts that fit together.
func New(p vectors.Parts) *vectors.Set {
	s, err := vectors.New(p)
	if err != nil {
		panic(err)
	}
	return s
}

// OfRows returns a set of the words a, b, c … with these vectors.
func OfRows(rows ...[]float32) *vectors.Set {
	m := vectors.NewMatrix(len(rows), len(rows[0]))
	var words []string
	for i, row := range rows {
		words = append(words, string(rune('a'+i)))
		copy(m.Row(i), row)
	}
	return New(vectors.Parts{Words: vectors.NewWords(words...), Input: m})
}

// With returns s with some of its parts changed.
func With(s *vectors.Set, change func(p *vectors.Parts)) *vectors.Set {
	p := s.Parts()
	change(&p)
	return New(p)
}

// Unknown are words that are in the vocabulary of no set of Variants, two of them with no n-grams but of
// themselves.
func Unknown() []string { return []string{"theatre", "matters", "日本", "x", "", "cats"} }
