package transform

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
	"github.com/w2v-go/w2v/vectors/internal/trial"
)

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
