package monitor

import "math"

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
