package arch

import (
	"fmt"

	"github.com/w2v-go/w2v/sgns/internal/capability"
	"github.com/w2v-go/w2v/sgns/internal/params"
	"github.com/w2v-go/w2v/sgns/internal/settings"
	"github.com/w2v-go/w2v/sgns/internal/step"
	"github.com/w2v-go/w2v/vocab"
)

// Structured is skip-gram with an output matrix for each relative position, the position's
// head (Ling et al. 2015). Heads are numbered from that of -window on, and 0 has none.
var Structured = Kind{
	Name: "structured",
	Help: "skipgram with an output matrix for each relative position",
	New:  func(r settings.Run) Architecture { return structured{r.Dim, r.Window} },
}

type structured struct{ dim, window int }

// maxHeadWindow is the largest window with output matrices, or weights, for each position.
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

// Draws returns some words for each head.
func (a structured) Draws(usual int) int { return 2 * a.window * ((usual + 5) / 6) }

func (a structured) Output(words int) params.Matrix {
	m := outputOf(words, 2*a.window, a.dim)
	m.Name, m.Title = "position_output", "context vectors by position"
	return m
}

func (structured) Matrices() []params.Matrix { return nil }

func (structured) Prepare(*vocab.Vocab) {}

func (structured) PreparedBytes(int) float64 { return 0 }

func (a structured) Worker(p step.Parts) step.Architecture {
	t := a.Traits(p.Division.Centres)
	room := step.WholeLines(t.Targets)
	return &structuredWorker{
		centres: centres{p.Source}, traits: t, window: a.window,
		words: make([]uint32, 0, room), heads: make([]uint32, 0, room), inputs: make([]uint16, 0, room),
	}
}

func (a structured) Bytes(centres int) float64 {
	return (4 + 4 + 2) * step.LineItems(float64(a.Traits(centres).Targets))
}

type structuredWorker struct {
	centres
	traits       step.Traits
	window       int
	words, heads []uint32
	inputs       []uint16
}

func (w *structuredWorker) Traits() step.Traits { return w.traits }

// Select makes the words around the centres what these predict. Each word is that of one
// centre and one head.
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

// headOf returns the head of a relative position, which is not 0.
func headOf(relative, window int) uint32 {
	if relative > 0 {
		relative--
	}
	return uint32(relative + window)
}
