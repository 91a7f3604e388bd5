package arch

import (
	"fmt"

	"github.com/w2v-go/w2v/sgns/internal/capability"
	"github.com/w2v-go/w2v/sgns/internal/params"
	"github.com/w2v-go/w2v/sgns/internal/settings"
	"github.com/w2v-go/w2v/sgns/internal/step"
)

// SkipGram predicts the contexts of a centre (Mikolov et al. 2013) from the centre's vector.
var SkipGram = Kind{
	Name:  "skipgram",
	Help:  "contexts from their centre",
	Plain: true,
	New:   func(r settings.Run) Architecture { return skipGram{dim: r.Dim, window: r.Window} },
}

type skipGram struct {
	bare
	dim, window int
}

func (skipGram) Capabilities() capability.Part {
	return capability.Part{Lacks: map[capability.Capability]string{
		capability.Averages: "in skipgram a context is not averaged with others",
	}}
}

func (skipGram) Rates() Rates { return ratesByPair }

// ratesByPair are the rates if each pair of a centre and a context is a step.
var ratesByPair = Rates{Words: Rate{0.04, 0.48, 0.07}, Subwords: Rate{0.035, 0.6, 0.05}}

func (a skipGram) Traits(centres int) step.Traits {
	if a.window == 0 {
		return lineTraits(centres)
	}
	return step.Traits{Targets: mostPositions(centres, a.window), Heads: 1, Rows: true}
}

func (skipGram) Draws(usual int) int { return usual }

func (a skipGram) Output(words int) params.Matrix { return outputOf(words, 1, a.dim) }

func (a skipGram) Worker(p step.Parts) step.Architecture {
	c := centres{p.Source, a.Traits(p.Division.Centres)}
	if a.window == 0 {
		return newLineWorker(c)
	}
	return &skipGramWorker{c, make([]uint16, c.traits.Targets, step.WholeLines(c.traits.Targets))}
}

func (a skipGram) Bytes(centres int) float64 {
	if a.window == 0 {
		return lineBytes(centres)
	}
	return 2 * step.LineItems(float64(a.Traits(centres).Targets))
}

type skipGramWorker struct {
	centres
	inputs []uint16 // inputs of targets
}

// Select makes the positions around the centres targets, which several centres predict.
func (w *skipGramWorker) Select(b *step.Batch) {
	t, first := &b.Text, b.First
	from, to := reach(b)
	b.Words = t.IDs[from:to]
	w.inputs = w.inputs[:to-from]
	begins, ends := t.From[from:to], t.To[from:to]
	for i := range w.inputs {
		p := from + i
		low, high := max(p-b.Window, int(begins[i]), first), min(p+b.Window+1, int(ends[i]), b.Last)
		// The centres whose context the position is: bits low-first to high-first-1, without the position's
		// own.
		of := (uint32(1)<<max(high-first, 0) - 1) &^ (uint32(1)<<max(low-first, 0) - 1)
		w.inputs[i] = uint16(of &^ (uint32(1) << uint32(p-first)))
	}
	b.Inputs = w.inputs
	b.Number = 0
	for c := first; c < b.Last; c++ {
		n := min(c+b.Window+1, int(t.To[c])) - max(c-b.Window, int(t.From[c])) - 1
		b.Each[c-first] = float32(n)
		b.Number += n
	}
}

// Structured is skip-gram with an output matrix for each relative position, its head (Ling et al. 2015).
// Heads are numbered from position -window on; position 0 has none.
var Structured = Kind{
	Name: "structured",
	Help: "skipgram with an output matrix for each relative position",
	New:  func(r settings.Run) Architecture { return structured{dim: r.Dim, window: r.Window} },
}

type structured struct {
	bare
	dim, window int
}

// maxHeadWindow is the largest window with an output matrix, or weights, for each position.
const maxHeadWindow = 1000

func (a structured) Check() error {
	if a.window > maxHeadWindow {
		return fmt.Errorf("structured skip-gram has two output matrices for each step of the window, which is at most %d", maxHeadWindow)
	}
	return nil
}

func (structured) Capabilities() capability.Part {
	return capability.Part{
		Needs: map[capability.Capability]string{
			capability.OutputWords: "structured skip-gram has an output vector of each word for each relative position",
		},
		Lacks: map[capability.Capability]string{
			capability.Averages: "in structured skip-gram a context is not averaged with others",
			capability.OneRow:   "structured skip-gram has several output vectors a word",
			capability.Freezes:  "no vectors can be frozen in structured skip-gram, which has several output vectors a word",
			capability.Divides:  "structured skip-gram has several output vectors a word",
			capability.Columns:  "structured skip-gram draws words for each relative position",
			capability.Scatters: "structured skip-gram has output vectors for each relative position",
		},
	}
}

func (structured) Rates() Rates { return ratesByPair }

func (a structured) Traits(centres int) step.Traits {
	targets := centres * min(2*min(a.window, step.MaxText), step.MaxText)
	return step.Traits{Targets: targets, Heads: 2 * a.window, Rows: true}
}

// Draws returns a number of words for each head.
func (a structured) Draws(usual int) int { return 2 * a.window * ((usual + 5) / 6) }

func (a structured) Output(words int) params.Matrix {
	m := outputOf(words, 2*a.window, a.dim)
	m.Name, m.Title = "position_output", "context vectors by position"
	return m
}

func (a structured) Worker(p step.Parts) step.Architecture {
	c := centres{p.Source, a.Traits(p.Division.Centres)}
	room := step.WholeLines(c.traits.Targets)
	return &structuredWorker{c, a.window, make([]uint32, 0, room), make([]uint32, 0, room), make([]uint16, 0, room)}
}

func (a structured) Bytes(centres int) float64 {
	return (4 + 4 + 2) * step.LineItems(float64(a.Traits(centres).Targets))
}

type structuredWorker struct {
	centres
	window       int
	words, heads []uint32
	inputs       []uint16
}

// Select makes the words around the centres the targets. Each target belongs to one centre and one head.
func (w *structuredWorker) Select(b *step.Batch) {
	t := &b.Text
	words, heads, inputs := w.words[:0], w.heads[:0], w.inputs[:0]
	for c := b.First; c < b.Last; c++ {
		for p := max(c-b.Window, int(t.From[c])); p < min(c+b.Window+1, int(t.To[c])); p++ {
			if p == c {
				continue
			}
			words = append(words, t.IDs[p])
			heads = append(heads, headOf(p-c, w.window))
			inputs = append(inputs, 1<<(c-b.First))
		}
		b.Each[c-b.First] = 1
	}
	b.Words, b.Heads, b.Inputs, b.Number = words, heads, inputs, len(words)
}

// headOf returns the head of a relative position other than 0.
func headOf(relative, window int) uint32 {
	if relative > 0 {
		relative--
	}
	return uint32(relative + window)
}
