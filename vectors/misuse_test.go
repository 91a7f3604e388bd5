package vectors

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/subword"
)

// What a caller gets wrong is an error that says so.
func TestMisuse(t *testing.T) {
	var nobody context.Context
	var none *Set
	const nil1, nil2 = "vectors: there is no set: it is nil, as what Open and Train return together with an error", "vectors: there is no context to work in: it is nil"
	path := filepath.Join(t.TempDir(), "model")
	plain := func() *Set { return newSet(Parts{Words: NewWords("a", "b", "c"), Input: NewMatrix(3, 4)}) }
	short := func() *Set { return newSet(Parts{Words: NewWords("a", "b", "c"), Input: NewMatrix(2, 4)}) }
	const shortfall = "vectors: the set is not valid: 2 input rows for 3 words and 0 buckets"
	cut := func(indexer subword.Indexer) *Set { s := plain(); s.subword = indexer; return s }
	unknown := func(f Format) string { _, err := codecOf(f); return err.Error() }
	_, extension := FormatOf("", true)
	for _, test := range []struct {
		name string
		do   func() error
		want string
	}{
		{"reading nothing", func() error { _, err := Read(nil); return err }, "vectors: there is no reader of the set: it is nil"},
		{"reading a nil buffer", func() error { _, err := Read((*bytes.Buffer)(nil)); return err }, "vectors: there is no reader of the set: it is nil"},
		{"reading no bytes", func() error { _, err := Read(strings.NewReader("")); return err }, "byte 0: expected a model, but the file is empty: unexpected EOF"},
		{"writing nothing", func() error { return Write(t.Context(), path, nil, FormatW2V) }, path + ": " + nil1},
		{"writing without a context", func() error { return Write(nobody, path, plain(), FormatW2V) }, path + ": " + nil2},
		{"writing in no format", func() error { return Write(t.Context(), path, plain(), "") }, unknown("")},
		{"writing a set of nothing", func() error { return Write(t.Context(), path, newSet(Parts{}), FormatW2V) }, path + ": not a valid set: 0 dimensions, must be at least 1"},
		{"writing fewer rows than words", func() error { return Write(t.Context(), path, short(), FormatW2V) }, path + ": not a valid set: 2 input rows for 3 words and 0 buckets"},
		{"encoding nothing", func() error { return Encode(&bytes.Buffer{}, nil, FormatW2V) }, "not a valid set: " + nil1},
		{"encoding to nothing", func() error { return Encode(nil, plain(), FormatW2V) }, "vectors: there is no writer for the set: it is nil"},
		{"encoding to a nil buffer", func() error { return Encode((*bytes.Buffer)(nil), plain(), FormatW2V) }, "vectors: there is no writer for the set: it is nil"},
		{"the size of nothing", func() error { _, err := EncodedSize(nil, FormatW2V); return err }, "not a valid set: " + nil1},
		{"checking nothing", func() error { return none.Check() }, nil1},
		{"closing nothing", func() error { return none.Close() }, nil1},
		{"verifying nothing", func() error { return none.Verify() }, nil1},
		{"the error of nothing", func() error { return none.Err() }, nil1},
		{"an analogy of nothing", func() error { _, err := none.Analogy("a", "b", "c", 1, ""); return err }, nil1},
		{"an analogy of fewer rows than words", func() error { _, err := short().Analogy("a", "b", "c", 1, ""); return err }, shortfall},
		{"an unknown analogy", func() error { _, err := plain().Analogy("a", "b", "c", 1, "add"); return err }, `unknown analogy method "add", want 3cosadd or 3cosmul`},
		{"factors of nothing", func() error { _, _, err := none.Factorize(t.Context(), FactorizeOptions{Rank: 1}); return err }, nil1},
		{"factors of no rank", func() error { _, _, err := plain().Factorize(t.Context(), FactorizeOptions{}); return err }, "the rank must be at least 1, is 0"},
		{"factors of a negative rank", func() error { _, _, err := plain().Factorize(t.Context(), FactorizeOptions{Rank: -1}); return err }, "the rank must be at least 1, is -1"},
		{"factors of an energy of NaN", func() error {
			_, _, err := plain().Factorize(t.Context(), FactorizeOptions{Energy: math.NaN()})
			return err
		}, "the energy to keep must be above 0 and at most 1, is NaN"},
		{"the first of nothing", func() error { _, err := none.First(1); return err }, nil1},
		{"the first -1 dimensions", func() error { _, err := plain().First(-1); return err }, "-1 dimensions asked for, must be at least 1"},
		{"the first of a set of nothing", func() error { _, err := new(Set).First(1); return err }, "1 dimensions asked for, there are 0"},
		{"quantising nothing", func() error { _, err := none.Quantize(t.Context(), QuantizeOptions{}); return err }, nil1},
		{"quantising without a context", func() error { _, err := plain().Quantize(nobody, QuantizeOptions{}); return err }, nil2},
		{"quantising to -1 bytes", func() error { _, err := plain().Quantize(t.Context(), QuantizeOptions{Bytes: -1}); return err }, "-1 bytes a row, must be at least 1"},
		{"quantising by an unknown method", func() error { _, err := plain().Quantize(t.Context(), QuantizeOptions{Method: "zip"}); return err }, `the method "zip" is not known; known are f16, int8, pq, opq`},
		{"reducing nothing", func() error { _, _, err := none.Reduce(t.Context(), 1, Computation{}); return err }, nil1},
		{"reducing to -1 dimensions", func() error { _, _, err := plain().Reduce(t.Context(), -1, Computation{}); return err }, "-1 dimensions asked for, must be at least 1"},
		{"scaling nothing", func() error { _, err := none.Scaled(ScaleUnit); return err }, nil1},
		{"scaling fewer rows than words", func() error { _, err := short().Scaled(ScaleStd(1)); return err }, shortfall},
		{"an unknown scale", func() error { _, err := plain().Scaled("twice"); return err }, `the scale "twice" is not known; known are none, unit, sqrt-dim, std=S`},
		{"a negative scale", func() error { _, err := plain().Scaled(ScaleStd(-1)); return err }, `the scale std=S needs a number above 0, found "-1"`},
		{"special tokens of nothing", func() error { _, err := none.WithSpecialTokens("x"); return err }, nil1},
		{"special tokens of a set of nothing", func() error { _, err := new(Set).WithSpecialTokens("x"); return err }, "a special token has a vector of zeros, and the set has 0 dimensions"},
		{"an empty special token", func() error { _, err := plain().WithSpecialTokens(""); return err }, "a special token is empty"},
		{"vectors of nothing", func() error { _, err := none.WordVectors(KindSum); return err }, nil1},
		{"vectors of an unknown kind", func() error { _, err := plain().WordVectors("both"); return err }, `there are no "both" vectors; known are input, output, sum, concat`},
		{"n-grams of a nil pointer", func() error { return cut((*subword.Hash)(nil)).Check() }, "subword: the indexer is a nil *subword.Hash: leave it out for plain words"},
		{"an empty list of n-grams", func() error { return cut(&subword.Explicit{}).Check() }, "subword: the Explicit is empty: NewExplicit makes one"},
		{"negative buckets", func() error { return cut(subword.FastText{Buckets: -5}).Check() }, "subword: buckets is -5, must be at least 0"},
		{"rows of a nil storage", func() error {
			s := plain()
			s.input = Matrix{Rows: 3, Cols: 4, Storage: (*product)(nil)}
			return s.Check()
		}, "input matrix: its Storage is a nil *vectors.product"},
		{"rows of no numbers", func() error {
			s := plain()
			s.input.Data = nil
			return s.Check()
		}, "input matrix: 0 numbers for 3 rows of 4, 16 apart"},
		{"a place for no format", func() error { return CheckTarget(path, "") }, unknown("")},
		{"words in no format", func() error { return CheckWords(nil, "zip") }, unknown("zip")},
		{"n-grams in no format", func() error { return CheckSubword(nil, "", "zip") }, unknown("zip")},
		{"no file", func() error { _, err := Open(""); return err }, "vectors: there is no path to open: it is empty"},
		{"no format", func() error { _, err := Describe(""); return err }, unknown("")},
		{"no extension", func() error { _, err := FormatOf("", false); return err }, extension.Error()},
		{"no type", func() error { _, err := ParseDType(""); return err }, `the type "" is not known; known are f32, f16, bf16`},
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
	short := func() *Set { return newSet(Parts{Words: NewWords("a", "b", "c"), Input: NewMatrix(2, 4)}) }
	const shortfall = "vectors: the set is not valid: 2 input rows for 3 words and 0 buckets"
	weighted := func() *Set {
		hash := subword.Hash{MinN: 3, MaxN: 6, Buckets: 9, Hashes: 2, Importances: 5}
		return newSet(Parts{Words: NewWords("a", "b", "c"), Input: NewMatrix(9, 4), Subword: &hash, Composition: ComposeWeighted})
	}
	unweighted := "vectors: the set is not valid: weights of pieces of 0×0, must be 5×2"
	query := []float32{1, 0, 0, 0}
	for _, test := range []struct {
		name string
		do   func()
		want string
	}{
		{"vectors of fewer rows than words", func() { short().Vectors() }, shortfall},
		{"norms of fewer rows than words", func() { short().Directions() }, shortfall},
		{"neighbours of fewer rows than words", func() { short().Nearest(query, 2) }, shortfall},
		{"vectors of hash embeddings without weights", func() { weighted().Vectors() }, unweighted},
		{"neighbours of hash embeddings without weights", func() { weighted().Nearest(query, 2) }, unweighted},
		{"vectors of nothing", func() { (*Set)(nil).Vectors() }, errNoSet.Error()},
		{"neighbours of nothing", func() { (*Set)(nil).Nearest(query, 2) }, errNoSet.Error()},
		{"neighbours of a short query", func() { (newSet(Parts{Words: NewWords("a"), Input: NewMatrix(1, 4)})).Nearest(nil, 1) }, "vectors: query of 0 numbers in a set of 4 dimensions"},
		{"queries without numbers", func() {
			(newSet(Parts{Words: NewWords("a"), Input: NewMatrix(1, 4)})).NearestBatch(Matrix{Rows: 3, Cols: 4, Stride: 4}, 1, nil)
		}, "vectors: queries: 0 numbers for 3 rows of 4, 4 apart"},
		{"minus four queries", func() {
			(newSet(Parts{Words: NewWords("a"), Input: NewMatrix(1, 4)})).NearestBatch(Matrix{Rows: -4, Cols: 4, Stride: 4}, 1, nil)
		}, "vectors: queries: 0 numbers for -4 rows of 4, 4 apart"},
		{"an unknown type", func() { (newSet(Parts{Words: NewWords("a"), Input: NewMatrix(1, 4)})).WithDType("f64") }, "vectors: "},
		{"minus one row", func() { NewMatrix(-1, 3) }, "vectors: a matrix of -1 rows of 3 numbers is not possible"},
		{"rows of minus one", func() { NewMatrix(3, -1) }, "vectors: a matrix of 3 rows of -1 numbers is not possible"},
		{"more than can be", func() { NewMatrix(math.MaxInt/8, 3) }, "vectors: a matrix of "},
		{"the first word of none", func() { Words{}.At(0) }, "vectors: word 0 of a set of none"},
		{"a storage that panics", func() {
			(newSet(Parts{Words: NewWords("a", "b"), Input: Matrix{Rows: 2, Cols: 4, Stride: 4, Storage: panicking{}}})).Vectors()
		}, "out of paper"},
		{"neighbours from a storage that panics", func() {
			(newSet(Parts{Words: NewWords("a", "b"), Input: Matrix{Rows: 2, Cols: 4, Stride: 4, Storage: panicking{}}})).Nearest(query, 1)
		}, "out of paper"},
		{"a plain set of a storage that panics", func() {
			(newSet(Parts{Words: NewWords("a", "b"), Input: Matrix{Rows: 2, Cols: 4, Stride: 4, Storage: panicking{}}})).Normalized().Directions()
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
	s := newSet(Parts{})
	rows, norms := s.Directions()
	if s.Len() != 0 || s.Dim() != 0 || s.Vectors().Rows != 0 || rows.Rows != 0 || len(norms) != 0 || len(s.Nearest(nil, 5)) != 0 || s.Err() != nil || s.Verify() != nil || s.InFile() {
		t.Error("a set of nothing is not empty")
	}
	if _, ok := s.ID("a"); ok || s.Vector(nil, "a") || s.Sentence(nil, []string{"a"}) != 0 {
		t.Error("a set of nothing has a word")
	}
	if s.Plain().Len()+s.Normalized().Len()+s.Whole().Len()+s.Tied().Len()+s.Top(3).Len()+s.WithDType(F16).Len() != 0 {
		t.Error("what is made of a set of nothing is not empty")
	}
	if selected, missing := s.Select([]string{"a"}); selected.Len() != 0 || len(missing) != 1 {
		t.Errorf("%d words selected, %q missing", selected.Len(), missing)
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
	var m Matrix
	if len(m.Row(0)) != 0 || m.RowBytes() != 0 || m.DType() != F32 || MeanOverPositions(m, -1).Rows != 0 || Product(m, m).Rows != 0 {
		t.Error("a matrix of nothing is not empty")
	}
	if (Words{}).Len() != 0 || len(Words{}.Strings()) != 0 || (Words{}).String() != "[]" {
		t.Error("words of nothing are not empty")
	}
	if Unit(nil, nil) || (Factorization{}).Bound() != 0 || len(Training{}.Known()) != 0 {
		t.Error("nothing has a direction, an error or a setting")
	}
}
