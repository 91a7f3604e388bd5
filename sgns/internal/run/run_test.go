package run

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/w2v-go/w2v/sgns/internal/checkpoint"
	"github.com/w2v-go/w2v/sgns/internal/config"
	"github.com/w2v-go/w2v/sgns/internal/engine"
	"github.com/w2v-go/w2v/sgns/internal/model"
	"github.com/w2v-go/w2v/sgns/internal/monitor"
	"github.com/w2v-go/w2v/sgns/internal/plan"
	"github.com/w2v-go/w2v/sgns/internal/trial"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
)

var (
	sentences, indexed, small, numbers = trial.Sentences, trial.Indexed, trial.Small, trial.Numbers
	split                              = trial.Split
	variants                           = trial.Variants
)

type Config = config.Config

// ready returns a run that is ready to train.
func ready(t *testing.T, c Config, h Hooks) *Run {
	t.Helper()
	v, ids := indexed(t, sentences(300))
	return begun(t, Data{IDs: ids, Vocab: v}, c, h)
}

func begun(t *testing.T, d Data, c Config, h Hooks) *Run {
	t.Helper()
	r := New(d, c, nil, h, new(Alone))
	if err := r.prepare(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := r.Begin(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.close)
	return r
}

// A checkpoint that is due, and is not made because the last text of a worker makes the
// state doubtful, does not keep that worker from coming to its end.
func TestDoubtAtTheEnd(t *testing.T) {
	r := ready(t, small(func(*Config) {}), Hooks{Checkpoint: func(*checkpoint.Checkpoint) { t.Error("a checkpoint") }})
	if err := r.sync.Work(t.Context()); err != nil {
		t.Fatal(err)
	}
	r.workers[0].doubt.Store(true)
	r.saver.due.Store(true)
	if err := r.sync.Work(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// A state that would be found to have diverged when training ends is none to go back to.
func TestDoubtOfAnEpoch(t *testing.T) {
	r := ready(t, small(func(*Config) {}), Hooks{Checkpoint: func(*checkpoint.Checkpoint) { t.Error("a checkpoint") }})
	r.Counters.Add(0, engine.Trained{Tokens: 10, Pairs: 100, Loss: 1e6, Last: true})
	r.saver.due.Store(true)
	if err := r.pause(t.Context()); err != nil {
		t.Fatal(err)
	}
	if !r.Doubtful() || r.sound() {
		t.Errorf("doubtful %v, sound %v", r.Doubtful(), r.sound())
	}
}

// Parameters that are not numbers do not take the place of the last good ones.
func TestSnapshotStaysGood(t *testing.T) {
	r := ready(t, small(func(*Config) {}), Hooks{Checkpoint: func(*checkpoint.Checkpoint) { t.Error("a checkpoint") }})
	r.Model.Values.Matrix(model.OutputName).Data[0] = float32(math.NaN())
	r.saver.due.Store(true)
	if err := r.pause(t.Context()); err != nil {
		t.Fatal(err)
	}
	if !r.saver.copied.Finite() {
		t.Error("the copy is not finite")
	}
}

// A slowSave is a first checkpoint whose writing takes until some time after end.
type slowSave struct {
	begun chan struct{}
	end   <-chan struct{} // nil if it is there from the start
	busy  atomic.Bool
	calls atomic.Int32
}

func (s *slowSave) save(t *testing.T) func(*checkpoint.Checkpoint) {
	return func(*checkpoint.Checkpoint) {
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
	for name, next := range map[string]func(r *Run) error{
		"another checkpoint": func(r *Run) error {
			r.saver.due.Store(true)
			return r.pause(t.Context())
		},
		"a better evaluation": func(r *Run) error { return r.evaluate(t.Context()) },
		"going back":          func(r *Run) error { return r.back() },
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

// A report of a run that was resumed says how fast it has been since, what time is left at that speed,
// and the loss since the report before.
func TestProgress(t *testing.T) {
	r := ready(t, small(func(*Config) {}), Hooks{})
	total := r.Whole()
	at := func(tokens uint64) {
		r.Counters.Set(0, monitor.Sums{Tokens: tokens, Pairs: tokens, Loss: float64(tokens) * float64(tokens)})
	}
	before := total / 4
	at(before)
	r.clock.began, r.clock.trained = time.Now().Add(-time.Hour), before
	m := &reporter{run: r, lastLoss: lastLoss{sums: r.Trained()}}
	last := before
	for _, now := range []uint64{total / 2, total * 3 / 4, total} {
		at(now)
		m.at = time.Now().Add(-time.Minute)
		p := m.measure(false)
		speed, left := float64(now-before)/p.Elapsed.Seconds(), float64(total-now)
		if p.Tokens != now || p.Total != total || p.Elapsed < time.Hour || p.TokensPerSecond != speed || p.Recent < 10*speed || p.Recent > float64(now-last)/60 ||
			math.Abs(p.Remaining.Seconds()-left/speed) > 1e-3 || p.Loss != float64(last+now) ||
			math.Abs(p.LearningRate-r.Config.LearningRate*left/float64(total)) > 1e-9 {
			t.Errorf("%+v: want %v tokens a second and %v s, loss %v", p, speed, left/speed, last+now)
		}
		last = now
	}
	if p := m.measure(true); !p.Final || p.Recent != p.TokensPerSecond || p.Remaining != 0 || p.LearningRate != 0 || p.Loss != float64(total) {
		t.Errorf("at the end: %+v", p)
	}
	at(before) // it goes back
	r.recovery.turns++
	r.recovery.at = r.Trained()
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
	if err := r.evaluate(t.Context()); !errors.Is(err, ErrEnough) {
		t.Errorf("the second worse evaluation: %v", err)
	}
}

// A checkpoint that is made while training goes on has the parameters of that moment.
func TestCheckpointsHaveTheParametersOfTheMoment(t *testing.T) {
	var saved []byte
	r := ready(t, small(func(*Config) {}), Hooks{Checkpoint: func(k *checkpoint.Checkpoint) { saved = numbers(setOf(k).Input()) }})
	input := r.Model.Values.Matrix("input")
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

// The rate falls with the tokens that all workers have trained.
func TestLearningRateFallsLinearly(t *testing.T) {
	_, ids := indexed(t, sentences(3000))
	c := small(func(c *Config) { c.Threads, c.LearningRate = 2, 0.08 })
	r := New(Data{IDs: ids}, c, nil, Hooks{}, new(Alone))
	r.Counters = make(monitor.Counters, 2)
	for _, test := range []struct{ done, want float64 }{{0, 0.08}, {0.25, 0.06}, {0.5, 0.04}, {1, 0}, {1.5, 0}} {
		half := uint64(test.done * float64(r.total()) / 2)
		r.Counters.Set(0, monitor.Sums{Tokens: half})
		r.Counters.Set(1, monitor.Sums{Tokens: half})
		if got := float64(r.rate()); math.Abs(got-test.want) > 1e-5 {
			t.Errorf("rate %v with %v of the tokens trained, want %v", got, test.done, test.want)
		}
	}
}

// Two workers that train the same text differ.
func TestWorkersDrawTheirOwnNumbers(t *testing.T) {
	v, ids := indexed(t, sentences(3000))
	c := small(func(c *Config) { c.Threads = 2 })
	r := begun(t, Data{IDs: ids, Vocab: v}, c, Hooks{})
	a, b := r.newWorker(0).trainer.State(), r.newWorker(1).trainer.State()
	if a.Sampling == b.Sampling || a.Drawing == b.Drawing || a.Sampling == a.Drawing {
		t.Error("workers share a generator")
	}
}

// Reports between the first and the last add up to the whole, and the last one
// speaks of the last epoch.
func TestLossOfReports(t *testing.T) {
	_, ids := indexed(t, sentences(3000))
	c := small(func(c *Config) { c.Epochs = 2 })
	r := New(Data{IDs: ids}, c, nil, Hooks{}, new(Alone))
	r.Counters = make(monitor.Counters, 2)
	reports := make(chan Progress)
	r.Hooks = Hooks{Every: time.Millisecond, Progress: func(p Progress) { reports <- p }}
	stop := r.report()
	next := func() float64 { return (<-reports).Loss }

	next() // may have been measured before what follows
	r.Counters.Add(0, engine.Trained{Tokens: 1, Pairs: 10, Loss: 40, Last: false})
	for loss := next(); loss != 4; loss = next() {
		if !math.IsNaN(loss) {
			t.Fatalf("loss %v of 10 pairs with a sum of 40", loss)
		}
	}
	if loss := next(); !math.IsNaN(loss) {
		t.Errorf("loss %v since the last report, in which nothing was trained", loss)
	}
	r.Counters.Add(0, engine.Trained{Tokens: 1, Pairs: 10, Loss: 20, Last: true})
	for loss := next(); loss != 2; loss = next() {
		if !math.IsNaN(loss) {
			t.Fatalf("loss %v of 10 pairs with a sum of 20", loss)
		}
	}
	r.Counters.Add(0, engine.Trained{Tokens: 1, Pairs: 30, Loss: 20, Last: true})
	final := make(chan Progress)
	go func() { final <- stop() }()
	for p := range reports {
		if p.Final {
			break
		}
	}
	if p := <-final; p.Loss != 1 {
		t.Errorf("loss %v of the last epoch, want that of 40 pairs with a sum of 40", p.Loss)
	}
}

func TestHeldOutLossDoesNotDependOnThreads(t *testing.T) {
	v, ids := indexed(t, sentences(8000))
	train, heldOut := split(t, ids, 0.5)
	c := small(func(c *Config) { c.Epochs = 1 })
	r := begun(t, Data{IDs: train, Vocab: v, HeldOut: heldOut}, c, Hooks{})
	if err := r.sync.Work(t.Context()); err != nil {
		t.Fatal(err)
	}
	output := r.Model.Values.Matrix(model.OutputName)
	before := numbers(output)
	lossWith := func(threads int) float64 {
		h, err := monitor.NewHeldOut(r.Engine, heldOut, threads)
		if err != nil {
			t.Fatal(err)
		}
		return h.Loss()
	}
	one := lossWith(1)
	if six := lossWith(6); six != one || heldOut.Chunks() < 2 {
		t.Errorf("loss %v with one worker, %v with six over %d chunks", one, six, heldOut.Chunks())
	}
	if !bytes.Equal(before, numbers(output)) {
		t.Error("measuring the loss changes parameters")
	}
}

// What a run keeps while it trains is what the plan says, whatever its variant.
func TestPlanOfVariants(t *testing.T) {
	var text strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&text, "word%dword another%d\n", i, i%700)
	}
	v, ids := indexed(t, text.String())
	for name, change := range variants {
		c := small(func(c *Config) { c.Window = 3; change(c) })
		if hash, ok := c.Subword.(subword.Hash); ok { // as many as an example of the paper has
			hash.Buckets, hash.Importances = 5000, 100_000
			c.Subword = hash
		}
		var before, after runtime.MemStats
		var planned plan.Plan
		runtime.GC()
		runtime.ReadMemStats(&before)
		r := New(Data{IDs: ids, Vocab: v}, c, nil, Hooks{Start: func(p plan.Plan) error { planned = p; return nil }}, new(Alone))
		err := r.prepare(t.Context())
		if err == nil {
			err = r.Begin()
		}
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.workers[0].advance(func(_ int, w *engine.Worker) (engine.Trained, bool) { return w.Advance() }); err != nil {
			t.Fatal(err)
		}
		runtime.GC()
		runtime.ReadMemStats(&after)
		r.close()
		kept := float64(after.HeapAlloc - before.HeapAlloc)
		if got := float64(planned.Added); got < kept || got > 1.5*kept+600_000 { // names of words come and go
			t.Errorf("%s: planned %d bytes, and %.0f are kept", name, planned.Added, kept)
		}
		if planned.Words != v.Len() || planned.Rows != r.Model.Values.Matrix("input").Rows {
			t.Errorf("%s: %+v for %d words and %d rows", name, planned, v.Len(), planned.Matrices[0].Rows)
		}
	}
}

func setOf(k *checkpoint.Checkpoint) *vectors.Set {
	return checkpoint.ContentsOf(k).Set
}

// The last checkpoint waits for one that is being written when training ends.
func TestTheLastCheckpointWaits(t *testing.T) {
	v, ids := indexed(t, sentences(300))
	final := make(chan struct{})
	s := slowSave{begun: make(chan struct{}), end: final}
	waited := false
	_, err := Train(t.Context(), Data{IDs: ids, Vocab: v}, small(func(c *Config) { c.EvaluateEvery = 1 }), nil, Hooks{
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
	}, new(Alone))
	if err != nil {
		t.Fatal(err)
	}
	if !waited {
		t.Error("no checkpoint was made while training went on")
	}
}
