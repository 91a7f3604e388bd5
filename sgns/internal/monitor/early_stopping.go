// Package monitor watches a run: its progress, its loss on held-out text and its evaluations, when it should
// end, and whether it diverges.
package monitor

import (
	"errors"
	"math"
	"sync"

	"github.com/w2v-go/w2v/sgns/internal/engine"
	"github.com/w2v-go/w2v/vocab"
)

// EarlyStopping decides when to evaluate, which vectors are the best, and when to end after evaluations
// without improvement.
type EarlyStopping struct {
	Every    uint64 // tokens between evaluations; 0 for none
	Patience int    // number of evaluations without improvement after which training ends; 0 for never
	Found    Found
}

// Found is the result of the evaluations so far. It is JSON in a checkpoint.
type Found struct {
	Last  uint64 `json:"last_tokens"`    // tokens at the last evaluation
	Since int    `json:"since_best"`     // evaluations since the best
	Best  *Score `json:"best,omitempty"` // nil before the first evaluation
}

// A Score is the result of an evaluation. Numbers that JSON cannot express are nil.
type Score struct {
	Tokens uint64   `json:"tokens"`
	Loss   *float64 `json:"loss"`  // on held-out text; nil if there is none
	Score  *float64 `json:"score"` // score of Hooks.Evaluate; nil if there is none
}

// ScoreOf returns a score. Numbers that are not finite become nil.
func ScoreOf(tokens uint64, loss, score float64) Score {
	return Score{tokens, finiteOrNil(loss), finiteOrNil(score)}
}

func finiteOrNil(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return &x
}

// Numbers returns the loss and the score, NaN for nil.
func (s Score) Numbers() (loss, score float64) {
	loss, score = math.NaN(), math.NaN()
	if s.Loss != nil {
		loss = *s.Loss
	}
	if s.Score != nil {
		score = *s.Score
	}
	return loss, score
}

// Keeps reports whether the result of the run is the best vectors.
func (e *EarlyStopping) Keeps() bool { return e.Every > 0 && e.Patience > 0 }

// Next returns the number of tokens at which the next evaluation is due.
func (e *EarlyStopping) Next() uint64 {
	if e.Every == 0 {
		return math.MaxUint64
	}
	return (e.Found.Last/e.Every + 1) * e.Every
}

// Ended reports whether Patience evaluations have passed without improvement.
func (e *EarlyStopping) Ended() bool { return e.Keeps() && e.Found.Since >= e.Patience }

// Unscored reports whether the first evaluation, in a run that keeps the best, has neither a loss nor a score
// to compare.
func (e *EarlyStopping) Unscored(s Score) bool {
	return e.Keeps() && e.Found.Best == nil && s.Loss == nil && s.Score == nil
}

// Add adds an evaluation, and reports whether it is the best so far.
func (e *EarlyStopping) Add(s Score) (best bool) {
	f := &e.Found
	f.Last = s.Tokens
	f.Since++
	if best = s.better(f.Best); best {
		f.Best, f.Since = &s, 0
	}
	return best
}

func (s Score) better(best *Score) bool {
	switch {
	case best == nil:
		return true
	case s.Loss != nil && best.Loss != nil:
		return *s.Loss < *best.Loss
	case s.Score != nil && best.Score != nil:
		return *s.Score > *best.Score
	}
	return s.Score != nil // the first evaluation with a score
}

// HeldOut measures the loss on text that is not trained on.
type HeldOut struct {
	ids        *vocab.IDs
	evaluators []*engine.Worker
}

// Evaluators returns the number of workers that measure the loss on a text, for so many threads; 0 without a
// text.
func Evaluators(ids *vocab.IDs, threads int) int {
	if ids == nil {
		return 0
	}
	return min(threads, ids.Chunks())
}

// NewHeldOut returns a HeldOut for a text. It is an error if the text has no pairs.
func NewHeldOut(run *engine.Run, ids *vocab.IDs, threads int) (*HeldOut, error) {
	h := newHeldOut(run, ids, threads)
	if !h.evaluators[0].HasPairs(ids) {
		return nil, errors.New("the held-out text has no loss: no token has a context left, as sentences are too short, or subsampling drops too many tokens")
	}
	return h, nil
}

func newHeldOut(run *engine.Run, ids *vocab.IDs, threads int) *HeldOut {
	h := &HeldOut{ids: ids}
	for range Evaluators(ids, threads) {
		h.evaluators = append(h.evaluators, run.NewReader(0))
	}
	return h
}

// Loss returns the mean loss of a pair. Every chunk has its own generator, so the loss is the same each time
// for the same vectors.
func (h *HeldOut) Loss() float64 {
	loss, pairs := h.sum(h.ids.Chunks())
	return loss / float64(pairs)
}

// Sample returns the loss of a sample of the pairs of a text, and their number. The text may be the training
// text.
func Sample(run *engine.Run, ids *vocab.IDs, threads int) (loss float64, pairs int) {
	if ids.Chunks() == 0 {
		return 0, 0
	}
	const part, least, most = 32, 20_000, 1_000_000
	tokens := min(max(ids.Tokens()/part, least), most)
	chunks := max(tokens*uint64(ids.Chunks())/max(ids.Tokens(), 1), 1)
	return newHeldOut(run, ids, threads).sum(int(min(chunks, uint64(ids.Chunks()))))
}

// sum adds the losses of pairs in so many chunks. The chunks are spread over the text unless it has to be
// read in order.
func (h *HeldOut) sum(chunks int) (loss float64, n int) {
	apart := h.ids.Chunks() / chunks
	if h.ids.InOrder() {
		apart = 1
	}
	losses, pairs := make([]float64, chunks), make([]int, chunks)
	var g sync.WaitGroup
	for k, e := range h.evaluators {
		g.Go(func() {
			r := h.ids.Reader()
			for i := k; i < chunks; i += len(h.evaluators) {
				losses[i], pairs[i] = e.Measure(r.Chunk(i*apart), uint64(i))
			}
		})
	}
	g.Wait()
	for i := range losses {
		loss += losses[i]
		n += pairs[i]
	}
	return loss, n
}
