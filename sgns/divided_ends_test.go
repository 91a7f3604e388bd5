package sgns

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/cluster"
	"github.com/w2v-go/w2v/internal/ranktest"
	"github.com/w2v-go/w2v/sgns/internal/ranks"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vocab"
)

// onDivided runs a function on a rank for each part, and returns the error of each.
func onDivided(v *vocab.Vocab, parts []*vocab.IDs, run func(Data) (*Model, error)) []error {
	errs := make([]error, len(parts))
	_ = ranktest.Each(len(parts), func(comm cluster.Comm) error { // the errors are those of errs
		m, err := run(Data{IDs: parts[comm.Rank()], Vocab: v, Ranks: comm, Divide: true})
		errs[comm.Rank()] = errors.Join(err, m.Close())
		return nil
	})
	return errs
}

// However a divided run ends before its time, it does so on all ranks.
func TestDividedEnds(t *testing.T) {
	smallRounds(t, 10, 1000)
	v, parts := parted(t, sentences(600), 4)
	other, _ := parted(t, sentences(90), 2)
	stopped, stop := context.WithCancel(t.Context())
	stop()
	for name, of := range map[string]struct {
		change func(d *Data, c *Config)
		ctx    context.Context
		want   []string // for each rank
	}{
		"interrupted":          {func(*Data, *Config) {}, stopped, slices.Repeat([]string{"context canceled"}, 4)},
		"one rank interrupted": {nil, nil, slices.Repeat([]string{"context canceled"}, 4)},
		"diverges": {func(_ *Data, c *Config) { c.LearningRate, c.Epochs = 1e5, 9 }, t.Context(),
			slices.Repeat([]string{"diverged"}, 4)},
		"another vocabulary": {func(d *Data, _ *Config) {
			if d.Ranks.Rank() == 2 {
				d.Vocab = other
			}
		}, t.Context(), slices.Repeat([]string{"rank 2 has another vocabulary"}, 4)},
	} {
		t.Run(name, func(t *testing.T) {
			errs := onDivided(v, parts, func(d Data) (*Model, error) {
				c, ctx := small(func(*Config) {}), of.ctx
				if of.change != nil {
					of.change(&d, &c)
				} else if ctx = t.Context(); d.Ranks.Rank() == 2 {
					ctx = stopped
				}
				return Train(ctx, d, c, Hooks{})
			})
			for rank, err := range errs {
				if err == nil || !strings.Contains(err.Error(), of.want[rank]) {
					t.Errorf("rank %d: error %v, want %q", rank, err, of.want[rank])
				}
			}
		})
	}
}

// Hardly any word beyond the head is drawn where frequent words are drawn much more often. Training goes on
// with the negatives that there are.
func TestDividedRarelyDrawn(t *testing.T) {
	smallRounds(t, 3, 1000)
	v, parts := parted(t, sentences(500), 2)
	for _, exponent := range []float64{-2, 0, 3, 10} {
		t.Run(fmt.Sprint(exponent), func(t *testing.T) {
			c := small(func(c *Config) { c.NSExponent = exponent })
			errs := onDivided(v, parts, func(d Data) (*Model, error) { return Train(t.Context(), d, c, Hooks{}) })
			if err := errors.Join(errs...); err != nil {
				t.Error(err)
			}
		})
	}
}

// A worker that sees training diverge leaves text untrained, and others wait for turns behind it.
func TestDividedDivergesInManyThreads(t *testing.T) {
	smallRounds(t, 10, 24_000)
	ranks.Dividing.Turn = 6000
	v, parts := parted(t, sentences(16_000), 8)
	for name, h := range map[string]Hooks{
		"without checkpoints": {},
		"with checkpoints":    {Checkpoint: func(*Checkpoint) { t.Error("what diverged is saved") }},
		"with evaluations": {Evaluate: func(context.Context, *vectors.Set) (float64, error) { return 0, nil },
			Checkpoint: func(*Checkpoint) {}},
	} {
		errs := onDivided(v, parts, func(d Data) (*Model, error) {
			c := small(func(c *Config) { c.LearningRate, c.Epochs, c.Threads = 1e5, 9, 8 })
			if h.Evaluate != nil {
				c.EvaluateEvery = 1000
			}
			return Train(t.Context(), d, c, h)
		})
		for rank, err := range errs {
			if !errors.Is(err, ErrDiverged) {
				t.Errorf("%s, rank %d: %v", name, rank, err)
			}
		}
	}
}
