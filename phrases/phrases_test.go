package phrases

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/vocab"
)

// golden returns a file that a peer wrote.
func golden(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "testdata", filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// toy is the text that the peers had.
func toy(t *testing.T) *corpus.Source {
	t.Helper()
	src, err := corpus.Files([]string{filepath.Join("..", "testdata", "toy.txt")}, nil, corpus.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return src
}

var goldenConnectors = []string{"the", "of", "a", "and", "in"}

// Phrases and scores are gensim's.
func TestScoresAreGensims(t *testing.T) {
	for name, options := range map[string]Options{
		"default":    {MinCount: 1, Threshold: 2},
		"npmi":       {MinCount: 2, Threshold: -0.5, Scoring: NPMI},
		"connectors": {MinCount: 1, Threshold: 2, Connectors: goldenConnectors},
	} {
		for _, threads := range []int{1, 3} {
			options.Threads = threads
			table, err := Learn(t.Context(), toy(t), options)
			if err != nil {
				t.Fatal(err)
			}
			got := make(map[string]float64)
			for _, p := range table.Phrases() {
				got[p.Phrase] = p.Score
			}
			lines := 0
			for line := range strings.Lines(golden(t, "gensim/phrases-"+name+".tsv")) {
				phrase, text, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
				want, err := strconv.ParseFloat(text, 64)
				if err != nil {
					t.Fatal(err)
				}
				lines++
				if score, ok := got[phrase]; !ok || math.Abs(score-want) > 1e-12*math.Abs(want) {
					t.Errorf("%s: %q has score %v (%t), want %v", name, phrase, score, ok, want)
				}
			}
			if lines < 10 || len(got) != lines {
				t.Errorf("%s: %d phrases, want %d", name, len(got), lines)
			}
		}
	}
}

// A text that is joined by two passes is gensim's.
func TestJoinedTextIsGensims(t *testing.T) {
	table, err := Learn(t.Context(), toy(t), Options{MinCount: 1, Threshold: 2, Passes: 2, Connectors: goldenConnectors})
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if _, err := table.WriteTo(&file); err != nil {
		t.Fatal(err)
	}
	read, err := Read(&file)
	if err != nil {
		t.Fatal(err)
	}
	for name, table := range map[string]*Table{"learned": table, "read": read} {
		var out bytes.Buffer
		written, err := table.WriteText(t.Context(), &out, toy(t))
		if err != nil {
			t.Fatal(err)
		}
		want := golden(t, "gensim/phrases-joined.txt")
		if out.String() != want {
			t.Errorf("%s: joined\n%swant\n%s", name, out.String(), want)
		}
		if tokens, lines := len(strings.Fields(want)), strings.Count(want, "\n"); written.Sentences != uint64(lines) || written.Tokens != uint64(tokens) {
			t.Errorf("%s: %+v written, want %d lines and %d tokens", name, written, lines, tokens)
		}
	}
}

// Phrases and scores are the same where counts do not fit into memory and go to disk.
func TestPhrasesOfCountsOnDisk(t *testing.T) {
	var text [][]string
	for i := range 50_000 { // distinct tokens and pairs, and some that are seen often
		text = append(text, []string{fmt.Sprintf("token-%08d", i), "new", "york", fmt.Sprintf("other-%08d", i), fmt.Sprint(i % 7)})
	}
	src := corpus.Sentences("text", text, corpus.Options{})
	folder := t.TempDir()
	large := learn(t, src, Options{Passes: 2, Threshold: 1, Memory: 1 << 30}).Phrases()
	small := learn(t, src, Options{Passes: 2, Threshold: 1, Memory: vocab.LeastMemory, Folder: folder, Threads: 1}).Phrases()
	if len(large) == 0 || !slices.Equal(large, small) {
		t.Errorf("phrases %v, and of counts on disk %v", large, small)
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
		t.Errorf("%d files are left, %v", len(left), err)
	}
}

// repeated is a sentence, so many times.
func repeated(n int, sentences ...string) *corpus.Source {
	var all [][]string
	for range n {
		for _, s := range sentences {
			all = append(all, strings.Fields(s))
		}
	}
	return corpus.Sentences("text", all, corpus.Options{})
}

func learn(t *testing.T, src *corpus.Source, o Options) *Table {
	t.Helper()
	table, err := Learn(t.Context(), src, o)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// Joining goes from left to right; connectors are joined within a phrase and nowhere else; phrases
// do not reach over the end of a sentence.
func TestJoin(t *testing.T) {
	table := learn(t, repeated(20, "bank of england", "new york", "the x", "of y", "z the"), Options{Threshold: 1e-9, Connectors: []string{"of", "the"}})
	for in, want := range map[string]string{
		"":                                "",
		"new york":                        "new_york",
		"new new york york":               "new new_york york",
		"bank of england":                 "bank_of_england",
		"bank of of england":              "bank of of england",
		"bank of new york":                "bank of new_york",
		"the bank of england of the bank": "the bank_of_england of the bank",
		"bank england":                    "bank england",
		"york new":                        "york new",
		"bank of":                         "bank of",
		"of the":                          "of the",
	} {
		if got := strings.Join(table.Join(strings.Fields(in)), " "); got != want {
			t.Errorf("%q is joined to %q, want %q", in, got, want)
		}
	}
	var out bytes.Buffer
	if _, err := table.WriteText(t.Context(), &out, corpus.Stream("text", strings.NewReader("new\nyork new york\n\nbank of england"), corpus.Options{})); err != nil {
		t.Fatal(err)
	}
	if want := "new\nyork new_york\n\nbank_of_england\n"; out.String() != want {
		t.Errorf("joined %q, want %q", out.String(), want)
	}
}

// Two passes join up to four words, and a pass that finds nothing is the last.
func TestPasses(t *testing.T) {
	text := repeated(30, "one two three four", "one a", "two b", "three c", "four d")
	table := learn(t, text, Options{Threshold: 0.05, Passes: 5})
	if got := table.Join([]string{"one", "two", "three", "four", "one"}); !slices.Equal(got, []string{"one_two_three_four", "one"}) {
		t.Errorf("joined %q", got)
	}
	passes := 0
	for _, p := range table.Phrases() {
		passes = max(passes, p.Pass)
	}
	if passes != 2 || len(table.passes) != 3 {
		t.Errorf("phrases of %d passes in %d", passes, len(table.passes))
	}
}

// Tokens that cannot be joined to one stay apart, and a run of connectors that is longer than a
// token is passed through whole.
func TestLongTokens(t *testing.T) {
	long := strings.Repeat("x", corpus.MaxToken-3)
	table := learn(t, corpus.Sentences("text", slices.Repeat([][]string{{long, "y"}, {long, "yyy"}}, 10), corpus.Options{}), Options{Threshold: 1e-9})
	if got := table.Join([]string{long, "y"}); len(got) != 1 {
		t.Errorf("a phrase of %d bytes is not joined", len(long)+2)
	}
	if got := table.Join([]string{long, "yyy"}); len(got) != 2 {
		t.Errorf("a phrase of %d bytes is joined", len(long)+4)
	}
	connectors := learn(t, repeated(10, "a of b"), Options{Threshold: 1e-9, Connectors: []string{"of"}})
	sentence := slices.Concat([]string{"a"}, slices.Repeat([]string{"of"}, corpus.MaxToken), []string{"b"})
	if got := connectors.Join(sentence); !slices.Equal(got, sentence) {
		t.Errorf("%d tokens became %d", len(sentence), len(got))
	}
}

// What stands in the text as one token counts as the pair does, as in gensim.
func TestJoinedTokensOfTheText(t *testing.T) {
	apart := learn(t, repeated(20, "new york", "new year", "york minster"), Options{Threshold: 1e-9})
	both := learn(t, repeated(20, "new york", "new year", "york minster", "new_york"), Options{Threshold: 1e-9})
	count := func(table *Table) uint64 {
		for _, p := range table.Phrases() {
			if p.Phrase == "new_york" {
				return p.Count
			}
		}
		return 0
	}
	if count(apart) != 20 || count(both) != 40 {
		t.Errorf("counted %d and %d, want 20 and 40", count(apart), count(both))
	}
}

func TestOptions(t *testing.T) {
	if err := (Options{}).Validate(); err != nil {
		t.Errorf("no options: %v", err)
	}
	for want, o := range map[string]Options{
		`phrases: scoring "pmi" is not known: default and npmi are`:                  {Scoring: "pmi"},
		"phrases: a threshold of -1 is not above 0":                                  {Threshold: -1},
		"phrases: a threshold of NaN is not above 0":                                 {Threshold: math.NaN()},
		"phrases: a threshold of 2 is not from -1 to 1, as the scores of npmi are":   {Scoring: NPMI, Threshold: 2},
		"phrases: a smallest count of -1 is not 1 or more":                           {MinCount: -1},
		"phrases: 11 passes are not from 1 to 10":                                    {Passes: 11},
		"phrases: -1 threads are not 0 or more":                                      {Threads: -1},
		`phrases: the delimiter "a b" is not from 1 to 64 bytes without white space`: {Delimiter: "a b"},
		"phrases: a connector word is empty":                                         {Connectors: []string{"a", ""}},
	} {
		if err := o.Validate(); err == nil || err.Error() != want {
			t.Errorf("error %v, want %s", err, want)
		}
		if _, err := Learn(t.Context(), repeated(1, "a b"), o); err == nil {
			t.Errorf("%s: phrases are found", want)
		}
	}
}

// What can be read only once has one pass, and what fails fails.
func TestLearnFails(t *testing.T) {
	stream := func() *corpus.Source { return corpus.Stream("a stream", strings.NewReader("a b\n"), corpus.Options{}) }
	if _, err := Learn(t.Context(), stream(), Options{}); err != nil {
		t.Errorf("one pass over a stream: %v", err)
	}
	if _, err := Learn(t.Context(), stream(), Options{Passes: 2}); err == nil || err.Error() != "a stream: can be read only once, and 2 passes read it 2 times" {
		t.Errorf("two passes over a stream: %v", err)
	}
	broken := errors.New("broken")
	failing := corpus.Seq("sentences", iter.Seq2[[]string, error](func(yield func([]string, error) bool) { _ = yield([]string{"a"}, nil) && yield(nil, broken) }), corpus.Options{})
	if _, err := Learn(t.Context(), failing, Options{}); !errors.Is(err, broken) {
		t.Errorf("error %v, want %v", err, broken)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out bytes.Buffer
	if _, err := new(Table).WriteText(ctx, &out, repeated(1<<15, "a b c d")); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want %v", err, context.Canceled)
	}
	if _, err := new(Table).WriteText(t.Context(), &out, corpus.Sentences("text", [][]string{{"a b"}}, corpus.Options{})); err == nil || err.Error() != `token "a b" contains white space, and text cannot hold it` {
		t.Errorf("a token with white space: %v", err)
	}
}

// A corpus without frequent pairs has no phrases, and its text stays as it is.
func TestNoPhrases(t *testing.T) {
	table := learn(t, repeated(1, "a b c"), Options{})
	if table.Len() != 0 {
		t.Errorf("%d phrases", table.Len())
	}
	if got := table.Join([]string{"a", "b", "", "c"}); !slices.Equal(got, []string{"a", "b", "c"}) {
		t.Errorf("joined %q", got)
	}
}

const aTable = "w2v-phrases-1\t1\t2\t_\tof\tthe\n" +
	"new_york\tnew\tyork\t12\t34.5\nbank_of_england\tbank\tengland\t7\t-0.25\n" +
	"w2v-phrases-1\t2\t0\t_\tof\tthe\n"

// A table is written as it was read.
func TestTableFile(t *testing.T) {
	table, err := Read(strings.NewReader(aTable))
	if err != nil {
		t.Fatal(err)
	}
	marked, err := Read(strings.NewReader("\ufeff" + aTable))
	if err != nil || !slices.Equal(marked.Phrases(), table.Phrases()) {
		t.Errorf("with a byte order mark: %v", err)
	}
	var out bytes.Buffer
	if n, err := table.WriteTo(&out); err != nil || int(n) != len(aTable) || out.String() != aTable {
		t.Errorf("%d bytes, %v:\n%s", n, err, out.String())
	}
	if _, err := learn(t, corpus.Sentences("text", slices.Repeat([][]string{{"a\tb", "c"}}, 9), corpus.Options{}), Options{Threshold: 1e-9}).WriteTo(&out); err == nil {
		t.Error("a token with a tab is written")
	}
}

// What is not a table is an error that names the line.
func TestReadFails(t *testing.T) {
	for in, want := range map[string]string{
		"w2v-phrases-1\t1\t0\t_\rw":                                  "the text has carriage returns alone at the ends of lines, as old Macs wrote them: convert it first, as tr '\\r' '\\n' does",
		"":                                                           "is empty, and no table of phrases",
		"hello\n":                                                    `line 1: expected a pass of a table of phrases, which begins with "w2v-phrases-1", found "hello"`,
		"w2v-phrases-1\t2\t0\t_\n":                                   `line 1: expected pass 1 of at most 10, found pass "2"`,
		"w2v-phrases-1\t1\tx\t_\n":                                   `line 1: expected how many phrases there are, found "x"`,
		"w2v-phrases-1\t1\t-1\t_\n":                                  `line 1: expected how many phrases there are, found "-1"`,
		"w2v-phrases-1\t1\t1\t_\n":                                   "ends after line 1, and 1 more phrases should follow: it was cut short",
		"w2v-phrases-1\t1\t0\t\n":                                    `line 1: phrases: the delimiter "" is not from 1 to 64 bytes without white space`,
		"w2v-phrases-1\t1\t1\t_\na_b\ta\tb\t1\n":                     "line 2: expected a phrase, its first and last word, its count and its score, found 4 fields",
		"w2v-phrases-1\t1\t1\t_\na_b\ta\tc\t1\t2\n":                  `line 2: phrase "a_b" is not "a" and "c" with "_" and connectors between them`,
		"w2v-phrases-1\t1\t1\t_\na_x_b\ta\tb\t1\t2\n":                `line 2: phrase "a_x_b" is not "a" and "b" with "_" and connectors between them`,
		"w2v-phrases-1\t1\t1\t_\na_b\ta\tb\t-1\t2\n":                 `line 2: expected the count of phrase "a_b", found "-1"`,
		"w2v-phrases-1\t1\t1\t_\na_b\ta\tb\t1\tNaN\n":                `line 2: expected the score of phrase "a_b", found "NaN"`,
		"w2v-phrases-1\t1\t2\t_\na_b\ta\tb\t1\t2\na_b\ta\tb\t1\t2\n": `line 3: phrase "a_b" stands there a second time`,
		strings.Repeat("x", longestLine+1):                           fmt.Sprintf("line 1: has more than %d bytes, and no line of a table of phrases has", longestLine),
	} {
		if _, err := Read(strings.NewReader(in)); err == nil || err.Error() != want {
			t.Errorf("%.60q: error %v\nwant %s", in, err, want)
		}
	}
}

// Whatever can be read is written and read again as the same table, and joins without a panic.
func FuzzRead(f *testing.F) {
	f.Add([]byte(aTable), "new york bank of england the")
	f.Add([]byte("w2v-phrases-1\t1\t1\t__\na__b\ta\tb\t1\t2\n"), "a b")
	f.Fuzz(func(t *testing.T, file []byte, sentence string) {
		table, err := Read(bytes.NewReader(file))
		if err != nil {
			return
		}
		tokens := strings.Fields(sentence)
		joined := table.Join(tokens)
		if len(joined) > len(tokens) {
			t.Errorf("%d tokens were joined to %d", len(tokens), len(joined))
		}
		var out bytes.Buffer
		if _, err := table.WriteTo(&out); err != nil {
			return // a carriage return in a token
		}
		again, err := Read(bytes.NewReader(out.Bytes()))
		if err != nil {
			t.Fatalf("what was written cannot be read: %v", err)
		}
		if got := again.Join(tokens); !slices.Equal(got, joined) {
			t.Errorf("joined %q, and then %q", joined, got)
		}
	})
}
