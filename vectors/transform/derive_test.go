package vectors

import (
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/w2v-go/w2v/subword"
)

// randomSet returns five words with n-grams, each row of Input for itself.
func randomSet(c Composition) *Set {
	r := rand.New(rand.NewPCG(5, 5))
	s := newSet(Parts{
		Words:       NewWords("the", "cat", "sat", "on", "mat"),
		Counts:      []uint64{3, 9, 9, 1, 9},
		Subword:     subword.FastText{MinN: 2, MaxN: 3, Buckets: 20},
		Composition: c,
		Input:       NewMatrix(25, 4),
		Output:      NewMatrix(5, 4),
	})
	if c == ComposePieces {
		s.input = NewMatrix(20, 4)
	}
	for _, m := range []Matrix{s.input, s.output} {
		for i := range m.Rows {
			for k := range m.Row(i) {
				m.Row(i)[k] = float32(r.NormFloat64())/float32(k+1) + 1
			}
		}
	}
	return s
}

// derivable are sets of every shape.
func derivable(t *testing.T) map[string]*Set {
	t.Helper()
	words := openGolden(t, "fasttext/words.bin")
	sharing := newSet(Parts{Words: words.words, Counts: words.counts, Output: words.output, Input: words.input})
	for i := range sharing.Len() {
		sharing.wordRows = append(sharing.wordRows, uint32(i*7%words.Len()/2))
	}
	// Of three buckets one was trained.
	untrained := randomSet(ComposeMean)
	for b := range 20 {
		untrained.bucketRows = append(untrained.bucketRows, int32(5+b)-int32(b%3)*100)
		untrained.bucketRows[b] = max(untrained.bucketRows[b], -1)
	}
	return map[string]*Set{
		"plain":           words,
		"plain, shared":   sharing,
		"n-grams":         openGolden(t, "fasttext/skipgram.bin"),
		"n-grams, shared": shared(),
		"untrained":       untrained,
		"whole":           randomSet(ComposeWhole),
		"pieces":          randomSet(ComposePieces),
	}
}

// wantVectors fails the test unless s is valid and word i has vector i of want, to
// rounding.
func wantVectors(t *testing.T, s *Set, words []string, want func(i int) []float32) {
	t.Helper()
	if err := s.Check(); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(s.words.Strings(), words) {
		t.Fatalf("words %q, want %q", s.words.Strings(), words)
	}
	for i := range words {
		near(t, words[i], s.wordVector(i), want(i))
	}
}

func near(t *testing.T, what string, got, want []float32) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%q: %v, want %v", what, got, want)
	}
	for k, x := range want {
		if d := float64(got[k] - x); !(math.Abs(d) <= 1e-5*max(1, math.Abs(float64(x)))) && (x == x || got[k] == got[k]) {
			t.Fatalf("%q: %v, want %v", what, got, want)
		}
	}
}

func TestWordVectors(t *testing.T) {
	for name, s := range derivable(t) {
		t.Run(name, func(t *testing.T) {
			words := s.words.Strings()
			add := func(a, b []float32) []float32 {
				sum := slices.Clone(a)
				for k := range sum {
					sum[k] += b[k]
				}
				return sum
			}
			for k, want := range map[Kind]func(i int) []float32{
				KindInput:  func(i int) []float32 { return s.wordVector(i) },
				KindOutput: func(i int) []float32 { return s.output.Row(i) },
				KindSum:    func(i int) []float32 { return add(s.wordVector(i), s.output.Row(i)) },
				KindConcat: func(i int) []float32 { return slices.Concat(s.wordVector(i), s.output.Row(i)) },
			} {
				d, err := s.WordVectors(k)
				if err != nil {
					t.Fatal(err)
				}
				wantVectors(t, d, words, want)
				if (d.subword != nil) != (k == KindInput && s.subword != nil) || !slices.Equal(d.counts, s.counts) {
					t.Errorf("%s: subwords %v, counts %v", k, d.subword, d.counts)
				}
			}
			p := s.Plain()
			wantVectors(t, p, words, func(i int) []float32 { return s.wordVector(i) })
			if p.subword != nil || p.output.Rows != s.output.Rows {
				t.Errorf("subwords %v, %d context vectors", p.subword, p.output.Rows)
			}
		})
	}
	bare := randomSet(ComposeMean)
	bare.output = Matrix{}
	for _, k := range []Kind{KindOutput, KindSum, KindConcat} {
		if _, err := bare.WordVectors(k); err == nil || !strings.HasPrefix(err.Error(), "the model has no context vectors") {
			t.Errorf("%s: %v", k, err)
		}
	}
	if _, err := bare.WordVectors("both"); err == nil || err.Error() != `there are no "both" vectors; known are input, output, sum, concat` {
		t.Error(err)
	}
}

