package transform

import (
	"bytes"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
	"github.com/w2v-go/w2v/vectors/internal/trial"
)

// Row i is the vector of word i of the list, whatever the model has, and however it is
// read.
func TestSelectRows(t *testing.T) {
	for name, s := range derivable(t) {
		t.Run(name, func(t *testing.T) {
			asked := []string{s.Words().At(2), "", unknown[0], s.Words().At(0), s.Words().At(2), "", s.Words().At(1)}
			var missing []string
			for _, word := range asked {
				if _, ok := trial.Vector(s, word); !ok && !slices.Contains(missing, word) {
					missing = append(missing, word)
				}
			}
			for _, random := range []bool{false, true} {
				got, gone := SelectRows(s, asked, RowOptions{Random: random, Seed: 5})
				if err := got.Check(); err != nil {
					t.Fatal(err)
				}
				if !slices.Equal(got.Words().Strings(), asked) || !slices.Equal(gone, missing) || got.Subword() != nil {
					t.Fatalf("words %q, missing %q, n-grams %v; want %q and %q", got.Words(), gone, got.Subword(), asked, missing)
				}
				for i, word := range asked {
					want, ok := trial.Vector(s, word)
					row := trial.WordVector(got, i)
					switch {
					case ok:
						trial.Near(t, word, row, want)
					case random && slices.Max(row) == 0:
						t.Errorf("the row of %q is zeros, want random numbers", word)
					case !random && slices.ContainsFunc(row, func(x float32) bool { return x != 0 }):
						t.Errorf("the row of %q is %v, want zeros", word, row)
					}
					if id, known := s.ID(word); s.Subword() == nil && known {
						trial.Near(t, "context of "+word, got.Output().Row(i), s.Output().Row(id))
					}
				}
			}
		})
	}
}

// writable returns the words of s that the format can hold.
func writable(s *vectors.Set, f format.Format) (*vectors.Set, error) {
	others, err := format.Unwritable(s, f)
	var ids []uint32
	for id := range uint32(s.Len()) {
		if !slices.ContainsFunc(others, func(w *format.UnwritableWord) bool { return w.ID == int(id) }) {
			ids = append(ids, id)
		}
	}
	return Pick(s, ids), err
}

// Rows that can only be read one after the other come out in the order of the list too.
func TestSelectInStreamedFiles(t *testing.T) {
	s := openGolden(t, "fasttext/skipgram.bin").Plain()
	asked := []string{s.Words().At(40), s.Words().At(2), "no such word", s.Words().At(41), s.Words().At(0)}
	known := slices.DeleteFunc(slices.Clone(asked), func(word string) bool { return word == "no such word" })
	for name, to := range map[string]format.Format{
		"m.vec": format.Text, "m.glove": format.GloVe, "m.w2vbin": format.Word2Vec, "m.w2v": format.W2V, "m.w2v.gz": format.W2V, "m.npy.gz": format.Npy,
	} {
		path := filepath.Join(t.TempDir(), name)
		few, err := writable(s, to)
		if err != nil {
			t.Fatal(err)
		}
		if err := format.Write(t.Context(), path, few, to); err != nil {
			t.Fatal(err)
		}
		file, err := format.OpenStream(path, nil)
		if err != nil {
			t.Fatal(err)
		}
		if !file.InFile() {
			t.Errorf("%s is in memory", name)
		}
		selected, missing := Select(file, asked)
		rows, gone := SelectRows(file, asked, RowOptions{})
		if len(missing) != 1 || len(gone) != 1 {
			t.Errorf("%s: missing %q and %q", name, missing, gone)
		}
		for what, got := range map[string]*vectors.Set{"selection": selected, "rows": rows} {
			want := known
			if what == "rows" {
				want = asked
			}
			again, err := format.Read(bytes.NewReader(encoded(t, got, format.Text)))
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(again.Words().Strings(), want) {
				t.Errorf("%s, %s: words %q, want %q", name, what, again.Words(), want)
			}
			for i, word := range want {
				if v, ok := trial.Vector(s, word); ok {
					trial.Near(t, name+": "+word, again.Input().Row(i), v)
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
	s := trial.New(vectors.Parts{Words: vectors.NewWords("a", "b"), Input: vectors.NewMatrix(2, dim)})
	for i := range dim {
		s.Input().Row(0)[i], s.Input().Row(1)[i] = 0.5, -0.5
	}
	row := func(word string, seed uint64, with ...string) []float32 {
		got, _ := SelectRows(s, append(with, word, "a"), RowOptions{Random: true, Seed: seed})
		return trial.WordVector(got, len(with))
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
