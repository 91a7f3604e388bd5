package monitor

import (
	"math"
	"sync"
	"sync/atomic"

	"github.com/w2v-go/w2v/sgns/internal/engine"
)

// Counters count what the workers of a run have done, one counter for each worker. Only pairs of blocks whose
// loss was computed are counted.
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

// Diverging reports whether a mean loss of a pair shows that training diverges: the loss of a model whose
// rows explode soon is in the thousands.
func (l Limit) Diverging(loss float64) bool { return math.IsNaN(loss) || loss > 2*float64(l) }

// A Watch observes the losses of one worker.
type Watch struct {
	Limit  Limit
	Recent float64 // mean loss of a pair in the last text that had any
	Latest Latest
}

// Latest is the loss of the latest pairs of a worker, until there are enough pairs to tell whether training
// diverges. It is JSON in a checkpoint.
type Latest struct {
	Pairs int     `json:"pairs"`
	Loss  float64 `json:"loss"`
}

// enoughPairs is the number of pairs whose mean loss is meaningful: those of a dozen texts, which take some
// milliseconds.
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
