package sgns

import (
	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/vectors"
)

// Position weights (Mikolov et al. 2018, "Advances in pre-training distributed word
// representations"): each context of CBOW is multiplied, number by number, by a vector of
// its relative position, which is learned too. Positions are numbered as heads are.
type positions struct {
	common
	window  int
	moved   simd.Block    // what they move by in a block
	triples []simd.Triple // input, position, row of the side; and for other uses turned round
}

// newPositions returns the position weights of the parameters, nil if they have none.
func newPositions(p parameters, c Config) *positions {
	if !c.PositionWeights {
		return nil
	}
	return &positions{
		common: newCommon(p.positions),
		window: c.Window,
		moved:  newRows(p.positions.Rows, p.positions.Cols),
	}
}

// startPositions sets position weights to what they are before training: 1.
func startPositions(m vectors.Matrix) {
	for r := range m.Rows {
		row := m.Row(r)
		for k := range row {
			row[k] = 1
		}
	}
}

// compose makes hidden the weighted means of rows of in.
func (p *positions) compose(hidden simd.Block, in vectors.Matrix, m *mean) {
	p.triples = p.triples[:0]
	for _, w := range m.inputs {
		for j := w.From; j < w.To; j++ {
			if j != w.Except {
				head := headOf(int(j-w.Except), p.window)
				p.triples = append(p.triples, simd.Triple{Dst: uint32(w.Row), A: head, B: uint32(j), Weight: w.Weight})
			}
		}
	}
	clear(hidden.Data)
	simd.MultiplyRows(ownRows(hidden), p.weights(p.own), rowsOf(in, m.rows), hidden.Cols, p.triples)
}

// release gives to contexts, rows of in, and to the weights of their positions what the
// means have moved by.
//
// All inputs of a block move the same weights, so these move by positionRate of the mean of
// what each would move them by.
func (p *positions) release(in vectors.Matrix, moved simd.Block, m *mean, boost float32) {
	rows, means := rowsOf(in, m.rows), ownRows(moved)
	clear(p.moved.Data)
	for k, t := range p.triples { // input, position, context
		p.triples[k].Dst, p.triples[k].A, p.triples[k].B = t.A, t.Dst, t.B
	}
	simd.MultiplyRows(p.weights(p.moved), means, rows, moved.Cols, p.triples)
	for k, t := range p.triples { // position, input, context
		p.triples[k] = simd.Triple{Dst: t.B, A: t.Dst, B: t.A, Weight: boost * t.Weight}
	}
	simd.MultiplyRows(rows, p.weights(p.own), means, moved.Cols, p.triples)
	rate := positionRate / float32(moved.Rows)
	for k, x := range p.moved.Data {
		p.own.Data[k] += rate * x
	}
}

const positionRate = 0.1

func (p *positions) weights(of simd.Block) simd.Rows {
	return simd.Rows{Data: of.Data, Stride: of.Stride, IDs: p.all}
}

// rowsOf are rows of a matrix.
func rowsOf(m vectors.Matrix, rows []uint32) simd.Rows {
	return simd.Rows{Data: m.Data, Stride: m.Stride, IDs: rows}
}
