package vocab

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/w2v-go/w2v/cluster"
	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/internal/longtest"
	"github.com/w2v-go/w2v/internal/ranktest"
)

// zipfian returns lines of words, of which many are rare. Some words are long.
func zipfian(lines int) []string {
	r := rand.New(rand.NewPCG(1, 2))
	z := rand.NewZipf(r, 1.1, 3, 1<<20)
	text := make([]string, lines)
	for i := range text {
		var words []string
		for range 1 + r.IntN(20) {
			word := fmt.Sprintf("w%d", z.Uint64())
			if len(word)%5 == 0 {
				word = "a-much-longer-word-" + word
			}
			words = append(words, word)
		}
		text[i] = strings.Join(words, " ")
	}
	return text
}

// written writes files and returns their paths.
func written(t testing.TB, files map[string]string) (paths []string) {
	t.Helper()
	folder := t.TempDir()
	for name, text := range files {
		path := filepath.Join(folder, name)
		data := []byte(text)
		if strings.HasSuffix(name, ".gz") {
			var buf bytes.Buffer
			w := gzip.NewWriter(&buf)
			_, _ = w.Write(data)
			_ = w.Close()
			data = buf.Bytes()
		}
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	slices.Sort(paths)
	return paths
}

// sentencesOf returns the sentences of ids as text, in rising order.
func sentencesOf(v *Vocab, ids *IDs) (all []string) {
	var words []string
	for i := range ids.Chunks() {
		for _, piece := range ids.Chunk(i) {
			for _, id := range piece {
				words = append(words, v.Token(int(id&^EndOfSentence)))
				if id&EndOfSentence != 0 {
					all = append(all, strings.Join(words, " "))
					words = words[:0]
				}
			}
		}
	}
	slices.Sort(all)
	return all
}

func textOf(t *testing.T, v *Vocab) string {
	t.Helper()
	var buf bytes.Buffer
	if _, err := v.WriteTo(&buf); err != nil {
		t.Fatal(err)
	}
	return buf.String()
}

// indexRanks indexes a corpus on so many ranks, and checks that each gets the same vocabulary. It
// returns the vocabulary and the sentences of all ranks.
func indexRanks(t *testing.T, n int, open func() (*corpus.Source, error), o Options) (string, []string) {
	t.Helper()
	vocabs, all := make([]string, n), []string(nil)
	var mutex sync.Mutex
	err := ranktest.Each(n, func(c cluster.Comm) error {
		src, err := open()
		if err != nil {
			return err
		}
		o := o
		o.Ranks, o.Threads, o.post = c, 2, 1<<13
		v, ids, err := Index(context.Background(), src, o, t.TempDir())
		if err != nil {
			return err
		}
		defer ids.Close()
		mutex.Lock()
		defer mutex.Unlock()
		vocabs[c.Rank()] = textOf(t, v)
		all = append(all, sentencesOf(v, ids)...)
		return ids.Err()
	})
	if err != nil {
		t.Fatal(err)
	}
	for rank := range vocabs {
		if vocabs[rank] != vocabs[0] {
			t.Errorf("rank %d of %d has another vocabulary than rank 0", rank, n)
		}
	}
	slices.Sort(all)
	return vocabs[0], all
}

// Ranks have the vocabulary of a single run, byte by byte, and every sentence once.
func TestRanks(t *testing.T) {
	lines := zipfian(1000)
	text := strings.Join(lines, "\n") + "\n"
	var csv, json, tsv, events strings.Builder
	csv.WriteString("id,text\n")
	tsv.WriteString("id\ttext\n")
	for i, line := range lines {
		fmt.Fprintf(&csv, "%d,\"%s\"\n", i, strings.Replace(line, " ", "\n", 1)) // some rows are two sentences
		fmt.Fprintf(&json, "{\"text\": %q}\n", line)
		fmt.Fprintf(&tsv, "%d\t%s\n", i, line)
		fmt.Fprintf(&events, "user%d\t%s\n", i*i%97, line)
	}
	many := map[string]string{}
	for i := range 20 {
		many[fmt.Sprintf("%02d.txt", i)] = strings.Join(lines[i*50:(i+1)*50], "\n")
	}
	zipped := map[string]string{}
	for i := range 5 {
		zipped[fmt.Sprintf("%02d.txt.gz", i)] = strings.Join(lines[i*200:(i+1)*200], "\n")
	}
	for _, c := range []struct {
		name  string
		files map[string]string
		o     corpus.Options
	}{
		{"plain", map[string]string{"a.txt": text}, corpus.Options{}},
		{"no newline at the end", map[string]string{"a.txt": strings.TrimSuffix(text, "\n")}, corpus.Options{Lowercase: true}},
		{"byte order mark", map[string]string{"a.txt": "\ufeff" + text}, corpus.Options{}},
		{"many files", many, corpus.Options{}},
		{"gz", map[string]string{"a.txt.gz": text}, corpus.Options{}},
		{"many gz", zipped, corpus.Options{}},
		{"plain and gz", map[string]string{"a.txt": text, "b.txt.gz": text}, corpus.Options{}},
		{"fewer lines than ranks", map[string]string{"a.txt": "one two\nthree two\n"}, corpus.Options{}},
		{"csv", map[string]string{"a.csv": csv.String()}, corpus.Options{TextColumn: "2", Header: true}},
		{"csv.gz", map[string]string{"a.csv.gz": csv.String()}, corpus.Options{TextColumn: "2", Header: true}},
		{"tsv", map[string]string{"a.tsv": tsv.String()}, corpus.Options{TextColumn: "2", Header: true}},
		{"tsv.gz", map[string]string{"a.tsv.gz": tsv.String()}, corpus.Options{TextColumn: "2", Header: true}},
		{"sessions", map[string]string{"a.tsv": events.String(), "b.tsv.gz": events.String()}, corpus.Options{TextColumn: "2", GroupBy: "1", Split: " "}},
		{"json lines", map[string]string{"a.jsonl": json.String()}, corpus.Options{JSONField: "text"}},
		{"json lines, gz", map[string]string{"a.jsonl.gz": json.String()}, corpus.Options{JSONField: "text"}},
	} {
		paths := written(t, c.files)
		open := func() (*corpus.Source, error) { return corpus.Files(paths, nil, c.o) }
		some, ranks := []Options{{MinCount: 3}, {MinCount: 2, MaxVocab: 300}}, []int{1, 2, 3, 8}
		if c.name != "plain" && !longtest.Enabled() {
			some, ranks = some[1:], []int{3}
		}
		for _, o := range some {
			src, err := open()
			if err != nil {
				t.Fatal(err)
			}
			if c.name == "fewer lines than ranks" {
				o.MinCount = 1
			}
			v, ids, err := Index(context.Background(), src, o, t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			want, sentences := textOf(t, v), sentencesOf(v, ids)
			_ = ids.Close()
			for _, n := range ranks {
				t.Run(fmt.Sprintf("%s/%d-%d/%d", c.name, o.MinCount, o.MaxVocab, n), func(t *testing.T) {
					got, all := indexRanks(t, n, open, o)
					if got != want {
						t.Errorf("the vocabulary has %d bytes, and that of a single run %d", len(got), len(want))
					}
					if !slices.Equal(all, sentences) {
						t.Errorf("%d sentences, and a single run has %d", len(all), len(sentences))
					}
				})
			}
		}
	}
}

// An error that all ranks have is told once. An error of one rank ends all.
func TestRanksFail(t *testing.T) {
	paths := written(t, map[string]string{"a.txt": "one two\nthree four\n"})
	err := ranktest.Each(3, func(c cluster.Comm) error {
		src, err := corpus.Files(paths, nil, corpus.Options{})
		if err != nil {
			return err
		}
		_, err = Count(context.Background(), src, Options{MinCount: 2, Ranks: c})
		if rare, ok := errors.AsType[*RareError](err); !ok || *rare != (RareError{2, 1, 4, 4}) {
			t.Errorf("rank %d: %v", c.Rank(), err)
		}
		return err
	})
	const want = "rank 0: " // and no other
	if err == nil || !strings.HasPrefix(err.Error(), want) || strings.Count(err.Error(), "rank ") != 1 {
		t.Errorf("got %v", err)
	}
	damaged := written(t, map[string]string{"a.txt": strings.Repeat("one two\n", 1000), "b.txt.gz": "x", "c.txt.gz": strings.Repeat("three four\n", 1<<17)})
	data, err := os.ReadFile(damaged[2])
	if err == nil {
		err = os.WriteFile(damaged[2], data[:len(data)/2], 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	err = ranktest.Each(3, func(c cluster.Comm) error {
		src, err := corpus.Files(damaged, nil, corpus.Options{})
		if err != nil {
			return err
		}
		_, err = Count(context.Background(), src, Options{Ranks: c})
		return err
	})
	if err == nil || !strings.Contains(err.Error(), "c.txt.gz: line ") {
		t.Errorf("got %v", err)
	}
}
