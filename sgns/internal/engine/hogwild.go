package engine

import (
	"github.com/w2v-go/w2v/sgns/internal/random"
	"github.com/w2v-go/w2v/sgns/internal/step"
)

// hogwild trains the texts of one worker, block by block, on matrices that other workers
// change meanwhile (Recht et al. 2011).
type hogwild struct{ worker *Worker }

func (hogwild) load()  {}
func (hogwild) store() {}
func (hogwild) close() {}

func (h hogwild) train(t step.Text, rate float32) (pairs int, loss float64) {
	w := h.worker
	w.step.Take()
	pairs, loss = w.pass(t, func(first, last int) (int, float64) { return w.trainSpan(t, first, last, rate) })
	w.step.Give()
	return pairs, loss
}

// lossEvery is of how many blocks the loss of one is computed, on the average and not
// by turns, which the corpus might take, too. Until there is a pair it is all, so that
// there are pairs counted if there are any.
const lossEvery = 32

// pass goes through a text, span by span of the composition. It returns the sums of what span
// returns for each.
func (w *Worker) pass(t step.Text, span func(first, last int) (pairs int, loss float64)) (pairs int, loss float64) {
	length := w.parts.Composition.Span()
	for first := 0; first < len(t.IDs); first += length {
		last := min(first+length, len(t.IDs))
		w.parts.Composition.Begin(t, first, last, w.parts.Division.Centres)
		p, l := span(first, last)
		pairs += p
		loss += l
	}
	return pairs, loss
}

// roundingSeed returns what rows of fewer bits are rounded by after a block.
func (w *Worker) roundingSeed() uint32 {
	return uint32(random.Mix(random.Mix(w.run.Variant.Run.Seed)+w.blocks) >> 32)
}

// trainSpan trains the centres at positions first to last-1. It returns the pairs of some
// blocks, and their loss.
func (w *Worker) trainSpan(t step.Text, first, last int, rate float32) (pairs int, loss float64) {
	c, centres := w.parts.Composition, w.parts.Division.Centres
	for k := 0; first < last; k++ {
		c.Compose(k)
		w.blocks++
		wantLoss := random.Mix(w.blocks)%lossEvery == 0 || !w.paired
		p, l := w.step.Train(t, first, min(first+centres, last), last, rate, wantLoss)
		w.paired = w.paired || p > 0
		if wantLoss {
			pairs += p
			loss += l
		}
		c.Scatter(k, w.roundingSeed())
		first += centres
	}
	return pairs, loss
}
