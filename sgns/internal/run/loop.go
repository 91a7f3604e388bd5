package run

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/w2v-go/w2v/internal/sysinfo"
	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/sgns/internal/checkpoint"
	"github.com/w2v-go/w2v/sgns/internal/config"
	"github.com/w2v-go/w2v/sgns/internal/engine"
	"github.com/w2v-go/w2v/sgns/internal/monitor"
	"github.com/w2v-go/w2v/sgns/internal/params"
	"github.com/w2v-go/w2v/sgns/internal/plan"
	"github.com/w2v-go/w2v/vectors"
)

// A Synchroniser connects a run with the runs of other processes, its peers. The synchroniser of a run on one
// machine is Alone. All peers call the methods in the same order.
type Synchroniser interface {
	// Join is called first, with the run of this process.
	Join(*Run) Peers
	// Start sets the parameters and the state to their values at the start of the run: see Run.Begin.
	Start(context.Context) error
	// Work lets the workers train until there is nothing left to train, or until a peer stops: see
	// Run.TrainTexts. It returns ErrEnough if evaluations have ended the run.
	Work(context.Context) error
	// Meet measures the merged model after the work. If rank 0 passes an error, all peers return it.
	Meet(ctx context.Context, found error) error
	// State returns the state of all processes. No worker may be in a step.
	State() (checkpoint.State, error)
	// End calls save, unless peers have come to different ends. It returns remarks about the exchange with peers.
	End(ctx context.Context, save func() error) ([]Remark, error)
}

// Peers is what a run must know of its peers.
type Peers struct {
	Rank, Size int
	Tokens     uint64 // tokens of the corpus, in the parts of all peers
	Workers    int    // number of training workers in this process; 0 means the usual number
	// Shared says that processes train texts of each other's parts.
	Shared bool
	// Lends says that sets of all vectors read rows from peers, which are paused meanwhile.
	Lends bool

	// Plan plans the run, Allocate returns matrices of zeros, and Parts the parts of a set with these values.
	Plan     func(*plan.Planner) (plan.Plan, error)
	Allocate func(params.List) (*params.Values, error)
	Parts    func(*params.Values) vectors.Parts
	// Fill calls fill, which sets the parameters to their values at the start or the end, unless another process that shares their
	// memory does, and waits for that.
	Fill func(fill func() error) error
	// Mean returns the mean of x in all processes, weighted by the tokens of their parts of the corpus.
	Mean func(ctx context.Context, x float64) (float64, error)
	// Apart returns the mean number of tokens that a rank trains between two exchanges, and the usual number. It
	// is nil if the run can return to an earlier state when training diverges.
	Apart func() (tokens, usual uint64)
}

// Others is what the peers of a process had done when they last met.
type Others struct {
	monitor.Sums
	Sent     uint64 // bytes, including those that this process sent
	Network  uint64 // the part of Sent that went to other machines
	Doubtful bool
}

// Alone is the Synchroniser of a run in one process. Other synchronisers embed it for shared methods.
type Alone struct{ Run *Run }

func (a *Alone) Join(r *Run) Peers {
	a.Run = r
	return Peers{
		Size: 1, Tokens: r.Data.IDs.Tokens(),
		Plan:     (*plan.Planner).Plan,
		Allocate: func(list params.List) (*params.Values, error) { return params.Allocate(list), nil },
		Parts:    func(values *params.Values) vectors.Parts { return r.Model.Parts(values) },
		Fill:     func(fill func() error) error { return fill() },
		Mean:     func(_ context.Context, x float64) (float64, error) { return x, nil },
	}
}

func (a *Alone) Start(context.Context) error { return a.Run.Begin() }

func (a *Alone) Work(ctx context.Context) error {
	if a.Run.Enough() {
		return ErrEnough
	}
	return a.Run.TrainTexts(ctx, a.pace, nil)
}

// pace pauses the run if an evaluation or a checkpoint is due.
func (a *Alone) pace(ctx context.Context, _ int) error {
	if a.Run.Due() { // may have been due since before an interruption
		return a.Run.pause(ctx)
	}
	return nil
}

