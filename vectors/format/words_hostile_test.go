package format

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/vectors"
)

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

func testReadBack(t *testing.T, f Format, words []string) {
	can, err := Describe(f)
	if err != nil {
		t.Fatal(err)
	}

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
		path := filepath.Join(t.TempDir(), "m")
		if can.Several {
			err = Write(t.Context(), path, s, f)
		} else {
			var file bytes.Buffer
			if err = Encode(&file, s, f); err == nil {
				err = os.WriteFile(path, file.Bytes(), 0o666)
			}
		}
		if err != nil {
			if !slices.ContainsFunc(words, func(word string) bool {
				return strings.Contains(err.Error(), strings.Trim(fmt.Sprintf("%q", word), `"`))
			}) {
				t.Errorf("%q: the error names no word: %v", words, err)
			}
			continue
		}
		for _, open := range []func(string) (*vectors.Set, error){Open, func(path string) (*vectors.Set, error) { return OpenStream(path, nil) }} {
			got, err := open(path)
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
