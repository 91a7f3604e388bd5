package format

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format/internal/codec"
	"github.com/w2v-go/w2v/vectors/internal/trial"
	"github.com/w2v-go/w2v/vectors/pooling"
	"github.com/w2v-go/w2v/vectors/transform"
)

// bridges are the formats for numerical programs, and words that they hold.
var bridges = []struct {
	format Format
	pieces []string
}{
	{Npy, append([]string{" ", "\t", "\x00"}, plainPieces...)},
	{Torch, append([]string{" ", "\t", "\x00"}, plainPieces...)},
	{Projector, append([]string{"x y", "\v"}, plainPieces...)},
	{SentenceTransformers, validPieces},
	{Model2Vec, validPieces},
}

// validPieces are UTF-8, as JSON must be.
var validPieces = []string{"a", "the", "é", "日本", "🙂", "\u00a0", "\u2028", "\u3000", "-", "<", "&", "\"", "\\", "\x00", "\n", "x y", "\t", "\ufeff", "7", "##"}

// filesOf returns the files that s is written as in a folder of their own.
func filesOf(t testing.TB, s *vectors.Set, f Format) map[string][]byte {
	t.Helper()
	c, err := codecOf(f)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "m")
	if err := Write(t.Context(), path, s, f); err != nil {
		t.Fatal(err)
	}
	dir := path
	if !c.Folder() {
		dir = filepath.Dir(path)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	for _, e := range entries {
		if files[e.Name()], err = os.ReadFile(filepath.Join(dir, e.Name())); err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// putFiles writes files to a folder and returns what is opened.
func putFiles(t testing.TB, dir string, f Format, files map[string][]byte) string {
	t.Helper()
	c, err := codecOf(f)
	if err != nil {
		t.Fatal(err)
	}
	for name, b := range files {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if c.Folder() {
		return dir
	}
	return filepath.Join(dir, "m")
}

func TestBridgeRoundTrip(t *testing.T) {
	for _, tt := range bridges {
		t.Run(string(tt.format), func(t *testing.T) {
			for seed := range uint64(reduced(20, 3)) {
				s := tame(dice{rand.New(rand.NewPCG(seed, 3))}.set(tt.pieces, true))
				d := vectors.F32
				if known := tt.format.DTypes(); len(known) > 0 {
					d = known[seed%uint64(len(known))]
				}
				want := composed(s)
				if tt.format == SentenceTransformers || tt.format == Model2Vec {
					want = pooledRows(t, s, want)
				}
				want = alter(want, func(p *vectors.Parts) { p.Input = withDType(want.Input(), d) }) // composed first, and rounded once
				s = transform.WithDType(s, d)
				if tt.format == Torch {
					want = alter(want, func(p *vectors.Parts) { p.Output = s.Output() })
				}
				if tt.format == Projector {
					want = alter(want, func(p *vectors.Parts) { p.Counts = s.Counts() })
				}
				files := filesOf(t, s, tt.format)
				path := putFiles(t, t.TempDir(), tt.format, files)
				for name, open := range map[string]func(string) (*vectors.Set, error){
					"Open":       Open,
					"OpenStream": func(path string) (*vectors.Set, error) { return OpenStream(path, nil) },
				} {
					got, err := open(path)
					if err != nil {
						t.Fatalf("seed %d: %s: %v", seed, name, err)
					}
					if err := got.Check(); err != nil {
						t.Fatal(err)
					}
					if Format(got.Format()) != tt.format || got.Input().DType() != d {
						t.Fatalf("seed %d: read as %s of %s, want %s of %s", seed, got.Format(), got.Input().DType(), tt.format, d)
					}
					trial.SameSet(t, got, want)
					if keeps, _ := Describe(tt.format); len(keeps.Keeps.Training) > 0 && got.Training().Attached(vectors.AttachedTokenizer) == nil && // otherwise the file says it
						(got.Training().Bool("lowercase") != s.Training().Bool("lowercase") || got.Training().Text("tokenizer") == "unicode" != (s.Training().Text("tokenizer") == "unicode")) {
						t.Fatalf("seed %d: training %+v, want %+v", seed, got.Training(), s.Training())
					}
					again := filesOf(t, got, tt.format)
					for name, b := range files {
						if !bytes.Equal(again[name], b) {
							t.Fatalf("seed %d: writing what was read gives another %s", seed, name)
						}
					}
					if err := got.Err(); err != nil {
						t.Fatal(err)
					}
					if err := got.Close(); err != nil {
						t.Fatal(err)
					}
				}
			}
		})
	}
}

// pooledRows returns words with the vectors of the texts that they are alone.
func pooledRows(t testing.TB, s, words *vectors.Set) *vectors.Set {
	t.Helper()
	p, err := pooling.New(s, pooling.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if p.Method() == pooling.Mean {
		return words
	}
	return alter(words, func(parts *vectors.Parts) {
		parts.Input = vectors.NewMatrix(s.Len(), s.Dim())
		for id, word := range s.Words().All() {
			p.Text(parts.Input.Row(id), []vectors.Token{{Word: word, ID: id}})
		}
	})
}

// What cannot be written leaves all files as they were.
func TestSeveralFilesTogether(t *testing.T) {
	old := trial.Unchecked(vectors.Parts{Words: vectors.NewWords("a", "b"), Input: vectors.NewMatrix(2, 1)})
	tooLarge := trial.Unchecked(vectors.Parts{Words: vectors.NewWords("c"), Input: vectors.NewMatrix(1, 1)})
	tooLarge.Input().Row(0)[0] = 1e9
	tooLarge = transform.WithDType(tooLarge, vectors.F16)
	for _, f := range []Format{Npy, Torch} {
		path := filepath.Join(t.TempDir(), "m")
		if err := Write(t.Context(), path, old, f); err != nil {
			t.Fatal(err)
		}
		want := path + ": row 0: 1e+09 is more than the type f16 can hold: choose another type, or scale the vectors"
		if err := Write(t.Context(), path, tooLarge, f); err == nil || err.Error() != want {
			t.Errorf("%s: got %v, want %s", f, err, want)
		}
		got, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		trial.SameSet(t, got, old)
		if err := got.Close(); err != nil {
			t.Error(err)
		}
		if entries, err := os.ReadDir(filepath.Dir(path)); err != nil || len(entries) != 2 {
			t.Errorf("%s: %d files are left, %v", f, len(entries), err)
		}
		// A word list that cannot take its place leaves the matrix as it was.
		if err := errors.Join(os.Remove(path+codec.WordsSuffix), os.MkdirAll(filepath.Join(path+codec.WordsSuffix, "x"), 0o777)); err != nil {
			t.Fatal(err)
		}
		want = path + codec.WordsSuffix + ": is a folder, want a file"
		if err := Write(t.Context(), path, transform.WithDType(tooLarge, vectors.F32), f); err == nil || err.Error() != want {
			t.Errorf("%s: got %v, want %s", f, err, want)
		}
	}
}

// A file of several cut at any byte is an error that names it, and never a panic.
func TestBridgeTruncated(t *testing.T) {
	s := trial.Unchecked(vectors.Parts{Words: vectors.NewWords("the", "日本語", "a b"), Counts: []uint64{3, 2, 1}, Input: vectors.NewMatrix(3, 2), Output: vectors.NewMatrix(3, 2)})
	s = alter(s, func(p *vectors.Parts) { p.Training.Set("lowercase", true) })
	for i := range 3 {
		s.Input().Row(i)[0], s.Input().Row(i)[1] = float32(i)+0.125, -1e-3
	}
	harmless := []string{"README.md", projectorConfig, sentenceConfig, staticTokenizerConfig}
	for _, tt := range bridges {
		t.Run(string(tt.format), func(t *testing.T) {
			files := filesOf(t, s, tt.format)
			dir := t.TempDir()
			for name, b := range files {
				if slices.Contains(harmless, name) {
					continue
				}
				for n := range b {
					if n%reduced(5, 23) != 0 && n < len(b)-reduced(40, 9) {
						continue // files are slow
					}
					files[name] = b[:n]
					path := putFiles(t, dir, tt.format, map[string][]byte{name: b[:n]})
					if n == 0 {
						path = putFiles(t, dir, tt.format, files)
					}
					got, err := Open(path)
					if err == nil {
						// A last newline does not matter, and a number or a word of text may be cut.
						text := strings.HasSuffix(name, ".txt") || strings.HasSuffix(name, ".tsv") || name == sentenceModules
						if !text && n < len(b)-1 {
							t.Fatalf("%s cut to %d of %d bytes: no error", name, n, len(b))
						}
						if err := got.Check(); err != nil {
							t.Fatal(err)
						}
						if err := got.Close(); err != nil {
							t.Fatal(err)
						}
					} else if !strings.HasPrefix(err.Error(), path) || !strings.Contains(err.Error(), strings.TrimPrefix(name, "m")) && !strings.Contains(err.Error(), projectorMetadata) ||
						strings.Contains(err.Error(), "\n") {
						t.Fatalf("%s cut to %d bytes: %q does not name it on one line", name, n, err)
					}
				}
				files[name] = b
				putFiles(t, dir, tt.format, files)
			}
			// And without each of them.
			for name := range files {
				// sentence-transformers reads what model2vec writes, and we do so too. A module alone is read.
				if slices.Contains(harmless, name) || tt.format == SentenceTransformers && name == sentenceModules || tt.format == Model2Vec && (name == sentenceModules || name == model2VecConfig) {
					continue
				}
				if err := os.Remove(filepath.Join(dir, name)); err != nil {
					t.Fatal(err)
				}
				path := filepath.Join(dir, "m")
				if can, err := Describe(tt.format); err == nil && can.Folder {
					path = dir
				}
				if _, err := Open(path); err == nil || !strings.HasPrefix(err.Error(), path) {
					t.Errorf("without %s: got %v", name, err)
				}
				putFiles(t, dir, tt.format, files)
			}
		})
	}
}

func TestBridgeWords(t *testing.T) {
	for _, tt := range []struct {
		format Format
		word   string
		want   string // empty if it can be written
	}{
		{Npy, "", `word 1, "", is empty, which a list of one word a line cannot hold`},
		{Npy, "a\nb", `word 1, "a\nb", contains a newline, which a list of one word a line cannot hold`},
		{Torch, "a\r", `word 1, "a\r", ends in a carriage return, which a list of one word a line cannot hold`},
		{Torch, "a\rb ", ""},
		{Projector, "a\tb", `word 1, "a\tb", contains a tab or the end of a line, which the projector cannot hold`},
		{Projector, "\u00a0\ufeff", `word 1, "\u00a0\ufeff", is nothing but white space, which the projector passes over`},
		{Projector, "a\u00a0b", ""},
		{Model2Vec, "caf\xe9", `word 1, "caf\xe9", is not valid UTF-8, which JSON cannot hold`},
		{Model2Vec, "", `word 1, "", is empty, which no text has as a token`},
		{SentenceTransformers, "the", `word 1, "the", stands there twice, first as word 0, which a tokenizer cannot hold`},
	} {
		path := filepath.Join(t.TempDir(), "model")
		s := trial.Unchecked(vectors.Parts{Words: vectors.NewWords("the", tt.word), Input: vectors.NewMatrix(2, 3)})
		err := Write(t.Context(), path, s, tt.format)
		if tt.want == "" && err == nil {
			continue
		}
		if err == nil || err.Error() != path+": "+tt.want {
			t.Errorf("%s: got %v, want %s", tt.format, err, tt.want)
		}
		if _, err := os.Stat(path); err == nil {
			t.Errorf("%s: something was written", tt.format)
		}
	}
}

// vectorsOf prints the vectors of words.
func vectorsOf(s *vectors.Set, words ...string) string {
	var b strings.Builder
	for _, word := range words {
		v, ok := vector(s, word)
		fmt.Fprintf(&b, "%v%v ", v, map[bool]string{true: "", false: "?"}[ok])
	}
	return strings.TrimSuffix(b.String(), " ")
}

func TestScaled(t *testing.T) {
	s := trial.Unchecked(vectors.Parts{Words: vectors.NewWords("a", "b", "c"), Input: vectors.NewMatrix(3, 4), Output: vectors.NewMatrix(3, 4)})
	copy(s.Input().Row(0), []float32{3, 0, 4, 0})
	copy(s.Input().Row(1), []float32{1, 1, 1, 1})
	copy(s.Output().Row(0), []float32{0, 2, 0, 0})
	for scale, want := range map[transform.Scale]string{
		transform.ScaleNone:    "[3 0 4 0] [1 1 1 1] [0 0 0 0] [0 2 0 0]",
		transform.ScaleUnit:    "[0.6 0 0.8 0] [0.5 0.5 0.5 0.5] [0 0 0 0] [0 1 0 0]",
		transform.ScaleSqrtDim: "[6 0 8 0] [2 2 2 2] [0 0 0 0] [0 4 0 0]",
	} {
		got, err := transform.Scaled(s, scale)
		if err != nil {
			t.Fatal(err)
		}
		if text := vectorsOf(got, "a", "b", "c") + fmt.Sprint(" ", got.Output().Row(0)); text != want {
			t.Errorf("%s: %s, want %s", scale, text, want)
		}
		if err := got.Check(); err != nil {
			t.Error(err)
		}
	}
}

func TestScaledStd(t *testing.T) {
	s := openGolden(t, "fasttext/skipgram.bin")
	got, err := transform.Scaled(s, transform.ScaleStd(0.02))
	if err != nil {
		t.Fatal(err)
	}
	for name, m := range map[string]vectors.Matrix{"vectors": got.Vectors(), "context": got.Output()} {
		var sum, squares, n float64
		for r := range m.Rows {
			for _, x := range m.Row(r) {
				sum, n = sum+float64(x), n+1
			}
		}
		for r := range m.Rows {
			for _, x := range m.Row(r) {
				squares += (float64(x) - sum/n) * (float64(x) - sum/n)
			}
		}
		if std := math.Sqrt(squares / n); math.Abs(std-0.02) > 1e-8 {
			t.Errorf("%s have a standard deviation of %v", name, std)
		}
	}
	// One factor for all: n-grams stay, and so do directions.
	before, _ := vector(s, "bakers")
	after, ok := vector(got, "bakers")
	if _, known := s.ID("bakers"); known || !ok {
		t.Fatal("bakers is known, or not composed")
	}
	first, _ := vector(s, "the")
	scaled, _ := vector(got, "the")
	by := scaled[0] / first[0]
	for i := range before {
		if math.Abs(float64(after[i]/before[i]-by)) > 1e-5*math.Abs(float64(by)) {
			t.Errorf("number %d times %v, another %v", i, after[i]/before[i], by)
		}
	}
	for _, numbers := range [][]float32{{2, 2}, {float32(math.NaN()), 1}} {
		s := trial.Unchecked(vectors.Parts{Words: vectors.NewWords("a"), Input: vectors.NewMatrix(1, 2)})
		copy(s.Input().Row(0), numbers)
		if _, err := transform.Scaled(s, transform.ScaleStd(1)); err == nil {
			t.Errorf("%v: no error", numbers)
		}
	}
}

func TestParseScale(t *testing.T) {
	for name, want := range map[string]string{
		"none": "", "unit": "", "sqrt-dim": "", "std=0.02": "",
		"std=0":   `the scale std=S needs a number above 0, found "0"`,
		"std=inf": `the scale std=S needs a number above 0, found "inf"`,
		"std":     `the scale "std" is not known; known are none, unit, sqrt-dim, std=S`,
	} {
		s, err := transform.ParseScale(name)
		if want == "" && (err != nil || string(s) != name) || want != "" && (err == nil || err.Error() != want) {
			t.Errorf("%s: %q, %v; want %s", name, s, err, want)
		}
	}
}

func TestWithSpecialTokens(t *testing.T) {
	s := openGolden(t, "fasttext/skipgram.bin")
	got, err := transform.WithSpecialTokens(s, "[PAD]", "[UNK]")
	if err != nil {
		t.Fatal(err)
	}
	if err := got.Check(); err != nil {
		t.Fatal(err)
	}
	if got.Len() != s.Len()+2 || got.Words().At(0) != "[PAD]" || got.Words().At(1) != "[UNK]" || got.Counts()[2] != s.Counts()[0] ||
		got.Output().Rows != got.Len() || got.Subword() != nil {
		t.Errorf("%d words, %q first, %d counts, %d output rows", got.Len(), got.Words().At(0), len(got.Counts()), got.Output().Rows)
	}
	for id, word := range s.Words().All() {
		if !slices.Equal(trial.WordVector(got, id+2), trial.WordVector(s, id)) {
			t.Errorf("%q has another vector", word)
		}
	}
	if text := vectorsOf(got, "[PAD]", "[UNK]"); text != "[0 0 0 0 0] [0 0 0 0 0]" {
		t.Error(text)
	}
	for want, tokens := range map[string][]string{
		`the special token "the" is a word already, number 0`: {"the"},
		`the special token "x" is named twice`:                {"x", "y", "x"},
		`a special token is empty`:                            {""},
	} {
		s := trial.Unchecked(vectors.Parts{Words: vectors.NewWords("the"), Input: vectors.NewMatrix(1, 1)})
		if _, err := transform.WithSpecialTokens(s, tokens...); err == nil || err.Error() != want {
			t.Errorf("%q: got %v, want %s", tokens, err, want)
		}
	}
	if same, err := transform.WithSpecialTokens(s); err != nil || same != s {
		t.Error("no tokens, but another set")
	}
}

// Special tokens stay special in what is made of a set, as far as they are in it.
func TestSpecialTokensStay(t *testing.T) {
	s := trial.Unchecked(vectors.Parts{Words: vectors.NewWords("the", "of"), Input: vectors.NewMatrix(2, 2)})
	s.Input().Row(0)[0], s.Input().Row(1)[1] = 1, 1
	s, err := transform.WithSpecialTokens(s, "[PAD]", "[MASK]")
	if err != nil {
		t.Fatal(err)
	}
	some, _ := transform.Select(s, []string{"[MASK]", "of"})
	composed, _ := transform.SelectComposed(s, []string{"[PAD]", "[MASK]", "the"})
	reduced, _, err := transform.Reduce(t.Context(), s, 1, transform.Computation{})
	if err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		s    *vectors.Set
		want int
	}{
		"three": {transform.Top(s, 3), 2}, "one": {transform.Top(s, 1), 1}, "some": {some, 1}, "composed": {composed, 2},
		"normalized": {transform.Normalized(s), 2}, "reduced": {reduced, 2}, "16 bits": {transform.WithDType(s, vectors.F16), 2},
	} {
		tokenizer := filesOf(t, tt.s, Model2Vec)[staticTokenizer]
		if got := bytes.Count(tokenizer, []byte(`"special":true`)); got != tt.want+1 { // and [UNK]
			t.Errorf("%s: %d special tokens, want %d: %s", name, got, tt.want+1, tokenizer)
		}
	}
}

func TestTied(t *testing.T) {
	s := openGolden(t, "fasttext/skipgram.bin")
	path := filepath.Join(t.TempDir(), "m.safetensors")
	for _, tied := range []bool{true, false} {
		from := s
		if tied {
			from = transform.OneMatrix(s)
		}
		if err := Write(t.Context(), path, from, Torch); err != nil {
			t.Fatal(err)
		}
		got, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		if got.Parts().OneMatrix != tied || (got.Output().Rows == 0) != tied {
			t.Errorf("tied %v, %d output rows; want tied %v", got.Parts().OneMatrix, got.Output().Rows, tied)
		}
		trial.SameMatrix(t, "input", got.Input(), s.Vectors())
		if err := got.Close(); err != nil {
			t.Error(err)
		}
	}
}
