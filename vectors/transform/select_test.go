package transform

import (
	"bytes"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
	"github.com/w2v-go/w2v/vectors/internal/trial"
)

// randomSet returns five words with n-grams, each row of Input for itself.
func randomSet(c subword.Composition) *vectors.Set {
	r := rand.New(rand.NewPCG(5, 5))
	p := vectors.Parts{
		Words:       vectors.NewWords("the", "cat", "sat", "on", "mat"),
		Counts:      []uint64{3, 9, 9, 1, 9},
		Subword:     subword.FastText{MinN: 2, MaxN: 3, Buckets: 20},
		Composition: c,
		Input:       vectors.NewMatrix(25, 4),
		Output:      vectors.NewMatrix(5, 4),
	}
	if c == subword.Pieces {
		p.Input = vectors.NewMatrix(20, 4)
	}
	for _, m := range []vectors.Matrix{p.Input, p.Output} {
		for i := range m.Rows {
			for k := range m.Row(i) {
				m.Row(i)[k] = float32(r.NormFloat64())/float32(k+1) + 1
			}
		}
	}
	return trial.New(p)
}

// derivable are sets of every shape.
func derivable(t *testing.T) map[string]*vectors.Set {
	t.Helper()
	words := openGolden(t, "fasttext/words.bin")
	sharing := vectors.Parts{Words: words.Words(), Counts: words.Counts(), Output: words.Output(), Input: words.Input()}
	for i := range words.Len() {
		sharing.WordRows = append(sharing.WordRows, uint32(i*7%words.Len()/2))
	}
	// Of three buckets one was trained.
	untrained := trial.With(randomSet(subword.Mean), func(p *vectors.Parts) {
		for b := range 20 {
			p.BucketRows = append(p.BucketRows, max(int32(5+b)-int32(b%3)*100, -1))
		}
	})
	return map[string]*vectors.Set{
		"plain":           words,
		"plain, shared":   trial.New(sharing),
		"n-grams":         openGolden(t, "fasttext/skipgram.bin"),
		"n-grams, shared": trial.Shared(),
		"untrained":       untrained,
		"whole":           randomSet(subword.Whole),
		"pieces":          randomSet(subword.Pieces),
	}
}

// wantVectors fails the test unless s is valid and word i has vector i of want, to
// rounding.
func wantVectors(t *testing.T, s *vectors.Set, words []string, want func(i int) []float32) {
	t.Helper()
	if err := s.Check(); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(s.Words().Strings(), words) {
		t.Fatalf("words %q, want %q", s.Words().Strings(), words)
	}
	for i := range words {
		trial.Near(t, words[i], trial.WordVector(s, i), want(i))
	}
}

func TestWordVectors(t *testing.T) {
	for name, s := range derivable(t) {
		t.Run(name, func(t *testing.T) {
			words := s.Words().Strings()
			add := func(a, b []float32) []float32 {
				sum := slices.Clone(a)
				for k := range sum {
					sum[k] += b[k]
				}
				return sum
			}
			for k, want := range map[Kind]func(i int) []float32{
				KindInput:  func(i int) []float32 { return trial.WordVector(s, i) },
				KindOutput: func(i int) []float32 { return s.Output().Row(i) },
				KindSum:    func(i int) []float32 { return add(trial.WordVector(s, i), s.Output().Row(i)) },
				KindConcat: func(i int) []float32 { return slices.Concat(trial.WordVector(s, i), s.Output().Row(i)) },
			} {
				d, err := WordVectors(s, k)
				if err != nil {
					t.Fatal(err)
				}
				wantVectors(t, d, words, want)
				if (d.Subword() != nil) != (k == KindInput && s.Subword() != nil) || !slices.Equal(d.Counts(), s.Counts()) {
					t.Errorf("%s: subwords %v, counts %v", k, d.Subword(), d.Counts())
				}
			}
			p := s.Plain()
			wantVectors(t, p, words, func(i int) []float32 { return trial.WordVector(s, i) })
			if p.Subword() != nil || p.Output().Rows != s.Output().Rows {
				t.Errorf("subwords %v, %d context vectors", p.Subword(), p.Output().Rows)
			}
		})
	}
	bare := trial.With(randomSet(subword.Mean), func(p *vectors.Parts) { p.Output = vectors.Matrix{} })
	for _, k := range []Kind{KindOutput, KindSum, KindConcat} {
		if _, err := WordVectors(bare, k); err == nil || !strings.HasPrefix(err.Error(), "the model has no context vectors") {
			t.Errorf("%s: %v", k, err)
		}
	}
	if _, err := WordVectors(bare, "both"); err == nil || err.Error() != `there are no "both" vectors; known are input, output, sum, concat` {
		t.Error(err)
	}
}

