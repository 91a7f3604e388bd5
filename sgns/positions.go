package sgns

import (
	"math/bits"

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

// mean makes h the weighted means of contexts, rows of in. The first centre is at row
// number lead of the contexts.
func (p *positions) mean(h simd.Block, in vectors.Matrix, contexts *side, lead int) {
	p.triples = p.triples[:0]
	for j, with := range contexts.with {
		for ; with != 0; with &= with - 1 {
			i := bits.TrailingZeros16(with)
			share := contexts.errors[0][j*simd.Lanes+i]
			p.triples = append(p.triples, simd.Triple{Dst: uint32(i), A: headOf(j-lead-i, p.window), B: uint32(j), Weight: share})
		}
	}
	clear(h.Data)
	simd.MultiplyRows(ownRows(h), p.weights(p.own), rowsOf(in, contexts.rows), h.Cols, p.triples)
}

// update gives to contexts, rows of in, and to the weights of their positions what the
// means have moved by.
//
// All inputs of a block move the same weights, so these move by the mean of what they would
// each.
func (p *positions) update(in vectors.Matrix, moved simd.Block, contexts *side) {
	rows, means := rowsOf(in, contexts.rows), ownRows(moved)
	clear(p.moved.Data)
	for k, t := range p.triples { // input, position, context
		p.triples[k].Dst, p.triples[k].A, p.triples[k].B = t.A, t.Dst, t.B
	}
	simd.MultiplyRows(p.weights(p.moved), means, rows, moved.Cols, p.triples)
	for k, t := range p.triples { // position, input, context
		p.triples[k].Dst, p.triples[k].A, p.triples[k].B = t.B, t.Dst, t.A
	}
	simd.MultiplyRows(rows, p.weights(p.own), means, moved.Cols, p.triples)
	rate := positionRate / float32(moved.Rows)
	for k, x := range p.moved.Data {
		p.own.Data[k] += rate * x
	}
}

const positionRate = 1

func (p *positions) weights(of simd.Block) simd.Rows {
	return simd.Rows{Data: of.Data, Stride: of.Stride, IDs: p.all}
}

// rowsOf are rows of a matrix.
func rowsOf(m vectors.Matrix, rows []uint32) simd.Rows {
	return simd.Rows{Data: m.Data, Stride: m.Stride, IDs: rows}
}
