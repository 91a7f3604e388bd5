package format

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/internal/trial"
)

// finalfusionFiles are the files that finalfusion-python wrote.
var finalfusionFiles = []string{
	"simple", "fasttext", "fasttext-explicit", "buckets", "explicit",
	"quantised", "quantised-opq", "quantised-simple",
}

func TestFinalfusionGolden(t *testing.T) {
	tests := []struct {
		name             string
		words, dim, rows int
		subword          string
		composition      subword.Composition
		quantised        bool
	}{
		{"simple", 115, 5, 115, "", subword.Mean, false},
		{"fasttext", 115, 5, 165, "{3 6 50}", subword.Whole, false},
		{"fasttext-explicit", 115, 5, 165, "fasttext-explicit", subword.Whole, false},
		{"buckets", 115, 6, 179, "{2 4 6}", subword.Whole, false},
		{"explicit", 115, 6, 179, "explicit", subword.Whole, false},
		{"quantised", 115, 6, 179, "{2 4 6}", subword.Whole, true},
		{"quantised-opq", 115, 6, 179, "{2 4 6}", subword.Whole, true},
		{"quantised-simple", 115, 6, 115, "", subword.Mean, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := openGolden(t, "finalfusion/"+tt.name+".fifu")
			defer s.Close() //nolint:errcheck // it was only read
			if err := s.Check(); err != nil {
				t.Fatal(err)
			}
			if Format(s.Format()) != Finalfusion || s.Len() != tt.words || s.Dim() != tt.dim || s.Input().Rows != tt.rows || s.Composition() != tt.composition {
				t.Errorf("%s of %d words, %d×%d, %q; want %+v", s.Format(), s.Len(), s.Input().Rows, s.Dim(), s.Composition(), tt)
			}
			switch sub := s.Subword().(type) {
			case nil:
				if tt.subword != "" {
					t.Errorf("no n-grams, want %s", tt.subword)
				}
			case *subword.Explicit:
				if tt.subword != tt.name || sub.Rows() != tt.rows-tt.words {
					t.Errorf("a list of n-grams in %d rows, want %s", sub.Rows(), tt.subword)
				}
			default:
				if got := fmt.Sprint(sub); got != tt.subword {
					t.Errorf("n-grams %s, want %s", got, tt.subword)
				}
			}
		})
	}
}

// finalfusionVectors reads what finalfusion says of the queries.
func finalfusionVectors(t *testing.T, name string) *vectors.Set {
	t.Helper()
	return openGolden(t, "finalfusion/"+name+".vectors.txt")
}

// unit divides v by its length.
func unit(v []float32) []float32 {
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	u := slices.Clone(v)
	if norm := float32(math.Sqrt(sum)); norm > 0 {
		for k := range u {
			u[k] /= norm
		}
	}
	return u
}

// Words have the vectors that finalfusion gives them, and others their direction,
// which is all that finalfusion keeps; however the file is read.
func TestFinalfusionVectors(t *testing.T) {
	for _, name := range finalfusionFiles {
		t.Run(name, func(t *testing.T) {
			file := golden("finalfusion/" + name + ".fifu")
			b := readGolden(t, "finalfusion/"+name+".fifu")
			mapped, err := Open(file)
			if err != nil {
				t.Fatal(err)
			}
			defer mapped.Close() //nolint:errcheck // it was only read
			streamed, err := Read(bytes.NewReader(b))
			if err != nil {
				t.Fatal(err)
			}
			want := finalfusionVectors(t, name)
			known, composed := 0, 0
			for how, s := range map[string]*vectors.Set{"mapped": mapped, "streamed": streamed} {
				for id, word := range want.Words().All() {
					got, ok := vector(s, word)
					if !ok {
						t.Errorf("%s: %q has no vector", how, word)
						continue
					}
					if _, in := s.ID(word); in {
						known++
					} else {
						composed++
						got = unit(got)
					}
					trial.Near(t, how+": "+word, got, want.Input().Row(id))
				}
				// And what finalfusion has none of has none.
				for word := range strings.Lines(string(readGolden(t, "fasttext/queries.txt"))) {
					word = strings.TrimSuffix(word, "\n")
					if _, there := want.Words().Find(word); !there && word != "caf\xe9" {
						if _, ok := vector(s, word); ok {
							t.Errorf("%s: %q has a vector", how, word)
						}
					}
				}
			}
			if known < 10 || mapped.Subword() != nil && composed < 10 {
				t.Errorf("%d known words and %d others test too little", known, composed)
			}
		})
	}
}

