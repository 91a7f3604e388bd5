package arch

import (
	"github.com/w2v-go/w2v/sgns/internal/capability"
	"github.com/w2v-go/w2v/sgns/internal/params"
	"github.com/w2v-go/w2v/sgns/internal/settings"
	"github.com/w2v-go/w2v/sgns/internal/step"
	"github.com/w2v-go/w2v/vocab"
)

// SkipGram is the architecture in which a centre predicts its contexts (Mikolov et al. 2013).
// Its inputs are the vectors of the centres.
var SkipGram = Kind{
	Name:  "skipgram",
	Help:  "contexts from their centre",
	Plain: true,
	New:   func(r settings.Run) Architecture { return skipGram{r.Dim, r.Window} },
}

type skipGram struct{ dim, window int }

func (skipGram) Check() error { return nil }

func (skipGram) Capabilities() capability.Part {
	return capability.Part{Lacks: map[capability.Capability]string{
		capability.Averages: "in skipgram a context is not averaged with others",
	}}
}

func (skipGram) Rates() Rates { return ratesByPair }

// ratesByPair are the rates where each pair of a centre and a context is a step.
var ratesByPair = Rates{Words: Rate{0.04, 0.48, 0.07}, Subwords: Rate{0.035, 0.6, 0.05}}

func (a skipGram) Traits(centres int) step.Traits {
	if a.window == 0 {
		return lineTraits(centres)
	}
	return step.Traits{Targets: mostPositions(centres, a.window), Heads: 1, Rows: true}
}

func (skipGram) Draws(usual int) int { return usual }

func (a skipGram) Output(words int) params.Matrix { return outputOf(words, 1, a.dim) }

func (skipGram) Matrices() []params.Matrix { return nil }

func (skipGram) Prepare(*vocab.Vocab) {}

func (skipGram) PreparedBytes(int) float64 { return 0 }

func (a skipGram) Worker(p step.Parts) step.Architecture {
	t := a.Traits(p.Division.Centres)
	if a.window == 0 {
		return newLineWorker(centres{p.Source}, t)
	}
	return &skipGramWorker{centres{p.Source}, t, make([]uint16, t.Targets, step.WholeLines(t.Targets))}
}

func (a skipGram) Bytes(centres int) float64 {
	if a.window == 0 {
		return lineBytes(centres)
	}
	return 2 * step.LineItems(float64(a.Traits(centres).Targets))
}

type skipGramWorker struct {
	centres
	traits step.Traits
	inputs []uint16 // of targets
}

func (w *skipGramWorker) Traits() step.Traits { return w.traits }

// Select makes the words around the centres what these predict. A word is that of a
// position, which several centres predict.
func (w *skipGramWorker) Select(b *step.Batch) {
	t, first := &b.Text, b.First
	from, to := reach(b)
	b.Words = t.IDs[from:to]
	w.inputs = w.inputs[:to-from]
	begins, ends := t.From[from:to], t.To[from:to]
	for i := range w.inputs {
		p := from + i
		low, high := max(p-b.Window, int(begins[i]), first), min(p+b.Window+1, int(ends[i]), b.Last)
		// The centres that the position is a context of: bits low-first to high-first-1, but for its own.
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
