package transform

import (
	"slices"
	"testing"

	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
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
