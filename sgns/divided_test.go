package sgns

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/w2v-go/w2v/cluster"
	"github.com/w2v-go/w2v/internal/ranktest"
	"github.com/w2v-go/w2v/sgns/internal/model"
	"github.com/w2v-go/w2v/sgns/internal/ranks"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
	"github.com/w2v-go/w2v/vocab"
)

// smallRounds makes divided runs small: so many words are the head, and rounds have so many tokens.
func smallRounds(t *testing.T, head, tokens int) {
	t.Helper()
	was := ranks.Dividing
	ranks.Dividing = ranks.DividedSizes{Head: head, Turn: tokens / 2, Tokens: tokens, Rounds: 1, Words: was.Words, Pool: was.Pool}
	t.Cleanup(func() { ranks.Dividing = was })
}

// divide trains a divided model on local ranks. It returns the vectors that rank 0 reads, in memory.
func divide(t *testing.T, v *vocab.Vocab, parts []*vocab.IDs, run func(context.Context, Data, Hooks) (*Model, error), h Hooks) (*vectors.Set, Progress) {
	t.Helper()
	var copied *vectors.Set
	var progress Progress
	err := ranktest.Each(len(parts), func(comm cluster.Comm) error {
		d := Data{IDs: parts[comm.Rank()], Vocab: v, Ranks: comm, Divide: true}
		if comm.Rank() > 0 {
			m, err := run(t.Context(), d, Hooks{})
			if err == nil && m.Vectors != nil {
				err = errors.New("a rank that is not the first has vectors")
			}
			return errors.Join(err, m.Close())
		}
		m, err := run(t.Context(), d, h)
		if err != nil {
			return errors.Join(err, m.Close())
		}
		copied, progress = inMemory(m.Vectors), m.Progress
		return m.Close()
	})
	if err != nil {
		t.Fatal(err)
	}
	return copied, progress
}

// inMemory copies a set.
func inMemory(s *vectors.Set) *vectors.Set {
	p := s.Parts()
	for _, m := range []*vectors.Matrix{&p.Input, &p.Output} {
		rows := vectors.NewMatrix(m.Rows, m.Cols)
		for r := range m.Rows {
			m.Read(rows.Row(r), r)
		}
		*m = rows
	}
	return model.SetOf(p)
}

// A divided model learns what one that is not divided learns.
func TestDividedRanksTrain(t *testing.T) {
	smallRounds(t, 10, 2000)
	text := sentences(4000)
	for _, arch := range []Arch{SkipGram, CBOW} {
		t.Run(string(arch), func(t *testing.T) {
			c := small(func(c *Config) { c.Arch, c.Threads = arch, 1 })
			one := train(t, text, c)
			for _, n := range []int{2, 3} {
				v, parts := parted(t, text, n)
				s, progress := divide(t, v, parts, func(ctx context.Context, d Data, h Hooks) (*Model, error) { return Train(ctx, d, c, h) }, Hooks{})
				if got, want := separation(s), separation(one.Vectors); got < 0.8*want {
					t.Errorf("%d ranks: words of a topic are nearer to each other by %.2f, on one rank by %.2f", n, got, want)
				}
				if progress.Tokens != one.Progress.Tokens || progress.Total != one.Progress.Total || progress.Ranks != n || progress.Sent == 0 {
					t.Errorf("%d ranks: %+v, on one rank %+v", n, progress, one.Progress)
				}
			}
		})
	}
}

// Rows begin as those of a run that is not divided, wherever they are.
func TestDividedRowsBeginAlike(t *testing.T) {
	smallRounds(t, 3, 1000)
	text := sentences(200)
	c := small(func(c *Config) { c.LearningRate = 1e-30 })
	one := train(t, text, c)
	v, parts := parted(t, text, 3)
	s, _ := divide(t, v, parts, func(ctx context.Context, d Data, h Hooks) (*Model, error) { return Train(ctx, d, c, h) }, Hooks{})
	for r := range v.Len() {
		if !slices.Equal(s.Input().Row(r), one.Vectors.Input().Row(r)) {
			t.Errorf("row %d of %d begins otherwise", r, v.Len())
		}
	}
}

// A rank without text takes part: it owns rows, and serves.
func TestDividedRankWithoutText(t *testing.T) {
	smallRounds(t, 5, 1000)
	text := sentences(2000)
	v, parts := parted(t, text, 2)
	s, progress := divide(t, v, append(parts, &vocab.IDs{}), func(ctx context.Context, d Data, h Hooks) (*Model, error) {
		return Train(ctx, d, small(func(*Config) {}), h)
	}, Hooks{})
	if progress.Tokens != progress.Total || s.Len() != v.Len() {
		t.Errorf("%+v, %d words", progress, s.Len())
	}
}

