package sgns

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/w2v-go/w2v/vocab"
)

// ErrDiverged says that numbers became too large for training to go on.
var ErrDiverged = errors.New("training diverged")

// A DivergedError is ErrDiverged of a run that has given up.
type DivergedError struct {
	Times     int     // that it diverged
	LastRate  float64 // the learning rate at the start, the last time
	UsualRate float64 // what suits most corpora of this size: see Config.RateFor
}

func (e *DivergedError) Error() string {
	text := fmt.Sprintf("%v %d times, at last at learning rate %v", ErrDiverged, e.Times, e.LastRate)
	if e.UsualRate < e.LastRate {
		text += fmt.Sprintf("; %v suits most corpora of this size", e.UsualRate)
	}
	return text
}

// Is makes it ErrDiverged.
func (e *DivergedError) Is(err error) bool { return err == ErrDiverged }

// ErrNoPairs says that there was nothing to learn from: no token had a context.
var ErrNoPairs = errors.New("no token has a context left: sentences are too short, or subsampling drops too many tokens")

// A Divergence is that training diverged, and what was done about it.
type Divergence struct {
	Tokens       uint64  // trained when it was noticed, of all epochs
	BackTo       uint64  // tokens that are trained now
	LearningRate float64 // at the start, from now on
}

// maxHalvings is how often a run goes back and halves the learning rate.
const maxHalvings = 3

// diverging reports whether a mean loss of a pair says that training diverges: one whose
// rows explode soon has thousands.
func (r *run) diverging(loss float64) bool { return math.IsNaN(loss) || loss > 2*r.ignorant }

// ignorance returns the mean loss of a pair that a model has which knows nothing, with all
// dot products zero: log 2 for the pair and each negative, or for each node on the way to
// a word.
func (p parameters) ignorance(c Config, v *vocab.Vocab) float64 {
	if p.tree == nil {
		return float64(1+c.Negatives) * math.Ln2
	}
	var nodes, tokens float64
	for w, n := range v.Counts() {
		ones, zeros := p.tree.Sides(uint32(w))
		nodes += float64(n) * float64(len(ones)+len(zeros))
		tokens += float64(n)
	}
	return max(nodes/tokens, 1) * math.Ln2
}

// persist trains until the end. When training diverges it goes back to the last good
// state and goes on at half the learning rate.
func (r *run) persist(ctx context.Context) error {
	for {
		var err error
		if r.judge.ended() {
			err = errEnough
		} else {
			err = r.work(ctx)
		}
		if r.early = errors.Is(err, errEnough); r.early {
			err = nil
		} else if err == nil {
			err = r.finish(ctx)
		}
		diverged := errors.Is(err, ErrDiverged)
		if !diverged && r.sound() {
			return err
		}
		if err == nil || diverged {
			err = ctx.Err()
		}
		if err := r.back(); err != nil {
			return err
		}
		if err != nil { // interrupted, or ended by a hook: the last good state is left
			return err
		}
	}
}

// finish makes the last evaluation.
func (r *run) finish(ctx context.Context) error {
	if r.judge.every == 0 || r.judge.Last == r.tokens() {
		return nil
	}
	err := r.evaluate(ctx)
	if errors.Is(err, errEnough) {
		return nil
	}
	return err
}

// sound reports whether the parameters are numbers, and the loss one that is learned
// from.
func (r *run) sound() bool { return r.finite() && r.learns() }

// learns reports whether the loss of the last epoch, or of all while that has not begun,
// is one that is learned from.
func (r *run) learns() bool {
	loss, pairs := r.losses(r.lastBegun())
	return pairs == 0 || !r.diverging(loss/float64(pairs))
}

// watched is the loss of the latest pairs of a worker, until there are enough of them to
// tell whether training diverges.
type watched struct {
	Pairs int     `json:"pairs"`
	Loss  float64 `json:"loss"`
}

// enoughPairs are so many that their mean loss says how training is: those of a dozen
// texts, some milliseconds.
const enoughPairs = 10_000

// watch looks at the loss of the pairs of a text. By pairs and not by the clock, so that
// a run that repeats itself diverges at the same place every time.
func (w *worker) watch(pairs int, loss float64) error {
	if math.IsNaN(loss) || math.IsInf(loss, 0) {
		return ErrDiverged
	}
	if pairs == 0 {
		return nil
	}
	w.recent = loss / float64(pairs)
	w.watched.Pairs += pairs
	w.watched.Loss += loss
	if w.watched.Pairs < enoughPairs {
		return nil
	}
	mean := w.watched.Loss / float64(w.watched.Pairs)
	w.watched = watched{}
	if w.diverging(mean) {
		return ErrDiverged
	}
	return nil
}

// doubtful reports whether training may be about to diverge, or will be found to have
// diverged when it ends: no state to go back to.
func (r *run) doubtful() bool {
	for _, w := range r.workers {
		if r.diverging(w.recent) || w.watched.Pairs > 0 && r.diverging(w.watched.Loss/float64(w.watched.Pairs)) {
			return true
		}
	}
	return !r.learns()
}

// back goes back to the last good state and halves the learning rate, or gives up.
//
// That is the last checkpoint, or else where the run began. But a run that repeats itself
// goes back to its very beginning if it can, also from a checkpoint: when the last one
// was made is a matter of the clock, and what becomes of the run must not be.
func (r *run) back() error {
	at, halvings := r.tokens(), r.halvings+1
	r.saves.Wait()
	r.gate.Lock()
	defer r.gate.Unlock()
	if halvings > maxHalvings {
		return &DivergedError{halvings, r.firstRate(), r.config.RateFor(r.total)}
	}
	best := r.judge.Best // stays the best, of which there is a copy
	from, to := r.from, &r.first
	switch repeats := len(r.workers) == 1; {
	case repeats && (r.from == nil || !r.from.warm):
		from, to = nil, &r.fresh
	case r.good != nil:
		r.copyFrom(r.copied)
		to = r.good
	}
	if to != r.good {
		if err := r.fill(from); err != nil {
			return err
		}
	}
	if err := r.restore(*to); err != nil {
		return err
	}
	r.halvings, r.judge.Best, r.judge.Since = halvings, best, 0
	r.turns++
	r.atTurn.loss, r.atTurn.pairs = r.losses(false)
	if r.hooks.Diverged != nil {
		r.hooks.Diverged(Divergence{Tokens: at, BackTo: r.tokens(), LearningRate: r.firstRate()})
	}
	return nil
}

// firstRate is the learning rate that falls to zero over the run.
func (r *run) firstRate() float64 { return math.Ldexp(r.config.LearningRate, -r.halvings) }
