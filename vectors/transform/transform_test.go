package transform

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
	"github.com/w2v-go/w2v/vectors/internal/trial"
)

// Sets that are made of others have the vectors that are asked for, whatever the others
// are made of.
func TestVariantsDerived(t *testing.T) {
	for name, s := range trial.Variants() {
		vectorsOf := func(words []string) func(i int) []float32 {
			return func(i int) []float32 { return trial.Narrow(trial.Definition(s, words[i])) }
		}
		sameUnknown := func(what string, d *vectors.Set) {
			t.Helper()
			for _, word := range trial.Unknown() {
				got := make([]float32, d.Dim())
				want := trial.Definition(s, word)
				if ok := d.Vector(got, word); ok != (want != nil) {
					t.Errorf("%s, %s: %q has a vector: %v", name, what, word, ok)
				} else if ok {
					trial.Near(t, name+", "+what+": "+word, got, trial.Narrow(want))
				}
			}
		}
		all := s.Words().Strings()
		output := func(d *vectors.Set, ids ...int) {
			t.Helper()
			if d.Output().Rows == 0 && s.Output().Rows == 0 {
				return
			}
			for i, id := range ids {
				trial.Near(t, name+": context", d.Output().Row(i), s.Output().Row(id))
			}
		}

		top := Top(s, 3)
		wantVectors(t, top, all[:3], vectorsOf(all))
		sameUnknown("top", top)
		output(top, 0, 1, 2)
		if top.Matrix(vectors.MatrixNodes).Rows != 0 || top.Matrix(vectors.MatrixWordNgrams).Rows != s.Matrix(vectors.MatrixWordNgrams).Rows || top.Matrix(vectors.MatrixPositionOutput).Rows*len(all) != s.Matrix(vectors.MatrixPositionOutput).Rows*3 {
			t.Errorf("%s: top has %d nodes, %d word n-grams, %d rows by position", name, top.Matrix(vectors.MatrixNodes).Rows, top.Matrix(vectors.MatrixWordNgrams).Rows, top.Matrix(vectors.MatrixPositionOutput).Rows)
		}

		chosen, missing := Select(s, []string{"mat", "cat", "?"})
		wantVectors(t, chosen, []string{"mat", "cat"}, vectorsOf([]string{"mat", "cat"}))
		sameUnknown("select", chosen)
		output(chosen, 4, 1)
		if s.Subword() == nil && !slices.Equal(missing, []string{"?"}) {
			t.Errorf("%s: missing %q", name, missing)
		}

		composed, _ := SelectComposed(s, []string{"mat", "theatre", "cat"})
		want := []string{"mat", "cat"}
		if s.Subword() != nil {
			want = []string{"mat", "theatre", "cat"}
		}
		wantVectors(t, composed, want, vectorsOf(want))

		plain := s.Plain()
		wantVectors(t, plain, all, vectorsOf(all))
		output(plain, 0, 1, 2)

		wantVectors(t, Whole(s), all, vectorsOf(all))
		sameUnknown("whole", Whole(s))

		half := WithDType(s, vectors.F16)
		if err := half.Check(); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		wantVectors(t, half.Exact(vectors.F16), all, vectorsOf(all))
		output(half.Exact(vectors.F16), 0, 1, 2)
		sameUnknown("exact", half.Exact(vectors.F16))

		double, err := Scaled(s, ScaleSqrtDim)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, word := range append(all, trial.Unknown()[0]) {
			v, w := make([]float32, 6), trial.Narrow(trial.Definition(s, word))
			if !double.Vector(v, word) {
				continue
			}
			for k := range w {
				w[k] *= 2.4494897
			}
			trial.Near(t, name+", scaled: "+word, v, w)
		}

		reduced, _, err := Reduce(t.Context(), s, 6, Computation{})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if err := reduced.Check(); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for a := range all { // turned and moved, so what is between two is as long as it was
			b := (a + 1) % len(all)
			if isZero(trial.WordVector(s, a)) || isZero(trial.WordVector(s, b)) { // "</s>" in floret, which keeps its zeros
				continue
			}
			trial.Near(t, name+", reduced", []float32{float32(apart(trial.WordVector(reduced, a), trial.WordVector(reduced, b)))},
				[]float32{float32(apart(trial.WordVector(s, a), trial.WordVector(s, b)))})
		}
		if keeps := reduced.Subword() != nil; keeps != (s.Subword() != nil && s.Composition() != subword.Weighted) {
			t.Errorf("%s: reduced keeps n-grams: %v", name, keeps)
		}
	}
}

