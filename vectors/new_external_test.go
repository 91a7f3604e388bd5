package vectors_test

import (
	"slices"
	"testing"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/internal/trial"
)

// newSet is New of parts that fit together.
func newSet(p vectors.Parts) *vectors.Set {
	s, err := vectors.New(p)
	if err != nil {
		panic(err)
	}
	return s
}

// with returns s with some of its parts changed.
func with(s *vectors.Set, change func(p *vectors.Parts)) *vectors.Set {
	p := s.Parts()
	change(&p)
	return newSet(p)
}

// A word that a set lists twice is noted, and is not a neighbour of itself or, twice, of another word.
func TestRepeatedWords(t *testing.T) {
	rows := vectors.NewMatrix(4, 2)
	for i, row := range [][]float32{{1, 0}, {0.9, 0.1}, {0.8, 0.3}, {0, 1}} {
		copy(rows.Row(i), row)
	}
	s, err := vectors.New(vectors.Parts{Words: vectors.NewWords("a", "a", "b", "c"), Input: rows})
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{`a word is listed a second time, and its first vector is taken: word 1, "a"`}; !slices.Equal(s.Notes(), want) {
		t.Errorf("notes %q", s.Notes())
	}
	var near []string
	for _, n := range trial.Nearest(s, rows.Row(0), 4, 0) {
		near = append(near, n.Word)
	}
	if !slices.Equal(near, []string{"b", "c"}) {
		t.Errorf("neighbours %q", near)
	}
}
