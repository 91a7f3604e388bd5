package corpus_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/corpus/kmers"
)

// files writes files, each with its name and content, and returns their paths.
func files(t *testing.T, contents ...string) (paths []string) {
	t.Helper()
	folder := t.TempDir()
	for i := 0; i < len(contents); i += 2 {
		path, data := filepath.Join(folder, contents[i]), []byte(contents[i+1])
		if strings.HasSuffix(path, ".gz") {
			data = zipped(contents[i+1])
		}
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	return paths
}

// numberedLines returns n lines of three words.
func numberedLines(n int) string {
	var text strings.Builder
	for i := range n {
		fmt.Fprintf(&text, "line %05d of%d\n", i, n)
	}
	return text.String()
}

// A part that has inputs of which the corpus keeps no beginnings has a sample, too.
func TestSampleOfAPart(t *testing.T) {
	var contents []string
	for i := range 40 {
		contents = append(contents, fmt.Sprint(i, ".gz"), "a line\n")
	}
	src, err := corpus.Files(files(t, contents...), nil, corpus.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := src.Part(1, 2).Layout(); got != (corpus.Layout{}) {
		t.Errorf("the layout is %+v", got)
	}
}

// Each sentence is in exactly one part, and parts have about the same length.
func TestPart(t *testing.T) {
	few, many := numberedLines(100), numberedLines(10_000)
	inMemory := make([][]string, 1000)
	for i := range inMemory {
		inMemory[i] = []string{"sentence", fmt.Sprint(i)}
	}
	of := func(o corpus.Options, contents ...string) func() *corpus.Source {
		paths := files(t, contents...)
		return func() *corpus.Source {
			src, err := corpus.Files(paths, nil, o)
			if err != nil {
				t.Fatal(err)
			}
			return src
		}
	}
	var equal []string
	for i := range 12 {
		equal = append(equal, fmt.Sprintf("%d.gz", i), strings.ReplaceAll(many, "line", fmt.Sprint("line", i)))
	}
	dna := func() *corpus.Source {
		src := of(corpus.Options{}, "a.fa", ">a\n"+strings.Repeat("ACGTTGCA\n", 5000)+">b\nACGTA\n>c\n"+strings.Repeat("GATTACA\n", 5000))()
		src, err := kmers.Source(src, kmers.Options{K: 4}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return src
	}
	for _, c := range []struct {
		name string
		open func() *corpus.Source
		even float64 // by how much of an equal share a part of four may differ
	}{
		{"plain", of(corpus.Options{}, "a", many), 0.01},
		{"plain files of all sizes", of(corpus.Options{}, "a", few, "b", many, "c", "", "d", few, "e", many), 0.01},
		{"crlf, no newline at the end", of(corpus.Options{}, "a", strings.ReplaceAll(strings.TrimSuffix(many, "\n"), "\n", "\r\n")), 0.01},
		{"gz", of(corpus.Options{}, "a.gz", many), 0.2},
		{"many gz", of(corpus.Options{}, equal...), 0.1},
		{"a long gz and short ones", of(corpus.Options{}, "a.gz", many, "b.gz", few, "c.gz", few, "d.gz", few, "e.gz", few, "f.gz", few), 0.2},
		{"csv", of(corpus.Options{TextColumn: "1"}, "a.csv", strings.ReplaceAll(strings.ReplaceAll(many, "line", "\"line"), " of", "\nof\",")), 0.2},
		{"sentences of unicode", of(corpus.Options{Sentences: corpus.UnicodeSentences}, "a", strings.ReplaceAll(many, " of", ". Of")), 0.01},
		{"in memory", func() *corpus.Source { return corpus.Sentences("memory", inMemory, corpus.Options{}) }, 0.01},
		{"k-mers", dna, 4},
		{"nothing", of(corpus.Options{}, "a", "\n\n"), 4},
	} {
		t.Run(c.name, func(t *testing.T) {
			want := read(t, c.open(), 1)
			slices.Sort(want)
			for _, n := range []int{1, 2, 3, 4, 8} {
				var got []string
				for i := range n {
					part := read(t, c.open().Part(i, n), 2)
					if share := float64(len(part)*4)/float64(len(want)+1) - 1; n == 4 && (share > c.even || share < -c.even) {
						t.Errorf("part %d of 4 has %d sentences of %d", i, len(part), len(want))
					}
					got = append(got, part...)
				}
				if slices.Sort(got); !slices.Equal(got, want) {
					t.Errorf("%d parts have %d sentences, and the corpus has %d", n, len(got), len(want))
				}
			}
		})
	}
}

// A text without newlines is cut between words, so that no part has all of it.
func TestPartOfOneLine(t *testing.T) {
	text := strings.Repeat("a text without newlines as text8 is ", 130_000)
	for _, name := range []string{"a", "a.gz"} {
		paths := files(t, name, text)
		tokens := 0
		for i := range 4 {
			src, err := corpus.Files(paths, nil, corpus.Options{})
			if err != nil {
				t.Fatal(err)
			}
			n := 0
			for _, sentence := range read(t, src.Part(i, 4), 1) {
				n += strings.Count(sentence, "|") + 1
			}
			if n < 100_000 {
				t.Errorf("%s: part %d of 4 has %d tokens", name, i, n)
			}
			tokens += n
		}
		if want := len(strings.Fields(text)); tokens != want {
			t.Errorf("%s: 4 parts have %d tokens, want %d", name, tokens, want)
		}
	}
}

// Errors and reports name the lines of the file, whatever part has them.
func TestPartNamesLines(t *testing.T) {
	const bad = 20_000
	rows := strings.Repeat("{\"text\": \"some words\"}\n", bad-1) + "{\"text\": 7}\n" + strings.Repeat("{\"text\": \"more\"}\n", bad)
	for _, name := range []string{"a.jsonl", "a.jsonl.gz"} {
		paths := files(t, name, rows)
		var errs []string
		for i := range 3 {
			src, err := corpus.Files(paths, nil, corpus.Options{JSONField: "text"})
			if err != nil {
				t.Fatal(err)
			}
			if err := drainAll(t, src.Part(i, 3)); err != nil {
				errs = append(errs, err.Error())
			}
		}
		if len(errs) != 1 || !strings.Contains(errs[0], fmt.Sprintf(": line %d", bad)) {
			t.Errorf("%s: %q", name, errs)
		}
	}
	path := files(t, "cut.gz", rows)[0]
	packed, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, packed[:len(packed)/2], 0o600); err != nil {
		t.Fatal(err)
	}
	var cut []string
	for i, n := range []int{0, 0, 1, 2} {
		src, err := corpus.Files([]string{path}, nil, corpus.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if i > 0 {
			src = src.Part(n, 3)
		}
		err = drainAll(t, src)
		if err == nil {
			t.Fatal("half of a compressed file is read without an error")
		}
		if cut = append(cut, err.Error()); cut[i] != cut[0] {
			t.Errorf("a part says %s, want %s", cut[i], cut[0])
		}
	}
	long := strings.Repeat("a few words\n", bad-1) + strings.Repeat("x", corpus.MaxToken+1) + "\n" + strings.Repeat("more\n", bad)
	for _, name := range []string{"a", "a.gz"} {
		paths := files(t, name, long)
		var all corpus.TooLong
		for i := range 3 {
			src, err := corpus.Files(paths, nil, corpus.Options{})
			if err != nil {
				t.Fatal(err)
			}
			shards, err := src.Part(i, 3).Shards(1)
			if err != nil {
				t.Fatal(err)
			}
			for _, shard := range shards {
				if err := drain(t.Context(), shard); err != nil {
					t.Fatal(err)
				}
			}
			all.Add(corpus.TooLongIn(shards))
		}
		if all.Tokens != 1 || all.Line != bad {
			t.Errorf("%s: %v", name, all)
		}
	}
}

func TestPartRefuses(t *testing.T) {
	pipe := corpus.Stream("a pipe", strings.NewReader("a b"), corpus.Options{})
	text := corpus.Sentences("memory", [][]string{{"a"}}, corpus.Options{})
	for _, c := range []struct {
		part *corpus.Source
		want string
	}{
		{pipe.Part(0, 2), "a pipe: can be read only once, and cannot be divided: write it to files, of which each process reads its part"},
		{pipe.Part(0, 1), "<nil>"},
		{text.Part(2, 2), "corpus: part 2 of 2: parts are counted from 0"},
		{text.Part(0, 2).Part(0, 2), "memory: this is part of a corpus already, and is not divided again"},
	} {
		if _, err := c.part.Shards(1); fmt.Sprint(err) != c.want {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
}

// Lines are counted in the file, also behind one that was cut between words.
func TestPartNamesLinesBehindOneThatIsCut(t *testing.T) {
	cut := strings.Repeat("a few words ", 200_000) + "\n"
	paths := files(t, "a.gz", cut+"more\n"+cut+strings.Repeat("x", corpus.MaxToken+1)+"\n")
	var all corpus.TooLong
	for i := range 3 {
		src, err := corpus.Files(paths, nil, corpus.Options{})
		if err != nil {
			t.Fatal(err)
		}
		shards, err := src.Part(i, 3).Shards(1)
		if err != nil {
			t.Fatal(err)
		}
		for _, shard := range shards {
			if err := drain(t.Context(), shard); err != nil {
				t.Fatal(err)
			}
		}
		all.Add(corpus.TooLongIn(shards))
	}
	if all.Tokens != 1 || all.Line != 4 {
		t.Errorf("%v, want line 4", all)
	}
}