// Quantised rows are as near as their few bits allow, whatever is made of them.
func TestVariantsQuantised(t *testing.T) {
	for name, s := range trial.Variants() {
		for method, off := range map[QuantizeMethod]float64{QuantizeF16: 0.01, QuantizeInt8: 0.1, QuantizePQ: 0.01} {
			q, err := Quantize(t.Context(), s, QuantizeOptions{Method: method, KeepOutput: true, KeepUnused: true})
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if err := q.Check(); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if want := map[QuantizeMethod]string{QuantizeF16: "f16", QuantizeInt8: "int8", QuantizePQ: "pq"}[method]; q.Input().Encoding() != want {
				t.Errorf("%s: rows are %s, want %s", name, q.Input().Encoding(), want)
			}
			for _, word := range append(s.Words().Strings(), trial.Unknown()[:3]...) {
				v := make([]float32, 6)
				if want := trial.Definition(s, word); q.Vector(v, word) && apart(v, trial.Narrow(want)) > off {
					t.Errorf("%s, %s: %q is %v, want %v", name, method, word, v, want)
				}
			}
			if q.Output().Rows != s.Output().Rows || q.Matrix(vectors.MatrixWordNgrams).Rows != s.Matrix(vectors.MatrixWordNgrams).Rows {
				t.Errorf("%s, %s: %d context vectors, %d word n-grams", name, method, q.Output().Rows, q.Matrix(vectors.MatrixWordNgrams).Rows)
			}
		}
	}
}

// long are what takes time by more than the size of a set.
var long = map[string]func(ctx context.Context, s *vectors.Set, how Computation) error{
	"pq": func(ctx context.Context, s *vectors.Set, how Computation) error {
		_, err := Quantize(ctx, s, QuantizeOptions{Method: QuantizePQ, Computation: how})
		return err
	},
	"opq": func(ctx context.Context, s *vectors.Set, how Computation) error {
		_, err := Quantize(ctx, s, QuantizeOptions{Method: QuantizeOPQ, Computation: how})
		return err
	},
	"reduce": func(ctx context.Context, s *vectors.Set, how Computation) error {
		_, _, err := Reduce(ctx, s, 2, how)
		return err
	},
	"all but the top": func(ctx context.Context, s *vectors.Set, how Computation) error {
		_, _, err := AllButTheTop(ctx, s, 2, how)
		return err
	},
	"whiten": func(ctx context.Context, s *vectors.Set, how Computation) error {
		_, _, err := Whiten(ctx, s, how)
		return err
	},
	"factorize": func(ctx context.Context, s *vectors.Set, how Computation) error {
		_, _, err := Factorize(ctx, s, FactorizeOptions{Rank: 2, Computation: how})
		return err
	},
}

// longRows returns a set of words with random vectors.
func longRows(words, dim int) *vectors.Set {
	random := rand.New(rand.NewPCG(uint64(words), uint64(dim)))
	m := vectors.NewMatrix(words, dim)
	var list []string
	for i := range words {
		list = append(list, "w"+strings.Repeat("x", i%7)+string(rune('a'+i%26))+strings.Repeat("y", i/26))
		for k := range m.Row(i) {
			m.Row(i)[k] = float32(random.NormFloat64())
		}
	}
	return trial.New(vectors.Parts{Words: vectors.NewWords(list...), Input: m})
}

