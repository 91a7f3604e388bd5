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
	h := newHeldOut(run, ids, threads)
	if !h.evaluators[0].HasPairs(ids) {
		return nil, errors.New("the held-out text has no loss: no token has a context left, as sentences are too short, or subsampling drops too many tokens")
	}
	return h, nil
}

func newHeldOut(run *engine.Run, ids *corpus.IDs, threads int) *HeldOut {
	h := &HeldOut{ids: ids}
	for range Evaluators(ids, threads) {
		h.evaluators = append(h.evaluators, run.NewReader(0))
	}
	return h
}

// Loss is the mean loss of a pair. Every chunk has its own generator, so that it is the same
// every time for the same vectors.
func (h *HeldOut) Loss() float64 {
	loss, pairs := h.sum(h.ids.Chunks())
	return loss / float64(pairs)
}

// Sample returns the loss of some of the pairs of a text, which may be one that is trained on, and how many
// these are.
func Sample(run *engine.Run, ids *corpus.IDs, threads int) (loss float64, pairs int) {
	if ids.Chunks() == 0 {
		return 0, 0
	}
	const part, least, most = 32, 20_000, 1_000_000
	tokens := min(max(ids.Tokens()/part, least), most)
	chunks := max(tokens*uint64(ids.Chunks())/max(ids.Tokens(), 1), 1)
	return newHeldOut(run, ids, threads).sum(int(min(chunks, uint64(ids.Chunks()))))
}

// sum adds up the losses of pairs in so many chunks, which are spread over the text if it need not be read in
// order.
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
