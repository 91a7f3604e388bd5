package vectors_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/internal/trial"
)

// What a caller gets wrong is an error that says so.
func TestMisuse(t *testing.T) {
	const invalid = "vectors: the set is not valid: "
	plain := func() *vectors.Set {
		return trial.New(vectors.Parts{Words: vectors.NewWords("a", "b", "c"), Input: vectors.NewMatrix(3, 4)})
	}
	changed := func(change func(p *vectors.Parts)) error {
		p := plain().Parts()
		change(&p)
		_, err := vectors.New(p)
		return err
	}
	short := func() error {
		_, err := vectors.New(vectors.Parts{Words: vectors.NewWords("a", "b", "c"), Input: vectors.NewMatrix(2, 4)})
		return err
	}
	const shortfall = invalid + "2 input rows for 3 words and 0 buckets"
	cut := func(indexer subword.Indexer) error { return changed(func(p *vectors.Parts) { p.Subword = indexer }) }
	for _, test := range []struct {
		name string
		do   func() error
		want string
	}{
		{"fewer rows than words", short, shortfall},
		{"an unknown analogy", func() error {
			_, err := plain().Analogy(t.Context(), vectors.AnalogyOptions{Method: "add"})
			return err
		}, `unknown analogy method "add", want 3cosadd, 3cosmul or pairdirection`},
		{"an empty list of n-grams", func() error { return cut(&subword.Explicit{}) }, invalid + "subword: the Explicit is empty: NewExplicit makes one"},
		{"negative buckets", func() error { return cut(subword.FastText{Buckets: -5}) }, invalid + "subword: buckets is -5, must be at least 0"},
		{"rows of no numbers", func() error {
			return changed(func(p *vectors.Parts) { p.Input.Data = nil })
		}, "vectors: the set is not valid: input matrix: 0 numbers for 3 rows of 4, 16 apart"},
		{"no type", func() error { _, err := vectors.ParseDType(""); return err }, `the type "" is not known; known are f32, f16, bf16`},
		{"counts of other words", func() error { return changed(func(p *vectors.Parts) { p.Counts = make([]uint64, 2) }) }, invalid + "2 counts for 3 words"},
		{"rows of other words", func() error { return changed(func(p *vectors.Parts) { p.WordRows = make([]uint32, 2) }) }, invalid + "rows of 2 words for 3 words"},
		{"context vectors of other words", func() error { return changed(func(p *vectors.Parts) { p.Output = vectors.NewMatrix(2, 4) }) }, invalid + "output matrix of 2×4, must be 3×4"},
		{"hash embeddings without weights", func() error {
			hash := subword.Hash{MinN: 3, MaxN: 6, Buckets: 9, Hashes: 2, Importances: 5}
			return changed(func(p *vectors.Parts) {
				p.Input, p.Subword, p.Composition = vectors.NewMatrix(9, 4), &hash, subword.Weighted
			})
		}, invalid + "weights of pieces of 0×0, must be 5×2"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if err := test.do(); err == nil || err.Error() != test.want {
				t.Errorf("error %v\nwant  %s", err, test.want)
			}
		})
	}
}

// Where no error is returned, what a caller gets wrong is a panic that says so: in the
// caller's goroutine, where it can be recovered from.
func TestMisusePanics(t *testing.T) {
	query := []float32{1, 0, 0, 0}
	for _, test := range []struct {
		name string
		do   func()
		want string
	}{
		{"minus one row", func() { vectors.NewMatrix(-1, 3) }, "vectors: a matrix of -1 rows of 3 numbers is not possible"},
		{"rows of minus one", func() { vectors.NewMatrix(3, -1) }, "vectors: a matrix of 3 rows of -1 numbers is not possible"},
		{"more than can be", func() { vectors.NewMatrix(math.MaxInt/8, 3) }, "vectors: a matrix of "},
		{"the first word of none", func() { vectors.Words{}.At(0) }, "vectors: word 0 of a set of none"},
		{"a storage that panics", func() {
			(trial.New(vectors.Parts{Words: vectors.NewWords("a", "b"), Input: vectors.Matrix{Rows: 2, Cols: 4, Stride: 4, Storage: panicking{}}})).Vectors()
		}, "out of paper"},
		{"neighbours from a storage that panics", func() {
			(trial.New(vectors.Parts{Words: vectors.NewWords("a", "b"), Input: vectors.Matrix{Rows: 2, Cols: 4, Stride: 4, Storage: panicking{}}})).Nearest(t.Context(), vectors.Query{Vector: query, K: 1})
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

// A set of nothing has no words, no dimensions and no neighbours.
func TestZeroValues(t *testing.T) {
	s := trial.New(vectors.Parts{})
	rows, norms := s.Directions()
	if s.Len() != 0 || s.Dim() != 0 || s.Vectors().Rows != 0 || rows.Rows != 0 || len(norms) != 0 || len(trial.Nearest(s, nil, 5)) != 0 || s.Err() != nil || s.Verify() != nil || s.InFile() {
		t.Error("a set of nothing is not empty")
	}
	if _, ok := s.ID("a"); ok || s.Vector(nil, "a") || s.Sentence(nil, []string{"a"}) != 0 {
		t.Error("a set of nothing has a word")
	}
	if p := s.Parameters(); p.Total() != 0 {
		t.Errorf("%d parameters", p.Total())
	}
	if shape := s.Shape(); shape.Words != 0 || shape.Dim != 0 {
		t.Errorf("%+v", shape)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	var m vectors.Matrix
	if len(m.Row(0)) != 0 || m.RowBytes() != 0 || m.DType() != vectors.F32 || vectors.MeanOverPositions(m, -1).Rows != 0 || vectors.Product(m, m).Rows != 0 {
		t.Error("a matrix of nothing is not empty")
	}
	if (vectors.Words{}).Len() != 0 || len(vectors.Words{}.Strings()) != 0 || (vectors.Words{}).String() != "[]" {
		t.Error("words of nothing are not empty")
	}
	if vectors.Unit(nil, nil) || len(vectors.Training{}.Known()) != 0 {
		t.Error("nothing has a direction or a setting")
	}
}