// Progress rises from near nothing to near all, and a computation does no more after the context
// has ended than what it was about.
func TestComputationsEndWithTheContext(t *testing.T) {
	s := longRows(400, 40)
	for name, compute := range long {
		calls, last := 0, -1.0
		err := compute(t.Context(), s, Computation{Progress: func(what string, done float64) {
			calls++
			if done < last || done > 1 || !strings.Contains(what, "40 dimensions") {
				t.Errorf("%s: %q is %v done after %v", name, what, done, last)
			}
			last = done
		}})
		if err != nil || calls < 3 || last < 0.9 {
			t.Errorf("%s: error %v, told %d times, %v done at last", name, err, calls, last)
		}
		for at := 0; at < calls-1; at += 1 + calls/6 {
			ctx, cancel := context.WithCancel(t.Context())
			told := 0
			err := compute(ctx, s, Computation{Progress: func(string, float64) {
				if told++; told == at+1 {
					cancel()
				}
			}})
			cancel()
			if !errors.Is(err, context.Canceled) {
				t.Errorf("%s, ended when told the %dth time of %d: error %v", name, at+1, calls, err)
			}
			if more := told - at - 1; more > 4 { // of parts that are done side by side
				t.Errorf("%s, ended when told the %dth time of %d: told %d times more", name, at+1, calls, more)
			}
		}
	}
}

// What cannot be held is refused before anything is allocated, unless it is forced.
func TestComputationsAreRefused(t *testing.T) {
	s := longRows(10, 3000)
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(100 << 20))
	for name, want := range map[string]string{
		"opq":       "a rotation of 3000 dimensions, and centroids needs about ",
		"reduce":    "principal components of 3000 dimensions needs about ",
		"whiten":    "whitening of 3000 dimensions needs about ",
		"factorize": "factors of 3000 dimensions needs about ",
	} {
		var refused *MemoryError
		err := long[name](t.Context(), s, Computation{})
		if !errors.As(err, &refused) || !strings.HasPrefix(err.Error(), want) || !strings.Contains(err.Error(), "GOMEMLIMIT is 104.9 MB: ") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", name, err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := long[name](ctx, s, Computation{Force: true}); !errors.Is(err, context.Canceled) {
			t.Errorf("%s, forced: %v", name, err)
		}
	}
	debug.SetMemoryLimit(150 << 20) // other tests leave garbage
	if err := long["pq"](t.Context(), s, Computation{}); err != nil {
		t.Errorf("pq needs little: %v", err)
	}
}

// Rows that are too long to be rotated are refused, by what to do instead.
func TestRowsTooLongToRotate(t *testing.T) {
	err := long["opq"](t.Context(), longRows(2, 5000), Computation{})
	if want := "rows of 5000 numbers, and the method opq rotates at most 4096: choose the method pq, or reduce the dimensions before"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	// No more rows than centroids are coded as they are, without a rotation to be fitted.
	if err := long["opq"](t.Context(), longRows(2, 1500), Computation{}); err != nil {
		t.Error(err)
	}
}

const huge = math.MaxFloat32

