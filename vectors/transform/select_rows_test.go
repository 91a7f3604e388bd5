package vectors

import (
	"bytes"
	"math"
	"path/filepath"
	"slices"
	"testing"
)

// Row i is the vector of word i of the list, whatever the model has, and however it is
// read.
func TestSelectRows(t *testing.T) {
	for name, s := range derivable(t) {
		t.Run(name, func(t *testing.T) {
			asked := []string{s.words.At(2), "", unknown[0], s.words.At(0), s.words.At(2), "", s.words.At(1)}
			var missing []string
			for _, word := range asked {
				if _, ok := vector(s, word); !ok && !slices.Contains(missing, word) {
					missing = append(missing, word)
				}
			}
			for _, random := range []bool{false, true} {
				got, gone := s.SelectRows(asked, RowOptions{Random: random, Seed: 5})
				if err := got.Check(); err != nil {
					t.Fatal(err)
				}
				if !slices.Equal(got.words.Strings(), asked) || !slices.Equal(gone, missing) || got.subword != nil {
					t.Fatalf("words %q, missing %q, n-grams %v; want %q and %q", got.words, gone, got.subword, asked, missing)
				}
				for i, word := range asked {
					want, ok := vector(s, word)
					row := got.wordVector(i)
					switch {
					case ok:
						near(t, word, row, want)
					case random && slices.Max(row) == 0:
						t.Errorf("the row of %q is zeros, want random numbers", word)
					case !random && slices.ContainsFunc(row, func(x float32) bool { return x != 0 }):
						t.Errorf("the row of %q is %v, want zeros", word, row)
					}
					if id, known := s.ID(word); s.subword == nil && known {
						near(t, "context of "+word, got.output.Row(i), s.output.Row(id))
					}
				}
			}
		})
	}
}

// Rows that can only be read one after the other come out in the order of the list too.
func TestSelectInStreamedFiles(t *testing.T) {
	s := openGolden(t, "fasttext/skipgram.bin").Plain()
	asked := []string{s.words.At(40), s.words.At(2), "no such word", s.words.At(41), s.words.At(0)}
	known := slices.DeleteFunc(slices.Clone(asked), func(word string) bool { return word == "no such word" })
	for name, format := range map[string]Format{
		"m.vec": FormatText, "m.glove": FormatGloVe, "m.w2vbin": FormatWord2Vec, "m.w2v": FormatW2V, "m.w2v.gz": FormatW2V, "m.npy.gz": FormatNpy,
	} {
		path := filepath.Join(t.TempDir(), name)
		few, _, err := s.Writable(format)
		if err != nil {
			t.Fatal(err)
		}
		if err := Write(t.Context(), path, few, format); err != nil {
			t.Fatal(err)
		}
		file, err := OpenStream(path, nil)
		if err != nil {
			t.Fatal(err)
		}
		if !file.InFile() {
			t.Errorf("%s is in memory", name)
		}
		selected, missing := file.Select(asked)
		rows, gone := file.SelectRows(asked, RowOptions{})
		if len(missing) != 1 || len(gone) != 1 {
			t.Errorf("%s: missing %q and %q", name, missing, gone)
		}
		for what, got := range map[string]*Set{"selection": selected, "rows": rows} {
			want := known
			if what == "rows" {
				want = asked
			}
			again, err := Read(bytes.NewReader(encode(t, got, FormatText)))
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(again.words.Strings(), want) {
				t.Errorf("%s, %s: words %q, want %q", name, what, again.words, want)
			}
			for i, word := range want {
				if v, ok := vector(s, word); ok {
					near(t, name+": "+word, again.input.Row(i), v)
				}
			}
		}
		if err := file.Err(); err != nil {
			t.Error(err)
		}
		if err := file.Close(); err != nil {
			t.Error(err)
		}
	}
}

// Random rows depend on the word and the seed, and are as large as the others.
func TestRandomRows(t *testing.T) {
	const dim = 2000
	s := newSet(Parts{Words: NewWords("a", "b"), Input: NewMatrix(2, dim)})
	for i := range dim {
		s.input.Row(0)[i], s.input.Row(1)[i] = 0.5, -0.5
	}
	row := func(word string, seed uint64, with ...string) []float32 {
		got, _ := s.SelectRows(append(with, word, "a"), RowOptions{Random: true, Seed: seed})
		return got.wordVector(len(with))
	}
	x := row("x", 1)
	if !slices.Equal(x, row("x", 1, "b", "y")) {
		t.Error("the row depends on other words")
	}
	if slices.Equal(x, row("x", 2)) || slices.Equal(x, row("y", 1)) {
		t.Error("the row does not depend on the word and the seed")
	}
	var sum, squares float64
	for _, v := range x {
		sum += float64(v)
		squares += float64(v) * float64(v)
	}
	if scale := math.Sqrt(squares / dim); math.Abs(scale-0.5) > 0.05 || math.Abs(sum/dim) > 0.05 {
		t.Errorf("mean %.3f and root mean square %.3f, want 0 and 0.5", sum/dim, scale)
	}
}