func (*Alone) Meet(_ context.Context, found error) error { return found }
func (a *Alone) State() (checkpoint.State, error)        { return a.Run.State(), nil }

func (*Alone) End(_ context.Context, save func() error) ([]Remark, error) { return nil, save() }

type worker struct {
	run     *Run
	number  int
	trainer *engine.Worker
	watch   monitor.Watch
	doubt   atomic.Bool // set by watch
}

func (r *Run) newWorker(number int) *worker {
	return &worker{run: r, number: number, trainer: r.Engine.NewWorker(number, r.peers.Rank*checkpoint.MaxWorkers+number), watch: monitor.Watch{Limit: r.Limit}}
}

// MakeWorkers makes the workers.
func (r *Run) MakeWorkers() {
	for k := range r.Counters {
		r.workers = append(r.workers, r.newWorker(k))
	}
}

// TrainTexts lets the workers of this process train texts until there are no more, or until a worker stops.
// A worker calls pace before each text: it may wait for peers, evaluate or save. next trains the worker's next
// text, and reports whether there was one; nil means the next text of the corpus.
func (r *Run) TrainTexts(ctx context.Context, pace func(ctx context.Context, worker int) error, next func(worker int, w *engine.Worker) (engine.Trained, bool)) error {
	if next == nil {
		next = func(_ int, w *engine.Worker) (engine.Trained, bool) { return w.Advance() }
	}
	g, ctx := errgroup.WithContext(ctx)
	defer func() { // a peer may ask for a pause meanwhile
		r.gate.Lock()
		defer r.gate.Unlock()
		r.Store()
	}()
	var loaded sync.WaitGroup
	loaded.Add(len(r.workers))
	for _, w := range r.workers {
		g.Go(func() error {
			err := r.pin(w.number)
			r.gate.RLock()
			w.trainer.Load() // here, so that the memory that it takes is near
			r.gate.RUnlock()
			loaded.Done()
			if err != nil {
				return err
			}
			loaded.Wait()
			for { // between two texts, a worker's state is all that it needs to continue
				if err := ctx.Err(); err != nil {
					return err
				}
				if err := pace(ctx, w.number); err != nil {
					return err
				}
				if more, err := w.advance(next); err != nil || !more {
					return err
				}
			}
		})
	}
	return g.Wait()
}

// pin keeps the calling goroutine on a thread of its own, which ends with it, and that on the worker's processors, if
// it has some. It is an error only if the user has asked for it.
func (r *Run) pin(worker int) error {
	if r.processors == nil {
		return nil
	}
	runtime.LockOSThread()
	if err := sysinfo.Pin(r.processors[worker]...); err != nil && r.Config.Affinity != config.AffinityAuto {
		return fmt.Errorf("sgns: affinity %s: %w", r.Config.Affinity, err)
	}
	return nil
}

// advance trains the next text, and reports whether there was one.
func (w *worker) advance(next func(worker int, w *engine.Worker) (engine.Trained, bool)) (more bool, err error) {
	w.run.gate.RLock()
	defer w.run.gate.RUnlock()
	trained, more := next(w.number, w.trainer)
	if !more {
		return false, w.run.err()
	}
	w.run.Counters.Add(w.number, trained)
	diverged := w.watch.Diverged(trained.Pairs, trained.Loss)
	w.doubt.Store(w.watch.Doubtful())
	if diverged {
		return false, ErrDiverged
	}
	return true, w.run.err() // of a text that another worker reads
}

// Due reports whether something is due that needs all workers paused.
func (r *Run) Due() bool { return r.saver.due.Load() || r.ToEvaluate() }

// ToEvaluate reports whether an evaluation is due.
func (r *Run) ToEvaluate() bool { return r.tokens() >= r.evaluation.at.Load() }

// Saving reports whether a checkpoint is due and the model is good enough to save.
func (r *Run) Saving() bool { return r.saver.due.Load() && !r.Doubtful() }

