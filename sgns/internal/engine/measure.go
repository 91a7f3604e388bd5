package engine

import (
	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/sgns/internal/random"
	"github.com/w2v-go/w2v/sgns/internal/step"
)

// heldOut returns the generators for a chunk of held-out text: the same for every run, so
// that their losses can be compared.
func heldOut(chunk uint64) (sampling, drawing random.Generator) {
	const seed = 0x68656c64206f7574
	return random.Stream(seed, 2*chunk), random.Stream(seed, 2*chunk+1)
}

// HasPairs reports whether there is any pair to measure in held-out text.
func (w *Worker) HasPairs(ids *corpus.IDs) (found bool) {
	r := ids.Reader()
	for i := 0; i < ids.Chunks() && !found; i++ {
		w.random, _ = heldOut(uint64(i))
		for offset, end := 0, false; !end; {
			var n int
			n, end = w.gather(r.Chunk(i), offset)
			offset += n
			for k, from := range w.text.From {
				found = found || w.text.To[k]-from > 1
			}
			w.empty()
		}
	}
	return found
}

// Measure returns the sum of the losses of the pairs of a chunk of held-out text, and their
// number. It changes no parameters.
func (w *Worker) Measure(chunk [][]uint32, number uint64) (loss float64, pairs int) {
	w.random, w.step.Random = heldOut(number)
	w.step.DrawAhead()
	w.step.Take()
	for offset, end := 0, false; !end; {
		var n int
		n, end = w.gather(chunk, offset)
		offset += n
		t := w.text
		p, l := w.pass(t, func(first, last int) (int, float64) { return w.measureSpan(t, first, last) })
		w.empty()
		loss += l
		pairs += p
	}
	return loss, pairs
}

// measureSpan returns the pairs of the centres at positions first to last-1, and their loss.
func (w *Worker) measureSpan(t step.Text, first, last int) (pairs int, loss float64) {
	centres := w.parts.Division.Centres
	for k := 0; first < last; k++ {
		w.parts.Composition.Compose(k)
		p, l := w.step.Score(t, first, min(first+centres, last), w.step.Draw(), nil, 1, true)
		pairs += p
		loss += l
		first += centres
	}
	return pairs, loss
}
