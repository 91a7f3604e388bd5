package format

import (
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/internal/trial"
)

// What is unusual about the words of a file is said, and what makes no sense is refused.
func TestUnusualWords(t *testing.T) {
	big := "2 4\n"
	for _, word := range []string{"a", "b"} {
		big += word + " "
		for _, x := range []float32{0.25, -0.1, 0.3, 0.07} {
			big += string(binary.BigEndian.AppendUint32(nil, math.Float32bits(x)))
		}
		big += "\n"
	}
	const table = "expected words and their numbers, but every line has numbers alone"
	for _, c := range []struct{ name, file, words, want string }{ // the words, and the notes; or the error
		{"nothing unusual", "2 1\na 1\nb 2\n", "a b", ""},
		{"listed twice", "4 1\na 1\nb 2\na 3\nb 4\n", "a b", `2 words are listed more than once, and their first vectors are taken, first word 2, "a"`},
		{"control characters", "2 1\na\x01 1\nb 2\n", "a\x01 b", `a word is empty or blank, or has a control character or a byte order mark: word 0, "a\x01"`},
		{"a blank word", "2 1\na 1\n  2\n", "a  ", `a word is empty or blank, or has a control character or a byte order mark: word 1, " "`},
		{"a table", "0.5 1 2\n0.25 3 4\n", "", table},
		{"a table of ones", "1 1 2\n1 3 4\n", "", table},
		{"a table with tabs", "-1.5\t1\t2\n2e3\t3\t4\n", "", table},
		{"nodes of a graph", "2 1\n1 0.5\n2 0.5\n", "1 2", ""},
		{"nodes, or a table", "1 0.5 1\n2 0.5 1\n", "1 2", "all 2 words are numbers, as the first column of a table without words would be, first word 0"},
		{"a year among words", "1984 0.5\na 0.5\n", "1984 a", ""},
		{"a header of too few, or prices", "2 1\na 0.5 1\nb 0.5 2\n", "a 0.5 b 0.5", "most words end in a number after a space: if that belongs to their vectors, rows have more than 1 numbers"},
		{"a first row of too few", "a 1\nb 0.5 2\nc 0.5 2\n", "", "expected rows of 1 numbers, as the first one has, but most rows have more"},
		{"perhaps too few", "2 1\na 5 1\nb 6 2\n", "a 5 b 6", "most words end in a number after a space"},
		{"a header of too many", "2 3\na 0.5 1\nb 0.5 2\n", "", "line 2: expected a word and 3 numbers, found 3 fields"},
		{"hexadecimal", "2 1\na 0x1p-3\nb 1\n", "", `found "0x1p-3" for number 1`},
		{"old Macs", "2 1\ra 1\rb 2\r", "", "carriage returns alone"},
		{"UTF-16", "\xff\xfea\x00 \x001\x00\n\x00", "", "text in UTF-16"},
		{"commas", "a,1,2\nb,3,4\n", "", "this is a table with commas"},
		{"big-endian", big, "", "expected little-endian numbers, found big-endian ones"},
		{"big-endian fastText", "\x2f\x4f\x16\xba\x00\x00\x00\x0c", "", "a model of fastText that a big-endian machine wrote"},
	} {
		s, err := Read(strings.NewReader(c.file))
		if err != nil {
			if c.words != "" || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: %v, want %s", c.name, err, c.want)
			}
			continue
		}
		if got := strings.Join(s.Words().Strings(), " "); c.words == "" || got != c.words {
			t.Errorf("%s: words %q, want %q", c.name, got, c.words)
		}
		if got := strings.Join(s.Notes(), "; "); !strings.Contains(got, c.want) || c.want == "" && got != "" {
			t.Errorf("%s: notes %q, want %q", c.name, got, c.want)
		}
	}
}

