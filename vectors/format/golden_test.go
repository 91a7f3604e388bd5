package format

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/internal/endian"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format/fasttext"
	"github.com/w2v-go/w2v/vectors/format/internal/source"
	"github.com/w2v-go/w2v/vectors/internal/coded"
	"github.com/w2v-go/w2v/vectors/internal/trial"
	"github.com/w2v-go/w2v/vectors/transform"
)

// golden returns the path of a file that a real program made; see
// testdata/README.md.
func golden(name string) string {
	return filepath.Join("..", "..", "testdata", filepath.FromSlash(name))
}

func readGolden(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(golden(name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func openGolden(t testing.TB, name string) *vectors.Set {
	t.Helper()
	s, err := Open(golden(name))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// vector returns a copy of the vector of word, and whether there is one.
func vector(s *vectors.Set, word string) ([]float32, bool) {
	v := make([]float32, s.Dim())
	ok := s.Vector(v, word)
	return v, ok
}

// sameDigits reports whether got, printed with five significant digits, could be
// want.
func sameDigits(got, want float32) bool {
	if want == 0 {
		return math.Abs(float64(got)) < 1e-30
	}
	digit := math.Pow(10, math.Floor(math.Log10(math.Abs(float64(want))))-4)
	return math.Abs(float64(got)-float64(want)) <= 0.51*digit
}

func TestGoldenModels(t *testing.T) {
	tests := []struct {
		file       string
		format     Format
		words, dim int
		input      int // rows
		output     int // rows
		counts     bool
		training   vectors.Training
	}{
		{
			"fasttext/skipgram.bin", FastText, 115, 5, 165, 115, true,
			vectors.NewTraining("arch", "skipgram", "window", 5, "epochs", 20, "negatives", 5, "min_count", 2, "sample", 1e-4, "tokens", 596),
		},
		{
			"fasttext/cbow.bin", FastText, 115, 5, 165, 115, true,
			vectors.NewTraining("arch", "cbow", "window", 3, "epochs", 20, "negatives", 7, "min_count", 2, "sample", float64(float32(0.01)), "tokens", 596),
		},
		{
			"fasttext/tree.bin", FastText, 115, 5, 165, 0, true,
			vectors.NewTraining("arch", "cbow", "loss", "hs", "window", 5, "epochs", 20, "negatives", 5, "min_count", 2, "sample", 1e-4, "tokens", 596),
		},
		{
			"fasttext/words.bin", FastText, 115, 5, 115, 115, true,
			vectors.NewTraining("arch", "skipgram", "window", 5, "epochs", 20, "negatives", 5, "min_count", 2, "sample", 1e-4, "tokens", 596),
		},
		{
			"fasttext/supervised.bin", FastText, 115, 5, 165, 0, true,
			vectors.NewTraining("arch", "supervised", "loss", "softmax", "window", 5, "epochs", 5, "negatives", 5, "min_count", 2, "sample", 1e-4, "tokens", 656),
		},
		{
			"fasttext/wordngrams.bin", FastText, 115, 5, 115, 0, true,
			vectors.NewTraining("arch", "supervised", "loss", "softmax", "word_ngrams", 2, "window", 5, "epochs", 5, "negatives", 5, "min_count", 2, "sample", 1e-4, "tokens", 656),
		},
		{
			"fasttext/quantised.ftz", FastText, 154, 5, 454, 0, true,
			vectors.NewTraining("arch", "supervised", "loss", "softmax", "window", 5, "epochs", 5, "negatives", 5, "min_count", 1, "sample", 1e-4, "tokens", 656),
		},
		{
			"fasttext/pruned.ftz", FastText, 94, 5, 300, 0, true,
			vectors.NewTraining("arch", "supervised", "loss", "softmax", "window", 5, "epochs", 1, "negatives", 5, "min_count", 1, "sample", 1e-4, "tokens", 656),
		},
		{
			"fasttext/labels.ftz", FastText, 81, 5, 260, 0, true,
			vectors.NewTraining("arch", "supervised", "loss", "softmax", "window", 5, "epochs", 5, "negatives", 5, "min_count", 1, "sample", 1e-4, "tokens", 896),
		},
		{file: "fasttext/skipgram.vec", format: Text, words: 115, dim: 5, input: 115},
		{file: "fasttext/words.vec", format: Text, words: 115, dim: 5, input: 115},
		{file: "fasttext/skipgram.vectors.txt", format: GloVe, words: 22, dim: 5, input: 22},
		{file: "gensim/word2vec.bin", format: Word2Vec, words: 115, dim: 5, input: 115},
		{file: "gensim/word2vec.txt", format: Text, words: 115, dim: 5, input: 115},
		{file: "gensim/glove.txt", format: GloVe, words: 115, dim: 5, input: 115},
	}
	for _, tt := range tests {
		t.Run(tt.file, func(t *testing.T) {
			s := openGolden(t, tt.file)
			if err := s.Check(); err != nil {
				t.Fatal(err)
			}
			if Format(s.Format()) != tt.format {
				t.Errorf("format %q, want %q", s.Format(), tt.format)
			}
			if s.Len() != tt.words || s.Dim() != tt.dim || s.Input().Rows != tt.input || s.Output().Rows != tt.output {
				t.Errorf("%d words of %d, %d input and %d output rows; want %d of %d, %d and %d",
					s.Len(), s.Dim(), s.Input().Rows, s.Output().Rows, tt.words, tt.dim, tt.input, tt.output)
			}
			if (s.Counts() != nil) != tt.counts {
				t.Errorf("counts %v", s.Counts())
			}
			if !s.Training().Equal(tt.training) {
				t.Errorf("training %+v, want %+v", s.Training(), tt.training)
			}
		})
	}
}

// What fastText prints of a word, in the vocabulary or not, is the vector that
// we have.
func TestGoldenWordVectors(t *testing.T) {
	for _, model := range []string{
		"skipgram.bin", "cbow.bin", "tree.bin", "supervised.bin", "wordngrams.bin", "quantised.ftz", "pruned.ftz", "labels.ftz",
	} {
		t.Run(model, func(t *testing.T) {
			s := openGolden(t, "fasttext/"+model)
			name, _, _ := strings.Cut(model, ".")
			want := openGolden(t, "fasttext/"+name+".vectors.txt")
			known := 0
			for id, word := range want.Words().All() {
				got, ok := vector(s, word)
				if _, in := s.ID(word); in {
					known++
				}
				zero := true
				for j, x := range want.Input().Row(id) {
					zero = zero && x == 0
					if !sameDigits(got[j], x) {
						t.Errorf("%q: got %v, want %v", word, got, want.Input().Row(id))
						break
					}
				}
				if ok == zero {
					t.Errorf("%q: there is a vector: %v, but fastText prints %v", word, ok, want.Input().Row(id))
				}
			}
			if known < 5 || known > want.Len()-5 {
				t.Errorf("%d of %d words are in the vocabulary, which tests too little", known, want.Len())
			}
		})
	}
}

// The .vec file that fastText writes beside a model holds our word
func TestGoldenVec(t *testing.T) {
	for _, model := range []string{"skipgram", "words"} {
		s, vec := openGolden(t, "fasttext/"+model+".bin"), openGolden(t, "fasttext/"+model+".vec")
		for id, word := range s.Words().All() {
			if vec.Words().At(id) != word {
				t.Fatalf("%s: word %d is %q in .bin and %q in .vec", model, id, word, vec.Words().At(id))
			}
			got := s.Vectors().Row(id)
			for j, x := range vec.Input().Row(id) {
				if !sameDigits(got[j], x) {
					t.Errorf("%s: %q: got %v, want %v", model, word, got, vec.Input().Row(id))
					break
				}
			}
		}
	}
}

// fastText prints the vector of every n-gram of a word; ours are the same, so
// the rows of buckets are where they should be.
func TestGoldenNgramVectors(t *testing.T) {
	for _, model := range []string{"skipgram", "cbow"} {
		t.Run(model, func(t *testing.T) {
			s := openGolden(t, "fasttext/"+model+".bin")
			blocks := strings.Split(string(readGolden(t, "fasttext/"+model+".ngrams.txt")), "# ")[1:]
			for _, block := range blocks {
				word, lines, _ := strings.Cut(block, "\n")
				ngrams, buckets := s.Subword().Ngrams(word), s.Subword().Append(nil, word)
				rows := strings.Split(strings.TrimSuffix(lines, "\n"), "\n")
				if id, ok := s.ID(word); ok { // fastText begins with the word itself
					compareLine(t, rows[0], word, s.Input().Row(id))
					rows = rows[1:]
				}
				if len(rows) == 1 && rows[0] == "" {
					rows = nil
				}
				if len(rows) != len(ngrams) {
					t.Fatalf("%q has the n-grams %q, fastText prints %q", word, ngrams, rows)
				}
				for i, row := range rows {
					compareLine(t, row, ngrams[i], s.BucketVector(buckets[i]))
				}
			}
		})
	}
}

func compareLine(t *testing.T, line, word string, vector []float32) {
	t.Helper()
	want, err := Read(strings.NewReader(line + "\n"))
	if err != nil {
		t.Fatalf("%q: %v", line, err)
	}
	if want.Words().At(0) != word {
		t.Errorf("got %q, fastText prints %q", word, want.Words().At(0))
	}
	for j, x := range want.Input().Row(0) {
		if !sameDigits(vector[j], x) {
			t.Errorf("%q: got %v, want %v", word, vector, want.Input().Row(0))
			break
		}
	}
}

// Reading a model of fastText and writing it gives fastText's bytes.
func TestGoldenFastTextBytes(t *testing.T) {
	for _, name := range []string{"skipgram", "cbow", "tree", "words"} {
		s := openGolden(t, "fasttext/"+name+".bin")
		var buf bytes.Buffer
		if err := Encode(&buf, s, FastText); err != nil {
			t.Fatal(err)
		}
		if want := readGolden(t, "fasttext/"+name+".bin"); !bytes.Equal(buf.Bytes(), want) {
			t.Errorf("%s: wrote %d bytes that differ from fastText's %d", name, buf.Len(), len(want))
		}
	}
}

// gensim composes the same vectors from the model and writes them to its files,
// except that of "</s>", which it gives n-grams that fastText does not.
func TestGoldenGensim(t *testing.T) {
	s := openGolden(t, "fasttext/skipgram.bin")
	for _, name := range []string{"gensim/word2vec.bin", "gensim/word2vec.txt", "gensim/glove.txt"} {
		g := openGolden(t, name)
		compared := 0
		for id, word := range g.Words().All() {
			want, ok := vector(s, word)
			if word == "</s>" || strings.Contains(word, `\x`) { // gensim escapes invalid UTF-8
				continue
			}
			if !ok {
				t.Errorf("%s: no vector of %q", name, word)
			}
			compared++
			for j, x := range g.Input().Row(id) {
				if math.Abs(float64(x-want[j])) > 1e-6 {
					t.Errorf("%s: %q: got %v, gensim wrote %v", name, word, want, g.Input().Row(id))
					break
				}
			}
		}
		if compared < 110 {
			t.Errorf("%s: %d words compared", name, compared)
		}
	}
}

// gensim ends no row with a newline, word2vec.c every row: both are read alike.
func TestWord2VecNewlines(t *testing.T) {
	without := readGolden(t, "gensim/word2vec.bin")
	a := openGolden(t, "gensim/word2vec.bin")
	var with bytes.Buffer
	if err := Encode(&with, a, Word2Vec); err != nil {
		t.Fatal(err)
	}
	if with.Len() != len(without)+a.Len() {
		t.Errorf("%d bytes with newlines, %d without, for %d rows", with.Len(), len(without), a.Len())
	}
	b, err := Read(&with)
	if err != nil {
		t.Fatal(err)
	}
	trial.SameSet(t, b, a)
}

// Codes of a mapped model are used in place, and rows of buckets that were left
// out are none.
func TestGoldenQuantised(t *testing.T) {
	s := openGolden(t, "fasttext/pruned.ftz")
	defer s.Close()
	q, ok := s.Input().Storage.(*coded.Quantised)
	if !ok || q.NormCodes == nil || q.Book.Part != 3 || q.Rotation != nil {
		t.Fatalf("stored as %+v", s.Input().Storage)
	}
	if !endian.Big && !s.InFile() {
		t.Error("the file is not mapped")
	}
	kept, ok := s.Subword().(*subword.Pruned)
	if !ok || kept.Rows() != 206 || kept.Whole() != (subword.FastText{MinN: 2, MaxN: 3, Buckets: 300}) {
		t.Fatalf("subwords %+v", s.Subword())
	}
	if n, all := len(kept.Ngrams("baker")), len(kept.Whole().Ngrams("baker")); n == 0 || n == all {
		t.Errorf("%d of %d n-grams of a word are left, which tests too little", n, all)
	}
	// In every way of reading the same comes out.
	file := readGolden(t, "fasttext/pruned.ftz")
	for shift := range 5 {
		view, err := fasttext.Codec.Read(source.View(append(make([]byte, shift), file...)[shift:]))
		if err != nil {
			t.Fatal(err)
		}
		trial.SameSet(t, view, s)
	}
	stream, err := Read(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	trial.SameSet(t, stream, s)
}

// Before version 12, classifiers had no n-grams whatever the file says.
func TestFastTextVersion11(t *testing.T) {
	for name, subwords := range map[string]bool{"skipgram": true, "supervised": false} {
		b := bytes.Clone(readGolden(t, "fasttext/"+name+".bin"))
		b[4] = 11
		s, err := Read(bytes.NewReader(b))
		if err != nil {
			t.Fatal(err)
		}
		if (s.Subword() != nil) != subwords {
			t.Errorf("%s: subwords %v", name, s.Subword())
		}
		if want := 115; !subwords && s.Input().Rows != want {
			t.Errorf("%s: %d input rows, want %d", name, s.Input().Rows, want)
		}
	}
}

// The output matrix of hierarchical softmax has no rows of words, but of nodes, one fewer.
func TestTreeInFastText(t *testing.T) {
	file := readGolden(t, "fasttext/tree.bin")
	s, err := Read(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	rows, dim := s.Matrix(vectors.MatrixNodes).Rows, 5
	if rows != s.Len()-1 || s.Matrix(vectors.MatrixNodes).Cols != dim || s.Output().Rows != 0 || s.Unread() != nil {
		t.Fatalf("%d nodes and %d output rows of %d words, %q unread", rows, s.Output().Rows, s.Len(), s.Unread())
	}
	// They are the last rows of the file but one, which fastText leaves as zeros.
	tail := file[len(file)-4*dim*(rows+1):]
	for r := range rows {
		if got := endian.Bytes(s.Matrix(vectors.MatrixNodes).Row(r)); !bytes.Equal(got, tail[4*dim*r:][:4*dim]) {
			t.Fatalf("node %d is %v", r, s.Matrix(vectors.MatrixNodes).Row(r))
		}
	}
	top := transform.Top(s, 10)
	again, err := Read(bytes.NewReader(encode(t, top, FastText)))
	if err != nil || again.Training().Text("loss") != "hs" || again.Matrix(vectors.MatrixNodes).Rows != 9 || !isZero(again.Matrix(vectors.MatrixNodes).Row(8)) {
		t.Errorf("of ten words: %v, loss %q, %d nodes", err, again.Training().Text("loss"), again.Matrix(vectors.MatrixNodes).Rows)
	}
}

// What fastText makes of a line is the mean of the rows of its words and of runs of two,
// which have the buckets that they have here.
func TestGoldenWordNgrams(t *testing.T) {
	s := openGolden(t, "fasttext/wordngrams.bin")
	runs := subword.WordNgrams{MaxN: 2, Buckets: 20}
	if got := s.Matrix(vectors.MatrixWordNgrams).Rows; got != runs.Buckets {
		t.Fatalf("%d rows of runs, want %d", got, runs.Buckets)
	}
	lines := strings.Split(string(readGolden(t, "toy.txt")), "\n")
	want := strings.Split(strings.TrimSpace(string(readGolden(t, "fasttext/wordngrams.sentences.txt"))), "\n")
	whole := 0
	for i, line := range want {
		tokens := append(strings.FieldsFunc(lines[i], func(r rune) bool { return strings.ContainsRune(" \t\v\f\r\x00", r) }), "</s>")
		got, row := make([]float32, s.Dim()), make([]float32, s.Dim())
		var hashes []uint64
		n, known := 0, 0
		add := func(m vectors.Matrix, r int) {
			n++
			m.Read(row, r)
			for k, x := range row {
				got[k] += x
			}
		}
		for _, token := range tokens { // those that are not in the vocabulary are in runs too
			if id, ok := s.ID(token); ok {
				add(s.Input(), id)
				known++
			}
			hashes = append(hashes, runs.Hash(token))
		}
		for _, b := range runs.Append(nil, hashes) {
			add(s.Matrix(vectors.MatrixWordNgrams), int(b))
		}
		scale(got, 1/float32(n))
		compareLine(t, "line "+line, "line", got)
		if known < len(tokens) {
			continue
		}
		whole++
		if used := s.Sentence(got, tokens); used != known {
			t.Errorf("%d of %d tokens are used", used, known)
		}
		compareLine(t, "line "+line, "line", got)
	}
	if whole == 0 {
		t.Error("no line has words of the vocabulary alone")
	}
}

// The files are those that testdata/README.md tells of.
func TestGoldenSums(t *testing.T) {
	sums := 0
	for line := range strings.Lines(string(readGolden(t, "README.md"))) {
		sum, name, ok := strings.Cut(strings.TrimSpace(line), "  ")
		if !ok || len(sum) != 64 {
			continue
		}
		sums++
		if got := fmt.Sprintf("%x", sha256.Sum256(readGolden(t, name))); got != sum {
			t.Errorf("%s has the sum %s, README.md says %s", name, got, sum)
		}
	}
	if sums < 20 {
		t.Errorf("%d sums in README.md", sums)
	}
}

// What a Set has no place for is named.
func TestUnread(t *testing.T) {
	for file, want := range map[string][]string{
		"fasttext/skipgram.bin":   nil,
		"fasttext/tree.bin":       nil,
		"fasttext/supervised.bin": nil,
		"fasttext/wordngrams.bin": nil,
		"fasttext/quantised.ftz":  nil,
		"finalfusion/simple.fifu": nil,
	} {
		if got := openGolden(t, file).Unread(); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", file, got, want)
		}
	}
}

// Two whole numbers are meant as a header, whatever they are, and a byte order mark
// before it is none of the text.
func TestHeadersThatLie(t *testing.T) {
	for _, header := range []string{"3000000000 3", "2 99999999999", "-1 3", "3 0"} {
		_, err := Read(strings.NewReader(header + "\na 1 2 3\nb 4 5 6\n"))
		if want := fmt.Sprintf("line 1: expected \"words dimensions\", up to 2147483647 each and at least 1 dimension, found %q", header); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	for _, text := range []string{"\ufeff2 3\na 1 2 3\nb 4 5 6\n", "\ufeffa 1 2 3\nb 4 5 6\n"} {
		s, err := Read(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if s.Len() != 2 || s.Dim() != 3 || s.Words().At(0) != "a" {
			t.Errorf("%q: %d words of %d, %s", text, s.Len(), s.Dim(), s.Words())
		}
	}
	// Streamed from a file it is the same.
	path := filepath.Join(t.TempDir(), "mark.glove")
	if err := os.WriteFile(path, []byte("\ufeffa 1 2 3\nb 4 5 6\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := OpenStream(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if got := s.Input().Row(1); !slices.Equal(got, []float32{4, 5, 6}) || s.Words().At(0) != "a" {
		t.Errorf("streamed: %v, %s", got, s.Words())
	}
}