func TestNormalized(t *testing.T) {
	for name, s := range derivable(t) {
		t.Run(name, func(t *testing.T) {
			n := Normalized(s)
			wantVectors(t, n, s.Words().Strings(), func(i int) []float32 {
				v := trial.WordVector(s, i)
				vectors.Unit(v, v)
				return v
			})
			if n.Subword() != nil || n.Output().Rows != 0 {
				t.Errorf("subwords %v, %d context vectors", n.Subword(), n.Output().Rows)
			}
		})
	}
	nan, inf := float32(math.NaN()), float32(math.Inf(-1))
	odd := trial.New(vectors.Parts{Words: vectors.NewWords("a", "b", "c", "d"), Input: vectors.Matrix{Data: []float32{3, 4, 0, 0, nan, 1, inf, 1}, Rows: 4, Cols: 2, Stride: 2}})
	want := [][]float32{{0.6, 0.8}, {0, 0}, {0, 0}, {0, 0}}
	wantVectors(t, Normalized(odd), odd.Words().Strings(), func(i int) []float32 { return want[i] })
}

// unknown are words that the vocabularies of derivable do not have.
var unknown = []string{"unheard-of", "matte", "日", "\xff", "X"}

func TestTop(t *testing.T) {
	for name, s := range derivable(t) {
		t.Run(name, func(t *testing.T) {
			if Top(s, s.Len()) != s || Top(s, math.MaxInt) != s {
				t.Error("all words are another set")
			}
			for _, n := range []int{-1, 0, 1, 2, 4, s.Len() - 1} {
				if n >= s.Len() {
					continue
				}
				// The n with the largest counts, of equal ones the first.
				rank := func(id int) (before int) {
					for other := range s.Len() {
						if s.Counts()[other] > s.Counts()[id] || s.Counts()[other] == s.Counts()[id] && other < id {
							before++
						}
					}
					return before
				}
				var ids []int
				var words []string
				for id := range s.Len() {
					if rank(id) < n {
						ids, words = append(ids, id), append(words, s.Words().At(id))
					}
				}
				top := Top(s, n)
				wantPicked(t, top, s, ids, words)
			}
		})
	}
	// Without counts the first ones count.
	s := trial.With(randomSet(subword.Pieces), func(p *vectors.Parts) { p.Counts = nil })
	if got := Top(s, 2).Words().Strings(); !slices.Equal(got, []string{"the", "cat"}) {
		t.Errorf("%q", got)
	}
}

// wantPicked wants those words of s with all that they have there, and n-grams.
func wantPicked(t *testing.T, got, s *vectors.Set, ids []int, words []string) {
	t.Helper()
	wantVectors(t, got, words, func(i int) []float32 { return trial.WordVector(s, ids[i]) })
	for i, id := range ids {
		if got.Counts()[i] != s.Counts()[id] {
			t.Errorf("%q: count %d, want %d", words[i], got.Counts()[i], s.Counts()[id])
		}
		trial.Near(t, words[i], got.Output().Row(i), s.Output().Row(id))
	}
	for _, word := range unknown {
		g, ok := trial.Vector(got, word)
		w, want := trial.Vector(s, word)
		if ok != want {
			t.Errorf("%q has a vector: %v, want %v", word, ok, want)
		}
		trial.Near(t, word, g, w)
	}
	if got.Input().Rows > s.Input().Rows {
		t.Errorf("%d rows of %d", got.Input().Rows, s.Input().Rows)
	}
}

func TestSelect(t *testing.T) {
	for name, s := range derivable(t) {
		t.Run(name, func(t *testing.T) {
			known := []string{s.Words().At(2), s.Words().At(0), s.Words().At(2)}
			asked := append([]string{"", unknown[0]}, append(known, unknown...)...)
			var missing []string
			for _, word := range append([]string{""}, unknown...) {
				if _, ok := trial.Vector(s, word); !ok {
					missing = append(missing, word)
				}
			}
			words := []string{s.Words().At(2), s.Words().At(0)}
			got, gone := Select(s, asked)
			wantPicked(t, got, s, []int{2, 0}, words)
			if !slices.Equal(gone, missing) {
				t.Errorf("missing %q, want %q", gone, missing)
			}

			got, gone = SelectComposed(s, asked)
			var all []string // in the order in which they were given
			for _, word := range asked {
				if _, ok := trial.Vector(s, word); ok && !slices.Contains(all, word) {
					all = append(all, word)
				}
			}
			wantVectors(t, got, all, func(i int) []float32 { v, _ := trial.Vector(s, all[i]); return v })
			if !slices.Equal(gone, missing) || got.Subword() != nil {
				t.Errorf("missing %q, want %q; subwords %v", gone, missing, got.Subword())
			}
			for i, word := range got.Words().All() {
				var want uint64
				if id, ok := s.ID(word); ok {
					want = s.Counts()[id]
				}
				if got.Counts()[i] != want {
					t.Errorf("count of %q is %d, want %d", word, got.Counts()[i], want)
				}
			}
			if got, gone := Select(s, nil); got.Len() != 0 || gone != nil || got.Check() != nil {
				t.Errorf("of no words: %v, %q missing, %v", got.Words(), gone, got.Check())
			}
		})
	}
}

