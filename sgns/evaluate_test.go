package sgns

import (
	"bytes"
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/sgns/internal/params"
	"github.com/w2v-go/w2v/sgns/internal/step"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vocab"
)

// evaluations trains and returns what was found meanwhile.
func evaluations(t *testing.T, d Data, c Config, h Hooks) (all []Evaluation, m *Model) {
	t.Helper()
	h.Evaluated = func(e Evaluation) { all = append(all, e) }
	m, err := Train(t.Context(), d, c, h)
	if err != nil {
		t.Fatal(err)
	}
	return all, m
}

// The loss of vectors that know nothing is log 2 for each pair and each negative; it
// falls, and is the same for the same vectors however many measure it.
func TestHeldOutLoss(t *testing.T) {
	v, ids := indexed(t, sentences(4000))
	train, heldOut := split(t, ids, 0.1)
	for name, change := range map[string]func(*Config){
		"words":    func(*Config) {},
		"subwords": func(c *Config) { c.Subword = fastText },
	} {
		c := small(change)
		c.LearningRate, c.Epochs = 1e-12, 1
		all, _ := evaluations(t, Data{IDs: train, Vocab: v, HeldOut: heldOut}, c, Hooks{})
		// A little less, because a negative that is a pair's own context does not count.
		if most := float64(1+c.Negatives) * math.Ln2; len(all) != 1 || all[0].Loss > most || all[0].Loss < 0.97*most {
			t.Errorf("%s: at a rate that learns nothing %+v, want a loss of %v or a little less", name, all, most)
		}
		c.LearningRate, c.Epochs = 0.05, 4
		all, _ = evaluations(t, Data{IDs: train, Vocab: v, HeldOut: heldOut}, c, Hooks{})
		if len(all) != 4 {
			t.Fatalf("%s: %d evaluations of 4 epochs", name, len(all))
		}
		for i, e := range all {
			if i > 0 && e.Loss >= all[i-1].Loss {
				t.Errorf("%s: the loss does not fall: %+v", name, all)
			}
			if !math.IsNaN(e.Score) || e.Best != (i == 0 || e.Loss < all[i-1].Loss) {
				t.Errorf("%s: %+v", name, e)
			}
		}
	}
}

// Evaluations come when so many tokens have been trained, and at the end.
func TestEvaluateEvery(t *testing.T) {
	v, ids := indexed(t, sentences(4000))
	c := small(func(c *Config) { c.Epochs, c.EvaluateEvery = 2, 30_000 })
	calls := 0
	all, m := evaluations(t, Data{IDs: ids, Vocab: v}, c, Hooks{Evaluate: func(_ context.Context, s *vectors.Set) (float64, error) {
		calls++
		if s.Len() != v.Len() || s.Training().Uint("trained") == 0 {
			t.Errorf("evaluated %d words after %d tokens", s.Len(), s.Training().Uint("trained"))
		}
		return float64(calls), nil
	}})
	total := 2 * ids.Tokens()
	for i, e := range all {
		want := min(uint64(i+1)*30_000, total)
		if e.Tokens < want || e.Tokens > want+2*step.MaxText || e.Score != float64(i+1) || !e.Best {
			t.Errorf("evaluation %d: %+v", i, e)
		}
	}
	if want := int(total/30_000) + 1; len(all) != want {
		t.Errorf("%d evaluations, want %d", len(all), want)
	}
	if m.Evaluation != nil {
		t.Errorf("the best, %+v, was kept and not asked for", m.Evaluation)
	}
}

// Training ends when the last evaluations were no better, with the vectors of the best.
func TestEarlyStop(t *testing.T) {
	v, ids := indexed(t, sentences(4000))
	c := small(func(c *Config) { c.Epochs, c.EvaluateEvery, c.Patience = 50, 10_000, 3 })
	scores := []float64{1, 3, 2, math.NaN(), 4, 3, 4, 1, 9, 9}
	var kept []byte
	var file bytes.Buffer
	h := Hooks{
		Evaluate: func(_ context.Context, s *vectors.Set) (float64, error) {
			score := scores[0]
			scores = scores[1:]
			if score == 4 && kept == nil {
				kept = numbers(s.Input())
			}
			return score, nil
		},
		Checkpoint: func(k *Checkpoint) {
			file.Reset()
			if err := encode(&file, k); err != nil {
				t.Error(err)
			}
		},
	}
	all, m := evaluations(t, Data{IDs: ids, Vocab: v}, c, h)
	var best []bool
	for _, e := range all {
		best = append(best, e.Best)
	}
	if want := []bool{true, true, false, false, true, false, false, false}; !slices.Equal(best, want) {
		t.Errorf("the best were %v, want %v", best, want)
	}
	if !m.Progress.Early || m.Evaluation.Score != 4 || !bytes.Equal(kept, numbers(m.Vectors.Input())) {
		t.Errorf("the result is of %+v, and training ended as %+v", m.Evaluation, m.Progress)
	}

	// A run that has ended is not gone on with.
	again, err := Resume(t.Context(), Data{IDs: ids, Vocab: v}, decode(t, file.Bytes()), h)
	if err != nil {
		t.Fatal(err)
	}
	if again.Progress.Tokens != m.Progress.Tokens || !again.Progress.Early || !bytes.Equal(kept, numbers(again.Vectors.Input())) {
		t.Errorf("resumed, the result is of %+v, and training ended as %+v", again.Evaluation, again.Progress)
	}
}