// What makes numbers that are not finite of finite ones fails, in every format, and leaves nothing behind.
// Numbers that are not finite before stay so.
func TestNotFiniteIsNotMade(t *testing.T) {
	nan := float32(math.NaN())
	large := trial.OfRows([]float32{1, 2, 0}, []float32{huge, 0.9 * huge, -huge}, []float32{-0.8 * huge, huge, 3})
	large = trial.With(large, func(p *vectors.Parts) { p.Output = p.Input })
	spoilt := trial.OfRows([]float32{1, 2, 0}, []float32{nan, 1, 1}, []float32{3, 1, 1})
	spoilt = trial.With(spoilt, func(p *vectors.Parts) { p.Output = p.Input })
	for name, test := range map[string]struct {
		do   func(s *vectors.Set) (*vectors.Set, error)
		want string // in the error
	}{
		"std": {func(s *vectors.Set) (*vectors.Set, error) { return Scaled(s, "std=1e308") },
			"the vectors cannot have a standard deviation of 1e+308: their largest number, 3.4028235e+38, would be 1.44e+308, which is beyond those of float32"},
		"sqrt-dim": {func(s *vectors.Set) (*vectors.Set, error) { return Scaled(s, ScaleSqrtDim) },
			`the vector of word 1, "b", has numbers beyond those of float32 when it is scaled`},
		"sum": {func(s *vectors.Set) (*vectors.Set, error) { return WordVectors(s, KindSum) },
			`the context vector of word 1, "b", has numbers beyond those of float32 when it is added to the input vector`},
		"reduce": {func(s *vectors.Set) (*vectors.Set, error) {
			r, _, err := Reduce(t.Context(), s, 2, Computation{})
			return r, err
		},
			`has numbers beyond those of float32 when it is mapped to principal components`},
		"factorize": {func(s *vectors.Set) (*vectors.Set, error) {
			r, _, err := Factorize(t.Context(), s, FactorizeOptions{Rank: 2})
			return r, err
		}, `has numbers beyond those of float32 when it is mapped to factors`},
	} {
		for _, to := range slices.DeleteFunc(format.All(), func(f format.Format) bool { return f == format.Floret }) { // of n-grams alone
			folder := t.TempDir()
			made, err := test.do(large)
			if err == nil {
				err = format.Write(t.Context(), filepath.Join(folder, "out"), made, to)
			}
			if err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%s, %s: error %v, want %s", name, to, err, test.want)
			}
			if left, _ := filepath.Glob(filepath.Join(folder, "*")); len(left) > 0 {
				t.Errorf("%s, %s: left behind %q", name, to, left)
			}
		}
		if made, err := test.do(spoilt); name != "std" && name != "factorize" { // these refuse it
			if err == nil {
				err = format.Write(t.Context(), filepath.Join(t.TempDir(), "out"), made, format.W2V)
			}
			if err != nil {
				t.Errorf("%s of numbers that are not finite: %v", name, err)
			}
		}
	}
	// Lengths become 1 whatever they are.
	unit, err := Scaled(large, ScaleUnit)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []*vectors.Set{unit, Normalized(large)} {
		for id := range s.Len() {
			if norm := length(trial.WordVector(s, id)); math.Abs(norm-1) > 1e-6 {
				t.Errorf("word %d has length %v", id, norm)
			}
		}
	}
}

// length returns the length of a vector.
func length(v []float32) float64 {
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	return math.Sqrt(sum)
}

func TestWithDType(t *testing.T) {
	s := trial.New(vectors.Parts{Words: vectors.NewWords("a"), Input: vectors.NewMatrix(1, 3)})
	copy(s.Input().Row(0), []float32{1 + 1.0/2048, 70000, 1e-8})
	for d, want := range map[vectors.DType][]float32{
		vectors.F32:  {1 + 1.0/2048, 70000, 1e-8},
		vectors.F16:  {1, float32(math.Inf(1)), 0},
		vectors.BF16: {1, 70144, 1.00117177e-08},
	} {
		got := WithDType(s, d)
		if fmt.Sprint(got.Input().Row(0)) != fmt.Sprint(want) || got.Input().DType() != d {
			t.Errorf("%s: %v of type %s, want %v", d, got.Input().Row(0), got.Input().DType(), want)
		}
		if back := WithDType(got, vectors.F32); back.Input().DType() != vectors.F32 || fmt.Sprint(back.Input().Row(0)) != fmt.Sprint(want) {
			t.Errorf("%s and back: %v of type %s", d, back.Input().Row(0), back.Input().DType())
		}
		if err := got.Check(); err != nil {
			t.Error(err)
		}
	}
}

