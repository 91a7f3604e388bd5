package sgns

import (
	"context"
	"errors"
	"math"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/sgns/internal/random"
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

// errEnough ends a run whose evaluations have not become better for long enough.
var errEnough = errors.New("evaluations became no better")

// judge decides when vectors are evaluated, and which are the best.
type judge struct {
	every    uint64 // tokens between evaluations; 0 for none
	patience int
	keeps    bool // the best vectors
	verdict
}

// verdict is what a judge has found so far.
type verdict struct {
	Last  uint64   `json:"last_tokens"`    // of the last evaluation
	Since int      `json:"since_best"`     // evaluations
	Best  *optimum `json:"best,omitempty"` // nil before the first one
}

// optimum is the best evaluation, for JSON, which knows no NaN.
type optimum struct {
	Tokens uint64   `json:"tokens"`
	Loss   *float64 `json:"loss"`
	Score  *float64 `json:"score"`
}

// evaluation is the optimum for those who know NaN.
func (o *optimum) evaluation() *Evaluation {
	e := &Evaluation{Tokens: o.Tokens, Loss: math.NaN(), Score: math.NaN(), Best: true}
	if o.Loss != nil {
		e.Loss = *o.Loss
	}
	if o.Score != nil {
		e.Score = *o.Score
	}
	return e
}

func newJudge(d Data, c Config, h Hooks) judge {
	if d.HeldOut == nil && h.Evaluate == nil {
		return judge{}
	}
	every := c.EvaluateEvery
	if every == 0 {
		every = d.IDs.Tokens()
	}
	return judge{every: every, patience: c.Patience, keeps: c.Patience > 0}
}

// next returns how many tokens are to be trained before the next evaluation.
func (j *judge) next() uint64 {
	if j.every == 0 {
		return math.MaxUint64
	}
	return (j.Last/j.every + 1) * j.every
}

// ended reports whether there have been enough evaluations without a better one.
func (j *judge) ended() bool { return j.keeps && j.Since >= j.patience }

// better reports whether a is better than the best so far.
func (v *verdict) better(a optimum) bool {
	switch {
	case v.Best == nil:
		return true
	case a.Loss != nil && v.Best.Loss != nil:
		return *a.Loss < *v.Best.Loss
	case a.Score != nil && v.Best.Score != nil:
		return *a.Score > *v.Best.Score
	}
	return a.Score != nil // the first score that is one
}

// evaluate evaluates the vectors as they are. The gate is held. It returns errEnough if
// this is to be the last.
func (r *run) evaluate(ctx context.Context) error {
	start := time.Now()
	e := Evaluation{Tokens: r.tokens(), Elapsed: start.Sub(r.began), Loss: math.NaN(), Score: math.NaN()}
	if !r.finite() {
		return ErrDiverged
	}
	if r.heldOut != nil {
		e.Loss = r.heldOutLoss()
		if r.diverging(e.Loss) {
			return ErrDiverged
		}
	}
	if r.hooks.Evaluate != nil {
		score, err := r.hooks.Evaluate(ctx, r.set(r.parameters))
		if err != nil {
			return err
		}
		e.Score = score
	}
	now := optimum{e.Tokens, finiteOrNil(e.Loss), finiteOrNil(e.Score)}
	j := &r.judge
	if j.keeps && j.Best == nil && now.Loss == nil && now.Score == nil {
		return errors.New("there is no score by which vectors could be the best")
	}
	j.Last = e.Tokens
	r.evaluateAt.Store(j.next())
	j.Since++
	if e.Best = j.better(now); e.Best {
		j.Best, j.Since = &now, 0
		if j.keeps {
			r.saves.Wait() // the best before may be on its way to a file
			r.best.copyFrom(r.parameters)
		}
	}
	e.Took = time.Since(start)
	if r.hooks.Evaluated != nil {
		r.hooks.Evaluated(e)
	}
	if j.ended() {
		return errEnough
	}
	return nil
}

func finiteOrNil(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return &x
}

// heldOutLoss is the mean loss of a pair on the held-out text. Every chunk has its own
// generator, so that it is the same every time for the same vectors.
func (r *run) heldOutLoss() float64 {
	chunks := r.heldOut.Chunks()
	losses, pairs := make([]float64, chunks), make([]int, chunks)
	var g errgroup.Group
	workers := min(len(r.watchers), chunks)
	for k := range workers {
		g.Go(func() error {
			w := r.watchers[k]
			for i := k; i < chunks; i += workers {
				losses[i], pairs[i] = w.measure(r.heldOut.Chunk(i), uint64(i))
			}
			return nil
		})
	}
	_ = g.Wait() // measuring cannot fail
	var loss float64
	n := 0
	for i := range losses {
		loss += losses[i]
		n += pairs[i]
	}
	return loss / float64(n)
}

// heldOut returns the generators for a chunk of held-out text: the same for every run, so
// that their losses can be compared.
func heldOut(chunk uint64) (sampling, drawing random.Generator) {
	const seed = 0x68656c64206f7574
	return random.Stream(seed, 2*chunk), random.Stream(seed, 2*chunk+1)
}

// hasPairs reports whether there is any pair to measure in held-out text.
func (w *worker) hasPairs(ids *corpus.IDs) (found bool) {
	for i := 0; i < ids.Chunks() && !found; i++ {
		w.random, _ = heldOut(uint64(i))
		for offset, end := 0, false; !end; {
			var n int
			n, end = w.gather(ids.Chunk(i), offset)
			offset += n
			for k, from := range w.text.from {
				found = found || w.text.to[k]-from > 1
			}
			w.empty()
		}
	}
	return found
}

// measure returns the sum of the losses of the pairs of a chunk, and their number.
func (w *worker) measure(chunk [][]uint32, number uint64) (loss float64, pairs int) {
	w.random, w.block.random = heldOut(number)
	w.block.drawAhead()
	w.block.take()
	for offset, end := 0, false; !end; {
		var n int
		n, end = w.gather(chunk, offset)
		offset += n
		p, l := w.pass(w.scores)
		w.empty()
		loss += l
		pairs += p
	}
	return loss, pairs
}

// scores returns the pairs of the centres at positions first to last-1, and their loss.
func (w *worker) scores(t text, first, last int) (pairs int, loss float64) {
	for k := 0; first < last; k++ {
		if w.composed != nil {
			w.composed.compose(k)
		}
		p, l := w.block.score(t, first, min(first+w.block.centres, last), w.block.draw(), nil, 1, true)
		pairs += p
		loss += l
		first += w.block.centres
	}
	return pairs, loss
}
