package run

import (
	"context"
	"math"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/w2v-go/w2v/sgns/internal/checkpoint"
	"github.com/w2v-go/w2v/sgns/internal/engine"
	"github.com/w2v-go/w2v/sgns/internal/monitor"
)

// A worker trains text after text.
type worker struct {
	run     *Run
	number  int
	trainer *engine.Worker
	watch   monitor.Watch
	doubt   atomic.Bool // set by watch
}

func (r *Run) newWorker(number int) *worker {
	return &worker{run: r, number: number, trainer: r.Engine.NewWorker(r.place.Rank*checkpoint.MaxWorkers + number), watch: monitor.Watch{Limit: r.recovery.limit}}
}

// TrainTexts lets the workers of this process train texts until there are no more, or until a worker stops.
func (r *Run) TrainTexts(ctx context.Context) error {
	g, ctx := errgroup.WithContext(ctx)
	for _, w := range r.workers {
		w.trainer.Load()
		defer w.trainer.Store()
		g.Go(func() error { return w.work(ctx) })
	}
	return g.Wait()
}

// work trains texts until there are no more. Between two texts the worker has no pending work: its state is
// all that it needs to continue.
func (w *worker) work(ctx context.Context) error {
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := w.run.peers.Pace(ctx, w.number); err != nil {
			return err
		}
		if more, err := w.advance(); err != nil || !more {
			return err
		}
	}
}

// advance trains the next text, and reports whether there was one.
func (w *worker) advance() (more bool, err error) {
	w.run.gate.RLock()
	defer w.run.gate.RUnlock()
	trained, more := w.run.peers.Next(w.number, w.trainer)
	if err := w.run.Data.err(); err != nil {
		return false, err
	}
	if !more {
		return false, nil
	}
	w.run.Counters.Add(w.number, trained)
	diverged := w.watch.Diverged(trained.Pairs, trained.Loss)
	w.doubt.Store(w.watch.Doubtful())
	if diverged {
		return false, ErrDiverged
	}
	return true, nil
}

// Due reports whether something is due that needs all workers paused.
func (r *Run) Due() bool {
	return r.saver.due.Load() || r.ToEvaluate()
}

// ToEvaluate reports whether an evaluation is due.
func (r *Run) ToEvaluate() bool { return r.Trained() >= r.evaluation.at.Load() }

// pause evaluates and saves, if that is due, while no worker trains.
func (r *Run) pause(ctx context.Context) error {
	asked := time.Now()
	r.gate.Lock()
	defer r.gate.Unlock()
	if err := ctx.Err(); err != nil { // another worker may have found that training diverges
		return err
	}
	r.Store()
	return r.Look(ctx, asked)
}

// Look evaluates the parameters, and makes a checkpoint, if that is due. No worker has trained since asked.
func (r *Run) Look(ctx context.Context, asked time.Time) error {
	if r.ToEvaluate() {
		if err := r.evaluate(ctx); err != nil {
			return err
		}
		asked = time.Now()
	}
	if r.Saving() {
		return r.snapshot(asked)
	}
	return nil
}

// rate returns the learning rate for the tokens trained so far by all workers of this rank.
func (r *Run) rate() float32 {
	done := float64(r.Counters.Tokens()) / float64(r.total())
	return float32(r.FirstRate() * max(0, 1-done))
}

// FirstRate returns the initial learning rate, which falls to zero over the run.
func (r *Run) FirstRate() float64 {
	return math.Ldexp(r.Config.LearningRate, -r.recovery.halvings)
}

// total returns how many tokens this rank has to train: those of its part of the corpus times epochs.
func (r *Run) total() uint64 { return r.Data.IDs.Tokens() * uint64(r.Config.Epochs) }

// Store copies what workers hold to the parameters. No worker may be in a step.
func (r *Run) Store() {
	for _, w := range r.workers {
		w.trainer.Store()
	}
}

// StandStill calls do while no worker is in a step.
func (r *Run) StandStill(do func() error) error {
	r.gate.Lock()
	defer r.gate.Unlock()
	return do()
}

// Saving reports whether a checkpoint is due and the model is good enough to save.
func (r *Run) Saving() bool { return r.saver.due.Load() && !r.Doubtful() }

// Whole returns how many tokens all processes train.
func (r *Run) Whole() uint64 { return r.place.Tokens * uint64(r.Config.Epochs) }

// Trained returns how many tokens all processes have trained, as far as this process knows.
func (r *Run) Trained() uint64 { return r.Counters.Tokens() + r.peers.Others().Tokens }

// losses returns the losses of all processes, as far as this process knows.
func (r *Run) losses(lastEpoch bool) (loss float64, pairs uint64) {
	loss, pairs = r.Counters.Losses(lastEpoch)
	o := r.peers.Others()
	if lastEpoch {
		return loss + o.LastLoss, pairs + o.LastPairs
	}
	return loss + o.Loss, pairs + o.Pairs
}

// lastBegun reports whether the last epoch has enough losses.
func (r *Run) lastBegun() bool {
	_, pairs := r.losses(true)
	return pairs > 0
}

// Sample returns the subsampling threshold of the run.
func (r *Run) Sample() float64 { return r.sample }