// In a mapped file that was not checked, rows that are not there are not there
// afterwards.
func TestPickUnchecked(t *testing.T) {
	s := trial.Shared()
	s.WordRows()[1] = math.MaxUint32
	s.BucketRows()[2] = 4
	top := Top(s, 2)
	trial.Near(t, "the", trial.WordVector(top, 0), trial.WordVector(s, 0))
	trial.Near(t, "日本語", trial.WordVector(top, 1), trial.WordVector(s, 1))
	if err := top.Check(); err == nil || !strings.Contains(err.Error(), "word 1 has input row 4294967295") {
		t.Errorf("got %v", err)
	}
}

// A forward matrix tells how often its rows were read from the beginning.
type forward struct {
	of    vectors.Matrix
	last  atomic.Int64
	begun atomic.Int64
}

func (f *forward) Read(dst []float32, r int) {
	if int64(r) < f.last.Swap(int64(r)) || f.begun.Load() == 0 {
		f.begun.Add(1)
	}
	f.of.Read(dst, r)
}

// What is made of a stream reads it in order, and is the same.
func TestDerivedSetsStream(t *testing.T) {
	s := openGolden(t, "fasttext/words.bin")
	path := filepath.Join(t.TempDir(), "model.w2v.gz")
	if err := format.Write(t.Context(), path, s, format.W2V); err != nil {
		t.Fatal(err)
	}
	stream, err := format.OpenStream(path, func(why string) { t.Error(why) })
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Close()
	if !behind(stream).Streams() {
		t.Fatal("the rows are not left in the file")
	}
	for name, derive := range map[string]func(*vectors.Set) (*vectors.Set, error){
		"as it is": func(s *vectors.Set) (*vectors.Set, error) { return s, nil },
		"output":   func(s *vectors.Set) (*vectors.Set, error) { return WordVectors(s, KindOutput) },
		"sum":      func(s *vectors.Set) (*vectors.Set, error) { return WordVectors(s, KindSum) },
		"concat":   func(s *vectors.Set) (*vectors.Set, error) { return WordVectors(s, KindConcat) },
		"unit":     func(s *vectors.Set) (*vectors.Set, error) { return Normalized(s), nil },
		"top":      func(s *vectors.Set) (*vectors.Set, error) { return Top(s, 20), nil },
		"selection": func(s *vectors.Set) (*vectors.Set, error) {
			d, _ := Select(s, []string{"the", "mill", "and"})
			return d, nil
		},
		"reduced": func(s *vectors.Set) (*vectors.Set, error) {
			d, _, err := Reduce(t.Context(), s, 3, Computation{})
			return d, err
		},
		"all": func(s *vectors.Set) (*vectors.Set, error) {
			d, err := WordVectors(s, KindConcat)
			if err != nil {
				return nil, err
			}
			d, _, err = Reduce(t.Context(), Top(d, 50), 4, Computation{})
			return Normalized(d), err
		},
	} {
		t.Run(name, func(t *testing.T) {
			want, err := derive(s)
			if err != nil {
				t.Fatal(err)
			}
			input, output := &forward{of: stream.Input()}, &forward{of: stream.Output()}
			counted := trial.New(vectors.Parts{
				Words: stream.Words(), Counts: stream.Counts(), Training: stream.Training(), Source: behind(stream),
				Input: vectors.Stored(s.Len(), s.Dim(), input), Output: vectors.Stored(s.Len(), s.Dim(), output),
			})
			got, err := derive(counted)
			if err != nil {
				t.Fatal(err)
			}
			passes := input.begun.Load() // of what is computed beforehand
			for id, v := range got.All() {
				trial.Near(t, want.Words().At(id), v, trial.WordVector(want, id))
			}
			if err := got.Err(); err != nil {
				t.Fatal(err)
			}
			if n := input.begun.Load() - passes; n > 1 || output.begun.Load() > passes+1 || passes > 2 {
				t.Errorf("the file was read %d times more", n)
			}
			if got.InFile() != stream.InFile() {
				t.Error("a set made of one in a file is in none")
			}
		})
	}
}

