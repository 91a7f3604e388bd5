package arch

import (
	"fmt"

	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/sgns/internal/capability"
	"github.com/w2v-go/w2v/sgns/internal/params"
	"github.com/w2v-go/w2v/sgns/internal/settings"
	"github.com/w2v-go/w2v/sgns/internal/step"
)

// Position weights (Mikolov et al. 2018, "Advances in pre-training distributed word
// representations"): each context of CBOW is multiplied, number by number, by a vector of
// its relative position, which is learned too. Positions are numbered as heads are.
type positions struct {
	*step.Replica // a row for each relative position
	window        int
	gradient      simd.Block
	triples       []simd.Triple // input, position, row of a context; and for other uses turned round
}

const positionName = "position_weights"

// positionWeights is what they need of other parts.
func positionWeights(r settings.Run) (part capability.Part, chosen bool) {
	return capability.Part{
		Needs: map[capability.Capability]string{
			capability.Averages: "position weights belong to the contexts that CBOW averages",
		},
		Lacks: map[capability.Capability]string{
			capability.Divides: "position weights are shared by all words",
			capability.Freezes: "no vectors can be frozen with position weights: all words share them",
		},
	}, r.PositionWeights
}

func checkPositions(r settings.Run) error {
	if r.Window > maxHeadWindow {
		return fmt.Errorf("position weights are two vectors for each step of the window, which is at most %d", maxHeadWindow)
	}
	return nil
}

func positionMatrices(r settings.Run) []params.Matrix {
	if !r.PositionWeights {
		return nil
	}
	return []params.Matrix{{
		Name: positionName, Title: "position weights", Role: params.Other,
		Rows: 2 * r.Window, Cols: r.Width(), Replicated: true, Init: params.Ones,
	}}
}

// newPositions returns the position weights of a worker, nil if there are none.
func newPositions(r settings.Run, p step.Parts) *positions {
	if !r.PositionWeights {
		return nil
	}
	return &positions{Replica: p.Replicas.Of(positionName), window: r.Window, gradient: step.NewRows(2*r.Window, r.Width())}
}

// positionBytes is the size of what newPositions returns, but for the replica.
func positionBytes(r settings.Run, centres int) float64 {
	if !r.PositionWeights {
		return 0
	}
	const triple = 16
	contexts := float64(centres) * float64(min(2*min(r.Window, step.MaxText), step.MaxText))
	return 2*float64(r.Window)*step.RowBytes(r.Width()) + triple*contexts
}

// compose makes inputs the weighted means of rows, those of the contexts in windows.
func (p *positions) compose(inputs simd.Block, rows simd.Rows, windows []simd.Window) {
	p.triples = p.triples[:0]
	for _, w := range windows {
		for j := w.From; j < w.To; j++ {
			if j != w.Except {
				head := headOf(int(j-w.Except), p.window)
				p.triples = append(p.triples, simd.Triple{Dst: uint32(w.Row), A: head, B: uint32(j), Weight: w.Weight})
			}
		}
	}
	clear(inputs.Data)
	simd.MultiplyRows(step.OwnRows(inputs), p.Rows(p.Own), rows, inputs.Cols, p.triples)
}

// scatter gives to rows, those of contexts, and to the weights of their positions what the
// means change by.
//
// All inputs of a block change the same weights, so these change by positionRate of the mean
// of what each would change them by.
func (p *positions) scatter(rows simd.Rows, gradient simd.Block, scale float32) {
	means := step.OwnRows(gradient)
	clear(p.gradient.Data)
	for k, t := range p.triples { // input, position, context
		p.triples[k].Dst, p.triples[k].A, p.triples[k].B = t.A, t.Dst, t.B
	}
	simd.MultiplyRows(p.Rows(p.gradient), means, rows, gradient.Cols, p.triples)
	for k, t := range p.triples { // position, input, context
		p.triples[k] = simd.Triple{Dst: t.B, A: t.Dst, B: t.A, Weight: scale * t.Weight}
	}
	simd.MultiplyRows(rows, p.Rows(p.Own), means, gradient.Cols, p.triples)
	rate := positionRate / float32(gradient.Rows)
	for k, x := range p.gradient.Data {
		p.Own.Data[k] += rate * x
	}
}

const positionRate = 0.1
