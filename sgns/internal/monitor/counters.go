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
	tokens atomic.Uint64
	mu     sync.Mutex // guards values that belong together
	sums   Sums
	_      [128 - 6*8]byte // padding: no other worker's counter is on these cache lines
}

// Sums has the sums of losses and the numbers of pairs, of all epochs and of the last.
type Sums struct {
	Pairs, LastPairs uint64
	Loss, LastLoss   float64
}

// NewCounters returns those of so many workers.
func NewCounters(workers int) Counters { return make(Counters, workers) }

// Add adds what a worker has trained.
func (c Counters) Add(worker int, t engine.Trained) {
	of := &c[worker]
	of.tokens.Add(t.Tokens)
	of.mu.Lock()
	defer of.mu.Unlock()
	of.sums.Pairs += uint64(t.Pairs)
	of.sums.Loss += t.Loss
	if t.Last {
		of.sums.LastPairs += uint64(t.Pairs)
		of.sums.LastLoss += t.Loss
	}
}

// Get returns what a worker has done, and Set sets it.
func (c Counters) Get(worker int) (tokens uint64, s Sums) {
	of := &c[worker]
	of.mu.Lock()
	defer of.mu.Unlock()
	return of.tokens.Load(), of.sums
}

// Set sets what a worker has done.
func (c Counters) Set(worker int, tokens uint64, s Sums) {
	of := &c[worker]
	of.tokens.Store(tokens)
	of.mu.Lock()
	defer of.mu.Unlock()
	of.sums = s
}

// Tokens returns how many tokens all workers have trained.
func (c Counters) Tokens() (n uint64) {
	for i := range c {
		n += c[i].tokens.Load()
	}
	return n
}

// Losses returns the sum of losses and the number of pairs, of all epochs or of the last.
func (c Counters) Losses(lastEpoch bool) (loss float64, pairs uint64) {
	for i := range c {
		_, s := c.Get(i)
		if lastEpoch {
			loss += s.LastLoss
			pairs += s.LastPairs
		} else {
			loss += s.Loss
			pairs += s.Pairs
		}
	}
	return loss, pairs
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
