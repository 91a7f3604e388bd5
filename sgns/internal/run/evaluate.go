package run

import (
	"cmp"
	"context"
	"errors"
	"math"
	"sync/atomic"
	"time"

	"github.com/w2v-go/w2v/sgns/internal/model"
	"github.com/w2v-go/w2v/sgns/internal/monitor"
	"github.com/w2v-go/w2v/sgns/internal/params"
)

// An Evaluation is the quality of the vectors at one moment of training.
type Evaluation struct {
	Tokens  uint64        // tokens trained so far in all epochs
	Elapsed time.Duration // since training began
	// Loss is the mean loss of a true pair with its negatives on the held-out text; NaN without held-out text.
	// Windows and negatives are the same every time.
	Loss float64
	// Score is what Hooks.Evaluate returned; NaN without it.
	Score float64
	Best  bool // best so far, by Loss if there is held-out text, otherwise by Score
	Took  time.Duration
}

// evaluationOf returns the best evaluation.
func evaluationOf(best *monitor.Score) *Evaluation {
	e := &Evaluation{Tokens: best.Tokens, Best: true}
	e.Loss, e.Score = best.Numbers()
	return e
}

// ErrEnough ends a run whose evaluations have not improved for Patience times.
var ErrEnough = errors.New("evaluations became no better")

// An evaluation has the state of a run's evaluations.
type evaluation struct {
	stopping monitor.EarlyStopping
	at       atomic.Uint64    // number of trained tokens at which the next evaluation is due
	heldOut  *monitor.HeldOut // nil without held-out text
	best     *params.Values   // copy of the best parameters; nil if they are not kept
}

// stopping returns when to evaluate the run, and when to end it early.
func (r *Run) stopping() monitor.EarlyStopping {
	if r.Data.HeldOut == nil && r.Hooks.Evaluate == nil {
		return monitor.EarlyStopping{}
	}
	return monitor.EarlyStopping{Every: cmp.Or(r.Config.EvaluateEvery, r.place.Tokens), Patience: r.Config.Patience}
}

// evaluate evaluates the current vectors. The caller holds the gate. It returns ErrEnough if this is the last
// evaluation.
func (r *Run) evaluate(ctx context.Context) error {
	start := time.Now()
	e := Evaluation{Tokens: r.Trained(), Elapsed: start.Sub(r.clock.began), Loss: math.NaN(), Score: math.NaN()}
	if !r.peers.Lends() && !r.Model.Values.Finite() {
		return ErrDiverged
	}
	if r.evaluation.heldOut != nil {
		e.Loss = r.evaluation.heldOut.Loss()
		if err := r.Data.HeldOut.Err(); err != nil {
			return err
		}
		if r.recovery.limit.Diverging(e.Loss) {
			return ErrDiverged
		}
	}
	if r.Hooks.Evaluate != nil {
		score, err := r.Hooks.Evaluate(ctx, model.SetOf(r.parts(r.Model.Values, e.Tokens)))
		if err != nil {
			return err
		}
		e.Score = score
	}
	stopping := &r.evaluation.stopping
	now := monitor.ScoreOf(e.Tokens, e.Loss, e.Score)
	if stopping.Unscored(now) {
		return errors.New("there is no score by which vectors could be the best")
	}
	e.Best = stopping.Add(now)
	r.evaluation.at.Store(stopping.Next())
	if e.Best && r.evaluation.best != nil {
		r.saver.wait() // the previous best may still be being written
		r.evaluation.best.CopyFrom(r.Model.Values)
	}
	e.Took = time.Since(start)
	if r.Hooks.Evaluated != nil {
		r.Hooks.Evaluated(e)
	}
	if stopping.Ended() {
		return ErrEnough
	}
	return nil
}

// Found returns the results of the evaluations so far.
func (r *Run) Found() monitor.Found { return r.evaluation.stopping.Found }

// SetFound sets the results of the evaluations so far.
func (r *Run) SetFound(f monitor.Found) {
	r.evaluation.stopping.Found = f
	r.evaluation.at.Store(r.evaluation.stopping.Next())
}