func (r *Run) pause(ctx context.Context) error {
	asked := time.Now()
	return r.StandStill(func() error {
		if err := ctx.Err(); err != nil { // another worker may have found that training diverges
			return err
		}
		r.Store()
		return r.Look(ctx, asked)
	})
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

// rate returns the learning rate for the tokens trained so far: by all workers of this rank or, if ranks train texts of each
// other's parts, by all ranks.
func (r *Run) rate() float32 {
	done := float64(r.Counters.Tokens()) / float64(r.total())
	if r.peers.Shared {
		done = float64(r.tokens()) / float64(r.Whole())
	}
	return float32(r.rateAt(done))
}

// rateAt returns the learning rate when a part of the run is done.
func (r *Run) rateAt(done float64) float64 {
	if r.Engine != nil && r.Engine.Counts != nil { // AdaGrad makes steps smaller
		return r.FirstRate()
	}
	return r.FirstRate() * max(0, 1-done)
}

// FirstRate returns the initial learning rate, which falls to zero over the run unless counts are trained.
func (r *Run) FirstRate() float64 {
	return math.Ldexp(r.Config.LearningRate, -r.recovery.halvings)
}

// total returns how many tokens this rank has to train: those of its part of the corpus times epochs.
func (r *Run) total() uint64 { return r.Data.IDs.Tokens() * uint64(r.Config.Epochs) }

// Whole returns how many tokens all processes train.
func (r *Run) Whole() uint64 { return r.peers.Tokens * uint64(r.Config.Epochs) }

// Others returns what the peers had done when they last met, and Hear sets it.
func (r *Run) Others() Others { return *r.others.Load() }
func (r *Run) Hear(o Others)  { r.others.Store(&o) }

// Trained returns what all processes have trained, as far as this process knows.
func (r *Run) Trained() monitor.Sums {
	all := r.Counters.Sums()
	all.Add(r.Others().Sums)
	return all
}

// tokens returns how many tokens all processes have trained, as far as this process knows.
func (r *Run) tokens() uint64 { return r.Counters.Tokens() + r.Others().Tokens }

// losses returns the losses of the last epoch, or of all epochs if the last has not begun.
func (r *Run) losses() (loss float64, pairs uint64) {
	all := r.Trained()
	return all.Losses(all.LastPairs > 0)
}

// ErrDiverged says that numbers became too large to continue training.
var ErrDiverged = errors.New("training diverged")

// A DivergedError is the ErrDiverged of a run that gave up.
type DivergedError struct {
	Times     int     // how often training diverged
	LastRate  float64 // initial learning rate of the last attempt
	UsualRate float64 // rate that suits most corpora of this size: see Config.RateFor

	// Apart is the mean number of tokens that a rank trained between two exchanges, and UsualApart the number
	// that suits the run. Both are 0 for a run in one process.
	Apart, UsualApart uint64
}

func (e *DivergedError) Error() string {
	text := fmt.Sprintf("%v %d times, at last at learning rate %v", ErrDiverged, e.Times, e.LastRate)
	if e.Times == 1 {
		text = fmt.Sprintf("%v at learning rate %v", ErrDiverged, e.LastRate)
	}
	if e.Apart > 0 {
		text += fmt.Sprintf(", with exchanges of ranks every %s tokens of each, where %s suit the run", wording.Thousands(e.Apart), wording.Thousands(e.UsualApart))
	}
	if e.UsualRate < e.LastRate {
		text += fmt.Sprintf("; %v suits most corpora of this size", e.UsualRate)
	}
	return text
}

// Is reports whether err is ErrDiverged.
func (e *DivergedError) Is(err error) bool { return err == ErrDiverged }

// A Divergence says that training diverged, and how the run continues.
type Divergence struct {
	Tokens       uint64  // tokens trained when the run noticed the divergence
	BackTo       uint64  // tokens trained in the state that the run returns to
	LearningRate float64 // the new initial rate
}

// A recovery has the state that a run returns to when training diverges.
type recovery struct {
	halvings int               // number of halvings of the learning rate
	fresh    checkpoint.State  // state of a new run
	first    checkpoint.State  // state in which this run started
	turns    int               // how often the run went back
	at       monitor.Sums      // what was trained in the state that it last went back to
	used     *checkpoint.State // the checkpoint that it last went back to; nil before
}

// maxHalvings is how often a run returns to an earlier state and halves the learning rate.
const maxHalvings = 3

// persist trains until the end. When training diverges, it returns to a good state and halves the rate.
func (r *Run) persist(ctx context.Context) error {
	for {
		err := r.sync.Work(ctx)
		switch r.clock.early = errors.Is(err, ErrEnough); {
		case r.clock.early:
			err = r.sync.Meet(ctx, nil)
		case err == nil:
			err = r.sync.Meet(ctx, r.finish(ctx))
		}
		diverged := errors.Is(err, ErrDiverged)
		if !diverged && r.sound() {
			return err
		}
		if r.peers.Apart != nil {
			return r.diverged(1)
		}
		if err == nil || diverged {
			err = ctx.Err()
		}
		if err := r.back(); err != nil {
			return err
		}
		if err != nil { // the run was interrupted, or a hook ended it: keep the last good state
			return err
		}
	}
}

func (r *Run) diverged(times int) error {
	e := &DivergedError{Times: times, LastRate: r.FirstRate(), UsualRate: r.Config.RateFor(r.Whole())}
	if r.peers.Apart != nil {
		e.Apart, e.UsualApart = r.peers.Apart()
	}
	return e
}

func (r *Run) finish(ctx context.Context) error {
	s := &r.evaluation.stopping
	if s.Every == 0 || s.Found.Last == r.tokens() {
		return nil
	}
	err := r.evaluate(ctx)
	if errors.Is(err, ErrEnough) {
		return nil
	}
	return err
}

// sound reports whether the model has learned instead of diverged. Peers that lend have asked each other already.
func (r *Run) sound() bool { return r.peers.Lends || r.Model.Values.Finite() && r.learns() }

func (r *Run) learns() bool {
	loss, pairs := r.losses()
	return pairs == 0 || !r.Limit.Diverging(loss/float64(pairs))
}

// Doubtful reports whether training may be about to diverge: not a state to return to.
func (r *Run) Doubtful() bool { return r.Watched() || r.Others().Doubtful || !r.learns() }

// Watched reports whether a worker of this process may be about to diverge.
func (r *Run) Watched() bool {
	return slices.ContainsFunc(r.workers, func(w *worker) bool { return w.doubt.Load() })
}

// back returns to the last good state and halves the learning rate, or gives up.
//
// The last good state is the last checkpoint, or else the start of the run. A checkpoint from which the run
// diverged again was not good: then it is the start as well. But a reproducible run returns to
// its very beginning if it can, even if it was resumed: the time of the last checkpoint depends on the clock,
// and the result must not.
func (r *Run) back() error {
	at, halvings := r.tokens(), r.recovery.halvings+1
	r.saver.wait()
	r.gate.Lock()
	defer r.gate.Unlock()
	if halvings > maxHalvings {
		return r.diverged(halvings)
	}
	found := &r.evaluation.stopping.Found
	best := found.Best // the best evaluation stays, because its parameters are kept
	to, err := r.refill()
	if err == nil {
		err = r.restore(*to)
	}
	if err != nil {
		return err
	}
	r.recovery.halvings, found.Best, found.Since = halvings, best, 0
	r.recovery.turns++
	r.recovery.at = r.Trained()
	if r.Hooks.Diverged != nil {
		r.Hooks.Diverged(Divergence{Tokens: at, BackTo: r.tokens(), LearningRate: r.FirstRate()})
	}
	return nil
}

// refill sets the parameters to those that the run returns to, and returns their state.
func (r *Run) refill() (*checkpoint.State, error) {
	from := r.From
	switch repeats := len(r.workers) == 1; {
	case repeats && (from == nil || !from.Warm):
		return &r.recovery.fresh, r.fill(nil)
	case r.saver.good != nil && r.saver.good != r.recovery.used:
		r.recovery.used = r.saver.good
		r.Model.Values.CopyFrom(r.saver.copied)
		return r.saver.good, nil
	}
	return &r.recovery.first, r.fill(from)
}
