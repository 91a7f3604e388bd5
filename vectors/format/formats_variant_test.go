package format

import (
	"path/filepath"
	"testing"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/internal/trial"
)

// Every variant goes into every format: its words have their vectors there, and what else
// there is of it is what Describe and KeepsSubword say.
func TestFormatsOfVariants(t *testing.T) {
	for _, f := range All() {
		d, err := Describe(f)
		if err != nil {
			t.Fatal(err)
		}
		written := 0
		for name, s := range trial.Variants() {
			keeps := KeepsSubword(s.Subword(), s.Composition(), f)
			if CheckSubword(s.Subword(), s.Composition(), f) != nil {
				continue
			}
			written++
			path := filepath.Join(t.TempDir(), "model")
			if err := Write(t.Context(), path, s, f); err != nil {
				t.Fatalf("%s as %s: %v", name, f, err)
			}
			got, err := Open(path)
			if err != nil {
				t.Fatalf("%s as %s: %v", name, f, err)
			}
			if err := got.Check(); err != nil {
				t.Fatalf("%s as %s: %v", name, f, err)
			}
			for _, word := range s.Words().Strings() {
				v, ok := vector(got, word)
				if got.Len() == 0 && word == "</s>" { // of no pieces, and known to the list of words alone
					continue
				}
				if !ok {
					t.Errorf("%s as %s: %q has no vector", name, f, word)
					continue
				}
				trial.Near(t, name+" as "+string(f)+": "+word, v, trial.Narrow(trial.Definition(s, word)))
			}
			for _, word := range trial.Unknown() {
				want, had := vector(s, word)
				v, ok := vector(got, word)
				if ok != (had && keeps) {
					t.Errorf("%s as %s: n-grams are kept: %v, but %q has a vector: %v", name, f, keeps, word, ok)
				}
				if ok {
					trial.Near(t, name+" as "+string(f)+": "+word, v, want)
				}
			}
			if n := s.Matrix(vectors.MatrixNodes).Rows; n > 0 && got.Len() > 0 && (got.Matrix(vectors.MatrixNodes).Rows == n) != d.Keeps.Nodes {
				t.Errorf("%s as %s: %d nodes", name, f, got.Matrix(vectors.MatrixNodes).Rows)
			}
			if s.Output().Rows > 0 && got.Len() > 0 && (got.Output().Rows > 0) != d.Keeps.Context {
				t.Errorf("%s as %s: %d context vectors", name, f, got.Output().Rows)
			}
			_, _, had := s.Input().Factors()
			_, _, has := got.Input().Factors()
			for what, kept := range map[string][2]bool{
				"word n-grams":     {s.Matrix(vectors.MatrixWordNgrams).Rows > 0, got.Matrix(vectors.MatrixWordNgrams).Rows > 0},
				"position weights": {s.Matrix(vectors.MatrixPositionWeights).Rows > 0, got.Matrix(vectors.MatrixPositionWeights).Rows > 0},
				"output rows":      {s.Matrix(vectors.MatrixPositionOutput).Rows > 0, got.Matrix(vectors.MatrixPositionOutput).Rows > 0},
				"factors":          {had, has},
			} {
				if kept[0] && kept[1] != d.Keeps.Rest {
					t.Errorf("%s as %s: %s are kept: %v", name, f, what, kept[1])
				}
			}
			if err := got.Close(); err != nil {
				t.Error(err)
			}
		}
		if want := map[Format]int{Floret: 3}[f]; want > 0 && written != want || want == 0 && written != len(trial.Variants()) {
			t.Errorf("%s: %d variants are written", f, written)
		}
	}
}
