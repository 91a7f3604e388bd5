package sgns

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/sgns/internal/trial"
	"github.com/w2v-go/w2v/vectors"
)

func glove(change func(*Config)) Config {
	return small(func(c *Config) {
		c.Loss, c.Epochs = GloVe, 6
		c.FitLoss()
		change(c)
	})
}

// GloVe learns which words are used alike. A run with one thread that is resumed, and a deterministic one with several, come
// to the bits of a run with one thread. A model is the sum of both sides, and only checkpoints have more.
func TestGloVe(t *testing.T) {
	v, ids := indexed(t, sentences(6000))
	d := Data{IDs: ids, Vocab: v}
	if ids.Chunks() < 3 {
		t.Fatalf("%d chunks", ids.Chunks())
	}
	var first, last float64
	var point *vectors.Set
	ctx, stop := context.WithCancel(t.Context())
	hooks := Hooks{
		Evaluated: func(e Evaluation) {
			if first == 0 {
				first = e.Trained
			}
			last = e.Trained
			if e.Tokens > ids.Tokens()*3 {
				stop()
			}
		},
		Evaluate:   func(context.Context, *vectors.Set) (float64, error) { return 0, nil },
		Checkpoint: func(k *Checkpoint) { point = copied(k) },
	}
	_, err := Train(ctx, d, glove(func(c *Config) {}), hooks)
	if !errors.Is(err, ctx.Err()) || ctx.Err() == nil {
		t.Fatalf("%v, want an interruption", err)
	}
	if !(last < first/2) {
		t.Errorf("the loss fell from %v to %v", first, last)
	}
	if point.Matrix("input_sums").Rows != v.Len() || point.Output().Rows != v.Len() {
		t.Error("a checkpoint has not all that the run needs")
	}
	from, err := NewCheckpoint(point)
	if err != nil {
		t.Fatal(err)
	}
	resumed, err := Resume(t.Context(), d, from, Hooks{Checkpoint: func(k *Checkpoint) { point = copied(k) }})
	if err != nil {
		t.Fatal(err)
	}
	if from, err = NewCheckpoint(point); err != nil {
		t.Fatal(err)
	}
	again, err := Resume(t.Context(), d, from, Hooks{Counting: func(Counting) { t.Error("a run that has ended counts again") }})
	if err != nil || !bytes.Equal(trial.Numbers(again.Vectors.Input()), trial.Numbers(resumed.Vectors.Input())) {
		t.Errorf("a run that has ended is resumed: %v", err)
	}
	for name, change := range map[string]func(*Config){
		"one thread":             func(c *Config) {},
		"deterministic, threads": func(c *Config) { c.Threads, c.Deterministic = 3, true },
	} {
		whole, err := Train(t.Context(), d, glove(change), Hooks{})
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(trial.Numbers(whole.Vectors.Input()), trial.Numbers(resumed.Vectors.Input())) {
			t.Errorf("%s: other bits than those of a resumed run", name)
		}
		if len(whole.Vectors.Matrices()) > 0 || whole.Vectors.Output().Rows > 0 {
			t.Errorf("%s: %d more matrices, %d outputs", name, len(whole.Vectors.Matrices()), whole.Vectors.Output().Rows)
		}
	}
	threads, err := Train(t.Context(), d, glove(func(c *Config) { c.Threads = 3; c.Shuffle = true }), Hooks{})
	if err != nil {
		t.Fatal(err)
	}
	if loss := threads.Progress.Loss; !(loss < first/2) {
		t.Errorf("with threads, the loss fell from %v to %v", first, loss)
	}
}

// What counts cannot do is refused with a reason.
func TestGloVeRefuses(t *testing.T) {
	v, ids := indexed(t, sentences(60))
	train, heldOut := split(t, ids, 0.2)
	for want, change := range map[string]func(*Config, *Data){
		"CBOW predicts a word from the words around it, and glove":             func(c *Config, _ *Data) { c.Arch = CBOW },
		"glove trains one row a word, and structured":                          func(c *Config, _ *Data) { c.Arch = Structured },
		"glove trains one row a word, and with n-grams":                        func(c *Config, _ *Data) { c.Subword = trial.FastText },
		"glove trains one row a word, and with a projection":                   func(c *Config, _ *Data) { c.Rank = 7 },
		"tied vectors are input and output in a step, and glove":               func(c *Config, _ *Data) { c.Tied = true },
		"glove trains no first dimensions of their own":                        func(c *Config, _ *Data) { c.Nested = []int{10, 20} },
		"glove counts the words of a window: give it one":                      func(c *Config, _ *Data) { c.Window, c.WindowMode = 0, WindowDynamic },
		"glove cannot freeze vectors, because it does not start from any":      func(c *Config, _ *Data) { c.Freeze = FreezeKnown },
		"loss glove does not start from vectors: leave out Data.Init":          func(_ *Config, d *Data) { d.Init = newSet(vectors.Parts{}) },
		"loss glove has no loss of held-out text: leave out Data.HeldOut, and": func(_ *Config, d *Data) { d.HeldOut = heldOut },
	} {
		d := Data{IDs: train, Vocab: v}
		c := glove(func(*Config) {})
		change(&c, &d)
		if _, err := Train(t.Context(), d, c, Hooks{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
