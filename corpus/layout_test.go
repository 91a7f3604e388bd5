package corpus_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/corpus"
)

// lined returns n lines.
func lined(n int, line func(i int) string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(line(i) + "\n")
	}
	return b.String()
}

func TestLayout(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 21))
	pick := func(letters string, n int) string {
		var b strings.Builder
		runes := []rune(letters)
		for range n {
			b.WriteRune(runes[rng.IntN(len(runes))])
		}
		return b.String()
	}
	items := func(n int, format string) string {
		var list []string
		for range n {
			list = append(list, fmt.Sprintf(format, rng.IntN(500)))
		}
		return strings.Join(list, " ")
	}
	const han = "的一是不了人我在有他这为之大来以个中上们到说国和地也子时道出而要于就下得可你年生"
	chinese := func(int) string {
		var list []string
		for range 5 + rng.IntN(20) {
			list = append(list, pick(han, 1+rng.IntN(3)))
		}
		return strings.Join(list, " ") + " 。"
	}
	sentences := []string{
		"the cat sat on the mat, and the dog did not", "Der Hund läuft in den Garten.", "a short one",
		"it is what it is, or so they say", "nobody knows", "\"Well,\" she said; \"perhaps.\"",
	}
	protein := func(i int) string {
		if i%5 == 0 {
			return fmt.Sprintf(">sp|P%05d|NAME a protein of somebody", i)
		}
		return pick("ACDEFGHIKLMNPQRSTVWY", 60)
	}
	code := []string{"for ( int i = 0 ; i < n ; i ++ ) {", "}", "x = f ( a , b ) ;", "return ;", "} else {", "import java . util . List ;", "y += 1 ;"}
	unicode := corpus.Options{Tokenizer: corpus.Unicode}
	tests := []struct {
		name    string
		text    string
		options corpus.Options
		want    corpus.Layout
	}{
		{"edges", lined(100, func(int) string { return items(2, "%d") }), corpus.Options{}, corpus.Layout{Kind: corpus.LayoutEdges, Fields: 2}},
		{"ten edges", lined(10, func(int) string { return items(2, "n%d") }), corpus.Options{}, corpus.Layout{Kind: corpus.LayoutEdges, Fields: 2}},
		{"nine edges", lined(9, func(int) string { return items(2, "n%d") }), corpus.Options{}, corpus.Layout{}},
		{"edges with comments, tabs and weights", "# nodes\n% more\n" + lined(100, func(i int) string { return fmt.Sprintf("%d\tu%d\t%.2f", i, i, rng.Float64()) }), corpus.Options{}, corpus.Layout{Kind: corpus.LayoutEdges, Fields: 3}},
		{"what are numbers in Go alone", lined(100, func(int) string { return items(2, "%d") + " 0x1p-3" }), corpus.Options{}, corpus.Layout{}},
		{"edges of names", lined(50, func(int) string { return pick("abcd", 3) + " " + pick("abcd", 4) }), corpus.Options{}, corpus.Layout{Kind: corpus.LayoutEdges, Fields: 2}},
		{"a few lines of two words", lined(49, func(int) string { return pick("abcd", 3) + " " + pick("abcd", 4) }), corpus.Options{}, corpus.Layout{}},
		{"FASTA", lined(100, protein), corpus.Options{}, corpus.Layout{Kind: corpus.LayoutSequences}},
		{"short FASTA", ">chr1\nACGTACGTNNNN\n", corpus.Options{}, corpus.Layout{Kind: corpus.LayoutSequences}},
		{"bases", lined(20, func(int) string { return pick("ACGT", 50) }), corpus.Options{}, corpus.Layout{Kind: corpus.LayoutSequences}},
		{"quoted mail", lined(20, func(i int) string { return []string{"> what do you mean", "i mean this"}[i%2] }), corpus.Options{}, corpus.Layout{}},
		{"one token a line", lined(100, func(int) string { return pick("abcdefgh", 5) }), corpus.Options{}, corpus.Layout{Kind: corpus.LayoutSingle}},
		{"with empty lines", lined(100, func(i int) string { return []string{pick("abcdefgh", 5), ""}[i%2] }), corpus.Options{}, corpus.Layout{Kind: corpus.LayoutSingle, Apart: true}},
		{"commas for spaces", lined(100, func(int) string { return strings.ReplaceAll(items(1+rng.IntN(9), "i%d"), " ", ",") }), corpus.Options{}, corpus.Layout{Kind: corpus.LayoutSingle, Separator: ','}},
		{"which the tokenizer cuts at", lined(100, func(int) string { return strings.ReplaceAll(items(2+rng.IntN(9), "i%d"), " ", ",") }), unicode, corpus.Layout{}},
		{"CSV", "id,title,text\n" + lined(30, func(i int) string { return fmt.Sprintf(`%d,"a title, quoted","some text, too"`, i) }), corpus.Options{}, corpus.Layout{Kind: corpus.LayoutTable, Fields: 3, Separator: ','}},
		{"TSV", lined(30, func(i int) string { return fmt.Sprint(i, "\t", sentences[i%6]) }), corpus.Options{}, corpus.Layout{Kind: corpus.LayoutTable, Fields: 2, Separator: '\t'}},
		{"semicolons", lined(30, func(i int) string { return fmt.Sprint(i, ";x y;", i*i) }), corpus.Options{}, corpus.Layout{Kind: corpus.LayoutTable, Fields: 3, Separator: ';'}},
		{"JSON lines", lined(30, func(i int) string { return fmt.Sprintf(`{"id": %d, "text": "a, b"}`, i) }), corpus.Options{}, corpus.Layout{Kind: corpus.LayoutJSON}},
		{"Chinese as it is written", lined(30, func(i int) string { return strings.ReplaceAll(chinese(i), " ", "") }), corpus.Options{}, corpus.Layout{Kind: corpus.LayoutUnsegmented}},
		{"which is cut into characters", lined(30, func(i int) string { return strings.ReplaceAll(chinese(i), " ", "") }), unicode, corpus.Layout{}},
		{"Chinese in words", lined(30, chinese), corpus.Options{}, corpus.Layout{}},
		{"text", lined(60, func(i int) string { return sentences[i%6] }), corpus.Options{}, corpus.Layout{}},
		{"all text in one line", strings.Repeat("all in one line ", 20000), corpus.Options{}, corpus.Layout{}},
		{"sessions", lined(200, func(int) string { return items(1+rng.IntN(9), "SKU-%d") }), corpus.Options{}, corpus.Layout{}},
		{"short sessions of numbers", lined(200, func(int) string { return items(2+rng.IntN(2), "%d") }), corpus.Options{}, corpus.Layout{}},
		{"sessions with tabs", lined(200, func(int) string { return strings.ReplaceAll(items(1+rng.IntN(9), "SKU-%d"), " ", "\t") }), corpus.Options{}, corpus.Layout{}},
		{"walks", lined(200, func(int) string { return items(40, "%d") }), corpus.Options{}, corpus.Layout{}},
		{"code", lined(200, func(i int) string { return code[i%len(code)] }), corpus.Options{}, corpus.Layout{}},
		{"nothing", "", corpus.Options{}, corpus.Layout{}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "corpus.txt")
			if err := os.WriteFile(path, []byte(test.text), 0o666); err != nil {
				t.Fatal(err)
			}
			src, err := corpus.Files([]string{path}, nil, test.options)
			if err != nil {
				t.Fatal(err)
			}
			if got := src.Sample().Layout(test.options); got != test.want {
				t.Errorf("got %+v, want %+v", got, test.want)
			}
		})
	}
}

