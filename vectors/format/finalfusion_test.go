package format

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format/finalfusion"
	"github.com/w2v-go/w2v/vectors/format/internal/source"
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
	valid := trial.Unchecked(vectors.Parts{Input: s.Input(), Subword: s.Subword(), Composition: s.Composition(), Training: s.Training()})
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
	s := trial.Unchecked(vectors.Parts{Words: vectors.NewWords("a", "b", "c", "d", "e"), Input: vectors.NewMatrix(len(rows), 3)})
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
	s := trial.Unchecked(vectors.Parts{
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

	s = trial.Unchecked(vectors.Parts{Words: vectors.NewWords("ab"), Input: vectors.Matrix{Data: []float32{3, 4}, Rows: 1, Cols: 2, Stride: 2}})
	want = file("FiFu", uint32(0), uint32(3), []uint32{1, 2, 6},
		uint32(1), uint64(8+4+2), uint64(1), uint32(2), "ab",
		uint32(2), uint64(16+2+8), uint64(1), uint32(2), uint32(10), "\x00\x00", []float32{3. / 5, 4. / 5},
		uint32(6), uint64(12+4+4), uint64(1), uint32(10), "\x00\x00\x00\x00", float32(5))
	if got := encode(t, s, Finalfusion); string(got) != want {
		t.Errorf("got\n%q, want\n%q", got, want)
	}
}

// Files of finalfusion that lie.
func TestFinalfusionErrors(t *testing.T) {
	head := func(chunks ...uint32) string { return file("FiFu", uint32(0), uint32(len(chunks)), chunks) }
	chunk := func(kind uint32, parts ...any) string { return file(kind, uint64(0)) + file(parts...) }
	words := chunk(1, uint64(1), uint32(1), "a")
	// The matrix begins at byte 24+12+13 and its numbers behind 28 bytes and padding.
	matrix := func(rows uint64, cols, kind uint32) string {
		return chunk(2, rows, cols, kind, "\x00\x00\x00")
	}
	row := file([]float32{3, 4})
	codes := func(rotated, norms, parts, dim, size uint32, rows uint64, code, centroid uint32) string {
		return chunk(4, rotated, norms, parts, dim, size, rows, code, centroid, "\x00\x00\x00")
	}
	const huge = math.MaxUint64
	for _, tt := range []struct{ name, file, want string }{
		{"magic", "FiFo" + strings.Repeat("\x00", 8), `byte 0: expected "FiFu", found "FiFo"`},
		{"version", file("FiFu", uint32(1), uint32(0)), `byte 4: expected version 0 of the finalfusion format, found 1`},
		{"no chunks", head(), `byte 8: expected chunks of a vocabulary (1, 3, 7, 8 or 9), of rows (2 or 4) and perhaps of norms (6), found []`},
		{"many chunks", file("FiFu", uint32(0), uint32(math.MaxUint32)), `byte 8: expected a few chunks, found 4294967295`},
		{"a vocabulary alone", head(1) + words, `byte 8: expected chunks of a vocabulary (1, 3, 7, 8 or 9), of rows (2 or 4) and perhaps of norms (6), found [1]`},
		{"another end", head(1, 2, 5), `byte 8: expected chunks of a vocabulary (1, 3, 7, 8 or 9), of rows (2 or 4) and perhaps of norms (6), found [1 2 5]`},
		{"no vocabulary", head(2, 2), `byte 8: the vocabulary: expected a chunk of kind 1, 3, 7, 8 or 9, found 2`},
		{"no rows", head(1, 6) + words, `byte 8: the rows: expected a chunk of kind 2 or 4, found 6`},
		{"metadata of any length", head(5, 1, 2) + file(uint32(5), uint64(huge), "x"), `byte 37: expected metadata, but the file ends: unexpected EOF`},
		{"short metadata", head(5, 1, 2) + file(uint32(5), uint64(99), "x"), `byte 36: expected metadata of 99 bytes, but 1 are left: unexpected EOF`},
		{"another chunk", head(1, 2) + chunk(3), `byte 20: the vocabulary: expected a chunk of kind 1, as the list of chunks says, found 3`},

		{"words without end", head(1, 2) + chunk(1, uint64(huge)), `byte 40: the vocabulary: expected at most 2147483647 words, found 18446744073709551615`},
		{"too few words", head(1, 2) + chunk(1, uint64(1<<30), uint32(1), "a"), `byte 45: the vocabulary: word 2 of 1073741824: expected the length of a text, but the file ends: unexpected EOF`},
		{"a word without end", head(1, 2) + chunk(1, uint64(1), uint32(math.MaxUint32), "a"), `byte 40: the vocabulary: word 1 of 1: expected a text of at most 16384 bytes, found 4294967295`},
		{"a short word", head(1, 2) + chunk(1, uint64(1), uint32(9), "a"), `byte 44: the vocabulary: word 1 of 1: expected a text of 9 bytes, but 1 are left: unexpected EOF`},
		{"no UTF-8", head(1, 2) + chunk(1, uint64(1), uint32(1), "\xff"), `byte 44: the vocabulary: word 1 of 1: expected UTF-8, found "\xff"`},
		{"exponent", head(3, 2) + chunk(3, uint64(0), uint32(3), uint32(6), uint32(63)), `byte 40: the vocabulary: subword: the exponent of buckets is 63, must be from 0 to 30`},
		{"lengths", head(3, 2) + chunk(3, uint64(0), uint32(0), uint32(6), uint32(5)), `byte 40: the vocabulary: subword: minn is 0, must be at least 1`},
		{"buckets", head(7, 2) + chunk(7, uint64(0), uint32(3), uint32(6), uint32(math.MaxUint32)), `byte 40: the vocabulary: expected lengths and a number of buckets up to 2147483647, found 3, 6 and 4294967295`},
		{"no buckets", head(7, 2) + chunk(7, uint64(0), uint32(3), uint32(6), uint32(0)), `byte 40: the vocabulary: subword: buckets is 0, must be from 1 to 2147483647`},
		{"n-grams without end", head(8, 2) + chunk(8, uint64(0), uint64(huge), uint32(3), uint32(6)), `byte 32: the vocabulary: expected lengths and a number of n-grams up to 2147483647, found 3, 6 and 18446744073709551615`},
		{"row of an n-gram", head(8, 2) + chunk(8, uint64(0), uint64(1), uint32(3), uint32(6), uint32(1), "a", uint64(1)), `byte 61: the vocabulary: n-gram 1 of 1: found row 1`},
		{"an n-gram twice", head(8, 2) + chunk(8, uint64(0), uint64(2), uint32(3), uint32(6), uint32(1), "a", uint64(0), uint32(1), "a", uint64(1)), `byte 56: the vocabulary: subword: the n-gram "a" stands there twice`},
		{"hashes", head(9, 2) + chunk(9, uint32(2), uint32(3), uint64(5), uint32(5), uint32(1), uint32(1), "<", uint32(1), ">"), `byte 32: the vocabulary: subword: hashes is 5, must be from 1 to 4`},
		{"rows of floret", head(9, 2) + chunk(9, uint32(2), uint32(3), uint64(huge), uint32(5), uint32(1)), `byte 32: the vocabulary: expected lengths and numbers up to 2147483647, found n-grams of 2 to 3, 18446744073709551615 buckets and 5 hashes`},

		{"other rows", head(1, 2) + words + matrix(2, 2, 10) + row, `byte 57: the rows: expected 1 rows, one each for the words, found 2`},
		{"type", head(1, 2) + words + matrix(1, 2, 11) + row, `byte 69: the rows: expected numbers of type 10, float32, found type 11`},
		{"short rows", head(1, 2) + words + matrix(1, 1<<20, 10) + row, `byte 76: the rows: expected the matrix of 4194304 bytes, but 8 are left: unexpected EOF`},
		{"wide rows", head(1, 2) + words + matrix(1, math.MaxUint32, 10) + row, `byte 76: the rows: expected the matrix, found 1 rows of 4294967295, more than fit into memory`},
		{"no dimensions", head(1, 2) + words + matrix(1, 0, 10), `byte 76: 0 dimensions, must be at least 1`},
		{"more", head(1, 2) + words + matrix(1, 2, 10) + row + "x", `byte 84: expected the end of the file, found 1 bytes more`},
		{"norms", head(1, 2, 6) + words + matrix(1, 2, 10) + row + chunk(6, uint64(huge), uint32(10)), `byte 100: the norms: expected norms of 1 words, found 18446744073709551615`},
		{"short norms", head(1, 2, 6) + words + matrix(1, 2, 10) + row + chunk(6, uint64(1), uint32(10), "\x00\x00\x00\x00"), `byte 116: the norms: expected norms of 4 bytes, but 0 are left: unexpected EOF`},

		{"codes: parts", head(1, 4) + words + codes(0, 0, 2, 3, 1, 1, 1, 10), `byte 65: the rows: expected rows of equal parts, found 2 parts of 3 dimensions`},
		{"codes: no parts", head(1, 4) + words + codes(0, 0, 0, 3, 1, 1, 1, 10), `byte 65: the rows: expected rows of equal parts, found 0 parts of 3 dimensions`},
		{"codes: size", head(1, 4) + words + codes(0, 0, 1, 2, 257, 1, 1, 10), `byte 73: the rows: expected from 1 to 256 centroids a part, found 257`},
		{"codes: type", head(1, 4) + words + codes(0, 0, 1, 2, 1, 1, 10, 10), `byte 85: the rows: expected codes of type 1, uint8, found type 10`},
		{"codes: type of centroids", head(1, 4) + words + codes(0, 0, 1, 2, 1, 1, 1, 1), `byte 89: the rows: expected numbers of type 10, float32, found type 1`},
		{"codes: rotation", head(1, 4) + words + codes(1, 0, 1, math.MaxInt32, 1, 1, 1, 10), `more than fits into memory`},
		{"codes: centroids", head(1, 4) + words + codes(0, 0, 1, 1<<20, 256, 1, 1, 10), `byte 96: the rows: expected centroids of 1073741824 bytes, but 0 are left: unexpected EOF`},
		{"codes: norms", head(1, 4) + words + codes(0, 1, 1, 2, 1, 1, 1, 10) + row, `byte 104: the rows: expected norms of 4 bytes, but 0 are left: unexpected EOF`},
		{"codes: none", head(1, 4) + words + codes(0, 0, 1, 2, 1, 1, 1, 10) + row, `byte 104: the rows: expected codes of 1 bytes, but 0 are left: unexpected EOF`},
		{"codes: no such centroid", head(1, 4) + words + codes(0, 0, 1, 2, 1, 1, 1, 10) + row + "\x01", `byte 105: input matrix: row 0 has code 1 of 1`},
		{"codes", head(1, 4) + words + codes(0, 0, 1, 2, 1, 1, 1, 10) + row + "\x00", ""},
		{"rows", head(1, 2) + words + matrix(1, 2, 10) + row, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, size := range []int64{int64(len(tt.file)), -1} {
				_, err := finalfusion.Codec.Read(source.New(strings.NewReader(tt.file), size))
				got := errorText(err)
				// Where the size is not known, what is missing is found out later.
				if size < 0 && strings.Contains(tt.want, "left") {
					if !strings.HasSuffix(got, "but the file ends: unexpected EOF") {
						t.Errorf("as a stream: %s", got)
					}
					continue
				}
				if !strings.HasSuffix(got, tt.want) || (got == "") != (tt.want == "") {
					if size < 0 && strings.HasSuffix(got, "found more bytes") {
						continue
					}
					t.Errorf("got  %s\nwant %s", got, tt.want)
				}
			}
		})
	}
}

