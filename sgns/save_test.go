package sgns

import (
	"bytes"
	"context"
	"errors"
	"math"
	"sync/atomic"
	"testing"
	"time"

	"github.com/w2v-go/w2v/sgns/internal/monitor"
	"github.com/w2v-go/w2v/vectors"
)

// A slowSave is a first checkpoint whose writing takes until some time after end.
type slowSave struct {
	begun chan struct{}
	end   <-chan struct{} // nil if it is there from the start
	busy  atomic.Bool
	calls atomic.Int32
}

func (s *slowSave) save(t *testing.T) func(*Checkpoint) {
	return func(*Checkpoint) {
		if !s.busy.CompareAndSwap(false, true) {
			t.Error("calls overlap")
		}
		if s.calls.Add(1) == 1 {
			close(s.begun)
			if s.end != nil {
				<-s.end
			}
			time.Sleep(50 * time.Millisecond)
		}
		s.busy.Store(false)
	}
}

// While a checkpoint is written, nothing that it consists of changes: the best parameters, the copy of
// the parameters, and what a diverged run goes back to.
func TestCheckpointsAreWrittenInPeace(t *testing.T) {
	for name, next := range map[string]func(r *run) error{
		"another checkpoint": func(r *run) error {
			r.saver.due.Store(true)
			return r.pause(t.Context())
		},
		"a better evaluation": func(r *run) error { return r.evaluate(t.Context()) },
		"going back":          func(r *run) error { return r.back() },
	} {
		t.Run(name, func(t *testing.T) {
			s := slowSave{begun: make(chan struct{})}
			score := 0.
			r := ready(t, small(func(c *Config) { c.Patience, c.EvaluateEvery = 1, 1e9 }), Hooks{
				Checkpoint: s.save(t),
				Evaluate:   func(context.Context, *vectors.Set) (float64, error) { score++; return score, nil },
			})
			r.saver.due.Store(true)
			if err := r.pause(t.Context()); err != nil {
				t.Fatal(err)
			}
			<-s.begun
			if err := next(r); err != nil {
				t.Fatal(err)
			}
			if s.calls.Load() == 1 && s.busy.Load() {
				t.Error("it does not wait for the checkpoint that is being written")
			}
			r.saver.wait()
		})
	}
}

// The last checkpoint waits for one that is being written when training ends.
func TestTheLastCheckpointWaits(t *testing.T) {
	v, ids := indexed(t, sentences(300))
	final := make(chan struct{})
	s := slowSave{begun: make(chan struct{}), end: final}
	waited := false
	_, err := Train(t.Context(), Data{IDs: ids, Vocab: v}, small(func(c *Config) { c.EvaluateEvery = 1 }), Hooks{
		Checkpoint:      s.save(t),
		CheckpointEvery: time.Nanosecond,
		Every:           time.Millisecond,
		Progress: func(p Progress) {
			if p.Final {
				close(final)
			}
		},
		Evaluate: func(context.Context, *vectors.Set) (float64, error) { // training lasts until a checkpoint is begun
			if !waited {
				select {
				case <-s.begun:
					waited = true
				case <-time.After(2 * time.Millisecond):
				}
			}
			return 0, nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	if !waited {
		t.Error("no checkpoint was made while training went on")
	}
}

// A report of a run that was resumed says how fast it has been since, what time is left at that speed,
// and the loss since the report before.
func TestProgress(t *testing.T) {
	r := ready(t, small(func(*Config) {}), Hooks{})
	total := r.whole()
	at := func(tokens uint64) {
		r.counters.Set(0, tokens, monitor.Sums{Pairs: tokens, Loss: float64(tokens) * float64(tokens)})
	}
	before := total / 4
	at(before)
	r.clock.began, r.clock.trained = time.Now().Add(-time.Hour), before
	m := &reporter{run: r, tokens: before}
	m.loss, m.pairs = r.losses(false)
	last := before
	for _, now := range []uint64{total / 2, total * 3 / 4, total} {
		at(now)
		m.at = time.Now().Add(-time.Minute)
		p := m.measure(false)
		speed, left := float64(now-before)/p.Elapsed.Seconds(), float64(total-now)
		if p.Tokens != now || p.Total != total || p.Elapsed < time.Hour || p.TokensPerSecond != speed || p.Recent < 10*speed || p.Recent > float64(now-last)/60 ||
			math.Abs(p.Remaining.Seconds()-left/speed) > 1e-3 || p.Loss != float64(last+now) ||
			math.Abs(p.LearningRate-r.config.LearningRate*left/float64(total)) > 1e-9 {
			t.Errorf("%+v: want %v tokens a second and %v s, loss %v", p, speed, left/speed, last+now)
		}
		last = now
	}
	if p := m.measure(true); !p.Final || p.Recent != p.TokensPerSecond || p.Remaining != 0 || p.LearningRate != 0 || p.Loss != float64(total) {
		t.Errorf("at the end: %+v", p)
	}
	at(before) // it goes back
	r.recovery.turns++
	r.recovery.loss, r.recovery.pairs = r.losses(false)
	at(total / 2)
	if p := m.measure(false); p.Loss != float64(before+total/2) {
		t.Errorf("after going back: %+v", p)
	}
}

// Going back does not forget what was the best, of which there is a copy, and patience begins anew.
func TestGoingBackKeepsTheBest(t *testing.T) {
	var scores []float64
	r := ready(t, small(func(c *Config) { c.Patience, c.EvaluateEvery = 2, 1e9 }), Hooks{
		Evaluate: func(context.Context, *vectors.Set) (float64, error) {
			score := scores[0]
			scores = scores[1:]
			return score, nil
		},
	})
	found := &r.evaluation.stopping.Found
	scores = []float64{5, 4, 3, 2}
	for range 2 {
		if err := r.evaluate(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.back(); err != nil {
		t.Fatal(err)
	}
	if found.Best == nil || *found.Best.Score != 5 || found.Since != 0 {
		t.Errorf("after going back: %+v", found)
	}
	if err := r.evaluate(t.Context()); err != nil || *found.Best.Score != 5 || found.Since != 1 {
		t.Errorf("a worse evaluation after going back: %v, %+v", err, found)
	}
	if err := r.evaluate(t.Context()); !errors.Is(err, errEnough) {
		t.Errorf("the second worse evaluation: %v", err)
	}
}

// A checkpoint that is made while training goes on has the parameters of that moment.
func TestCheckpointsHaveTheParametersOfTheMoment(t *testing.T) {
	var saved []byte
	r := ready(t, small(func(*Config) {}), Hooks{Checkpoint: func(k *Checkpoint) { saved = numbers(k.set.Input()) }})
	input := r.model.values.Matrix("input")
	input.Row(0)[0] = 42
	at := numbers(input)
	r.saver.due.Store(true)
	if err := r.pause(t.Context()); err != nil {
		t.Fatal(err)
	}
	input.Row(0)[0] = 7
	r.saver.wait()
	if !bytes.Equal(saved, at) {
		t.Error("the checkpoint has other parameters")
	}
	if !r.saver.copied.Finite() || !bytes.Equal(numbers(r.saver.copied.Matrix("input")), at) {
		t.Error("the run would go back to other parameters")
	}
}