// A sample has whole lines of every input, also of those that can be read once only.
func TestSample(t *testing.T) {
	dir := t.TempDir()
	long := lined(40000, func(i int) string { return fmt.Sprintf("line %06d", i) }) // 480 KB
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	if _, err := io.WriteString(z, long); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	paths := []string{filepath.Join(dir, "a.txt"), filepath.Join(dir, "b.gz"), filepath.Join(dir, "c.txt"), "-"}
	for i, content := range []string{long, packed.String(), "\ufeffno newline at the end"} {
		if err := os.WriteFile(paths[i], []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	src, err := corpus.Files(paths, strings.NewReader("from a pipe\r\n\r\nit comes\n"), corpus.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := src.Sample().Lines; got[0] != "line 000000" || got[len(got)-1] != "no newline at the end" {
		t.Errorf("before the corpus is read: %q … %q", got[0], got[len(got)-1])
	}
	shards, err := src.Shards(3)
	if err != nil {
		t.Fatal(err)
	}
	for _, shard := range shards {
		r, err := shard.Open(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		for err == nil {
			_, err = r.Next()
		}
		if !errors.Is(err, io.EOF) {
			t.Fatal(err)
		}
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
	}
	got := src.Sample().Lines
	whole := map[string]int{}
	for _, line := range got {
		whole[line]++
	}
	last := got[len(got)-4:]
	if strings.Join(last, "|") != "no newline at the end|from a pipe||it comes" {
		t.Errorf("the last lines are %q", last)
	}
	if whole["line 000000"] != 2 || whole["line 020001"] != 1 {
		t.Errorf("the beginnings are there %d times, the middle %d", whole["line 000000"], whole["line 020001"])
	}
	for line := range whole {
		var n int
		if strings.HasPrefix(line, "line") {
			if _, err := fmt.Sscanf(line, "line %06d", &n); err != nil || len(line) != 11 {
				t.Errorf("%q is not a whole line", line)
			}
		}
	}
	if len(got) < 10915 || len(got) > 10930 { // 32 KB twice, 64 KB once, 12 bytes each
		t.Errorf("%d lines", len(got))
	}
}
