package vectors

import (
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/subword"
)

const huge = math.MaxFloat32

// setOf returns a set of the words a, b, c … with these vectors.
func setOf(rows ...[]float32) *Set {
	s := newSet(Parts{Input: NewMatrix(len(rows), len(rows[0]))})
	var words []string
	for i, row := range rows {
		words = append(words, string(rune('a'+i)))
		copy(s.input.Row(i), row)
	}
	s.words = NewWords(words...)
	return s
}

// What makes numbers that are not finite of finite ones fails, in every format, and leaves nothing behind.
// Numbers that are not finite before stay so.
func TestNotFiniteIsNotMade(t *testing.T) {
	nan := float32(math.NaN())
	large := setOf([]float32{1, 2, 0}, []float32{huge, 0.9 * huge, -huge}, []float32{-0.8 * huge, huge, 3})
	large.output = large.input
	spoilt := setOf([]float32{1, 2, 0}, []float32{nan, 1, 1}, []float32{3, 1, 1})
	spoilt.output = spoilt.input
	for name, test := range map[string]struct {
		do   func(s *Set) (*Set, error)
		want string // in the error
	}{
		"std": {func(s *Set) (*Set, error) { return s.Scaled("std=1e308") },
			"the vectors cannot have a standard deviation of 1e+308: their largest number, 3.4028235e+38, would be 1.44e+308, which is beyond those of float32"},
		"sqrt-dim": {func(s *Set) (*Set, error) { return s.Scaled(ScaleSqrtDim) },
			`the vector of word 1, "b", has numbers beyond those of float32 when it is scaled`},
		"sum": {func(s *Set) (*Set, error) { return s.WordVectors(KindSum) },
			`the context vector of word 1, "b", has numbers beyond those of float32 when it is added to the input vector`},
		"reduce": {func(s *Set) (*Set, error) { r, _, err := s.Reduce(t.Context(), 2, Computation{}); return r, err },
			`has numbers beyond those of float32 when it is mapped to principal components`},
		"factorize": {func(s *Set) (*Set, error) {
			r, _, err := s.Factorize(t.Context(), FactorizeOptions{Rank: 2})
			return r, err
		}, `has numbers beyond those of float32 when it is mapped to factors`},
	} {
		for _, format := range slices.DeleteFunc(Formats(), func(f Format) bool { return f == FormatFloret }) { // of n-grams alone
			folder := t.TempDir()
			made, err := test.do(large)
			if err == nil {
				err = Write(t.Context(), filepath.Join(folder, "out"), made, format)
			}
			if err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%s, %s: error %v, want %s", name, format, err, test.want)
			}
			if left, _ := filepath.Glob(filepath.Join(folder, "*")); len(left) > 0 {
				t.Errorf("%s, %s: left behind %q", name, format, left)
			}
		}
		if made, err := test.do(spoilt); name != "std" && name != "factorize" { // these refuse it
			if err == nil {
				err = Write(t.Context(), filepath.Join(t.TempDir(), "out"), made, FormatW2V)
			}
			if err != nil {
				t.Errorf("%s of numbers that are not finite: %v", name, err)
			}
		}
	}
	// Lengths become 1 whatever they are.
	unit, err := large.Scaled(ScaleUnit)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []*Set{unit, large.Normalized()} {
		for id := range s.Len() {
			if norm := normOf(s.wordVector(id)); math.Abs(norm-1) > 1e-6 {
				t.Errorf("word %d has length %v", id, norm)
			}
		}
	}
}

// A mean of the largest numbers is what it is, though their sum is not.
func TestMeansOfLargeNumbers(t *testing.T) {
	s := setOf([]float32{huge, 1}, []float32{huge, 3}, []float32{-huge, 2})
	v := make([]float32, 2)
	for text, want := range map[string][]float32{"a b": {huge, 2}, "a b a b c c": {huge / 3, 2}, "a c": {0, 1.5}} {
		if s.Sentence(v, strings.Fields(text)); !nearly(v, want) {
			t.Errorf("%q is %v, want %v", text, v, want)
		}
	}
	s = with(s, func(p *Parts) {
		p.Training.WordNgrams = 2
		p.put(MatrixWordNgrams, NewMatrix(5, 2))
	})
	for r := range 5 {
		copy(s.Matrix(MatrixWordNgrams).Row(r), []float32{huge, 5})
	}
	if s.Sentence(v, []string{"a", "b"}); !nearly(v, []float32{huge, 3}) {
		t.Errorf("with runs of words: %v", v)
	}
	grams := subword.FastText{MinN: 1, MaxN: 2, Buckets: 4}
	m := newSet(Parts{Words: NewWords("ab"), Input: NewMatrix(5, 2), Subword: grams})
	for r := range 5 {
		copy(m.input.Row(r), []float32{-huge, float32(r)})
	}
	for _, word := range []string{"ab", "ba"} {
		if !m.Vector(v, word) || v[0] != -huge {
			t.Errorf("%q is %v", word, v)
		}
	}
	// What is not finite is not made finite.
	m.input.Row(0)[0] = float32(math.Inf(1))
	if m.Vector(v, "ab"); Finite(v) {
		t.Errorf("a mean with an infinity is %v", v)
	}
}

