package compose

import (
	"github.com/w2v-go/w2v/sgns/internal/step"
	"github.com/w2v-go/w2v/vectors"
)

// words are those of one row each, which is the word's vector.
type words struct{ source step.Source }

func (w *words) Source() step.Source { return w.source }

func (*words) Span() int { return step.MaxText }

// Find makes all words of the text rows of their own number.
func (*words) Find(t step.Text, _, _, _ int) { copy(t.Rows, t.IDs) }

func (w *words) Begin(t step.Text, first, last, centres int) { w.Find(t, first, last, centres) }

func (*words) Compose(int) {}

func (*words) Scatter(int, uint32) {}

func (*words) Projection() step.Projection { return nil }

func (w *words) Columns(input vectors.Matrix) step.Composition {
	part := *w
	part.source.Matrix = input
	return &part
}