func TestTooLargeForDType(t *testing.T) {
	s := trial.New(vectors.Parts{Words: vectors.NewWords("a", "b"), Input: vectors.NewMatrix(2, 2)})
	s.Input().Row(1)[1] = -70000
	s.Input().Row(0)[0] = float32(math.Inf(1)) // was so before
	err := format.Encode(&bytes.Buffer{}, WithDType(s, vectors.F16), format.W2V)
	want := "row 1: -70000 is more than the type f16 can hold: choose another type, or scale the vectors"
	if err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
	if err := format.Encode(&bytes.Buffer{}, WithDType(s, vectors.BF16), format.W2V); err != nil {
		t.Error(err)
	}
}

// Some of the words have numbers of the type that all have.
func TestPickKeepsDType(t *testing.T) {
	s := trial.New(vectors.Parts{Words: vectors.NewWords("a", "b", "c"), Input: vectors.NewMatrix(3, 2)})
	s.Input().Row(1)[1] = -70000
	path := filepath.Join(t.TempDir(), "m.w2v")
	if err := format.Write(t.Context(), path, WithDType(s, vectors.BF16), format.W2V); err != nil {
		t.Fatal(err)
	}
	read, err := format.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	for name, some := range map[string]*vectors.Set{"a set": Top(WithDType(s, vectors.BF16), 2), "a file": Top(read, 2)} {
		if d := some.Input().DType(); d != vectors.BF16 || trial.WordVector(some, 1)[1] != -70144 {
			t.Errorf("of %s: %s, %v", name, d, trial.WordVector(some, 1))
		}
	}
	err = format.Encode(&bytes.Buffer{}, Top(WithDType(s, vectors.F16), 2), format.W2V)
	if err == nil || !strings.Contains(err.Error(), "-70000 is more than the type f16 can hold") {
		t.Errorf("got %v", err)
	}
}

