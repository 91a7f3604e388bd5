package run

import (
	"context"
	"errors"
	"fmt"

	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/sgns/internal/checkpoint"
	"github.com/w2v-go/w2v/sgns/internal/monitor"
)

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
	limit    monitor.Limit    // of losses
	halvings int              // number of halvings of the learning rate
	fresh    checkpoint.State // state of a new run
	first    checkpoint.State // state in which this run started
	turns    int              // how often the run went back
	loss     float64          // loss at which it last did
	pairs    uint64
}

// maxHalvings is how often a run returns to an earlier state and halves the learning rate.
const maxHalvings = 3

// persist trains until the end. When training diverges, it returns to the last good state and continues at
// half the learning rate.
func (r *Run) persist(ctx context.Context) error {
	for {
		ended, err := r.peers.Ended(ctx, r.evaluation.stopping.Ended())
		switch {
		case err != nil:
			return err
		case ended:
			err = ErrEnough
		default:
			err = r.peers.Work(ctx)
		}
		switch r.clock.early = errors.Is(err, ErrEnough); {
		case r.clock.early:
			err = r.peers.Measure(ctx, nil)
		case err == nil:
			err = r.peers.Measure(ctx, r.finish(ctx))
		}
		diverged := errors.Is(err, ErrDiverged)
		if !diverged && r.peers.Sound() {
			return err
		}
		if given := r.peers.GiveUp(); given != nil {
			return given
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

// finish makes the last evaluation.
func (r *Run) finish(ctx context.Context) error {
	s := &r.evaluation.stopping
	if s.Every == 0 || s.Found.Last == r.Trained() {
		return nil
	}
	err := r.evaluate(ctx)
	if errors.Is(err, ErrEnough) {
		return nil
	}
	return err
}

// learns reports whether the loss of the last epoch, or of all epochs if the last has not begun, is below the
// limit of divergence.
func (r *Run) learns() bool {
	loss, pairs := r.losses(r.lastBegun())
	return pairs == 0 || !r.recovery.limit.Diverging(loss/float64(pairs))
}

// Doubtful reports whether training may be about to diverge, or will count as diverged when it ends. Such a
// state is not good to return to.
func (r *Run) Doubtful() bool {
	return r.Watched() || r.peers.Others().Doubtful || !r.learns()
}

// Watched reports whether a worker of this process may be about to diverge.
func (r *Run) Watched() bool {
	for _, w := range r.workers {
		if w.doubt.Load() {
			return true
		}
	}
	return false
}

// back returns to the last good state and halves the learning rate, or gives up.
//
// The last good state is the last checkpoint, or else the start of the run. But a reproducible run returns to
// its very beginning if it can, even if it was resumed: the time of the last checkpoint depends on the clock,
// and the result must not.
func (r *Run) back() error {
	at, halvings := r.Trained(), r.recovery.halvings+1
	r.saver.wait()
	r.gate.Lock()
	defer r.gate.Unlock()
	if halvings > maxHalvings {
		return &DivergedError{Times: halvings, LastRate: r.FirstRate(), UsualRate: r.Config.RateFor(r.Whole())}
	}
	found := &r.evaluation.stopping.Found
	best := found.Best // the best evaluation stays, because its parameters are kept
	to, err := r.refill()
	if err != nil {
		return err
	}
	if err := r.restore(*to); err != nil {
		return err
	}
	r.recovery.halvings, found.Best, found.Since = halvings, best, 0
	r.recovery.turns++
	r.recovery.loss, r.recovery.pairs = r.losses(false)
	if r.Hooks.Diverged != nil {
		r.Hooks.Diverged(Divergence{Tokens: at, BackTo: r.Trained(), LearningRate: r.FirstRate()})
	}
	return nil
}

// refill sets the parameters to those that the run returns to, and returns their state.
func (r *Run) refill() (*checkpoint.State, error) {
	from := r.From
	switch repeats := len(r.workers) == 1; {
	case repeats && (from == nil || !from.Warm):
		return &r.recovery.fresh, r.fill(nil)
	case r.saver.good != nil:
		r.Model.Values.CopyFrom(r.saver.copied)
		return r.saver.good, nil
	}
	return &r.recovery.first, r.fill(from)
}

// Limit returns the limit above which a loss counts as diverging.
func (r *Run) Limit() monitor.Limit { return r.recovery.limit }
