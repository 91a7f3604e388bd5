package compose

import (
	"fmt"
	"math"

	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/sgns/internal/capability"
	"github.com/w2v-go/w2v/sgns/internal/params"
	"github.com/w2v-go/w2v/sgns/internal/random"
	"github.com/w2v-go/w2v/sgns/internal/settings"
	"github.com/w2v-go/w2v/sgns/internal/step"
	"github.com/w2v-go/w2v/vectors"
)

const projectionName = "projection"

// A lowRank has rows that are narrower than vectors, and a projection of rows to vectors.
type lowRank struct{ rank, dim int }

// lowRankOf returns the narrower rows of a run, or nil if rows are as wide as vectors.
func lowRankOf(r settings.Run) *lowRank {
	if r.Rank == 0 {
		return nil
	}
	return &lowRank{r.Rank, r.Dim}
}

func (l *lowRank) check() error {
	if l != nil && (l.rank < 0 || l.rank >= l.dim) {
		return fmt.Errorf("rank %d is not from 1 to less than the %d dimensions: as many, or more, would need more numbers than rows of their own", l.rank, l.dim)
	}
	return nil
}

func (*lowRank) capabilities() capability.Part {
	const shared = "a projection is shared by all words"
	return capability.Part{
		Needs: map[capability.Capability]string{
			capability.Projects: "",
		},
		Lacks: map[capability.Capability]string{
			capability.OneRow:  "with a projection every negative would have to be multiplied by it",
			capability.Freezes: "no vectors can be frozen with a rank: all words share the projection",
			capability.Columns: shared,
			capability.Divides: shared,
		},
	}
}

func (l *lowRank) matrix() params.Matrix {
	return params.Matrix{
		Name: projectionName, Title: "a projection", Role: params.Other,
		Rows: l.rank, Cols: l.dim, Replicated: true, Projects: true, Init: directions,
	}
}

// directions sets rows to random rows of length 1, so that a projected row is about as long as the row.
func directions(m vectors.Matrix, seed uint64) {
	for r := range m.Rows {
		row := m.Row(r)
		g := random.Stream(^seed, uint64(r))
		var squares float64
		for k := range row {
			row[k] = g.Uniform()
			squares += float64(row[k]) * float64(row[k])
		}
		for k := range row {
			row[k] /= float32(math.Sqrt(squares))
		}
	}
}

// A projected is a composition whose rows are narrower than vectors.
type projected struct {
	Worker
	projection *projection
}

func (p *projected) Projection() step.Projection { return p.projection }

// A projection multiplies rows that are narrower than vectors by a matrix that all rows share (ALBERT, Lan et
// al. 2020).
type projection struct {
	*step.Replica
	inputs   simd.Block // S × rank: inputs before the projection
	gradient simd.Block // of inputs
}

func (l *lowRank) projection(p step.Parts) *projection {
	return &projection{
		Replica:  p.Replicas.Of(projectionName),
		inputs:   step.NewRows(p.Division.Centres, l.rank),
		gradient: step.NewRows(p.Division.Centres, l.rank),
	}
}

func (l *lowRank) bytes(centres int) float64 {
	return 2 * float64(centres) * step.RowBytes(l.rank)
}

// Inputs returns the block for so many inputs before the projection.
func (p *projection) Inputs(n int) simd.Block {
	p.inputs.Rows, p.gradient.Rows = n, n
	return p.inputs
}

// Project sets hidden to the projected inputs.
func (p *projection) Project(hidden simd.Block) { simd.Gemm(hidden, p.inputs, p.Own) }

// Back updates the projection, given the gradient of the projected inputs, and returns the gradient of the
// inputs.
//
// All inputs of a block change the same matrix, and so affect each other. Their steps are divided by their
// total squared length, which would change a vector about as far as the changes of its rows do (normalised
// least mean squares). The step is projectionRate times that.
func (p *projection) Back(gradient simd.Block) simd.Block {
	simd.GemmTransposed(p.gradient, gradient, p.Own)
	simd.AddOuter(p.Own, p.inputs, gradient, projectionRate/(1+squares(p.inputs)))
	return p.gradient
}

const projectionRate = 0.1

func squares(b simd.Block) (sum float32) {
	for i := range b.Rows {
		for _, x := range b.Row(i) {
			sum += x * x
		}
	}
	return sum
}