func TestNormalized(t *testing.T) {
	for name, s := range derivable(t) {
		t.Run(name, func(t *testing.T) {
			n := s.Normalized()
			wantVectors(t, n, s.words.Strings(), func(i int) []float32 {
				v := s.wordVector(i)
				Unit(v, v)
				return v
			})
			if n.subword != nil || n.output.Rows != 0 {
				t.Errorf("subwords %v, %d context vectors", n.subword, n.output.Rows)
			}
		})
	}
	nan, inf := float32(math.NaN()), float32(math.Inf(-1))
	odd := newSet(Parts{Words: NewWords("a", "b", "c", "d"), Input: Matrix{Data: []float32{3, 4, 0, 0, nan, 1, inf, 1}, Rows: 4, Cols: 2, Stride: 2}})
	want := [][]float32{{0.6, 0.8}, {0, 0}, {0, 0}, {0, 0}}
	wantVectors(t, odd.Normalized(), odd.words.Strings(), func(i int) []float32 { return want[i] })
}

// unknown are words that the vocabularies of derivable do not have.
var unknown = []string{"unheard-of", "matte", "日", "\xff", "X"}

func TestTop(t *testing.T) {
	for name, s := range derivable(t) {
		t.Run(name, func(t *testing.T) {
			if s.Top(s.Len()) != s || s.Top(math.MaxInt) != s {
				t.Error("all words are another set")
			}
			for _, n := range []int{-1, 0, 1, 2, 4, s.Len() - 1} {
				if n >= s.Len() {
					continue
				}
				// The n with the largest counts, of equal ones the first.
				rank := func(id int) (before int) {
					for other := range s.Len() {
						if s.counts[other] > s.counts[id] || s.counts[other] == s.counts[id] && other < id {
							before++
						}
					}
					return before
				}
				var ids []int
				var words []string
				for id := range s.Len() {
					if rank(id) < n {
						ids, words = append(ids, id), append(words, s.words.At(id))
					}
				}
				top := s.Top(n)
				wantPicked(t, top, s, ids, words)
			}
		})
	}
	// Without counts the first ones count.
	s := randomSet(ComposePieces)
	s.counts = nil
	if got := s.Top(2).words.Strings(); !slices.Equal(got, []string{"the", "cat"}) {
		t.Errorf("%q", got)
	}
}

// wantPicked wants those words of s with all that they have there, and n-grams.
func wantPicked(t *testing.T, got, s *Set, ids []int, words []string) {
	t.Helper()
	wantVectors(t, got, words, func(i int) []float32 { return s.wordVector(ids[i]) })
	for i, id := range ids {
		if got.counts[i] != s.counts[id] {
			t.Errorf("%q: count %d, want %d", words[i], got.counts[i], s.counts[id])
		}
		near(t, words[i], got.output.Row(i), s.output.Row(id))
	}
	for _, word := range unknown {
		g, ok := vector(got, word)
		w, want := vector(s, word)
		if ok != want {
			t.Errorf("%q has a vector: %v, want %v", word, ok, want)
		}
		near(t, word, g, w)
	}
	if got.input.Rows > s.input.Rows {
		t.Errorf("%d rows of %d", got.input.Rows, s.input.Rows)
	}
}

