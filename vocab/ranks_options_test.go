package vocab

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/w2v-go/w2v/cluster"
	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/internal/ranktest"
)

// Whatever the options, ranks have the vocabulary of a single run, and report what it reports.
func TestRanksOptions(t *testing.T) {
	lines := zipfian(1200)
	long := strings.Repeat("x", corpus.MaxToken+1)
	paths := written(t, map[string]string{
		"a.txt": strings.Join(lines[:600], "\n") + "\n" + long + " at the end\n",
		"b.txt": strings.Join(lines[600:], "\n"),
		"c.txt": "\n\n",
	})
	open := func() (*corpus.Source, error) { return corpus.Files(paths, nil, corpus.Options{}) }
	given, err := New([]string{"w1", "w3", "never-seen", "a-much-longer-word-w12345"}, []uint64{5, 4, 3, 2})
	if err != nil {
		t.Fatal(err)
	}
	type reported struct {
		tooLong corpus.TooLong
		empty   corpus.Empty
		tally   Report
	}
	report := func(o Options, r *reported) Options {
		o.TooLong = func(l corpus.TooLong) { r.tooLong = l }
		o.Empty = func(e corpus.Empty) { r.empty = e }
		o.Report = func(of Report) { r.tally = of }
		return o
	}
	for name, o := range map[string]Options{
		"spilled":                {MinCount: 2, limit: 1 << 17},
		"spilled, largest":       {MaxVocab: 500, limit: 1 << 17},
		"fixed":                  {Fixed: given},
		"fixed, spilled":         {Fixed: given, limit: 1 << 17},
		"known":                  {Known: given, MinCount: 3},
		"known, largest":         {Known: given, MinCount: 2, MaxVocab: 50},
		"known, no room":         {Known: given, MinCount: 2, MaxVocab: 2},
		"known, spilled":         {Known: given, MinCount: 3, MaxVocab: 300, limit: 1 << 17},
		"no cache":               {MinCount: 2, NoCache: true},
		"no cache, spilled":      {MinCount: 2, NoCache: true, limit: 1 << 17},
		"many of the same count": {MaxVocab: 1500},
		"one word":               {MaxVocab: 1},
	} {
		t.Run(name, func(t *testing.T) {
			src, err := open()
			if err != nil {
				t.Fatal(err)
			}
			var single reported
			v, ids, err := Index(context.Background(), src, report(o, &single), t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			want, sentences := textOf(t, v), sentencesOf(v, ids)
			_ = ids.Close()
			if single.tooLong.Line != 601 || single.empty.Inputs != 1 {
				t.Fatalf("a single run reports %+v", single)
			}
			for _, n := range []int{3} {
				got, all := indexRanks(t, n, open, o)
				if got != want || !slices.Equal(all, sentences) {
					t.Errorf("%d ranks have a vocabulary of %d bytes instead of %d, and %d sentences instead of %d", n, len(got), len(want), len(all), len(sentences))
				}
				reports := make([]reported, n)
				err := ranktest.Each(n, func(c cluster.Comm) error {
					src, err := open()
					if err != nil {
						return err
					}
					o := report(o, &reports[c.Rank()])
					o.Ranks = c
					_, err = Count(context.Background(), src, o)
					return err
				})
				if err != nil {
					t.Fatal(err)
				}
				for rank, r := range reports {
					if !reflect.DeepEqual(r, single) {
						t.Errorf("rank %d of %d reports %+v, and a single run %+v", rank, n, r, single)
					}
				}
			}
		})
	}
}

// All ranks take kept caches of one run, or none does.
func TestRanksKeep(t *testing.T) {
	paths := written(t, map[string]string{"a.txt": strings.Join(zipfian(1000), "\n")})
	keep := t.TempDir()
	run := func(min int) (notes []string) {
		notes = make([]string, 3)
		err := ranktest.Each(3, func(c cluster.Comm) error {
			src, err := corpus.Files(paths, nil, corpus.Options{})
			if err != nil {
				return err
			}
			note := func(text string) { notes[c.Rank()] += text[strings.Index(text, ": ")+2:] }
			_, ids, err := Index(context.Background(), src, Options{Ranks: c, Keep: keep, MinCount: min, Note: note}, t.TempDir())
			if err != nil {
				return err
			}
			return ids.Close()
		})
		if err != nil {
			t.Fatal(err)
		}
		return notes
	}
	none := []string{"", "", ""}
	used := "the cache of an earlier run is used"
	unused := "the cache of an earlier run is not used, and is made again: other ranks have none of that run"
	check := func(what string, got []string, want ...string) {
		t.Helper()
		for rank := range got {
			if got[rank] != want[rank] && (want[rank] != used || !strings.HasPrefix(got[rank], used)) {
				t.Errorf("%s: rank %d notes %q, want %q", what, rank, got[rank], want[rank])
			}
		}
	}
	check("at first", run(1), none...)
	check("again", run(1), used, used, used)
	files, err := filepath.Glob(filepath.Join(keep, "*.cache"))
	if err != nil || len(files) != 3 {
		t.Fatalf("%v: %v", files, err)
	}
	if err := os.Remove(files[0]); err != nil {
		t.Fatal(err)
	}
	got := run(1)
	slices.Sort(got)
	check("one is missing", got, "", unused, unused)
	check("all again", run(1), used, used, used)
	stale := "the cache is stale, and is made again: the least count is 2, and was 1"
	check("another least count", run(2), stale, stale, stale)
}

// Before the cut, a rank holds only its share of all distinct tokens, and messages are bounded.
func TestRanksShare(t *testing.T) {
	const n, words, post = 4, 200_000, 1 << 16
	var text strings.Builder
	for i := range words {
		fmt.Fprintf(&text, "rare%d%c", i*7919%words, " \n"[i%10/9])
	}
	paths := written(t, map[string]string{"a.txt": text.String()})
	var mutex sync.Mutex
	owned, longest := 0, 0
	err := ranktest.Each(n, func(c cluster.Comm) error {
		measured := &measuring{Comm: c}
		src, err := corpus.Files(paths, nil, corpus.Options{})
		if err != nil {
			return err
		}
		o := Options{Ranks: measured, Threads: 1, post: post}
		part, o, err := o.parted(context.Background(), src)
		if err != nil {
			return err
		}
		workers, err := read(context.Background(), part, o, "", func() (*recorder, error) { return nil, nil })
		if err != nil {
			return err
		}
		counted, err := o.merge(workers)
		if err != nil {
			return err
		}
		own, err := o.exchange(context.Background(), counted, "")
		if err != nil {
			return err
		}
		mutex.Lock()
		defer mutex.Unlock()
		if most := words / n * 11 / 10; counted.tokens.len() > most || own.tokens.len() > most {
			t.Errorf("rank %d counts %d tokens and owns %d of %d", c.Rank(), counted.tokens.len(), own.tokens.len(), words)
		}
		owned += own.tokens.len()
		longest = max(longest, measured.longest)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if owned != words {
		t.Errorf("ranks own %d tokens of %d", owned, words)
	}
	if record := 64; longest > post+n*record {
		t.Errorf("messages of %d bytes are sent at once", longest)
	}
}

// measuring notes how many bytes are sent at once.
type measuring struct {
	cluster.Comm
	longest int
}

func (m *measuring) AllToAll(ctx context.Context, send [][]byte) ([][]byte, error) {
	bytes := 0
	for _, s := range send {
		bytes += len(s)
	}
	m.longest = max(m.longest, bytes)
	return m.Comm.AllToAll(ctx, send)
}

// Ranks that find other files say so, and what differs.
func TestRanksOfOtherFiles(t *testing.T) {
	long := strings.Repeat("one two three four five\n", 10_000)
	paths := written(t, map[string]string{
		"1.txt": long, "2.txt": long + "six\n", "3.txt": "two" + long[3:], "4.txt": long[:len(long)-4] + "six\n",
	})
	for i, want := range []string{
		"", "%s of size 240,004, and rank 0 of size 240,000", "%s with other content than rank 0", "%s with other content than rank 0", "3 inputs, and rank 0 finds 2",
	} {
		err := ranktest.Each(3, func(c cluster.Comm) error {
			files := []string{paths[0], paths[0]}
			if i < 4 && c.Rank() == 2 {
				files[1] = paths[i]
			}
			if i > 3 && c.Rank() == 2 {
				files = append(files, paths[1])
			}
			src, err := corpus.Files(files, nil, corpus.Options{})
			if err != nil {
				return err
			}
			_, err = Count(context.Background(), src, Options{Ranks: c})
			return err
		})
		if want == "" {
			if err != nil {
				t.Error(err)
			}
			continue
		}
		want = "rank 0: rank 2 finds " + strings.Replace(want, "%s", paths[0], 1) + ": all ranks must find the same files"
		if err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	sentences := [2][][]string{{{"a"}, {"b", "c"}}, {{"a"}, {"b c"}}}
	err := ranktest.Each(2, func(c cluster.Comm) error {
		_, err := Count(context.Background(), corpus.Sentences("sentences", sentences[c.Rank()], corpus.Options{}), Options{Ranks: c})
		return err
	})
	if err == nil || !strings.Contains(err.Error(), "with other content than rank 0") {
		t.Errorf("sentences: %v", err)
	}
}
