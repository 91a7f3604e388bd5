package transform

import (
	"bytes"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
	"github.com/w2v-go/w2v/vectors/internal/trial"
	"gonum.org/v1/gonum/mat"
)

// randomWords returns a set of so many words with random vectors, whose columns differ in
// size.
func randomWords(words, dim int, seed uint64) *vectors.Set {
	r := rand.New(rand.NewPCG(seed, 1))
	m := vectors.NewMatrix(words, dim)
	names := make([]string, words)
	for i := range words {
		names[i] = fmt.Sprint("w", i)
		for k := range m.Row(i) {
			m.Row(i)[k] = float32(r.NormFloat64() / float64(1+k%7))
		}
	}
	return trial.New(vectors.Parts{Words: vectors.NewWords(names...), Input: m})
}

// singularValues are those of all input rows, by another way than Factorize's.
func singularValues(t *testing.T, s *vectors.Set) []float64 {
	t.Helper()
	w := mat.NewDense(s.Input().Rows, s.Dim(), nil)
	for r := range s.Input().Rows {
		for k, x := range s.Input().Row(r) {
			w.Set(r, k, float64(x))
		}
	}
	var svd mat.SVD
	if !svd.Factorize(w, mat.SVDNone) {
		t.Fatal("no singular values")
	}
	values := svd.Values(nil)
	for len(values) < s.Dim() { // of fewer rows than dimensions
		values = append(values, 0)
	}
	return values
}

// ‖W − W_H‖² is the sum of the squares of the singular values that are dropped, for every
// rank: of random matrices, of what fastText trained, of all kinds of rows.
func TestFactorize(t *testing.T) {
	sets := derivable(t)
	for seed, size := range [][2]int{{1, 1}, {1, 7}, {3, 5}, {40, 6}, {200, 33}, {blockRows + 50, 8}} {
		sets[fmt.Sprintf("random %d×%d", size[0], size[1])] = randomWords(size[0], size[1], uint64(seed))
	}
	for name, s := range sets {
		t.Run(name, func(t *testing.T) {
			sigma, d := singularValues(t, s), s.Dim()
			var norm float64
			for _, v := range sigma {
				norm += v * v
			}
			norm = math.Sqrt(norm)
			for rank := 1; rank <= d; rank++ {
				got, done, err := Factorize(t.Context(), s, FactorizeOptions{Rank: rank})
				if err != nil {
					t.Fatal(err)
				}
				if done.Rank != rank || done.Dim != d || done.Rows != s.Input().Rows || len(done.SingularValues) != d || len(done.Dropped) != d-rank {
					t.Fatalf("%+v", done)
				}
				var kept, dropped float64
				for i, v := range sigma {
					if math.Abs(done.SingularValues[i]-v) > 1e-7*sigma[0] {
						t.Errorf("singular value %d is %v, want %v", i, done.SingularValues[i], v)
					}
					if i < rank {
						kept += v * v
					} else {
						dropped += v * v
					}
				}
				// Both sides of the equation, and what the set that is returned says.
				var sum float64
				for r := range s.Input().Rows {
					for k, x := range got.Input().Row(r) {
						sum += math.Pow(float64(x)-float64(s.Input().Row(r)[k]), 2)
					}
				}
				for what, x := range map[string]float64{"error": done.Error, "bound": done.Bound(), "rows": math.Sqrt(sum), "relative": done.RelativeError * norm} {
					if math.Abs(x-math.Sqrt(dropped)) > 1e-6*norm {
						t.Errorf("rank %d: by the %s ‖W − W_H‖ is %v, want %v", rank, what, x, math.Sqrt(dropped))
					}
				}
				if math.Abs(done.EnergyKept-kept/(kept+dropped)) > 1e-9 {
					t.Errorf("rank %d keeps %v, want %v", rank, done.EnergyKept, kept/(kept+dropped))
				}
				rows, projection, ok := got.Input().Factors()
				if !ok || rows.Rows != s.Input().Rows || rows.Cols != rank || projection.Rows != rank || projection.Cols != d {
					t.Fatalf("factors of %d×%d and %d×%d", rows.Rows, rows.Cols, projection.Rows, projection.Cols)
				}
				if got.Output().Rows != 0 {
					t.Errorf("%d context vectors", got.Output().Rows)
				}
			}
		})
	}
}