// openGolden opens a file that a real program made; see testdata/README.md.
func openGolden(t testing.TB, name string) *vectors.Set {
	t.Helper()
	s, err := format.Open(filepath.Join("..", "..", "testdata", filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// encoded returns what a file of the set is.
func encoded(t testing.TB, s *vectors.Set, f format.Format) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := format.Encode(&b, s, f); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// What a caller gets wrong is an error that says so.
func TestMisuse(t *testing.T) {
	plain := func() *vectors.Set {
		return trial.New(vectors.Parts{Words: vectors.NewWords("a", "b", "c"), Input: vectors.NewMatrix(3, 4)})
	}
	for _, test := range []struct {
		name string
		do   func() error
		want string
	}{
		{"factors of no rank", func() error { _, _, err := Factorize(t.Context(), plain(), FactorizeOptions{}); return err }, "the rank must be at least 1, is 0"},
		{"factors of a negative rank", func() error { _, _, err := Factorize(t.Context(), plain(), FactorizeOptions{Rank: -1}); return err }, "the rank must be at least 1, is -1"},
		{"factors of an energy of NaN", func() error {
			_, _, err := Factorize(t.Context(), plain(), FactorizeOptions{Energy: math.NaN()})
			return err
		}, "the energy to keep must be above 0 and at most 1, is NaN"},
		{"the first -1 dimensions", func() error { _, err := First(plain(), -1); return err }, "-1 dimensions asked for, must be at least 1"},
		{"the first of a set of nothing", func() error { _, err := First(new(vectors.Set), 1); return err }, "1 dimensions asked for, there are 0"},
		{"quantising to -1 bytes", func() error { _, err := Quantize(t.Context(), plain(), QuantizeOptions{Bytes: -1}); return err }, "-1 bytes a row, must be at least 1"},
		{"quantising by an unknown method", func() error { _, err := Quantize(t.Context(), plain(), QuantizeOptions{Method: "zip"}); return err }, `the method "zip" is not known; known are f16, int8, pq, opq`},
		{"reducing to -1 dimensions", func() error { _, _, err := Reduce(t.Context(), plain(), -1, Computation{}); return err }, "-1 dimensions asked for, must be at least 1"},
		{"centring a set of nothing", func() error { _, _, err := Center(t.Context(), new(vectors.Set), Computation{}); return err }, "0 dimensions, must be at least 1"},
		{"removing 0 components", func() error { _, _, err := AllButTheTop(t.Context(), plain(), 0, Computation{}); return err }, "0 components to be removed of 4 dimensions, must be from 1 to 3"},
		{"removing all components", func() error { _, _, err := AllButTheTop(t.Context(), plain(), 4, Computation{}); return err }, "4 components to be removed of 4 dimensions, must be from 1 to 3"},
		{"whitening zeros", func() error { _, _, err := Whiten(t.Context(), plain(), Computation{}); return err }, "all 3 vectors are the same: there is no variance to be made 1"},
		{"whitening one word", func() error {
			_, _, err := Whiten(t.Context(), trial.OfRows([]float32{1, 2}), Computation{})
			return err
		}, "there is only one word with a finite vector, and one vector has no variance"},
		{"an unknown scale", func() error { _, err := Scaled(plain(), "twice"); return err }, `the scale "twice" is not known; known are none, unit, sqrt-dim, std=S`},
		{"a negative scale", func() error { _, err := Scaled(plain(), ScaleStd(-1)); return err }, `the scale std=S needs a number above 0, found "-1"`},
		{"special tokens of a set of nothing", func() error { _, err := WithSpecialTokens(new(vectors.Set), "x"); return err }, "a special token has a vector of zeros, and the set has 0 dimensions"},
		{"an empty special token", func() error { _, err := WithSpecialTokens(plain(), ""); return err }, "a special token is empty"},
		{"vectors of an unknown kind", func() error { _, err := WordVectors(plain(), "both"); return err }, `there are no "both" vectors; known are input, output, sum, concat`},
	} {
		t.Run(test.name, func(t *testing.T) {
			if err := test.do(); err == nil || err.Error() != test.want {
				t.Errorf("error %v\nwant  %s", err, test.want)
			}
		})
	}
}

// A set of nothing has nothing to make others of.
func TestZeroValues(t *testing.T) {
	s := trial.New(vectors.Parts{})
	if s.Plain().Len()+Normalized(s).Len()+Whole(s).Len()+OneMatrix(s).Len()+Top(s, 3).Len()+WithDType(s, vectors.F16).Len() != 0 {
		t.Error("what is made of a set of nothing is not empty")
	}
	if selected, missing := Select(s, []string{"a"}); selected.Len() != 0 || len(missing) != 1 {
		t.Errorf("%d words selected, %q missing", selected.Len(), missing)
	}
	if (Factorization{}).Bound() != 0 {
		t.Error("nothing has an error")
	}
}

// Where no error is returned, what a caller gets wrong is a panic that says so.
func TestMisusePanics(t *testing.T) {
	for _, test := range []struct {
		name string
		do   func()
		want string
	}{
		{"an unknown type", func() {
			WithDType(trial.New(vectors.Parts{Words: vectors.NewWords("a"), Input: vectors.NewMatrix(1, 4)}), "f64")
		}, "transform: "},
		{"a plain set of a storage that panics", func() {
			Normalized(trial.New(vectors.Parts{Words: vectors.NewWords("a", "b"), Input: vectors.Matrix{Rows: 2, Cols: 4, Stride: 4, Storage: panicking{}}})).Directions()
		}, "out of paper"},
	} {
		t.Run(test.name, func(t *testing.T) {
			defer func() {
				if got := fmt.Sprint(recover()); got != test.want && !(strings.HasSuffix(test.want, " ") && strings.HasPrefix(got, test.want)) {
					t.Errorf("panic %s\nwant  %s", got, test.want)
				}
			}()
			test.do()
		})
	}
}

type panicking struct{}

func (panicking) Read([]float32, int) { panic("out of paper") }
