package format

import (
	"bytes"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format/floret"
	"github.com/w2v-go/w2v/vectors/format/internal/source"
	"github.com/w2v-go/w2v/vectors/internal/trial"
)

// floretTables are the tables that floret wrote.
var floretTables = map[string]subword.Floret{
	"two":   {MinN: 2, MaxN: 3, Buckets: 50, Hashes: 2, Seed: subword.FloretSeed, BOW: "<", EOW: ">"},
	"four":  {MinN: 1, MaxN: 6, Buckets: 70, Hashes: 4, Seed: subword.FloretSeed, BOW: "<", EOW: ">"},
	"words": {MinN: 0, MaxN: 0, Buckets: 30, Hashes: 1, Seed: subword.FloretSeed, BOW: "<", EOW: ">"},
}

// What floret prints of a word is the mean of its pieces' rows, up to the digits
// that it prints rows with.
func TestFloretGolden(t *testing.T) {
	for name, sub := range floretTables {
		t.Run(name, func(t *testing.T) {
			path := golden("floret/" + name + ".floret")
			for how, open := range map[string]func(string) (*vectors.Set, error){"in memory": Open, "left in the file": func(path string) (*vectors.Set, error) { return OpenStream(path, nil) }} {
				s, err := open(path)
				if err != nil {
					t.Fatal(err)
				}
				defer s.Close() //nolint:errcheck // it was only read
				if err := s.Check(); err != nil {
					t.Fatal(err)
				}
				if Format(s.Format()) != Floret || s.Subword() != sub || s.Composition() != subword.Pieces || s.Len() != 0 || s.Dim() != 5 {
					t.Errorf("%s: %s of %d words of %d, %+v, want %+v", how, s.Format(), s.Len(), s.Dim(), s.Subword(), sub)
				}
				if got := s.InFile(); got != (how != "in memory") {
					t.Errorf("%s: in the file: %v", how, got)
				}
				want := openGolden(t, "floret/"+name+".vectors.txt")
				for id, word := range want.Words().All() {
					got, ok := vector(s, word)
					if word == "</s>" { // has a row of its own in floret, which is not in the table
						if ok {
							t.Errorf("%s: %q has a vector", how, word)
						}
						continue
					}
					for k, x := range want.Input().Row(id) {
						if !ok || math.Abs(float64(got[k]-x)) > 1e-4*max(1, math.Abs(float64(x))) {
							t.Errorf("%s: %q: got %v %v, floret prints %v", how, word, got, ok, want.Input().Row(id))
							break
						}
					}
				}
				if want.Len() < 20 {
					t.Errorf("%d words test too little", want.Len())
				}
				if err := s.Err(); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

// Tables keep their text, but for a space that floret puts at the end of lines and
// zeros that say nothing.
func TestFloretText(t *testing.T) {
	for name := range floretTables {
		s := openGolden(t, "floret/"+name+".floret")
		got := strings.Split(string(encode(t, s, Floret)), "\n")
		want := strings.Split(string(readGolden(t, "floret/"+name+".floret")), "\n")
		if len(got) != len(want) || got[0] != want[0] {
			t.Fatalf("%s: %d lines that begin with %q, want %d with %q", name, len(got), got[0], len(want), want[0])
		}
		same := 0
		for i, line := range want {
			if got[i] == strings.TrimSuffix(line, " ") {
				same++
			}
		}
		if same < len(want)*9/10 { // exponents look otherwise
			t.Errorf("%s: %d of %d lines are the same", name, same, len(want))
		}
	}
}

// A table is the same in every format that holds it, streamed or not.
func TestFloretConversions(t *testing.T) {
	dir := t.TempDir()
	want := openGolden(t, "floret/two.floret")
	path := golden("floret/two.floret")
	for _, ext := range []string{".floret", ".w2v.gz", ".floret.zst", ".fifu", ".w2v", ".fifu.gz", ".floret"} {
		s, err := OpenStream(path, nil)
		if err != nil {
			t.Fatal(err)
		}
		if !s.InFile() {
			t.Errorf("%s was read into memory", path)
		}
		format, err := ForPath("m"+ext, true)
		if err != nil {
			t.Fatal(err)
		}
		next := filepath.Join(dir, "m"+ext)
		if err := Write(t.Context(), next, s, format); err != nil {
			t.Fatal(err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		path = next
		got, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		if Format(got.Format()) != format || got.Composition() != subword.Pieces {
			t.Errorf("%s: read as %s, %q", path, got.Format(), got.Composition())
		}
		trial.SameSet(t, got, want)
		if err := got.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestFloretErrors(t *testing.T) {
	const first = "2 2 2 3 2 7 < >\n"
	for _, tt := range []struct{ name, file, want string }{
		{"nothing", "", `line 1: expected "buckets dimensions minn maxn hashes seed BOW EOW", found ""`},
		{"seven fields", "2 2 2 3 2 7 <\n", `line 1: expected "buckets dimensions minn maxn hashes seed BOW EOW", found "2 2 2 3 2 7 <"`},
		{"no number", "2 2 x 3 2 7 < >\n", `line 1: expected a number from 0 to 2147483647 as field 3, found "x"`},
		{"a negative one", "2 2 -2 3 2 7 < >\n", `line 1: expected a number from 0 to 2147483647 as field 3, found "-2"`},
		{"seed", "2 2 2 3 2 4294967296 < >\n", `line 1: expected a seed of 32 bits as field 6, found "4294967296"`},
		{"no buckets", "0 2 2 3 2 7 < >\n", `line 1: subword: buckets is 0, must be from 1 to 2147483647`},
		{"no dimensions", "2 0 2 3 2 7 < >\n", `line 1: expected at least 1 dimension, found 0`},
		{"five hashes", "2 2 2 3 5 7 < >\n", `line 1: subword: hashes is 5, must be from 1 to 4`},
		{"lengths", "2 2 4 3 2 7 < >\n", `line 1: subword: maxn is 3, must be from minn, 4, to 255`},
		{"a row too few", first + "0 1 2\n", `line 3: expected 2 rows, as the first line says, but the file ends after 1: unexpected EOF`},
		{"a row too many", first + "0 1 2\n1 1 2\n2 1 2\n", `line 4: expected the end of the file after the 2 rows of the first line, found "2 1 2"`},
		{"other rows", first + "0 1 2\n7 1 2\n", `line 3: expected row 1, found row "7"`},
		{"a short row", first + "0 1 2\n1 1\n", `line 3: expected a word and 2 numbers, found 2 fields`},
		{"an empty row", first + "0 1 2\n\n1 1 2\n", `line 3: expected a word and 2 numbers, found an empty line`},
		{"a long row", first + "0 1 2\n1 1 2 3\n", `line 3: expected row 1, found row "1 1"`},
		{"no numbers", first + "0 1 2\n1 a b\n", `line 3: expected a word and 2 numbers, found "b" for number 2`},
		{"a huge claim", "2000000000 2000000000 2 3 2 7 < >\n0 1 2\n", `line 2: expected a word and 2000000000 numbers, found 3 fields`},
		{"Windows", strings.ReplaceAll(first+"0 1 2\n1 3 nan\n\n", "\n", "\r\n"), ""},
		{"no final newline", first + "0 1 2\n1 -1e-5\t2", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := floret.Codec.Read(source.New(strings.NewReader(tt.file), int64(len(tt.file))))
			if got := errorText(err); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// What a format cannot hold of n-grams is refused, with what to do instead.
func TestCheckSubword(t *testing.T) {
	table := floretTables["two"]
	spaced := table
	spaced.BOW = "a b"
	explicit, err := subword.NewExplicit(3, 3, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	fastText := subword.FastText{MinN: 3, MaxN: 6, Buckets: 9}
	for _, tt := range []struct {
		sub    subword.Indexer
		c      subword.Composition
		format Format
		want   string
	}{
		{nil, subword.Mean, Floret, "floret holds tables of n-grams, and there are none: write text"},
		{fastText, subword.Mean, Floret, "floret holds n-grams that are hashed as floret does, and in another way (fasttext) they have other rows: write w2v or finalfusion"},
		{explicit, subword.Whole, Floret, "floret holds n-grams that are hashed as floret does, and in another way (explicit) they have other rows: write w2v or finalfusion"},
		{table, subword.Mean, Floret, "floret has no place for words' own rows: write w2v, or text for the words alone"},
		{spaced, subword.Pieces, Floret, `the mark "a b" of the beginning or end of a word is empty or holds white space, which floret cannot hold: write finalfusion`},
		{table, subword.Pieces, Floret, ""},
		{table, subword.Mean, Finalfusion, ""}, // which holds the words alone
		{table, subword.Pieces, Finalfusion, ""},
		{subword.Hash{}, subword.Weighted, Finalfusion, ""}, // the words alone
		{subword.Hash{}, subword.Weighted, FastText, ""},
		{subword.Hash{}, subword.Weighted, W2V, ""},
		{subword.Hash{}, subword.Weighted, Floret, "floret has no place for the weights of hash embeddings: write w2v, or text for the words alone"},
		{fastText, subword.Pieces, Finalfusion, ""},
		{nil, subword.Mean, Finalfusion, ""},
		{table, subword.Pieces, FastText, ""}, // the words alone
		{subword.Finalfusion{MinN: 3, MaxN: 6}, subword.Whole, FastText, "fasttext cannot hold n-grams that are hashed otherwise (finalfusion): write w2v, or text for the words alone"},
		{fastText, subword.Pieces, FastText, ""},
		{fastText, subword.Whole, FastText, ""},
		{table, subword.Mean, W2V, ""},
		{table, subword.Pieces, Text, ""}, // which leaves n-grams out
		{nil, subword.Mean, "odd", `the format "odd" is not known; known are ` + knownFormats()},
	} {
		if got := errorText(CheckSubword(tt.sub, tt.c, tt.format)); got != tt.want {
			t.Errorf("%v, %q as %s: got  %s\nwant %s", tt.sub, tt.c, tt.format, got, tt.want)
		}
	}
	// A table has no words: a format of words would be left with nothing.
	s := openGolden(t, "floret/two.floret")
	const want = "the set has n-grams and no words, and the format text holds words alone: write w2v, finalfusion or floret"
	if got := errorText(Encode(&bytes.Buffer{}, s, Text)); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func knownFormats() string {
	var names []string
	for _, f := range All() {
		names = append(names, string(f))
	}
	return strings.Join(names, ", ")
}

// Native files hold all kinds of n-grams.
func TestNativeNgrams(t *testing.T) {
	for name, s := range ngramKinds(t) {
		if strings.HasPrefix(name, "codes") {
			continue
		}
		t.Run(name, func(t *testing.T) {
			file := encode(t, s, W2V)
			read, err := Read(bytes.NewReader(file))
			if err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(t.TempDir(), "m.w2v")
			if err := Write(t.Context(), path, s, W2V); err != nil {
				t.Fatal(err)
			}
			mapped, err := Open(path)
			if err != nil {
				t.Fatal(err)
			}
			for _, got := range []*vectors.Set{read, mapped} {
				trial.SameSet(t, got, s)
				if got.Composition() != s.Composition() {
					t.Errorf("composition %q, want %q", got.Composition(), s.Composition())
				}
				for _, word := range slices.Concat(unknownWords, s.Words().Strings()) {
					v, ok := vector(got, word)
					if want, wanted := vector(s, word); ok != wanted || !slices.Equal(v, want) {
						t.Errorf("%q has %v %v, want %v %v", word, v, ok, want, wanted)
					}
				}
				if again := encode(t, got, W2V); !bytes.Equal(again, file) {
					t.Error("writing what was read gives other bytes")
				}
			}
			if err := mapped.Close(); err != nil {
				t.Fatal(err)
			}
		})
	}
}