func TestEvaluationThatFailsEndsTraining(t *testing.T) {
	v, ids := indexed(t, sentences(500))
	broken := errors.New("broken")
	_, err := Train(t.Context(), Data{IDs: ids, Vocab: v}, small(func(*Config) {}), Hooks{
		Evaluate: func(context.Context, *vectors.Set) (float64, error) { return 0, broken },
	})
	if !errors.Is(err, broken) {
		t.Errorf("error %v, want %v", err, broken)
	}
}

// Held-out text of which nothing can be measured is found before training, and is no
// divergence.
func TestHeldOutTextWithoutPairs(t *testing.T) {
	v, ids := indexed(t, sentences(500))
	src := corpus.Stream("held out", strings.NewReader("arow\nblamp\nunknown\n"), corpus.Options{})
	_, heldOut, err := vocab.Index(t.Context(), src, vocab.Options{Fixed: v}, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { heldOut.Close() })
	_, err = Train(t.Context(), Data{IDs: ids, Vocab: v, HeldOut: heldOut}, small(func(*Config) {}), Hooks{
		Diverged: func(d Divergence) { t.Errorf("%+v", d) },
	})
	if err == nil || !strings.Contains(err.Error(), "held-out text has no loss") {
		t.Errorf("error %v", err)
	}
}

// What has no score is not the best of anything.
func TestEarlyStopWithoutAScore(t *testing.T) {
	v, ids := indexed(t, sentences(500))
	m, err := Train(t.Context(), Data{IDs: ids, Vocab: v}, small(func(c *Config) { c.Patience = 2 }), Hooks{
		Evaluate: func(context.Context, *vectors.Set) (float64, error) { return math.NaN(), nil },
	})
	if err == nil || !strings.Contains(err.Error(), "no score") || m == nil || m.Progress.Tokens > ids.Tokens()+step.MaxText {
		t.Errorf("error %v after %+v", err, m)
	}
}

// A run that is interrupted where an evaluation is due makes it when it goes on: the
// evaluations, and what they decide, are those of a run that never stopped.
func TestInterruptedEvaluationIsMade(t *testing.T) {
	v, ids := indexed(t, sentences(2000))
	train, heldOut := split(t, ids, 0.1)
	d := Data{IDs: train, Vocab: v, HeldOut: heldOut}
	c := small(func(c *Config) { c.Epochs, c.EvaluateEvery, c.Patience = 8, 9_000, 2 })
	score := func(_ context.Context, s *vectors.Set) (float64, error) { return 0, nil }
	want, model := evaluations(t, d, c, Hooks{Evaluate: score})

	var got []Evaluation
	var point *Checkpoint
	for point == nil || len(got) < len(want) {
		ctx, cancel := context.WithCancel(t.Context())
		var file bytes.Buffer
		begun := 0
		h := Hooks{
			// The first evaluation of every part of the run is made, the second is not.
			Evaluate: func(ctx context.Context, s *vectors.Set) (float64, error) {
				if begun++; begun > 1 {
					cancel()
				}
				return 0, ctx.Err()
			},
			Evaluated: func(e Evaluation) { got = append(got, e) },
			Checkpoint: func(k *Checkpoint) {
				file.Reset()
				if err := encode(&file, k); err != nil {
					t.Error(err)
				}
			},
		}
		var m *Model
		var err error
		if point == nil {
			m, err = Train(ctx, d, c, h)
		} else {
			m, err = Resume(ctx, d, point, h)
		}
		cancel()
		if err == nil {
			if !bytes.Equal(numbers(m.Vectors.Input()), numbers(model.Vectors.Input())) {
				t.Error("the result is another")
			}
			break
		}
		if !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		point = decode(t, file.Bytes())
	}
	if len(got) != len(want) {
		t.Fatalf("%d evaluations, want %d", len(got), len(want))
	}
	for i := range want {
		if got[i].Tokens != want[i].Tokens || got[i].Loss != want[i].Loss || got[i].Best != want[i].Best {
			t.Errorf("evaluation %d: %+v, want %+v", i, got[i], want[i])
		}
	}
}

// A hook that fails while another worker's numbers are not numbers leaves the last good
// state, not these.
func TestFailureOfAHookLeavesAGoodState(t *testing.T) {
	v, ids := indexed(t, sentences(500))
	broken := errors.New("broken")
	saved := 0
	_, err := Train(t.Context(), Data{IDs: ids, Vocab: v}, small(func(*Config) {}), Hooks{
		Evaluate: func(_ context.Context, s *vectors.Set) (float64, error) {
			s.Output().Row(0)[0] = float32(math.NaN())
			return 0, broken
		},
		Checkpoint: func(k *Checkpoint) {
			saved++
			if !params.Finite(setOf(k).Output().Data) {
				t.Error("a checkpoint that is not finite")
			}
		},
	})
	if !errors.Is(err, broken) || saved == 0 {
		t.Errorf("error %v, want %v, and %d checkpoints", err, broken, saved)
	}
}