func TestSelect(t *testing.T) {
	for name, s := range derivable(t) {
		t.Run(name, func(t *testing.T) {
			known := []string{s.words.At(2), s.words.At(0), s.words.At(2)}
			asked := append([]string{"", unknown[0]}, append(known, unknown...)...)
			var missing []string
			for _, word := range append([]string{""}, unknown...) {
				if _, ok := vector(s, word); !ok {
					missing = append(missing, word)
				}
			}
			words := []string{s.words.At(2), s.words.At(0)}
			got, gone := s.Select(asked)
			wantPicked(t, got, s, []int{2, 0}, words)
			if !slices.Equal(gone, missing) {
				t.Errorf("missing %q, want %q", gone, missing)
			}

			got, gone = s.SelectComposed(asked)
			var all []string // in the order in which they were given
			for _, word := range asked {
				if _, ok := vector(s, word); ok && !slices.Contains(all, word) {
					all = append(all, word)
				}
			}
			wantVectors(t, got, all, func(i int) []float32 { v, _ := vector(s, all[i]); return v })
			if !slices.Equal(gone, missing) || got.subword != nil {
				t.Errorf("missing %q, want %q; subwords %v", gone, missing, got.subword)
			}
			for i, word := range got.words.All() {
				var want uint64
				if id, ok := s.ID(word); ok {
					want = s.counts[id]
				}
				if got.counts[i] != want {
					t.Errorf("count of %q is %d, want %d", word, got.counts[i], want)
				}
			}
			if got, gone := s.Select(nil); got.Len() != 0 || gone != nil || got.Check() != nil {
				t.Errorf("of no words: %v, %q missing, %v", got.words, gone, got.Check())
			}
		})
	}
}

// In a mapped file that was not checked, rows that are not there are not there
// afterwards.
func TestPickUnchecked(t *testing.T) {
	s := shared()
	s.wordRows[1] = math.MaxUint32
	s.bucketRows[2] = 4
	top := s.Top(2)
	near(t, "the", top.wordVector(0), s.wordVector(0))
	near(t, "日本語", top.wordVector(1), s.wordVector(1))
	if err := top.Check(); err == nil || !strings.Contains(err.Error(), "word 1 has input row 4294967295") {
		t.Errorf("got %v", err)
	}
}

// A forward matrix tells how often its rows were read from the beginning.
type forward struct {
	of    Matrix
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
	if err := Write(t.Context(), path, s, FormatW2V); err != nil {
		t.Fatal(err)
	}
	stream, err := OpenStream(path, func(why string) { t.Error(why) })
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Close()
	if !stream.sequential() {
		t.Fatal("the rows are not left in the file")
	}
	for name, derive := range map[string]func(*Set) (*Set, error){
		"as it is":  func(s *Set) (*Set, error) { return s, nil },
		"output":    func(s *Set) (*Set, error) { return s.WordVectors(KindOutput) },
		"sum":       func(s *Set) (*Set, error) { return s.WordVectors(KindSum) },
		"concat":    func(s *Set) (*Set, error) { return s.WordVectors(KindConcat) },
		"unit":      func(s *Set) (*Set, error) { return s.Normalized(), nil },
		"top":       func(s *Set) (*Set, error) { return s.Top(20), nil },
		"selection": func(s *Set) (*Set, error) { d, _ := s.Select([]string{"the", "mill", "and"}); return d, nil },
		"reduced":   func(s *Set) (*Set, error) { d, _, err := s.Reduce(t.Context(), 3, Computation{}); return d, err },
		"all": func(s *Set) (*Set, error) {
			d, err := s.WordVectors(KindConcat)
			if err != nil {
				return nil, err
			}
			d, _, err = d.Top(50).Reduce(t.Context(), 4, Computation{})
			return d.Normalized(), err
		},
	} {
		t.Run(name, func(t *testing.T) {
			want, err := derive(s)
			if err != nil {
				t.Fatal(err)
			}
			input, output := &forward{of: stream.input}, &forward{of: stream.output}
			counted := newSet(Parts{
				Words: stream.words, Counts: stream.counts, Training: stream.training, File: stream.file,
				Input: Stored(s.Len(), s.Dim(), input), Output: Stored(s.Len(), s.Dim(), output),
			})
			got, err := derive(counted)
			if err != nil {
				t.Fatal(err)
			}
			passes := input.begun.Load() // of what is computed beforehand
			if err := got.EachVector(func(id int, v []float32) error {
				near(t, want.words.At(id), v, want.wordVector(id))
				return nil
			}); err != nil {
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
		if err := Write(t.Context(), path, s, FormatFastText); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		got, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, word := range append(s.words.Strings(), unknown...) {
			g, gotOK := vector(got, word)
			w, ok := vector(s, word)
			if ok != gotOK {
				t.Errorf("%s: %q has a vector: %v, want %v", name, word, gotOK, ok)
			}
			near(t, word, g, w)
		}
		if err := got.Close(); err != nil {
			t.Error(err)
		}
	}
}
