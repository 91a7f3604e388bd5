package arch

import (
	"github.com/w2v-go/w2v/sgns/internal/capability"
	"github.com/w2v-go/w2v/sgns/internal/random"
	"github.com/w2v-go/w2v/sgns/internal/settings"
	"github.com/w2v-go/w2v/sgns/internal/step"
)

// Whole lines: without a window, every other word of a centre's line is a context of it as
// likely as any other, which suits baskets, sessions and other lists without an order. To
// train all pairs would make a line cost the square of its length. So each centre draws
// LineContexts of them, all different, or has all others if there are no more.

// LineContexts is how many contexts a centre has at most: as many as the mean window of
// usual width, 5, gives a centre that is far from the ends of its line.
const LineContexts = 6

// wholeLines is what they need of other parts.
func wholeLines(r settings.Run) (part capability.Part, chosen bool) {
	return capability.Part{Needs: map[capability.Capability]string{
		capability.Scatters: "with a window of 0, contexts are drawn from the whole line",
	}}, r.Window == 0
}

func lineTraits(centres int) step.Traits {
	return step.Traits{Targets: centres * LineContexts, Heads: 1, Rows: true, Drawn: true}
}

// A lineWorker draws contexts from whole lines.
type lineWorker struct {
	centres
	traits    step.Traits
	with      []uint16 // for each position of a text, the centres that it is a context of
	positions []int32  // those of contexts
	words     []uint32 // of targets, which are the words at these positions
	inputs    []uint16 // of targets
}

func newLineWorker(c centres, t step.Traits) *lineWorker {
	room := step.WholeLines(t.Targets)
	return &lineWorker{
		centres: c, traits: t,
		with:      make([]uint16, step.MaxText),
		positions: make([]int32, 0, room), words: make([]uint32, 0, room), inputs: make([]uint16, 0, room),
	}
}

func lineBytes(centres int) float64 {
	return 2*step.LineItems(step.MaxText) + (4+4+2)*step.LineItems(float64(lineTraits(centres).Targets))
}

func (w *lineWorker) Traits() step.Traits { return w.traits }

// Select makes words that are drawn from the centres' lines what these predict. A target is
// the word of a position, which several centres of the line may predict.
func (w *lineWorker) Select(b *step.Batch) {
	t := &b.Text
	w.positions, w.words, w.inputs = w.positions[:0], w.words[:0], w.inputs[:0]
	b.Number = 0
	g := b.Contexts
	for c := b.First; c < b.Last; c++ {
		n := w.draw(c, int(t.From[c]), int(t.To[c]), uint16(1)<<(c-b.First), &g)
		b.Each[c-b.First] = float32(n)
		b.Number += n
	}
	for _, p := range w.positions {
		w.words = append(w.words, t.IDs[p])
		w.inputs = append(w.inputs, w.with[p])
		w.with[p] = 0
	}
	b.Words, b.Inputs = w.words, w.inputs
}

// draw draws the contexts of a centre whose line is at positions from to to-1, and returns
// how many they are. Each set of so many others is as likely as any other (Floyd's algorithm).
func (w *lineWorker) draw(centre, from, to int, bit uint16, g *random.Generator) int {
	others := to - from - 1
	if others <= LineContexts {
		for p := from; p < to; p++ {
			if p != centre {
				w.add(p, bit)
			}
		}
		return others
	}
	for last := others - LineContexts; last < others; last++ {
		if p := other(centre, from, g.Below(last+1)); w.with[p]&bit == 0 {
			w.add(p, bit)
		} else {
			w.add(other(centre, from, last), bit)
		}
	}
	return LineContexts
}

// other returns the position of the word number i of a line without its centre.
func other(centre, from, i int) int {
	if p := from + i; p < centre {
		return p
	}
	return from + i + 1
}

// add makes a position a context of a centre.
func (w *lineWorker) add(position int, centre uint16) {
	if w.with[position] == 0 {
		w.positions = append(w.positions, int32(position))
	}
	w.with[position] |= centre
}
