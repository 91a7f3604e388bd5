package corpus

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/internal/compression"
)

// readShards returns the tokens of all shards in order, "" is the end of a sentence.
func readShards(t *testing.T, shards []Shard) (tokens []string) {
	t.Helper()
	for _, s := range shards {
		r, err := s.Open(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		tokens = append(tokens, tokensOf(t, r)...)
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return tokens
}

// What is longer than MaxToken is left out and counted, with the line of the first one, whatever
// the tokeniser and however little is read at a time; what has MaxToken bytes is kept.
func TestTooLongTokens(t *testing.T) {
	fits := strings.Repeat("k", MaxToken)
	long := strings.Repeat("l", MaxToken+1)
	longer := strings.Repeat("mé", 200_000)
	marks := "a" + strings.Repeat("\u0301", 30_000) // a letter with more accents than it can have
	wide := strings.Repeat("K", MaxToken/2)         // grows in lower case
	for _, test := range []struct {
		name, text string
		options    Options
		want       []string
		left       TooLong
	}{
		{"none", fits + " a\n" + fits, Options{}, []string{fits, "a", "", fits}, TooLong{}},
		{"first", long + " a\n", Options{}, []string{"a", ""}, TooLong{1, MaxToken + 1, "text", 1, strings.Repeat("l", 24)}},
		{"alone in its line", "a\n\n" + long + "\nb", Options{}, []string{"a", "", "", "", "b"}, TooLong{1, MaxToken + 1, "text", 3, strings.Repeat("l", 24)}},
		{"several", "a " + longer + "\nb " + long + " c", Options{}, []string{"a", "", "b", "c"}, TooLong{2, 600_000, "text", 1, strings.Repeat("mé", 8)}},
		{"unicode", "a, " + longer + "!\nb " + long + " c\n", Options{Tokenizer: Unicode}, []string{"a", "", "b", "c", ""}, TooLong{2, 600_000, "text", 1, strings.Repeat("mé", 8)}},
		{"unicode, fits", fits + ".\n" + fits, Options{Tokenizer: Unicode}, []string{fits, "", fits}, TooLong{}},
		{"unicode, accents", "a " + marks + "b c", Options{Tokenizer: Unicode}, []string{"a", "c"}, TooLong{1, 60_002, "text", 1, "a" + strings.Repeat("\u0301", 11) + "\xcc"}},
		{"unicode, spaces", "a" + strings.Repeat(" ", 500_000) + "b" + strings.Repeat("-", 50_000) + "c", Options{Tokenizer: Unicode}, []string{"a", "b", "c"}, TooLong{}},
		{"unicode, joined", "a " + strings.Repeat("_", 40_000) + "b'c d", Options{Tokenizer: Unicode}, []string{"a", "d"}, TooLong{1, 0, "text", 1, strings.Repeat("_", 24)}},
		{"unicode, apostrophes", "a " + strings.Repeat("it's", 20_000) + " d", Options{Tokenizer: Unicode}, []string{"a", "d"}, TooLong{1, 80_000, "text", 1, "it'sit'sit'sit'sit'sit's"}},
		{"lower case", "A " + strings.ToUpper(longer) + " B", Options{Tokenizer: Unicode, Lowercase: true}, []string{"a", "b"}, TooLong{1, 600_000, "text", 1, strings.Repeat("mé", 8)}},
		{"shorter in lower case", strings.Repeat("K", 6000) + " " + wide, Options{Lowercase: true}, []string{strings.Repeat("k", 6000), strings.Repeat("k", MaxToken/2)}, TooLong{}},
	} {
		for _, portion := range []int{700, 1 << 20} {
			source := Stream("text", &portions{[]byte(test.text), portion}, test.options)
			shards, err := source.Shards(1)
			if err != nil {
				t.Fatal(err)
			}
			if got := readShards(t, shards); !slices.Equal(got, test.want) {
				t.Errorf("%s: tokens %.60q, want %.60q", test.name, got, test.want)
			}
			got := TooLongIn(shards)
			if test.left.Longest == 0 && got.Longest > MaxToken {
				got.Longest = 0 // of what is not a word at first not all bytes are counted
			}
			if got != test.left {
				t.Errorf("%s: left out %+v, want %+v", test.name, got, test.left)
			}
		}
	}
}

// The line is that of the file, whichever part of it a worker read.
func TestTooLongLineOfShards(t *testing.T) {
	var text bytes.Buffer
	for i := range 40_000 {
		fmt.Fprintf(&text, "line %d\n", i+1)
		if i == 34_999 || i == 39_000 {
			text.WriteString("x " + strings.Repeat("long", MaxToken) + " y\n")
		}
	}
	path := filepath.Join(t.TempDir(), "text.txt")
	if err := os.WriteFile(path, text.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{1, 2, 7} {
		source, err := Files([]string{path, path}, nil, Options{})
		if err != nil {
			t.Fatal(err)
		}
		shards, err := source.Shards(n)
		if err != nil {
			t.Fatal(err)
		}
		if tokens := readShards(t, shards); len(tokens) != 2*(3*40_000+2*3) {
			t.Errorf("%d tokens", len(tokens))
		}
		want := TooLong{4, 4 * MaxToken, path, 35_001, strings.Repeat("long", 6)}
		if got := TooLongIn(shards); got != want {
			t.Errorf("%d shards: %+v, want %+v", len(shards), got, want)
		}
	}
}

// A token of any length takes no more memory than one that is kept.
func TestTooLongTokensTakeNoMemory(t *testing.T) {
	const size = 4 << 20
	for _, options := range []Options{{}, {Lowercase: true}, {Tokenizer: Unicode, Lowercase: true}} {
		for _, unit := range []string{"A", " ", "\u0301", "_", "."} {
			r := newReader(t.Context(), bufferSize, "text", io.LimitReader(&repeated{unit: unit}, size), options)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			for {
				token, err := r.Next()
				if errors.Is(err, io.EOF) {
					break
				}
				if err != nil || len(token) > 0 && !(unit == " " || options.Tokenizer == Unicode) {
					t.Fatalf("%.40q, %v", token, err)
				}
			}
			runtime.ReadMemStats(&after)
			if took := after.TotalAlloc - before.TotalAlloc; took > 2<<20 {
				t.Errorf("%v, %q: %d bytes", options, unit, took)
			}
		}
	}
}

// repeated is one piece of text without end.
type repeated struct {
	unit string
	at   int
}

func (r *repeated) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = r.unit[r.at]
		r.at = (r.at + 1) % len(r.unit)
	}
	return len(p), nil
}

// A small file takes little memory, however its text becomes tokens: a corpus may have 100,000.
func TestSmallFilesTakeLittleMemory(t *testing.T) {
	const files, most = 100, 64 << 10
	for _, test := range []struct {
		name, ext, text string
		options         Options
	}{
		{"plain", ".txt", "bread and wine\n", Options{}},
		{"words", ".txt", "Bread, and wine\n", Options{Tokenizer: Unicode, Lowercase: true, Punctuation: DropPunctuation, Sentences: UnicodeSentences}},
		{"characters", ".txt", "葡萄酒\n", Options{Tokenizer: Characters}},
		{"gzip", ".txt.gz", "bread and wine\n", Options{}},
		{"gzip, words", ".txt.gz", "Bread, and wine\n", Options{Tokenizer: Unicode, Lowercase: true}},
		{"CSV", ".csv", "1,bread and wine\n", Options{TextColumn: "2"}},
		{"TSV", ".tsv", "1\tbread and wine\n", Options{TextColumn: "2"}},
		{"JSON", ".jsonl", "{\"text\":\"bread and wine\"}\n", Options{JSONField: "text"}},
		{"JSON, gzip", ".jsonl.gz", "{\"text\":\"bread and wine\"}\n", Options{JSONField: "text"}},
	} {
		dir := t.TempDir()
		for i := range files {
			var file bytes.Buffer
			w, err := compression.NewWriter(&file, test.ext)
			if err == nil {
				_, err = io.WriteString(w, test.text)
			}
			if err := errors.Join(err, w.Close(), os.WriteFile(filepath.Join(dir, fmt.Sprint(i)+test.ext), file.Bytes(), 0o600)); err != nil {
				t.Fatal(err)
			}
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		source, err := Files([]string{dir}, nil, test.options)
		if err != nil {
			t.Fatal(err)
		}
		shards, err := source.Shards(2)
		if err != nil {
			t.Fatal(err)
		}
		tokens := readShards(t, shards)
		runtime.ReadMemStats(&after)
		if n := int(after.TotalAlloc-before.TotalAlloc) / files; len(tokens) != files*4 || n > most {
			t.Errorf("%s: %d tokens, %d bytes a file", test.name, len(tokens), n)
		}
	}
}
