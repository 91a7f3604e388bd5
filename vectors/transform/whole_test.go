package vectors

import (
	"path/filepath"
	"slices"
	"testing"
)

// Known and unknown words have the vectors that they had.
func TestWhole(t *testing.T) {
	for name, s := range map[string]*Set{
		"a row a bucket": openGolden(t, "fasttext/skipgram.bin"),
		"shared rows":    shared(),
	} {
		w := s.Whole()
		if err := w.Check(); err != nil {
			t.Fatal(err)
		}
		if w.composition != ComposeWhole {
			t.Errorf("%s: composition %q", name, w.composition)
		}
		for _, word := range append(s.words.Strings(), "bakers", "naïveté", "q") {
			want, ok := vector(s, word)
			got, still := vector(w, word)
			if ok != still || !slices.Equal(got, want) {
				t.Errorf("%s: %q is %v, %v, want %v, %v", name, word, got, still, want, ok)
			}
		}
	}
	pieces := openGolden(t, "floret/two.floret")
	pieces.words = NewWords("the", "baker")
	for name, s := range map[string]*Set{
		"plain words":        openGolden(t, "fasttext/words.bin"),
		"whole already":      openGolden(t, "finalfusion/buckets.fifu"),
		"no words":           openGolden(t, "floret/two.floret"),
		"words without rows": pieces,
	} {
		if s.Whole() != s {
			t.Errorf("%s: another set", name)
		}
	}
}

// Codes of whole words are kept in finalfusion's files.
func TestWholeQuantised(t *testing.T) {
	s, _ := openGolden(t, "fasttext/skipgram.bin").Select([]string{"the", "baker", "日本語", "naïve", "bread"})
	small, err := s.Whole().Quantize(t.Context(), QuantizeOptions{Bytes: 2})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "small.fifu")
	if err := Write(t.Context(), path, small, FormatFinalfusion); err != nil {
		t.Fatal(err)
	}
	read, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	if got := read.input.Encoding(); got != string(QuantizePQ) {
		t.Errorf("rows are %s, want %s", got, QuantizePQ)
	}
	for _, word := range append(s.words.Strings(), "bakers") {
		want, _ := vector(small, word)
		got, _ := vector(read, word)
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
	s := newSet(Parts{Words: NewWords("a"), Input: NewMatrix(1, 37)})
	_, err := s.Quantize(t.Context(), QuantizeOptions{Bytes: 30, EqualParts: true})
	want := "rows of 37 numbers cannot be cut into equal parts for 30 bytes, only for 1 or 37: choose one of these"
	if err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}
