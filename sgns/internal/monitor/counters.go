package monitor

import (
	"math"
	"sync"
	"sync/atomic"

	"github.com/w2v-go/w2v/sgns/internal/engine"
)

// Counters are what the workers of a run have done, one for each worker. Pairs are those whose
// loss was computed, of some blocks.
type Counters []counter

// A counter is that of one worker. Only that worker changes it.
type counter struct {
	tokens atomic.Uint64
	mu     sync.Mutex // for what belongs together
	sums   Sums
	_      [128 - 6*8]byte // no other worker's counter on these cache lines
}

// Sums are of losses, and how many pairs they are of: of all epochs, and of the last.
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

// Get returns what a worker has done, and Set changes it.
func (c Counters) Get(worker int) (tokens uint64, s Sums) {
	of := &c[worker]
	of.mu.Lock()
	defer of.mu.Unlock()
	return of.tokens.Load(), of.sums
}

// Set makes these what a worker has done.
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

// A Limit is the mean loss of a pair that a model has which knows nothing, with all scores
// zero.
type Limit float64

// Diverging reports whether a mean loss of a pair says that training diverges: a model whose
// rows explode soon has thousands.
func (l Limit) Diverging(loss float64) bool { return math.IsNaN(loss) || loss > 2*float64(l) }

// A Watch looks at the losses of one worker.
type Watch struct {
	Limit  Limit
	Recent float64 // mean loss of a pair in the last text that had any
	Latest Latest
}

// Latest is the loss of the latest pairs of a worker, until there are enough of them to tell
// whether training diverges. It is JSON in a checkpoint.
type Latest struct {
	Pairs int     `json:"pairs"`
	Loss  float64 `json:"loss"`
}

// enoughPairs are so many that their mean loss says how training is: those of a dozen
// texts, some milliseconds.
const enoughPairs = 10_000

// Diverged adds the loss of the pairs of a text, and reports whether training has diverged. It
// goes by pairs and not by the clock, so that a run that repeats itself diverges at the same
// place every time.
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