// With as many numbers as there were, all words and sentences are what they were, those
// that are not in the vocabulary too, and after a native file.
func TestFactorizeAtFullRank(t *testing.T) {
	sets := derivable(t)
	maps.Copy(sets, trial.Variants())
	for name, s := range sets {
		t.Run(name, func(t *testing.T) {
			got, done, err := Factorize(t.Context(), s, FactorizeOptions{Rank: s.Dim()})
			if s.Dim() > s.Input().Cols {
				if err == nil || !strings.Contains(err.Error(), "a model without appended weights can be factorised") {
					t.Errorf("with appended weights: %v", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if len(done.Dropped) != 0 || done.EnergyKept != 1 || done.RelativeError > 1e-6 {
				t.Errorf("%+v", done)
			}
			if err := got.Check(); err != nil {
				t.Fatal(err)
			}
			var file bytes.Buffer
			if err := format.Encode(&file, got, format.W2V); err != nil {
				t.Fatal(err)
			}
			if got, err = format.Read(&file); err != nil {
				t.Fatal(err)
			}
			if rows, _, ok := got.Input().Factors(); !ok || rows.Rows != s.Input().Rows {
				t.Errorf("the file has no factors, or %d rows", rows.Rows)
			}
			sentence, want := make([]float32, s.Dim()), make([]float32, s.Dim())
			tokens := s.Words().Strings()[:2]
			if got.Sentence(sentence, tokens) != s.Sentence(want, tokens) {
				t.Errorf("another number of tokens in a sentence")
			}
			trial.Near(t, "a sentence", sentence, want)
			for _, word := range append(s.Words().Strings(), unknown...) {
				v, ok := trial.Vector(s, word)
				g, gotOK := trial.Vector(got, word)
				if ok != gotOK {
					t.Errorf("%q has a vector: %v, want %v", word, gotOK, ok)
				}
				trial.Near(t, word, g, v)
			}
		})
	}
}

func TestFactorizeByEnergy(t *testing.T) {
	s := trial.New(vectors.Parts{Words: vectors.NewWords("a", "b", "c"), Input: vectors.NewMatrix(3, 3)})
	for i, x := range []float32{1, 3, 2} { // of squares 1, 9 and 4
		s.Input().Row(i)[i] = x
	}
	for _, tt := range []struct {
		energy float64
		rank   int
	}{{0.01, 1}, {9.0 / 14, 1}, {0.65, 2}, {13.0 / 14, 2}, {0.93, 3}, {1, 3}} {
		_, done, err := Factorize(t.Context(), s, FactorizeOptions{Energy: tt.energy})
		if err != nil || done.Rank != tt.rank {
			t.Errorf("%v: rank %d, want %d; %v", tt.energy, done.Rank, tt.rank, err)
		}
	}
	_, done, err := Factorize(t.Context(), s, FactorizeOptions{Rank: 1})
	if err != nil || !slices.Equal(done.SingularValues, []float64{3, 2, 1}) || !slices.Equal(done.Dropped, []float64{2, 1}) {
		t.Errorf("%+v, %v", done, err)
	}
	// Where there is nothing there is nothing to lose.
	clear(s.Input().Data)
	if _, done, err := Factorize(t.Context(), s, FactorizeOptions{Energy: 0.9}); err != nil || done.Rank != 1 || done.EnergyKept != 1 || done.RelativeError != 0 {
		t.Errorf("%+v, %v", done, err)
	}
}

func TestFactorizeOnAnyCores(t *testing.T) {
	s := randomWords(2*blockRows+100, 2*32+5, 1)
	var want *vectors.Set
	var wantDone Factorization
	for _, cores := range []int{1, 3} {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
		got, done, err := Factorize(t.Context(), s, FactorizeOptions{Rank: 20})
		if err != nil {
			t.Fatal(err)
		}
		if want == nil {
			want, wantDone = got, done
		}
		trial.SameMatrix(t, "factorised", got.Input(), want.Input())
		if done.Error != wantDone.Error || !slices.Equal(done.SingularValues, wantDone.SingularValues) {
			t.Errorf("%d cores: %+v, want %+v", cores, done, wantDone)
		}
	}
}

func TestFactorizeErrors(t *testing.T) {
	spoilt := func(row int) *vectors.Set {
		s := randomSet(subword.Mean)
		s.Input().Row(row)[1] = float32(math.NaN())
		return s
	}
	for _, tt := range []struct {
		s    *vectors.Set
		o    FactorizeOptions
		want string
	}{
		{randomSet(subword.Mean), FactorizeOptions{}, "the rank must be at least 1, is 0"},
		{randomSet(subword.Mean), FactorizeOptions{Rank: -1}, "the rank must be at least 1, is -1"},
		{randomSet(subword.Mean), FactorizeOptions{Rank: 5}, "a rank of 5 asked for, there are 4 dimensions"},
		{randomSet(subword.Mean), FactorizeOptions{Rank: 1, Energy: 0.5}, "a rank and an energy to keep exclude each other"},
		{randomSet(subword.Mean), FactorizeOptions{Energy: 1.5}, "the energy to keep must be above 0 and at most 1, is 1.5"},
		{randomSet(subword.Mean), FactorizeOptions{Energy: math.NaN()}, "the energy to keep must be above 0 and at most 1, is NaN"},
		{trial.New(vectors.Parts{Input: vectors.Matrix{Cols: 3}}), FactorizeOptions{Rank: 2}, "there are no rows to factorise"},
		{spoilt(1), FactorizeOptions{Rank: 2}, `the row of word 1, "cat", has a number that is not finite, and nothing is near such a row: leave it out first`},
		{spoilt(8), FactorizeOptions{Rank: 2}, "the row of n-gram bucket 3 has a number that is not finite, and nothing is near such a row: leave it out first"},
	} {
		if _, _, err := Factorize(t.Context(), tt.s, tt.o); err == nil || err.Error() != tt.want {
			t.Errorf("got %v, want %s", err, tt.want)
		}
	}
	if _, err := vectors.New(vectors.Parts{Words: vectors.NewWords("a"), Input: vectors.Matrix{Cols: 3}}); err == nil || !strings.Contains(err.Error(), "0 input rows for 1 words") {
		t.Error(err)
	}
}

// Known and unknown words have the vectors that they had.
func TestWhole(t *testing.T) {
	for name, s := range map[string]*vectors.Set{
		"a row a bucket": openGolden(t, "fasttext/skipgram.bin"),
		"shared rows":    trial.Shared(),
	} {
		w := Whole(s)
		if err := w.Check(); err != nil {
			t.Fatal(err)
		}
		if w.Composition() != subword.Whole {
			t.Errorf("%s: composition %q", name, w.Composition())
		}
		for _, word := range append(s.Words().Strings(), "bakers", "naïveté", "q") {
			want, ok := trial.Vector(s, word)
			got, still := trial.Vector(w, word)
			if ok != still || !slices.Equal(got, want) {
				t.Errorf("%s: %q is %v, %v, want %v, %v", name, word, got, still, want, ok)
			}
		}
	}
	pieces := trial.With(openGolden(t, "floret/two.floret"), func(p *vectors.Parts) { p.Words = vectors.NewWords("the", "baker") })
	for name, s := range map[string]*vectors.Set{
		"plain words":        openGolden(t, "fasttext/words.bin"),
		"whole already":      openGolden(t, "finalfusion/buckets.fifu"),
		"no words":           openGolden(t, "floret/two.floret"),
		"words without rows": pieces,
	} {
		if Whole(s) != s {
			t.Errorf("%s: another set", name)
		}
	}
}

// Codes of whole words are kept in finalfusion's files.
func TestWholeQuantised(t *testing.T) {
	s, _ := Select(openGolden(t, "fasttext/skipgram.bin"), []string{"the", "baker", "日本語", "naïve", "bread"})
	small, err := Quantize(t.Context(), Whole(s), QuantizeOptions{Bytes: 2})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "small.fifu")
	if err := format.Write(t.Context(), path, small, format.Finalfusion); err != nil {
		t.Fatal(err)
	}
	read, err := format.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	if got := read.Input().Encoding(); got != string(QuantizePQ) {
		t.Errorf("rows are %s, want %s", got, QuantizePQ)
	}
	for _, word := range append(s.Words().Strings(), "bakers") {
		want, _ := trial.Vector(small, word)
		got, _ := trial.Vector(read, word)
		for k, x := range want {
			if d := got[k] - x; d < -1e-5 || d > 1e-5 {
				t.Errorf("%q is %v, want %v", word, got, want)
				break
			}
		}
	}
}

// Parts that are equal are no longer than what is asked for allows, and if they would
// have to be much longer, that is an error.
func TestEqualParts(t *testing.T) {
	for _, test := range []struct{ dim, bytes, part int }{
		{100, 0, 2}, {37, 0, 1}, {300, 0, 3}, {96, 0, 3}, {1, 0, 1}, {100, 50, 2}, {100, 34, 4}, {100, 25, 4}, {100, 200, 1},
	} {
		if got := (QuantizeOptions{Bytes: test.bytes, EqualParts: true}).part(test.dim); got != test.part {
			t.Errorf("%d dimensions, %d bytes: parts of %d, want %d", test.dim, test.bytes, got, test.part)
		}
	}
	s := trial.New(vectors.Parts{Words: vectors.NewWords("a"), Input: vectors.NewMatrix(1, 37)})
	_, err := Quantize(t.Context(), s, QuantizeOptions{Bytes: 30, EqualParts: true})
	want := "rows of 37 numbers cannot be cut into equal parts for 30 bytes, only for 1 or 37: choose one of these"
	if err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}