// What has no rows that could be divided is refused, on every rank.
func TestDividedRefusals(t *testing.T) {
	text := sentences(50)
	v, parts := parted(t, text, 2)
	for name, of := range map[string]struct {
		change func(*Config)
		want   string
	}{
		"n-grams":          {func(c *Config) { c.Subword = fastText }, "words with n-grams share rows"},
		"rank":             {func(c *Config) { c.Rank = 4 }, "a projection is shared by all words"},
		"tied":             {func(c *Config) { c.Tied = true }, "tied vectors have no output rows"},
		"structured":       {func(c *Config) { c.Arch = Structured }, "several output vectors a word"},
		"directional":      {func(c *Config) { c.Loss = Directional }, "two output rows of each word"},
		"softmax":          {func(c *Config) { c.Loss = HierarchicalSoftmax }, "the nodes of the tree"},
		"position weights": {func(c *Config) { c.Arch, c.PositionWeights = CBOW, true }, "position weights are shared"},
		"word n-grams":     {func(c *Config) { c.Arch, c.WordNgrams, c.WordBuckets = CBOW, 2, 100 }, "word n-grams are shared"},
		"deterministic":    {func(c *Config) { c.Deterministic = true }, "one order of steps"},
		"early stopping":   {func(c *Config) { c.Patience = 2 }, "early stopping keeps"},
	} {
		t.Run(name, func(t *testing.T) {
			c := small(of.change)
			err := ranktest.Each(2, func(comm cluster.Comm) error {
				_, err := Train(t.Context(), Data{IDs: parts[comm.Rank()], Vocab: v, Ranks: comm, Divide: true}, c, Hooks{})
				if err == nil || !strings.Contains(err.Error(), of.want) {
					return fmt.Errorf("rank %d: error %v, want %q", comm.Rank(), err, of.want)
				}
				return nil
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
}

// A divided run goes on from its checkpoint: on as many ranks, on others, and on one that is not divided.
func TestDividedResume(t *testing.T) {
	smallRounds(t, 10, 2000)
	text := sentences(3000)
	c := small(func(c *Config) { c.Threads, c.Epochs, c.EvaluateEvery = 1, 4, 5000 })
	v, parts := parted(t, text, 2)
	file := filepath.Join(t.TempDir(), "run.w2v")
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	points, evaluations := 0, 0
	hooks := Hooks{
		Checkpoint: func(p *Checkpoint) {
			points++
			s, err := p.Set()
			if err == nil {
				err = format.Write(t.Context(), file, s, format.W2V)
			}
			if err != nil {
				t.Error(err)
			}
		},
		CheckpointEvery: 1,
		Evaluate: func(_ context.Context, s *vectors.Set) (float64, error) {
			row := make([]float32, s.Dim())
			s.WordVector(row, s.Len()-1)
			if evaluations++; evaluations == 1 {
				time.Sleep(300 * time.Millisecond) // until a checkpoint is due, which is made before training goes on
			} else {
				stop() // and the run ends with the round
			}
			return float64(row[0]), nil
		},
	}
	err := ranktest.Each(2, func(comm cluster.Comm) error {
		d := Data{IDs: parts[comm.Rank()], Vocab: v, Ranks: comm, Divide: true}
		mine := Hooks{}
		if comm.Rank() == 0 {
			mine = hooks
		}
		m, err := Train(ctx, d, c, mine)
		if !errors.Is(err, context.Canceled) {
			return fmt.Errorf("rank %d: %v", comm.Rank(), err)
		}
		return m.Close()
	})
	if err != nil {
		t.Fatal(err)
	}
	if points < 2 {
		t.Errorf("%d checkpoints", points)
	}
	for _, n := range []int{2, 3, 1} {
		t.Run(fmt.Sprintf("%d ranks", n), func(t *testing.T) {
			v, parts := parted(t, text, n)
			s, progress := divide(t, v, parts, func(ctx context.Context, d Data, h Hooks) (*Model, error) {
				saved, err := format.Open(file)
				if err != nil {
					return nil, err
				}
				defer saved.Close()
				from, err := NewCheckpoint(saved)
				if err != nil {
					return nil, err
				}
				return Resume(ctx, d, from, h)
			}, Hooks{})
			if progress.Tokens != progress.Total {
				t.Errorf("%d of %d tokens", progress.Tokens, progress.Total)
			}
			if x := separation(s); x < 0.3 {
				t.Errorf("words of a topic are nearer to each other by %.2f", x)
			}
		})
	}
}
