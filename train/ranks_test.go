package train_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/w2v-go/w2v/cluster"
	"github.com/w2v-go/w2v/graph"
	"github.com/w2v-go/w2v/internal/ranktest"
	"github.com/w2v-go/w2v/sgns"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/train"
)

// The ranks of a run count its words together. The first one alone writes and tells.
func TestRunOnRanks(t *testing.T) {
	text := textOf(sentences(2000))
	folder := t.TempDir()
	path := filepath.Join(folder, "corpus.txt")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	options := func(name string) train.Options {
		o := train.Options{Settings: small(), Output: filepath.Join(folder, name+".w2v")}
		o.Settings.MinCount, o.Settings.MaxVocab = 3, 100
		o.Settings.Model.Threads, o.Settings.Model.Deterministic = 1, false
		o.Vocabulary.Save = filepath.Join(folder, name+".txt")
		o.Evaluation.Fraction = 0.1
		return o
	}
	single, err := train.Run(context.Background(), train.Files(path), options("single"), train.Hooks{})
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{2, 3} {
		err := ranktest.Each(n, func(c cluster.Comm) error {
			o := options("ranks")
			o.Ranks = c
			ready := false
			result, err := train.Run(context.Background(), train.Files(path), o, train.Hooks{
				Ready: func() error { ready = true; return nil },
				Start: func(train.Start) {
					if c.Rank() > 0 {
						t.Errorf("rank %d of %d tells of the run", c.Rank(), n)
					}
				},
			})
			if err == nil && (!ready || result.Tokens < single.Tokens || result.Words != single.Words) {
				t.Errorf("%d ranks train %d tokens of %d words, one %d of %d", n, result.Tokens, result.Words, single.Tokens, single.Words)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		one, err := os.ReadFile(filepath.Join(folder, "single.txt"))
		if err != nil {
			t.Fatal(err)
		}
		ranks, err := os.ReadFile(filepath.Join(folder, "ranks.txt"))
		if err != nil || string(ranks) != string(one) {
			t.Errorf("%d ranks have another vocabulary than a single run: %v", n, err)
		}
	}
}

// What ranks cannot divide is refused on each of them, before anything is read.
func TestRanksRefuse(t *testing.T) {
	edges := filepath.Join(t.TempDir(), "edges.txt")
	if err := os.WriteFile(edges, []byte("a b\nb c\nc a\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	joined := small()
	joined.Phrases.Join = true
	same := small()
	same.Model.Deterministic = true
	halves := small()
	halves.Model.Subword, halves.Model.Precision = subword.FastText{MinN: 3, MaxN: 4, Buckets: 50}, sgns.F16
	for _, c := range []struct {
		name   string
		corpus func() train.Corpus
		o      train.Options
		want   string
	}{
		{"stdin", func() train.Corpus { return train.FilesAndInput(strings.NewReader("a b"), "-") }, train.Options{}, "standard input: can be read only once, and cannot be divided: write it to files, of which each process reads its part"},
		{"walks", func() train.Corpus {
			return train.Walks(nil, []string{edges}, graph.ReadOptions{}, graph.WalkOptions{})
		}, train.Options{}, edges + ": random walks over a graph are not divided: write the walks to files, and read those as text"},
		{"phrases", func() train.Corpus { return train.Sentences(sentences(10)) }, train.Options{Settings: joined}, "Settings.Phrases.Join finds phrases in one process, and this run has several ranks: join the phrases first, and train on the text that results"},
		{"precision", func() train.Corpus { return train.Sentences(sentences(10)) }, train.Options{Settings: halves}, "Settings.Model.Precision trains rows of 16 bits, and this run has several ranks, which exchange rows of 32 bits: leave it out"},
		{"deterministic", func() train.Corpus { return train.Sentences(sentences(10)) }, train.Options{Settings: same}, "Settings.Model.Deterministic gives the same bits in one process, and this run has several ranks, which exchange what they have trained while they train: leave it out"},
	} {
		_ = ranktest.Each(2, func(ranks cluster.Comm) error {
			o := c.o
			o.Ranks = ranks
			_, err := train.Run(context.Background(), c.corpus(), o, train.Hooks{})
			if err == nil || err.Error() != c.want {
				t.Errorf("%s, rank %d: %v", c.name, ranks.Rank(), err)
			}
			return nil
		})
	}
}

// Ranks that were asked for different things do not train.
func TestRanksHaveTheSameOptions(t *testing.T) {
	for want, change := range map[string]func(*train.Options){
		"rank 1 has Settings.Model.Epochs: 9, and rank 0 Settings.Model.Epochs: 3: all ranks must get the same command line":       func(o *train.Options) { o.Settings.Model.Epochs = 9 },
		"rank 1 has Settings.Model.Arch: cbow, and rank 0 Settings.Model.Arch: skipgram: all ranks must get the same command line": func(o *train.Options) { o.Settings.Model.Arch = sgns.CBOW },
		"rank 1 has Divide: true, and rank 0 Divide: false: all ranks must get the same command line":                              func(o *train.Options) { o.Divide = true },
		"rank 1 has NoCache: true, and rank 0 NoCache: false: all ranks must get the same command line":                            func(o *train.Options) { o.NoCache = true },
		"rank 1 has SyncEvery: 9000, and rank 0 SyncEvery: 0: all ranks must get the same command line":                            func(o *train.Options) { o.SyncEvery = 9000 },
		"rank 1 has Cache, and rank 0 has not: all ranks must get the same command line":                                           func(o *train.Options) { o.Cache = os.TempDir() },
	} {
		_ = ranktest.Each(2, func(ranks cluster.Comm) error {
			o := train.Options{Settings: small(), Ranks: ranks}
			o.Settings.Model.Deterministic, o.Settings.Model.Epochs = false, 3
			if ranks.Rank() == 1 {
				change(&o)
			}
			_, err := train.Run(context.Background(), train.Sentences(sentences(100)), o, train.Hooks{})
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("rank %d: %v, want %q", ranks.Rank(), err, want)
			}
			return nil
		})
	}
	alone := ranktest.Local(2) // one rank refuses what the other was not asked for
	o := train.Options{Settings: small(), Ranks: alone[1], Divide: true, SyncBudget: 1}
	if _, err := train.Run(context.Background(), train.Sentences(sentences(100)), o, train.Hooks{}); err == nil || !strings.Contains(err.Error(), "SyncBudget is not possible") {
		t.Errorf("a rank that divides with a budget: %v", err)
	}
	err := ranktest.Each(2, func(ranks cluster.Comm) error {
		o := train.Options{Settings: small(), Ranks: ranks}
		o.Settings.Model.Deterministic, o.Settings.Model.Threads = false, 1+ranks.Rank()
		_, err := train.Run(context.Background(), train.Sentences(sentences(100)), o, train.Hooks{})
		return err
	})
	if err != nil {
		t.Errorf("ranks with different threads: %v", err)
	}
}

// A run that holds out a fraction of its text goes on with any number of ranks, time after time.
func TestResumeOnOtherRanks(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "corpus.txt")
	if err := os.WriteFile(path, []byte(textOf(sentences(3000))), 0o600); err != nil {
		t.Fatal(err)
	}
	run := func(ctx context.Context, n int, o train.Options, h train.Hooks) (complete bool, err error) {
		err = ranktest.Each(n, func(c cluster.Comm) error {
			o := o
			o.Ranks = c
			result, err := train.Run(ctx, train.Files(path), o, h)
			if c.Rank() == 0 && result != nil {
				complete = result.Complete
			}
			if errors.Is(err, context.Canceled) {
				return nil
			}
			return err
		})
		return complete, err
	}
	point := filepath.Join(folder, "checkpoint.w2v")
	o := train.Options{Settings: small(), Checkpoint: train.Checkpoint{File: point}, Evaluation: train.Evaluation{Fraction: 0.1}}
	o.Settings.Model.Threads, o.Settings.Model.Deterministic, o.Settings.Model.Epochs = 1, false, 40
	ctx, cancel := context.WithCancel(context.Background())
	complete, err := run(ctx, 2, o, train.Hooks{Every: time.Millisecond, Progress: func(p sgns.Progress) {
		if p.Tokens > 0 {
			cancel()
		}
	}})
	if err != nil || complete {
		t.Fatalf("the run is complete: %v, %v", complete, err)
	}
	for _, n := range []int{2, 3} { // a divided run goes on, and after it one that is not
		o := train.Options{Checkpoint: train.Checkpoint{Resume: point, File: fmt.Sprint(point, "divided", n)}, Divide: true}
		ctx, cancel := context.WithCancel(context.Background())
		if _, err := run(ctx, n, o, train.Hooks{Every: time.Millisecond, Progress: func(sgns.Progress) { cancel() }}); err != nil {
			t.Errorf("divided over %d ranks: %v", n, err)
		}
		o = train.Options{Checkpoint: train.Checkpoint{Resume: o.Checkpoint.File}}
		losses := 0
		complete, err := run(context.Background(), 2, o, train.Hooks{Evaluated: func(train.Evaluated) { losses++ }})
		if err != nil || !complete || losses == 0 {
			t.Errorf("no longer divided: complete %v, %d evaluations, %v", complete, losses, err)
		}
	}
	for _, n := range []int{1, 2, 3} {
		again := fmt.Sprint(point, n)
		ctx, cancel := context.WithCancel(context.Background())
		_, err := run(ctx, n, train.Options{Checkpoint: train.Checkpoint{Resume: point, File: again}}, train.Hooks{Every: time.Millisecond, Progress: func(sgns.Progress) { cancel() }})
		if err != nil {
			t.Errorf("%d ranks: %v", n, err)
		}
		var start train.Start
		complete, err := run(context.Background(), n, train.Options{Checkpoint: train.Checkpoint{Resume: again}}, train.Hooks{
			Start: func(s train.Start) { start = s },
		})
		if err != nil || !complete || !start.Resumed || start.Tokens == 0 {
			t.Errorf("%d ranks: %+v, complete %v, %v", n, start, complete, err)
		}
	}
}

// The first rank writes the models of epochs, also of a model that is divided.
func TestModelsOfEpochsOfRanks(t *testing.T) {
	path := filepath.Join(t.TempDir(), "corpus.txt")
	if err := os.WriteFile(path, []byte(textOf(sentences(1000))), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, divide := range []bool{false, true} {
		folder := t.TempDir()
		o := train.Options{Settings: small(), Divide: divide, Output: filepath.Join(folder, "model.w2v"), Evaluation: train.Evaluation{EpochModels: filepath.Join(folder, "models")}}
		var epochs []uint64
		err := ranktest.Each(2, func(c cluster.Comm) error {
			o := o
			o.Ranks = c
			_, err := train.Run(context.Background(), train.Files(path), o, train.Hooks{Evaluated: func(e train.Evaluated) {
				if e.Unwritten != nil || c.Rank() > 0 {
					t.Errorf("divided %v, rank %d: %+v", divide, c.Rank(), e)
				}
				epochs = append(epochs, e.Epoch)
			}})
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		if len(epochs) == 0 || !slices.IsSorted(epochs) || epochs[len(epochs)-1] != 3 { // ranks that meet seldom may pass an epoch
			t.Errorf("divided %v: epochs %v, want the third one at last", divide, epochs)
		}
		model, err := os.ReadFile(o.Output)
		last, lastErr := os.ReadFile(filepath.Join(o.Evaluation.EpochModels, "epoch-3.w2v"))
		if err := errors.Join(err, lastErr); err != nil || !bytes.Equal(model, last) {
			t.Errorf("divided %v: the last model of an epoch is not the result: %v", divide, err)
		}
	}
}
