// Package monitor watches a run: progress, held-out loss, evaluations, when to end, and divergence.
package monitor

import (
	"errors"
	"math"
	"sync"
	"sync/atomic"

	"github.com/w2v-go/w2v/sgns/internal/engine"
	"github.com/w2v-go/w2v/vocab"
)

// EarlyStopping decides when to evaluate, which vectors are best, and when to end without improvement.
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
func (s Score) Numbers() (loss, score float64) { return orNaN(s.Loss), orNaN(s.Score) }

func orNaN(x *float64) float64 {
	if x == nil {
		return math.NaN()
	}
	return *x
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

// Unscored reports whether a run that keeps the best has nothing to compare in its first evaluation.
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

// Evaluators returns how many workers measure the loss on a text; 0 without a text.
func Evaluators(ids *vocab.IDs, threads int) int {
	if ids == nil {
		return 0
	}
	return min(threads, ids.Chunks())
}

// NewHeldOut returns a HeldOut for a text. It is an error if the text has no pairs.
func NewHeldOut(run *engine.Run, ids *vocab.IDs, threads int) (*HeldOut, error) {
	h := heldOut(run, ids, threads)
	switch {
	case h.evaluators[0].HasPairs(ids):
		return h, nil
	case run.Labels != nil:
		return nil, errors.New("the held-out texts have no loss: none has a label and a word that are trained")
	}
	return nil, errors.New("the held-out text has no loss: no token has a context left, as sentences are too short, or subsampling drops too many tokens")
}

func heldOut(run *engine.Run, ids *vocab.IDs, threads int) *HeldOut {
	h := &HeldOut{ids: ids}
	for range Evaluators(ids, threads) {
		h.evaluators = append(h.evaluators, run.NewReader(0))
	}
	return h
}

// Loss returns the mean loss of a pair. Chunks have generators, so equal vectors have equal losses.
func (h *HeldOut) Loss() float64 {
	loss, pairs := h.sum(h.ids.Chunks())
	return loss / float64(pairs)
}

// Sample returns the loss of a sample of the pairs of a text, and their number.
func Sample(run *engine.Run, ids *vocab.IDs, threads int) (loss float64, pairs int) {
	if ids.Chunks() == 0 {
		return 0, 0
	}
	const part, least, most = 32, 20_000, 1_000_000
	tokens := min(max(ids.Tokens()/part, least), most)
	chunks := max(tokens*uint64(ids.Chunks())/max(ids.Tokens(), 1), 1)
	return heldOut(run, ids, threads).sum(int(min(chunks, uint64(ids.Chunks()))))
}

// sum adds the losses of so many chunks, spread over the text unless it has to be read in order.
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

// Counters count what each worker has done. Pairs count if the loss of their block was computed.
type Counters []counter

// A counter belongs to one worker. Only that worker changes it.
type counter struct {
	tokens atomic.Uint64 // those of sums, which are read more often
	mu     sync.Mutex    // guards sums
	sums   Sums
	_      [128 - 7*8]byte // padding: no other worker's counter is on these cache lines
}

// Sums are what is trained: tokens, pairs, and the sums of the pairs' losses, of all epochs and of the last.
type Sums struct {
	Tokens, Pairs, LastPairs uint64
	Loss, LastLoss           float64
}

// Add adds other sums.
func (s *Sums) Add(o Sums) {
	s.Tokens += o.Tokens
	s.Pairs += o.Pairs
	s.LastPairs += o.LastPairs
	s.Loss += o.Loss
	s.LastLoss += o.LastLoss
}

// Losses returns the sum of losses and the number of pairs, of all epochs or of the last.
func (s Sums) Losses(lastEpoch bool) (loss float64, pairs uint64) {
	if lastEpoch {
		return s.LastLoss, s.LastPairs
	}
	return s.Loss, s.Pairs
}

// Finite reports whether no loss is NaN or infinite.
func (s Sums) Finite() bool { return finiteOrNil(s.Loss) != nil && finiteOrNil(s.LastLoss) != nil }

// Add adds what a worker has trained.
func (c Counters) Add(worker int, t engine.Trained) {
	now := Sums{Tokens: t.Tokens, Pairs: uint64(t.Pairs), Loss: t.Loss}
	if t.Last {
		now.LastPairs, now.LastLoss = now.Pairs, now.Loss
	}
	of := &c[worker]
	of.tokens.Add(t.Tokens)
	of.mu.Lock()
	defer of.mu.Unlock()
	of.sums.Add(now)
}

// Get returns what a worker has trained.
func (c Counters) Get(worker int) Sums {
	of := &c[worker]
	of.mu.Lock()
	defer of.mu.Unlock()
	return of.sums
}

// Set sets what a worker has trained.
func (c Counters) Set(worker int, s Sums) {
	of := &c[worker]
	of.mu.Lock()
	defer of.mu.Unlock()
	of.tokens.Store(s.Tokens)
	of.sums = s
}

// Tokens returns how many tokens all workers have trained.
func (c Counters) Tokens() (n uint64) {
	for i := range c {
		n += c[i].tokens.Load()
	}
	return n
}

// Sums returns what all workers have trained.
func (c Counters) Sums() (all Sums) {
	for i := range c {
		all.Add(c.Get(i))
	}
	return all
}

// A Limit is the mean loss of a pair in an untrained model, in which all scores are zero.
type Limit float64

// Diverging reports whether a mean loss shows divergence: it is in the thousands before rows explode.
func (l Limit) Diverging(loss float64) bool { return math.IsNaN(loss) || loss > 2*float64(l) }

// A Watch observes the losses of one worker.
type Watch struct {
	Limit  Limit
	Recent float64 // mean loss of a pair in the last text that had any
	Latest Latest
}

// Latest is the loss of a worker's latest pairs, until they are enough. It is JSON in a checkpoint.
type Latest struct {
	Pairs int     `json:"pairs"`
	Loss  float64 `json:"loss"`
}

// enoughPairs is the number of pairs, of a dozen texts, whose mean loss is meaningful.
const enoughPairs = 10_000

// Diverged adds the loss of the pairs of a text, and reports whether training has diverged. It counts pairs
// instead of measuring time, so that a repeated run diverges at the same place.
func (w *Watch) Diverged(pairs int, loss float64) bool {
	if math.IsNaN(loss) || math.IsInf(loss, 0) {
		return true
	}
	if pairs == 0 {
		return false
	}
	w.Recent = loss / float64(pairs)
	w.Latest.Pairs += pairs
	w.Latest.Loss += loss
	if w.Latest.Pairs < enoughPairs {
		return false
	}
	mean := w.Latest.Loss / float64(w.Latest.Pairs)
	w.Latest = Latest{}
	return w.Limit.Diverging(mean)
}

// Doubtful reports whether training may be about to diverge.
func (w *Watch) Doubtful() bool {
	return w.Limit.Diverging(w.Recent) || w.Latest.Pairs > 0 && w.Limit.Diverging(w.Latest.Loss/float64(w.Latest.Pairs))
}
