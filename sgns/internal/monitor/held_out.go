package monitor

import (
	"errors"
	"sync"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/sgns/internal/engine"
)

// HeldOut measures the loss on text that is not trained on.
type HeldOut struct {
	ids        *corpus.IDs
	evaluators []*engine.Worker
}

// Evaluators returns how many workers measure the loss on a text, given how many threads
// there are; 0 if there is no text.
func Evaluators(ids *corpus.IDs, threads int) int {
	if ids == nil {
		return 0
	}
	return min(threads, ids.Chunks())
}

// NewHeldOut returns what measures the loss of a run on a text. It is an error that the text
// has no pairs.
func NewHeldOut(run *engine.Run, ids *corpus.IDs, threads int) (*HeldOut, error) {
	h := &HeldOut{ids: ids}
	for range Evaluators(ids, threads) {
		h.evaluators = append(h.evaluators, run.NewReader(0))
	}
	if !h.evaluators[0].HasPairs(ids) {
		return nil, errors.New("the held-out text has no loss: no token has a context left, as sentences are too short, or subsampling drops too many tokens")
	}
	return h, nil
}

// Loss is the mean loss of a pair. Every chunk has its own generator, so that it is the same
// every time for the same vectors.
func (h *HeldOut) Loss() float64 {
	chunks := h.ids.Chunks()
	losses, pairs := make([]float64, chunks), make([]int, chunks)
	var g sync.WaitGroup
	for k, e := range h.evaluators {
		g.Go(func() {
			r := h.ids.Reader()
			for i := k; i < chunks; i += len(h.evaluators) {
				losses[i], pairs[i] = e.Measure(r.Chunk(i), uint64(i))
			}
		})
	}
	g.Wait()
	var loss float64
	n := 0
	for i := range losses {
		loss += losses[i]
		n += pairs[i]
	}
	return loss / float64(n)
}
