package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/eval"
	"github.com/w2v-go/w2v/lab/battery"
	"github.com/w2v-go/w2v/lab/trainers"
)

// fake is a program that writes the same few vectors, and notes what it is asked for.
type fake struct {
	title   string
	version string
	noSeed  bool
	noNgram bool
	fails   error
	asked   *[]string
}

func (f fake) Title() string       { return f.title }
func (f fake) Version() string     { return f.title + " " + f.version }
func (f fake) Fingerprint() string { return f.title + f.version }
func (f fake) Seeded() bool        { return !f.noSeed }

func (f fake) Lacks(s trainers.Settings) string {
	if f.noNgram && s.Subwords {
		return "n-grams"
	}
	return ""
}

func (f fake) Train(ctx context.Context, text trainers.Text, model string, s trainers.Settings) (trainers.Trained, error) {
	*f.asked = append(*f.asked, fmt.Sprintf("%s %s %d %d %d", filepath.Base(text.Path), f.title, s.Dim, s.Epochs, s.Seed))
	t := trainers.Trained{Model: model + ".txt", Epochs: s.Epochs, Seconds: 3}
	if f.fails != nil {
		return t, f.fails
	}
	return t, os.WriteFile(t.Model, []byte("3 2\na 1 0\nb 1 1\nc 0 1\n"), 0o666)
}

// newTestJudge has one text, one set, and peers only.
func newTestJudge(t *testing.T, folder string, peers ...trainers.Trainer) *judge {
	t.Helper()
	pairs := eval.Set{Task: eval.TaskSimilarity, Name: "pairs", Pairs: []eval.Pair{{A: "a", B: "b", Score: 2}, {A: "a", B: "c", Score: 1}}}
	return &judge{
		options: options{dims: []int{10}, seeds: []uint64{1, 2}, threads: 1, only: selection{kinds: []string{words}}},
		folder:  t.TempDir(), cache: cache{folder}, processor: "cpu",
		texts:     []text{{Text: trainers.Text{Path: "t.txt", Tokens: 9}, name: "t", language: "en", hash: "t"}},
		batteries: map[string]battery.Battery{"en": {Similarity: []eval.Set{pairs}}},
		hashes:    map[string]string{"en": "sets"},
		peers:     peers,
	}
}

// A change costs only what it touches: what has been trained is not trained again.
func TestTrainingsAreKept(t *testing.T) {
	folder := t.TempDir()
	var asked []string
	peer := fake{title: "peer", version: "1", asked: &asked}
	for _, step := range []struct {
		name   string
		change func(*judge)
		want   string // the trainings
	}{
		{"nothing is to be trained", func(j *judge) { j.cached = true }, ""},
		{"all is new", func(*judge) {}, "t.txt peer 10 5 1, t.txt peer 10 5 2"},
		{"all is there", func(*judge) {}, ""},
		{"a seed more", func(j *judge) { j.seeds = append(j.seeds, 3) }, "t.txt peer 10 5 3"},
		{"a dimension more", func(j *judge) { j.dims = append(j.dims, 20) }, "t.txt peer 20 5 1, t.txt peer 20 5 2"},
		{"the text has changed", func(j *judge) { j.texts[0].hash = "other" }, "t.txt peer 10 5 1, t.txt peer 10 5 2"},
		{"the sets have changed", func(j *judge) { j.hashes["en"] = "other" }, "t.txt peer 10 5 1, t.txt peer 10 5 2"},
		{"the processor has changed", func(j *judge) { j.processor = "other" }, "t.txt peer 10 5 1, t.txt peer 10 5 2"},
		{"the program has changed", func(j *judge) { j.peers = []trainers.Trainer{fake{title: "peer", version: "2", asked: &asked}} }, "t.txt peer 10 5 1, t.txt peer 10 5 2"},
		{"a program without a seed", func(j *judge) { j.peers = append(j.peers, fake{title: "other", noSeed: true, asked: &asked}) }, "t.txt other 10 5 0"},
		{"n-grams, which one lacks", func(j *judge) {
			j.only.kinds = []string{ngrams}
			j.peers = append(j.peers, fake{title: "third", noNgram: true, asked: &asked})
		}, "t.txt peer 10 5 1, t.txt peer 10 5 2"},
	} {
		asked = nil
		j := newTestJudge(t, folder, peer)
		step.change(j)
		contests, err := j.runAll(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(asked, ", "); got != step.want {
			t.Errorf("%s: trained %s, want %s", step.name, got, step.want)
		}
		if left, err := os.ReadDir(j.folder); err != nil || len(left) > 0 {
			t.Errorf("%s: %v is left, %v", step.name, left, err)
		}
		if row := contests[0].Rows[0]; !j.cached && (len(row.Runs) != len(j.seeds) || row.Runs[0].Scores[0].Value != 1) {
			t.Errorf("%s: runs %v", step.name, row.Runs)
		}
	}
}

// A program that fails does not stop the others, and an interrupt stops all. What is known is
// returned in both cases.
func TestFailures(t *testing.T) {
	var asked []string
	broken := errors.New("broken")
	good := fake{title: "good", asked: &asked}
	j := newTestJudge(t, t.TempDir(), fake{title: "bad", fails: broken, asked: &asked}, good)
	contests, err := j.runAll(t.Context())
	if !errors.Is(err, broken) || len(contests) != 1 || len(contests[0].rows(false)) != 1 {
		t.Errorf("%v: %v", contests, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	j = newTestJudge(t, j.cache.folder, good)
	contests, err = j.runAll(ctx)
	if !errors.Is(err, context.Canceled) || len(contests) != 1 {
		t.Errorf("%v: %v", contests, err)
	}
}

// Every program has its own defaults, and fastText enough threads.
func TestSettings(t *testing.T) {
	j := newTestJudge(t, t.TempDir())
	c := &contest{Kind: ngrams, Dim: 10}
	for _, test := range []struct {
		program trainers.Trainer
		threads int
	}{{&trainers.FastText{}, trainers.FastTextThreads}, {&trainers.Gensim{}, 1}, {&trainers.W2V{}, 1}} {
		if s := j.settingsOf(c, test.program); s != (trainers.Settings{Dim: 10, MinCount: minCount, Threads: test.threads, Subwords: true}) {
			t.Errorf("%T: %+v", test.program, s)
		}
	}
}
