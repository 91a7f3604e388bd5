// Package trial has sets of all kinds for tests, and helpers for tests of sets.
package trial

import (
	"context"
	"math"
	"reflect"
	"testing"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/internal/backing"
)

// New is vectors.New for parts that fit together.
func New(p vectors.Parts) *vectors.Set {
	s, err := vectors.New(p)
	if err != nil {
		panic(err)
	}
	return s
}

// Unchecked is vectors.New without checks.
func Unchecked(p vectors.Parts) *vectors.Set {
	return backing.NewSet(p, (*vectors.NotFinite)(nil), nil).(*vectors.Set)
}

// Nearest returns the nearest words of one vector. The set must be readable.
func Nearest(s *vectors.Set, v []float32, k int, skip ...int) []vectors.Neighbor {
	near, err := s.Nearest(context.Background(), vectors.Query{Vector: v, K: k, Skip: skip})
	if err != nil {
		panic(err)
	}
	return near[0]
}

// OfRows returns a set of the words a, b, c … with these vectors.
func OfRows(rows ...[]float32) *vectors.Set {
	var words []string
	for i := range rows {
		words = append(words, string(rune('a'+i)))
	}
	return New(vectors.Parts{Words: vectors.NewWords(words...), Input: rowsOf(rows...)})
}

func rowsOf(rows ...[]float32) vectors.Matrix {
	m := vectors.NewMatrix(len(rows), len(rows[0]))
	for i, row := range rows {
		copy(m.Row(i), row)
	}
	return m
}

// With returns s with some of its parts changed.
func With(s *vectors.Set, change func(p *vectors.Parts)) *vectors.Set {
	p := s.Parts()
	change(&p)
	return New(p)
}

// Unknown returns words that are in the vocabulary of no set of Variants. Two of them have no n-grams shorter
// than the word itself.
func Unknown() []string { return []string{"theatre", "matters", "日本", "x", "", "cats"} }

// SameSet fails the test unless both sets are equal bit for bit, with all NaNs equal to each other.
func SameSet(t testing.TB, got, want *vectors.Set) {
	t.Helper()
	facts := func(s *vectors.Set) []any {
		names := []string{}
		for _, m := range matrices(s) {
			names = append(names, m.Name)
		}
		return []any{s.Words().Strings(), s.Counts(), names, s.WordRows(), s.BucketRows(), s.Subword()}
	}
	for i, w := range facts(want) {
		if g := facts(got)[i]; !reflect.DeepEqual(g, w) {
			t.Fatalf("%s %.200v, want %.200v", []string{"words", "counts", "matrices", "word rows", "bucket rows", "subwords"}[i], g, w)
		}
	}
	for i, m := range matrices(want) {
		SameMatrix(t, m.Name, matrices(got)[i].Matrix, m.Matrix)
	}
}

// SameMatrix fails the test unless both matrices are equal bit for bit.
func SameMatrix(t testing.TB, name string, got, want vectors.Matrix) {
	t.Helper()
	if got.Rows != want.Rows || got.Rows > 0 && got.Cols != want.Cols {
		t.Fatalf("%s of %d×%d, want %d×%d", name, got.Rows, got.Cols, want.Rows, want.Cols)
	}
	for r := range got.Rows {
		for j, x := range got.Row(r) {
			if y := want.Row(r)[j]; math.Float32bits(x) != math.Float32bits(y) && (x == x || y == y) {
				t.Fatalf("%s row %d: %v, want %v", name, r, got.Row(r), want.Row(r))
			}
		}
	}
}

// Near fails the test unless both vectors are equal up to rounding.
func Near(t *testing.T, what string, got, want []float32) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%q: %v, want %v", what, got, want)
	}
	for k, x := range want {
		if d := float64(got[k] - x); !(math.Abs(d) <= 1e-5*max(1, math.Abs(float64(x)))) && (x == x || got[k] == got[k]) {
			t.Fatalf("%q: %v, want %v", what, got, want)
		}
	}
}

// Narrow converts v to float32.
func Narrow(v []float64) []float32 {
	w := make([]float32, len(v))
	for k, x := range v {
		w[k] = float32(x)
	}
	return w
}

func matrices(s *vectors.Set) []vectors.NamedMatrix {
	return append([]vectors.NamedMatrix{{Name: vectors.MatrixInput, Matrix: s.Input()}, {Name: vectors.MatrixOutput, Matrix: s.Output()}}, s.Matrices()...)
}

// Vector returns a copy of the vector of a word, and whether the word has one.
func Vector(s *vectors.Set, word string) ([]float32, bool) {
	v := make([]float32, s.Dim())
	ok := s.Vector(v, word)
	return v, ok
}

// WordVector returns a copy of the vector of word id.
func WordVector(s *vectors.Set, id int) []float32 {
	v := make([]float32, s.Dim())
	s.WordVector(v, id)
	return v
}