func nearly(got, want []float32) bool {
	return slices.EqualFunc(got, want, func(x, y float32) bool {
		return math.Abs(float64(x)-float64(y)) <= 1e-6*(1+math.Abs(float64(y)))
	})
}

// Cosines do not depend on lengths, from the least number to the largest.
func TestCosinesOfAnyLength(t *testing.T) {
	directions := [][]float32{{3, 4, 0, 1}, {1, 1, 1, 1}, {-1, 2, 5, 0}, {4, 3, 1, 0}}
	ordinary := setOf(directions...)
	for _, length := range []float64{1e-43, 1e-40, 1e-37, 1e-31, 1e36, huge / 5} {
		var rows [][]float32
		for i, row := range directions {
			scaled := slices.Clone(row)
			if i != 1 { // one remains, beside them
				for k := range scaled {
					scaled[k] = float32(float64(row[k]) * length)
				}
			}
			rows = append(rows, scaled)
		}
		s := setOf(rows...)
		tolerance := 1e-6
		if length < 1e-38 {
			tolerance = 1e-45 / length // which has as few digits
		}
		for id := range directions {
			want := ordinary.Nearest(directions[id], 4)
			got := s.Nearest(rows[id], 4)
			if len(got) != len(want) {
				t.Fatalf("length %v, word %d: %v, want %v", length, id, got, want)
			}
			for i, n := range got {
				if n.ID != want[i].ID || math.Abs(float64(n.Similarity-want[i].Similarity)) > tolerance {
					t.Errorf("length %v, word %d: %v, want %v", length, id, got, want)
				}
			}
		}
		want, err := ordinary.Analogy("a", "b", "c", 1, CosMul)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := s.Analogy("a", "b", "c", 1, CosMul); err != nil || got[0].ID != want[0].ID {
			t.Errorf("length %v: %v %v, want %v", length, got, err, want)
		}
	}
}

func TestNotFinite(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(-1))
	s := setOf([]float32{1, 2}, []float32{1, nan}, []float32{inf, 0}, []float32{3, 4})
	s.output = setOf([]float32{1, 2}, []float32{1, 2}, []float32{1, 2}, []float32{nan, 2}).input
	check := func(s *Set, rows int, first, text string) {
		t.Helper()
		found, err := s.NotFinite()
		if err != nil || found.Rows != rows || found.First != first || rows > 0 && found.String() != text {
			t.Errorf("%v, %v: %v", found, err, found.String())
		}
	}
	const b = `the vector of word 1, "b", has NaN`
	check(s, 3, b, "3 rows have numbers that are not finite, first "+b)
	check(s.Top(1), 0, "", "")
	for _, name := range []string{"x.vec", "x.vec.gz", "x.w2vbin", "x.w2vbin.gz", "x.glove", "x.npy"} {
		path := filepath.Join(t.TempDir(), name)
		format, err := FormatOf(path, false)
		if err != nil {
			t.Fatal(err)
		}
		if err := Write(t.Context(), path, s, format); err != nil {
			t.Fatal(err)
		}
		for _, open := range []func(string) (*Set, error){Open, func(path string) (*Set, error) { return OpenStream(path, nil) }} {
			r, err := open(path)
			if err != nil {
				t.Fatal(err)
			}
			check(r, 2, b, "2 rows have numbers that are not finite, first "+b)
			if err := r.Close(); err != nil {
				t.Error(err)
			}
		}
	}
	one := setOf([]float32{inf})
	check(one, 1, `the vector of word 0, "a", has -Inf`, `1 row has numbers that are not finite: the vector of word 0, "a", has -Inf`)
}
