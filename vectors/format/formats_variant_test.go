package vectors

import (
	"path/filepath"
	"testing"
)

// Every variant goes into every format: its words have their vectors there, and what else
// there is of it is what Describe and KeepsSubword say.
func TestFormatsOfVariants(t *testing.T) {
	for _, f := range Formats() {
		d, err := Describe(f)
		if err != nil {
			t.Fatal(err)
		}
		written := 0
		for name, s := range variants() {
			keeps := KeepsSubword(s.subword, s.composition, f)
			if CheckSubword(s.subword, s.composition, f) != nil {
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
			for _, word := range s.words.Strings() {
				v, ok := vector(got, word)
				if got.Len() == 0 && word == "</s>" { // of no pieces, and known to the list of words alone
					continue
				}
				if !ok {
					t.Errorf("%s as %s: %q has no vector", name, f, word)
					continue
				}
				near(t, name+" as "+string(f)+": "+word, v, narrow(definition(s, word)))
			}
			for _, word := range oov {
				want, had := vector(s, word)
				v, ok := vector(got, word)
				if ok != (had && keeps) {
					t.Errorf("%s as %s: n-grams are kept: %v, but %q has a vector: %v", name, f, keeps, word, ok)
				}
				if ok {
					near(t, name+" as "+string(f)+": "+word, v, want)
				}
			}
			if n := s.Matrix(MatrixNodes).Rows; n > 0 && got.Len() > 0 && (got.Matrix(MatrixNodes).Rows == n) != d.Keeps.Nodes {
				t.Errorf("%s as %s: %d nodes", name, f, got.Matrix(MatrixNodes).Rows)
			}
			if s.output.Rows > 0 && got.Len() > 0 && (got.output.Rows > 0) != d.Keeps.Context {
				t.Errorf("%s as %s: %d context vectors", name, f, got.output.Rows)
			}
			_, _, had := s.input.Factors()
			_, _, has := got.input.Factors()
			for what, kept := range map[string][2]bool{
				"word n-grams":     {s.Matrix(MatrixWordNgrams).Rows > 0, got.Matrix(MatrixWordNgrams).Rows > 0},
				"position weights": {s.Matrix(MatrixPositionWeights).Rows > 0, got.Matrix(MatrixPositionWeights).Rows > 0},
				"output rows":      {s.Matrix(MatrixPositionOutput).Rows > 0, got.Matrix(MatrixPositionOutput).Rows > 0},
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
		if want := map[Format]int{FormatFloret: 3}[f]; want > 0 && written != want || want == 0 && written != len(variants()) {
			t.Errorf("%s: %d variants are written", f, written)
		}
	}
}
