package sgns

import (
	"bytes"
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/w2v-go/w2v/vectors"
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

func TestHeldOutLossDoesNotDependOnThreads(t *testing.T) {
	v, ids := indexed(t, sentences(8000))
	train, heldOut := split(t, ids, 0.5)
	c := small(func(c *Config) { c.Epochs = 1 })
	r, err := prepare(Data{IDs: train, Vocab: v, HeldOut: heldOut}, c, nil, Hooks{})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.start(); err != nil {
		t.Fatal(err)
	}
	if err := r.work(t.Context()); err != nil {
		t.Fatal(err)
	}
	before := numbers(r.output)
	one := r.heldOutLoss()
	for range 5 {
		r.watchers = append(r.watchers, r.newReader(0))
	}
	if six := r.heldOutLoss(); six != one || heldOut.Chunks() < 2 {
		t.Errorf("loss %v with one worker, %v with six over %d chunks", one, six, heldOut.Chunks())
	}
	if !bytes.Equal(before, numbers(r.output)) {
		t.Error("measuring the loss changes parameters")
	}
}

// Evaluations come when so many tokens have been trained, and at the end.
func TestEvaluateEvery(t *testing.T) {
	v, ids := indexed(t, sentences(4000))
	c := small(func(c *Config) { c.Epochs, c.EvaluateEvery = 2, 30_000 })
	calls := 0
	all, m := evaluations(t, Data{IDs: ids, Vocab: v}, c, Hooks{Evaluate: func(_ context.Context, s *vectors.Set) (float64, error) {
		calls++
		if s.Len() != v.Len() || s.Training.Trained == 0 {
			t.Errorf("evaluated %d words after %d tokens", s.Len(), s.Training.Trained)
		}
		return float64(calls), nil
	}})
	total := 2 * ids.Tokens()
	for i, e := range all {
		want := min(uint64(i+1)*30_000, total)
		if e.Tokens < want || e.Tokens > want+2*maxText || e.Score != float64(i+1) || !e.Best {
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
				kept = numbers(s.Input)
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
	if !m.Progress.Early || m.Evaluation.Score != 4 || !bytes.Equal(kept, numbers(m.Vectors.Input)) {
		t.Errorf("the result is of %+v, and training ended as %+v", m.Evaluation, m.Progress)
	}

	// A run that has ended is not gone on with.
	again, err := Resume(t.Context(), Data{IDs: ids, Vocab: v}, decode(t, file.Bytes()), h)
	if err != nil {
		t.Fatal(err)
	}
	if again.Progress.Tokens != m.Progress.Tokens || !again.Progress.Early || !bytes.Equal(kept, numbers(again.Vectors.Input)) {
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