// What was read is written to the same bytes. (The other files have metadata, which
// are passed over, or rows that were not divided by their lengths.)
func TestFinalfusionBytes(t *testing.T) {
	for _, name := range []string{"simple", "explicit", "fasttext-explicit", "quantised-opq"} {
		t.Run(name, func(t *testing.T) {
			want := readGolden(t, "finalfusion/"+name+".fifu")
			s, err := Read(bytes.NewReader(want))
			if err != nil {
				t.Fatal(err)
			}
			if sub, ok := s.Subword().(*subword.Explicit); ok {
				// finalfusion-python forgets the rows of n-grams in the length.
				const at = 24 + 4
				ngrams, _ := sub.List()
				length := binary.LittleEndian.Uint64(want[at:]) + 8*uint64(len(ngrams))
				binary.LittleEndian.PutUint64(want[at:], length)
			}
			if got := encode(t, s, Finalfusion); !bytes.Equal(got, want) {
				t.Errorf("wrote %d bytes that differ from finalfusion's %d", len(got), len(want))
			}
		})
	}
}

// encode returns s as a file.
func encode(t testing.TB, s *vectors.Set, f Format) []byte {
	t.Helper()
	var buf bytes.Buffer
	if err := Encode(&buf, s, f); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

// utf8Words returns the set without words that are not UTF-8, whose rows are not
// where they are by default.
func utf8Words(s *vectors.Set) *vectors.Set {
	valid := vectors.NewUnchecked(vectors.Parts{Input: s.Input(), Subword: s.Subword(), Composition: s.Composition(), Training: s.Training()})
	var words []string
	for id, word := range s.Words().All() {
		if utf8.ValidString(word) {
			words = append(words, word)
			valid = alter(valid, func(p *vectors.Parts) { p.WordRows = append(valid.WordRows(), uint32(s.OwnRow(id))) })
		}
	}
	valid = alter(valid, func(p *vectors.Parts) { p.Words = vectors.NewWords(words...) })
	if s.Subword() != nil {
		for b := range s.Subword().Rows() {
			valid = alter(valid, func(p *vectors.Parts) { p.BucketRows = append(valid.BucketRows(), int32(s.BucketRow(uint32(b)))) })
		}
	}
	return valid
}

// ngramKinds are sets with all kinds of n-grams and of rows, and two of fastText's.
func ngramKinds(t testing.TB) map[string]*vectors.Set {
	t.Helper()
	kinds := trial.NgramKinds(t)
	kinds["fasttext"] = utf8Words(openGolden(t, "fasttext/skipgram.bin"))
	kinds["cbow"] = utf8Words(openGolden(t, "fasttext/cbow.bin"))
	return kinds
}

// unknownWords are words that are in no vocabulary.
var unknownWords = []string{"them", "日本", "naïf", "x", "", "🙂🙂", "</s>", "theatre"}

// Every kind of set is the same after a finalfusion file: words' vectors but for
// rounding, others' to the bit; and what was read is written to the same bytes.
func TestFinalfusionRoundTrip(t *testing.T) {
	for name, s := range ngramKinds(t) {
		t.Run(name, func(t *testing.T) {
			file := encode(t, s, Finalfusion)
			path := filepath.Join(t.TempDir(), "model.fifu")
			for _, name := range []string{path, path + ".gz"} {
				if err := Write(t.Context(), name, s, Finalfusion); err != nil {
					t.Fatal(err)
				}
			}
			sets := map[string]*vectors.Set{}
			for how, open := range map[string]func() (*vectors.Set, error){
				"mapped":          func() (*vectors.Set, error) { return Open(path) },
				"compressed":      func() (*vectors.Set, error) { return Open(path + ".gz") },
				"left in a file":  func() (*vectors.Set, error) { return OpenStream(path+".gz", nil) },
				"from a stream":   func() (*vectors.Set, error) { return Read(bytes.NewReader(file)) },
				"of a known size": func() (*vectors.Set, error) { return read(bytes.NewReader(file), int64(len(file))) },
			} {
				got, err := open()
				if err != nil {
					t.Fatal(err)
				}
				defer got.Close() //nolint:errcheck // it was only read
				sets[how] = got
			}
			for how, got := range sets {
				if err := got.Check(); err != nil {
					t.Fatalf("%s: %v", how, err)
				}
				_, floret := s.Subword().(subword.Floret)
				if !floret && !slices.Equal(got.Words().Strings(), s.Words().Strings()) || floret && got.Len() != 0 {
					t.Fatalf("%s: words %q", how, got.Words())
				}
				for id, word := range s.Words().All() {
					v, _ := vector(got, word)
					trial.Near(t, how+": "+word, v, trial.WordVector(s, id))
				}
				for _, word := range unknownWords {
					if _, in := s.ID(word); in {
						continue
					}
					v, ok := vector(got, word)
					want, wanted := vector(s, word)
					if ok != wanted || !slices.Equal(v, want) {
						t.Errorf("%s: %q has %v %v, want %v %v", how, word, v, ok, want, wanted)
					}
				}
				if err := got.Err(); err != nil {
					t.Errorf("%s: %v", how, err)
				}
				if !got.Training().Equal(s.Training()) {
					t.Errorf("%s: training %+v, want %+v", how, got.Training(), s.Training())
				}
				if again := encode(t, got, Finalfusion); !bytes.Equal(again, file) {
					t.Errorf("%s: writing what was read gives other bytes", how)
				}
			}
		})
	}
}

// Codes stay codes where finalfusion's rows can be made of them.
func TestFinalfusionQuantised(t *testing.T) {
	for name, s := range ngramKinds(t) {
		if !strings.HasPrefix(name, "codes") {
			continue
		}
		file := encode(t, s, Finalfusion)
		if kind := file[16]; (kind == chunkQuantised) != (name != "codes, mean") {
			t.Errorf("%s: rows of kind %d", name, kind)
		}
		got, err := Read(bytes.NewReader(file))
		if err != nil {
			t.Fatal(err)
		}
		// Words' rows have length 1, as finalfusion believes.
		rows, norms, _ := got.Input().Norms()
		for id := range s.Words().All() {
			row := rows.Row(id)
			sum := 0.0
			for _, x := range row {
				sum += float64(x) * float64(x)
			}
			if math.Abs(sum-1) > 1e-5 && (sum != 0 || norms[id] != 0) {
				t.Errorf("%s: word %d has a row of length %v, and norm %v", name, id, math.Sqrt(sum), norms[id])
			}
		}
	}
}

// Vectors that cannot be divided by their length are kept as they are.
func TestFinalfusionExtremes(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	rows := [][]float32{
		{0, float32(math.Copysign(0, -1)), 0},
		{math.MaxFloat32, -math.MaxFloat32, 1},
		{math.SmallestNonzeroFloat32, 0, -1e-42},
		{inf, 0, 1},
		{nan, 0, 1},
	}
	s := vectors.NewUnchecked(vectors.Parts{Words: vectors.NewWords("a", "b", "c", "d", "e"), Input: vectors.NewMatrix(len(rows), 3)})
	for r, row := range rows {
		copy(s.Input().Row(r), row)
	}
	got, err := Read(bytes.NewReader(encode(t, s, Finalfusion)))
	if err != nil {
		t.Fatal(err)
	}
	trial.SameMatrix(t, "input", got.Input(), s.Input())
}

// The layout of a floret vocabulary, which finalfusion-python does not know, and of
// the rest, as finalfusion-rust's sources have it.
func TestFinalfusionLayout(t *testing.T) {
	s := vectors.NewUnchecked(vectors.Parts{
		Subword:     subword.Floret{MinN: 2, MaxN: 3, Buckets: 2, Hashes: 4, Seed: 9, BOW: "<", EOW: "é"},
		Composition: subword.Pieces,
		Input:       vectors.Matrix{Data: []float32{1, 2, 3, 4}, Rows: 2, Cols: 2, Stride: 2},
		Training:    vectors.NewTraining("epochs", 5),
	})
	const toml = "[training]\nepochs = 5\n"
	want := file("FiFu", uint32(0), uint32(3), []uint32{5, 9, 2},
		uint32(5), uint64(len(toml)), toml,
		uint32(9), uint64(24+4+1+4+2), uint32(2), uint32(3), uint64(2), uint32(4), uint32(9), uint32(1), "<", uint32(2), "é")
	padding := strings.Repeat("\x00", 4-(len(want)+12+16)%4)
	want += file(uint32(2), uint64(16+len(padding)+16), uint64(2), uint32(2), uint32(10), padding, s.Input().Data)
	if got := encode(t, s, Finalfusion); string(got) != want {
		t.Errorf("got\n%q, want\n%q", got, want)
	}

	s = vectors.NewUnchecked(vectors.Parts{Words: vectors.NewWords("ab"), Input: vectors.Matrix{Data: []float32{3, 4}, Rows: 1, Cols: 2, Stride: 2}})
	want = file("FiFu", uint32(0), uint32(3), []uint32{1, 2, 6},
		uint32(1), uint64(8+4+2), uint64(1), uint32(2), "ab",
		uint32(2), uint64(16+2+8), uint64(1), uint32(2), uint32(10), "\x00\x00", []float32{3. / 5, 4. / 5},
		uint32(6), uint64(12+4+4), uint64(1), uint32(10), "\x00\x00\x00\x00", float32(5))
	if got := encode(t, s, Finalfusion); string(got) != want {
		t.Errorf("got\n%q, want\n%q", got, want)
	}
}
