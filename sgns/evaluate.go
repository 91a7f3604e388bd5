package sgns

import (
	"context"
	"errors"
	"math"
	"sync/atomic"
	"time"

	"github.com/w2v-go/w2v/sgns/internal/monitor"
	"github.com/w2v-go/w2v/sgns/internal/params"
)

// An Evaluation is what the vectors are worth at some time of training.
type Evaluation struct {
	Tokens  uint64        // trained by then, of all epochs
	Elapsed time.Duration // since training began
	// Loss is the mean loss of a true pair with its negatives on the held-out text, with
	// the same windows and negatives every time; NaN without such text.
	Loss float64
	// Score is what Hooks.Evaluate returned; NaN without it.
	Score float64
	Best  bool // so far: by the loss if there is held-out text, else by the score
	Took  time.Duration
}

// evaluationOf returns the evaluation that was the best.
func evaluationOf(best *monitor.Score) *Evaluation {
	e := &Evaluation{Tokens: best.Tokens, Best: true}
	e.Loss, e.Score = best.Numbers()
	return e
}

// errEnough ends a run whose evaluations have not become better for long enough.
var errEnough = errors.New("evaluations became no better")

// An evaluation is how a run is evaluated.
type evaluation struct {
	stopping monitor.EarlyStopping
	at       atomic.Uint64    // how many tokens are to be trained before the next one
	heldOut  *monitor.HeldOut // nil without held-out text
	best     *params.Values   // the best parameters, if they are kept; else nil
}

// stoppingOf says when a run is evaluated, and when it ends for that.
func (r *run) stoppingOf(c Config) monitor.EarlyStopping {
	if r.data.HeldOut == nil && r.hooks.Evaluate == nil {
		return monitor.EarlyStopping{}
	}
	every := c.EvaluateEvery
	if every == 0 {
		every = r.tokens()
	}
	return monitor.EarlyStopping{Every: every, Patience: c.Patience}
}

// evaluate evaluates the vectors as they are. The gate is held. It returns errEnough if
// this is to be the last evaluation.
func (r *run) evaluate(ctx context.Context) error {
	start := time.Now()
	e := Evaluation{Tokens: r.trained(), Elapsed: start.Sub(r.clock.began), Loss: math.NaN(), Score: math.NaN()}
	if !r.model.values.Finite() {
		return ErrDiverged
	}
	if r.evaluation.heldOut != nil {
		e.Loss = r.evaluation.heldOut.Loss()
		if err := r.data.HeldOut.Err(); err != nil {
			return err
		}
		if r.recovery.limit.Diverging(e.Loss) {
			return ErrDiverged
		}
	}
	if r.hooks.Evaluate != nil {
		score, err := r.hooks.Evaluate(ctx, set(r.parts(r.model.values, e.Tokens)))
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
		r.saver.wait() // the best before may be on its way to a file
		r.evaluation.best.CopyFrom(r.model.values)
	}
	e.Took = time.Since(start)
	if r.hooks.Evaluated != nil {
		r.hooks.Evaluated(e)
	}
	if stopping.Ended() {
		return errEnough
	}
	return nil
}