// What words are made of otherwise than in fastText is, in its format, made of such
// rows that they have the same vectors there.
func TestFastTextOfOtherCompositions(t *testing.T) {
	for name, s := range derivable(t) {
		if name == "n-grams, shared" {
			continue // its words are none that fastText holds
		}
		path := filepath.Join(t.TempDir(), "model.bin")
		if err := format.Write(t.Context(), path, s, format.FastText); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		got, err := format.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, word := range append(s.Words().Strings(), unknown...) {
			g, gotOK := trial.Vector(got, word)
			w, ok := trial.Vector(s, word)
			if ok != gotOK {
				t.Errorf("%s: %q has a vector: %v, want %v", name, word, gotOK, ok)
			}
			trial.Near(t, word, g, w)
		}
		if err := got.Close(); err != nil {
			t.Error(err)
		}
	}
}

// Row i is the vector of word i of the list, whatever the model has, and however it is
// read.
func TestSelectRows(t *testing.T) {
	for name, s := range derivable(t) {
		t.Run(name, func(t *testing.T) {
			asked := []string{s.Words().At(2), "", unknown[0], s.Words().At(0), s.Words().At(2), "", s.Words().At(1)}
			for _, random := range []bool{false, true} {
				vector := func(word string) ([]float32, bool) { // one of n-grams that were not trained does not replace a random row
					v, ok := trial.Vector(s, word)
					return v, ok && !(random && slices.Max(v) == 0 && slices.Min(v) == 0)
				}
				var missing []string
				for _, word := range asked {
					if _, ok := vector(word); !ok && !slices.Contains(missing, word) {
						missing = append(missing, word)
					}
				}
				got, gone := SelectRows(s, asked, RowOptions{Random: random, Seed: 5})
				if err := got.Check(); err != nil {
					t.Fatal(err)
				}
				if !slices.Equal(got.Words().Strings(), asked) || !slices.Equal(gone, missing) || got.Subword() != nil {
					t.Fatalf("words %q, missing %q, n-grams %v; want %q and %q", got.Words(), gone, got.Subword(), asked, missing)
				}
				for i, word := range asked {
					want, ok := vector(word)
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

// With n-grams, row i is the same vector, and words in no list keep theirs.
func TestSelectRowsWithNgrams(t *testing.T) {
	for name, s := range derivable(t) {
		t.Run(name, func(t *testing.T) {
			asked := []string{s.Words().At(2), unknown[0], s.Words().At(0), s.Words().At(1), ""}
			plain, missing := SelectRows(s, asked, RowOptions{Random: true, Seed: 5})
			got, gone := SelectRows(s, asked, RowOptions{Random: true, Seed: 5, Ngrams: true})
			if err := got.Check(); err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got.Words().Strings(), asked) || !slices.Equal(gone, missing) || !subword.Same(got.Subword(), s.Subword()) {
				t.Fatalf("words %q, missing %q, n-grams %v; want %q and %q", got.Words(), gone, got.Subword(), asked, missing)
			}
			for i, word := range asked {
				trial.Near(t, word, trial.WordVector(got, i), trial.WordVector(plain, i))
				if id, known := s.ID(word); known && s.Output().Rows > 0 {
					trial.Near(t, "context of "+word, got.Output().Row(i), s.Output().Row(id))
				}
			}
			for _, word := range []string{s.Words().At(s.Len() - 1), unknown[0]} {
				want := make([]float32, s.Dim())
				n := s.NgramVector(want, word)
				v := make([]float32, s.Dim())
				if got.NgramVector(v, word) != n {
					t.Errorf("%q has other n-grams", word)
				}
				trial.Near(t, word, v, want)
			}
			for _, m := range s.Matrices() {
				of := got.Matrix(m.Name)
				switch kind := m.Kind(); {
				case kind.Tree && of.Rows > 0:
					t.Errorf("%s is kept", m.Name)
				case kind.ByWord:
					for first := 0; first*s.Len() < m.Rows; first++ {
						trial.Near(t, m.Name, of.Row(first*len(asked)), m.Row(first*s.Len()+2))
					}
				case !kind.Tree && of.Rows != m.Rows:
					t.Errorf("%s has %d rows, want %d", m.Name, of.Rows, m.Rows)
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