// Words that finalfusion cannot hold are named before anything is written.
func TestFinalfusionWords(t *testing.T) {
	for word, want := range map[string]string{
		"caf\xe9": `word 1, "caf\xe9", is not UTF-8, which finalfusion insists on`,
		"the":     `word 1, "the", stands there twice, first as word 0, which finalfusion cannot hold`,
	} {
		s := trial.Unchecked(vectors.Parts{Words: vectors.NewWords("the", word), Input: vectors.NewMatrix(2, 3)})
		if err := Encode(&strings.Builder{}, s, Finalfusion); errorText(err) != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// unlistNorms returns a finalfusion file as programs of 2019 wrote it: norms follow
// the rows, but the list of chunks leaves them out.
func unlistNorms(t testing.TB, file []byte) []byte {
	t.Helper()
	n := binary.LittleEndian.Uint32(file[8:])
	last := 12 + 4*(n-1)
	if kind := binary.LittleEndian.Uint32(file[last:]); kind != chunkNorms {
		t.Fatalf("the last of %d chunks is of kind %d, want norms", n, kind)
	}
	unlisted := bytes.Clone(file[:last])
	binary.LittleEndian.PutUint32(unlisted[8:], n-1)
	return append(unlisted, file[last+4:]...) // 4 bytes less change no padding
}

// Norms that the list of chunks leaves out are found and used: the set is the same
// as that of the file which lists them, however either is read.
func TestFinalfusionUnlistedNorms(t *testing.T) {
	files := map[string][]byte{}
	for name, s := range ngramKinds(t) {
		if name != "floret" { // has no words, and no norms
			files[name] = encode(t, s, Finalfusion)
		}
	}
	for _, name := range []string{"simple", "fasttext", "fasttext-explicit", "buckets", "explicit", "quantised-opq"} {
		files["golden "+name] = readGolden(t, "finalfusion/"+name+".fifu")
	}
	for name, listed := range files {
		t.Run(name, func(t *testing.T) {
			want, err := Read(bytes.NewReader(listed))
			if err != nil {
				t.Fatal(err)
			}
			unlisted := unlistNorms(t, listed)
			path := filepath.Join(t.TempDir(), "old.fifu")
			if err := os.WriteFile(path, unlisted, 0o666); err != nil {
				t.Fatal(err)
			}
			for how, open := range map[string]func() (*vectors.Set, error){
				"mapped":      func() (*vectors.Set, error) { return Open(path) },
				"in the file": func() (*vectors.Set, error) { return OpenStream(path, nil) },
				"a stream":    func() (*vectors.Set, error) { return Read(bytes.NewReader(unlisted)) },
			} {
				got, err := open()
				if err != nil {
					t.Fatalf("%s: %v", how, err)
				}
				trial.SameSet(t, got, want)
				if again := encode(t, got, Finalfusion); !bytes.Equal(again, encode(t, want, Finalfusion)) {
					t.Errorf("%s: written again, it is another file", how)
				}
				if err := got.Close(); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// What follows the rows and is no norms is refused, and norms that are cut or of
// another number of words are too.
func TestFinalfusionUnlistedNormsErrors(t *testing.T) {
	plain := file("FiFu", uint32(0), uint32(2), uint32(1), uint32(2),
		uint32(1), uint64(0), uint64(1), uint32(1), "a",
		uint32(2), uint64(0), uint64(1), uint32(2), uint32(10), "\x00\x00\x00", []float32{0.6, 0.8})
	norms := func(n uint64, numbers ...float32) string {
		return file(uint32(6), uint64(0), n, uint32(10), "\x00\x00\x00\x00", numbers)
	}
	const end = `expected the end of the file or a chunk of norms (6), found more bytes, of kind `
	for _, tt := range []struct{ name, tail, want string }{
		{"norms", norms(1, 5), ""},
		{"none", "", ""},
		{"a byte", "\x06", "byte 84: expected the end of the file, found 1 bytes more"},
		{"another chunk", file(uint32(1), uint64(0)), "byte 84: " + end + "1 if they are a chunk"},
		{"zeros", "\x00\x00\x00\x00", "byte 84: " + end + "0 if they are a chunk"},
		{"a cut chunk", file(uint32(6)), "byte 88: the norms: expected a chunk, but the file ends: unexpected EOF"},
		{"more words", norms(2, 5, 5), "byte 96: the norms: expected norms of 1 words, found 2"},
		{"too few", norms(1), "byte 112: the norms: expected norms of 4 bytes, but 0 are left: unexpected EOF"},
		{"more behind norms", norms(1, 5) + "x", "byte 116: expected the end of the file, found 1 bytes more"},
		{"norms twice", norms(1, 5) + norms(1, 5), "byte 116: expected the end of the file, found 32 bytes more"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, err := read(bytes.NewReader([]byte(plain+tt.tail)), int64(len(plain+tt.tail)))
			if errorText(err) != tt.want {
				t.Fatalf("got  %v\nwant %s", err, tt.want)
			}
			if err != nil {
				return
			}
			length := float32(1)
			if tt.name == "norms" {
				length = 5
			}
			if v, _ := vector(s, "a"); v[0] != 0.6*length || v[1] != 0.8*length {
				t.Errorf("vector %v, want 0.6 and 0.8 times %v", v, length)
			}
		})
	}
}
