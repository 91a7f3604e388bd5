package vectors_test

import (
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
	"github.com/w2v-go/w2v/vectors/internal/trial"
	"github.com/w2v-go/w2v/vectors/transform"
)

const huge = math.MaxFloat32

// A mean of the largest numbers is what it is, though their sum is not.
func TestMeansOfLargeNumbers(t *testing.T) {
	s := trial.OfRows([]float32{huge, 1}, []float32{huge, 3}, []float32{-huge, 2})
	v := make([]float32, 2)
	for text, want := range map[string][]float32{"a b": {huge, 2}, "a b a b c c": {huge / 3, 2}, "a c": {0, 1.5}} {
		if s.Sentence(v, strings.Fields(text)); !nearly(v, want) {
			t.Errorf("%q is %v, want %v", text, v, want)
		}
	}
	s = trial.With(s, func(p *vectors.Parts) {
		p.Training.Set("word_ngrams", 2)
		p.Put(vectors.MatrixWordNgrams, vectors.NewMatrix(5, 2))
	})
	for r := range 5 {
		copy(s.Matrix(vectors.MatrixWordNgrams).Row(r), []float32{huge, 5})
	}
	if s.Sentence(v, []string{"a", "b"}); !nearly(v, []float32{huge, 3}) {
		t.Errorf("with runs of words: %v", v)
	}
	grams := subword.FastText{MinN: 1, MaxN: 2, Buckets: 4}
	m := trial.New(vectors.Parts{Words: vectors.NewWords("ab"), Input: vectors.NewMatrix(5, 2), Subword: grams})
	for r := range 5 {
		copy(m.Input().Row(r), []float32{-huge, float32(r)})
	}
	for _, word := range []string{"ab", "ba"} {
		if !m.Vector(v, word) || v[0] != -huge {
			t.Errorf("%q is %v", word, v)
		}
	}
	// What is not finite is not made finite.
	m.Input().Row(0)[0] = float32(math.Inf(1))
	if m.Vector(v, "ab"); vectors.Finite(v) {
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
	ordinary := trial.OfRows(directions...)
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
		s := trial.OfRows(rows...)
		tolerance := 1e-6
		if length < 1e-38 {
			tolerance = 1e-45 / length // which has as few digits
		}
		for id := range directions {
			want := trial.Nearest(ordinary, directions[id], 4)
			got := trial.Nearest(s, rows[id], 4)
			if len(got) != len(want) {
				t.Fatalf("length %v, word %d: %v, want %v", length, id, got, want)
			}
			for i, n := range got {
				if n.ID != want[i].ID || math.Abs(float64(n.Similarity-want[i].Similarity)) > tolerance {
					t.Errorf("length %v, word %d: %v, want %v", length, id, got, want)
				}
			}
		}
		want, err := analogy(ordinary, vectors.AnalogyOptions{K: 1, Method: vectors.CosMul}, "a", "b", "c")
		if err != nil {
			t.Fatal(err)
		}
		if got, err := analogy(s, vectors.AnalogyOptions{K: 1, Method: vectors.CosMul}, "a", "b", "c"); err != nil || got[0].ID != want[0].ID {
			t.Errorf("length %v: %v %v, want %v", length, got, err, want)
		}
	}
}

func TestNotFinite(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(-1))
	s := trial.OfRows([]float32{1, 2}, []float32{1, nan}, []float32{inf, 0}, []float32{3, 4})
	s = trial.With(s, func(p *vectors.Parts) {
		p.Output = trial.OfRows([]float32{1, 2}, []float32{1, 2}, []float32{1, 2}, []float32{nan, 2}).Input()
	})
	check := func(s *vectors.Set, rows int, first, text string) {
		t.Helper()
		found, err := s.NotFinite()
		if err != nil || found.Rows != rows || found.First != first || rows > 0 && found.String() != text {
			t.Errorf("%v, %v: %v", found, err, found.String())
		}
	}
	const b = `the vector of word 1, "b", has NaN`
	check(s, 3, b, "3 rows have numbers that are not finite, first "+b)
	check(transform.Top(s, 1), 0, "", "")
	for _, name := range []string{"x.vec", "x.vec.gz", "x.w2vbin", "x.w2vbin.gz", "x.glove", "x.npy"} {
		path := filepath.Join(t.TempDir(), name)
		to, err := format.ForPath(path, false)
		if err != nil {
			t.Fatal(err)
		}
		if err := format.Write(t.Context(), path, s, to); err != nil {
			t.Fatal(err)
		}
		for _, open := range []func(string) (*vectors.Set, error){format.Open, func(path string) (*vectors.Set, error) { return format.OpenStream(path, nil) }} {
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
	one := trial.OfRows([]float32{inf})
	check(one, 1, `the vector of word 0, "a", has -Inf`, `1 row has numbers that are not finite: the vector of word 0, "a", has -Inf`)
}
