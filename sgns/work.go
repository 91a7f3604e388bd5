package sgns

import (
	"context"
	"math"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/w2v-go/w2v/sgns/internal/engine"
	"github.com/w2v-go/w2v/sgns/internal/monitor"
)

// A worker trains text after text.
type worker struct {
	run     *run
	number  int
	trainer *engine.Worker
	watch   monitor.Watch
	doubt   atomic.Bool // what watch says, for the meetings of ranks
}

func (r *run) newWorker(number int) *worker {
	return &worker{run: r, number: number, trainer: r.engine.NewWorker(r.team.rank()*maxWorkers + number), watch: monitor.Watch{Limit: r.recovery.limit}}
}

// work lets the workers train until there is nothing left to train, or until one of them
// stops.
func (r *run) work(ctx context.Context) error {
	if r.team != nil {
		return r.team.work(ctx)
	}
	return r.trainTexts(ctx)
}

// trainTexts lets the workers of this rank train.
func (r *run) trainTexts(ctx context.Context) error {
	g, ctx := errgroup.WithContext(ctx)
	for _, w := range r.workers {
		w.trainer.Load()
		defer w.trainer.Store()
		g.Go(func() error { return w.work(ctx) })
	}
	return g.Wait()
}

// work trains text after text until there are no more. Between two texts nothing of
// what the worker did is pending: what it holds then is all that it needs to go on.
func (w *worker) work(ctx context.Context) error {
	for {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case w.run.team == nil && w.run.due(): // perhaps since before the run was interrupted
			if err := w.run.pause(ctx); err != nil {
				return err
			}
		}
		w.run.team.wait(ctx)
		if more, err := w.advance(); err != nil || !more {
			return err
		}
	}
}

// advance trains the next text, and reports whether there was one.
func (w *worker) advance() (more bool, err error) {
	w.run.gate.RLock()
	defer w.run.gate.RUnlock()
	trained, more := w.trainer.Advance()
	if err := w.run.data.err(); err != nil {
		return false, err
	}
	if !more {
		return false, nil
	}
	w.run.counters.Add(w.number, trained)
	diverged := w.watch.Diverged(trained.Pairs, trained.Loss)
	if w.run.team != nil {
		w.doubt.Store(w.watch.Doubtful())
	}
	if diverged {
		return false, ErrDiverged
	}
	return true, nil
}

// due reports whether there is something to do for which workers must stand still.
func (r *run) due() bool {
	return r.saver.due.Load() || r.toEvaluate()
}

// toEvaluate reports whether an evaluation is due.
func (r *run) toEvaluate() bool { return r.trained() >= r.evaluation.at.Load() }

// pause does what is due while no worker trains.
func (r *run) pause(ctx context.Context) error {
	asked := time.Now()
	r.gate.Lock()
	defer r.gate.Unlock()
	if err := ctx.Err(); err != nil { // others may have found out that training diverges
		return err
	}
	for _, w := range r.workers {
		w.trainer.Store()
	}
	return r.look(ctx, asked)
}

// look evaluates the parameters, and makes a checkpoint, if that is due. No worker trains, since
// asked.
func (r *run) look(ctx context.Context, asked time.Time) error {
	if r.toEvaluate() {
		if err := r.evaluate(ctx); err != nil {
			return err
		}
		asked = time.Now()
	}
	if r.saver.due.Load() && !r.doubtful() {
		return r.snapshot(asked)
	}
	return nil
}

// rate is the learning rate for the tokens that have been trained by all workers of this rank.
func (r *run) rate() float32 {
	done := float64(r.counters.Tokens()) / float64(r.total())
	return float32(r.firstRate() * max(0, 1-done))
}

// firstRate is the learning rate that falls to zero over the run.
func (r *run) firstRate() float64 {
	return math.Ldexp(r.config.LearningRate, -r.recovery.halvings)
}

// total is how many tokens this rank has to train: those of its part of the corpus times epochs.
func (r *run) total() uint64 { return r.data.IDs.Tokens() * uint64(r.config.Epochs) }
