package sgns

import (
	"math"

	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/sgns/internal/random"
	"github.com/w2v-go/w2v/vectors"
)

// A projection makes vectors of rows that are narrower: it multiplies them by a matrix
// that all of them share (ALBERT, Lan et al. 2020).
type projection struct {
	common
	rows  simd.Block // S × rank: inputs before the projection
	moved simd.Block // and what they move by
}

// newProjection returns the projection of the parameters, nil if they have none.
func newProjection(p parameters, division shape, c Config) *projection {
	if c.Rank == 0 {
		return nil
	}
	return &projection{
		common: newCommon(p.projection),
		rows:   newRows(division.centres, c.Rank),
		moved:  newRows(division.centres, c.Rank),
	}
}

// low returns the block of so many inputs that is to be projected.
func (p *projection) low(inputs int) simd.Block {
	p.rows.Rows, p.moved.Rows = inputs, inputs
	return p.rows
}

// project makes hidden the projected inputs.
func (p *projection) project(hidden simd.Block) { simd.Gemm(hidden, p.rows, p.own) }

// back takes the step of the projection, given what its products move by, and returns
// what the inputs move by.
//
// All inputs of a block move the same matrix, and so each other. Their steps are divided by
// the squared length that they have together, so that a vector would move, for that, about as
// far as the vectors of the block do by their rows (normalised least mean squares), and it
// goes projectionRate of that.
func (p *projection) back(moved simd.Block) simd.Block {
	simd.GemmTransposed(p.moved, moved, p.own)
	simd.AddOuter(p.own, p.rows, moved, projectionRate/(1+squares(p.rows)))
	return p.moved
}

const projectionRate = 0.1

// squares returns the sum of the squares of all numbers of a block.
func squares(b simd.Block) (sum float32) {
	for i := range b.Rows {
		for _, x := range b.Row(i) {
			sum += x * x
		}
	}
	return sum
}

// startProjection sets a projection to what it is before training: rows of length 1 in
// random directions, so that products are about as long as the rows that are projected.
func startProjection(m vectors.Matrix, seed uint64) {
	for r := range m.Rows {
		row := m.Row(r)
		source := random.Stream(^seed, uint64(r))
		var squares float64
		for k := range row {
			row[k] = source.Uniform()
			squares += float64(row[k]) * float64(row[k])
		}
		for k := range row {
			row[k] /= float32(math.Sqrt(squares))
		}
	}
}