// A word that was listed twice is not a neighbour of itself, and later conversions work, from every format
// that can hold it. Words beside a matrix may begin with a byte order mark.
func TestRepeatedWords(t *testing.T) {
	four := file(float32(1), float32(2), float32(3))
	for format, files := range map[Format]map[string]string{
		Npy:       {"m": npyMatrix("<f4", "(3, 1)", four), "m.vocab.txt": "\ufeffa\na\nb\n"},
		Torch:     {"m": matrixFile("weight", "F32", "[3,1]", four), "m.vocab.txt": "\ufeffa\na\nb\n"},
		Projector: {"vectors.tsv": "\ufeff1\n2\n3\n", "metadata.tsv": "\ufeffword\tcount\na\t3\na\t2\nb\t1\n"},
		Word2Vec:  {"m": "3 1\na " + four[:4] + "\na " + four[4:8] + "\nb " + four[8:] + "\n"},
	} {
		bytes := map[string][]byte{}
		for name, text := range files {
			bytes[name] = []byte(text)
		}
		path := putFiles(t, t.TempDir(), format, bytes)
		for name, open := range map[string]func(string) (*vectors.Set, error){
			"Open": Open, "OpenStream": func(path string) (*vectors.Set, error) { return OpenStream(path, nil) },
		} {
			s, err := open(path)
			if err != nil {
				t.Errorf("%s, %s: %v", format, name, err)
				continue
			}
			if got := vectorsOf(s, "a", "b"); s.Len() != 2 || got != "[1] [3]" || len(s.Notes()) != 1 {
				t.Errorf("%s, %s: words %q, %s, notes %q", format, name, s.Words(), got, s.Notes())
			}
			if s.Input().Rows != 2 {
				t.Errorf("%s, %s: %d rows for 2 words", format, name, s.Input().Rows)
			}
			if format == Projector && s.Counts()[1] != 1 {
				t.Errorf("counts %d", s.Counts())
			}
			for _, to := range []Format{FastText, Finalfusion, Model2Vec, W2V} {
				if len(filesOf(t, s, to)) == 0 {
					t.Errorf("%s to %s: nothing", format, to)
				}
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}

// Names of files and other marks of formats, as tests expect them.
const (
	projectorVectors  = "vectors.tsv"
	projectorMetadata = "metadata.tsv"
	projectorConfig   = "projector_config.pbtxt"

	sentenceModules       = "modules.json"
	sentenceConfig        = "config_sentence_transformers.json"
	model2VecConfig       = "config.json"
	model2VecMatrix       = "embeddings"
	staticMatrix          = "model.safetensors"
	staticTokenizer       = "tokenizer.json"
	staticTokenizerConfig = "tokenizer_config.json"
	torchInput            = "embedding.weight"

	npyMagic      = "\x93NUMPY"
	fastTextMagic = 793712314

	chunkQuantised = 4 // of finalfusion
	chunkNorms     = 6

	nativeAlign     = 64
	checksumSize    = 4
	tensorInput     = "input"
	tensorRows      = "state_rows_"
	tensorChecksum  = "state_crc32c"
	tensorOffsets   = "word_offsets"
	tensorWords     = "words"
	tensorBucketRow = "bucket_rows"
	tensorNgramAt   = "ngram_offsets"
	tensorSlots     = "word_slots"
	tensorState     = "state"

	longestConfig = 16 << 20
	longestToken  = 1 << 10

	betweenSeparators = `[^\x00\t-\r ]+`
)

// fastTextArgs are the settings of fastText in the order of the file.
type fastTextArgs struct {
	Dim, Window, Epochs, MinCount, Negatives int32
	WordNgrams, Loss, Model                  int32
	Buckets, MinN, MaxN, LRUpdateRate        int32
	Sample                                   float64
}

// fastTextSizes is what the dictionary of fastText begins with.
type fastTextSizes struct {
	Entries, Words, Labels int32
	Tokens, Pruned         int64
}

// addedToken is an entry of added_tokens in a tokenizer.json.
type addedToken struct {
	ID         int    `json:"id"`
	Content    string `json:"content"`
	SingleWord bool   `json:"single_word"`
	LStrip     bool   `json:"lstrip"`
	RStrip     bool   `json:"rstrip"`
	Normalized bool   `json:"normalized"`
	Special    bool   `json:"special"`
}

// Words of vectors.MaxWord bytes are read as they were written, wherever they stand, and what is
// longer is written in no format.
func TestLongWords(t *testing.T) {
	long := strings.Repeat("a", vectors.MaxWord)
	accents, controls := strings.Repeat("é", vectors.MaxWord/2), strings.Repeat("\x01", vectors.MaxWord)
	for _, f := range All() {
		for _, dim := range []int{3, 1, 300}[:reduced(3, 1)] {
			for first, words := range [][]string{{long, "b", accents, controls}, {"b", accents, controls, long}} {
				s := trial.Unchecked(vectors.Parts{Words: vectors.NewWords(words...), Input: vectors.NewMatrix(len(words), dim), Counts: []uint64{4, 3, 2, 1}})
				for i := range words {
					for k := range dim {
						s.Input().Row(i)[k] = 0.5 + float32(i) + float32(k)/8
					}
				}
				if f == Floret { // holds no words
					s = alter(s, func(p *vectors.Parts) {
						p.Subword, p.Composition, p.Input = subword.Floret{MinN: 2, MaxN: 3, Buckets: 9, Hashes: 1, BOW: "<", EOW: ">"}, subword.Pieces, vectors.NewMatrix(9, dim)
					})
				}
				path := filepath.Join(t.TempDir(), "model")
				if err := Write(t.Context(), path, s, f); err != nil {
					t.Errorf("%s: %v", f, err)
					continue
				}
				read, err := Open(path)
				if err != nil {
					t.Errorf("%s, dimension %d, %d: %v", f, dim, first, err)
					continue
				}
				if got := read.Words().Strings(); read.Check() != nil || f != Floret && !slices.Equal(got, words) {
					t.Errorf("%s, dimension %d: %d words, %v", f, dim, len(got), read.Check())
				}
				if err := read.Close(); err != nil {
					t.Error(err)
				}
			}
		}
		s := trial.Unchecked(vectors.Parts{Words: vectors.NewWords("a", long+"a"), Input: vectors.NewMatrix(2, 3)})
		if f == Floret {
			s = alter(s, func(p *vectors.Parts) {
				p.Subword, p.Composition, p.Input = subword.Floret{MinN: 2, MaxN: 3, Buckets: 9, Hashes: 1, BOW: "<", EOW: ">"}, subword.Pieces, vectors.NewMatrix(9, 3)
			})
		}
		want := fmt.Sprintf(`word 1, %q, has %d bytes, at most %d are possible`, long[:40], vectors.MaxWord+1, vectors.MaxWord)
		if err := Write(t.Context(), filepath.Join(t.TempDir(), "model"), s, f); err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%s: error %v, want %s", f, err, want)
		}
		if err := CheckWords(s.Words().Strings(), f); err == nil || err.Error() != want {
			t.Errorf("%s: error %v, want %s", f, err, want)
		}
	}
}

// What is written is read back, word by word and vector by vector, whatever the words look like; or writing
// says which of them cannot be.
func TestWordsOfAllKindsAreReadBack(t *testing.T) {
	lists := map[string][]string{
		"ids":                     {"1", "2", "30"},
		"decimals":                {"0.5", "1.25", "-3"},
		"decimals among words":    {"tea", "0.5", "1.25"},
		"numbers and exponents":   {"1e5", "+7", "-2E-3", ".5", "5."},
		"no numbers":              {"nan", "inf", "-Inf", "NaN", "Infinity"},
		"digits of other kinds":   {"1_000", "0x1p-3", "١٢", "½", "1,5"},
		"versions":                {"python 2.7", "go 1.25", "1.2.3", "v1.0"},
		"prices":                  {"Product 22.5", "Product 9.99", "Product 1e3"},
		"prices among words":      {"tea", "Product 22.5", "red wine"},
		"parts":                   {"part 7", "part 8"},
		"headers":                 {"1 3", "3 2", "2 2"},
		"numbers with blanks":     {"1 2 3", "0.5 0.25", "4\t5"},
		"blanks within":           {"New York", "a  b", "tab\tulator"},
		"blanks around":           {"tea", " before", "after "},
		"blanks alone":            {"tea", " ", "\t"},
		"spaces of Unicode":       {"\u00a0", "\u2003a", "b\u3000", "c\u2028d", "e\u0085f"},
		"byte order marks":        {"\ufeff", "\ufefftea", "te\ufeffa"},
		"a mark first":            {"\ufefftea", "red"},
		"control characters":      {"a\x01", "\x7f", "b\x1fc", "\x00", "d\x00e"},
		"line ends":               {"a\rb", "c\r", "\rd", "e\vf", "g\fh"},
		"newlines":                {"tea", "a\nb"},
		"not UTF-8":               {"caf\xe9", "\xff\xfe", "tea"},
		"an empty word":           {"tea", ""},
		"markup":                  {"{", "<html>", "#", "//", "\"quoted\"", "\\n", "%!"},
		"what begins other files": {"PK", "\x80\x02c", "{\"a\":1}", "\x93NUMPY"},
		"commas":                  {"a,b", ",", "a;b"},
		"names of rows":           {"word", "word\tcount", "</s>", "[UNK]", "[PAD]", "<unk>"},
		"capitals":                {"Tea", "tea", "İ", "ΣΑΣ"},
		"accents":                 {"e\u0301", "\u00e9"},
		"twice":                   {"tea", "red", "tea"},
	}
	for name, words := range lists {
		for _, f := range All() {
			if f == Floret { // which has no words
				continue
			}
			for turn := range min(2, len(words)) { // the first word tells what a file is
				turned := slices.Concat(words[turn:], words[:turn])
				t.Run(fmt.Sprintf("%s/%s/%d", f, name, turn), func(t *testing.T) { testReadBack(t, f, turned) })
			}
		}
	}
}

// openStreamOf writes files to a folder and opens m there.
func openStreamOf(t *testing.T, files fstest.MapFS) (*vectors.Set, error) {
	dir := t.TempDir()
	if err := os.CopyFS(dir, files); err != nil {
		t.Fatal(err)
	}
	return OpenStream(filepath.Join(dir, "m"), nil)
}

func testReadBack(t *testing.T, f Format, words []string) {
	for _, numbers := range [][]float32{{0.5, -0.25, 0.125}, {1, 2, 3}} {
		input := vectors.NewMatrix(len(words), len(numbers))
		for i := range words {
			for j, x := range numbers {
				input.Row(i)[j] = x * float32(i+1)
			}
		}
		s, err := vectors.New(vectors.Parts{Words: vectors.NewWords(words...), Input: input})
		if err != nil {
			t.Fatal(err)
		}
		files, err := encodeFiles(s, f)
		if err != nil {
			if !slices.ContainsFunc(words, func(word string) bool {
				return strings.Contains(err.Error(), strings.Trim(fmt.Sprintf("%q", word), `"`))
			}) {
				t.Errorf("%q: the error names no word: %v", words, err)
			}
			continue
		}
		for _, open := range []func() (*vectors.Set, error){
			func() (*vectors.Set, error) { return OpenFS(files, "m") },
			func() (*vectors.Set, error) { return openStreamOf(t, files) },
		}[:reduced(2, 1)] {
			got, err := open()
			if err != nil {
				t.Errorf("%q, %v, was written and is refused: %v", words, numbers, err)
				continue
			}
			n := 0
			row := make([]float32, len(numbers))
			for id, word := range words {
				if slices.Index(words, word) < id && f != W2V { // the first one counts
					continue
				}
				if n >= got.Len() || got.Words().At(n) != word {
					t.Errorf("%q are read as %q", words, got.Words())
					break
				}
				got.Rows().Read(row, n)
				for j := range row {
					if d := row[j] - input.Row(id)[j]; d > 1e-6 || d < -1e-6 {
						t.Errorf("%q: %q has %v, want %v", words, word, row, input.Row(id))
						break
					}
				}
				n++
			}
			if n < got.Len() {
				t.Errorf("%q are read as %q", words, got.Words())
			}
			if err := got.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}
