package align

import (
	"context"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/internal/backing"
	"github.com/w2v-go/w2v/vectors/internal/parallel"
)

// blockPairs is how many pairs are looked at together.
const blockPairs = 1024

// A side is one of two sets: the vectors of its words after some steps.
type side struct {
	set   *vectors.Set
	rows  vectors.Matrix
	file  *backing.File
	steps []Step
	means [][]float64 // that Center takes off, one a step; nil for other steps
	raw   vectors.Matrix
	block blas64.General
}

func newSide(s *vectors.Set, steps []Step) *side {
	d := s.Dim()
	return &side{
		set: s, rows: s.Rows(), file: s.SharedParts().File, steps: steps, means: make([][]float64, len(steps)),
		raw:   vectors.NewMatrix(blockPairs, d),
		block: blas64.General{Rows: blockPairs, Cols: d, Stride: d, Data: make([]float64, blockPairs*d)},
	}
}

// rowOf returns row r of a matrix.
func rowOf(m blas64.General, r int) []float64 { return m.Data[r*m.Stride : r*m.Stride+m.Cols] }

// read returns the vectors of some words, as they are after the first so many steps. They are
// valid until the next call.
func (e *side) read(ids []int, steps int) (blas64.General, error) {
	block := e.block
	block.Rows = len(ids)
	one := func(i int) {
		row := e.raw.Row(i)
		e.rows.Read(row, ids[i])
		wide := rowOf(block, i)
		for k, x := range row {
			wide[k] = float64(x)
		}
		for step, kind := range e.steps[:steps] {
			switch kind {
			case Unit:
				toUnit(wide)
			case Center:
				for k, x := range e.means[step] {
					wide[k] -= x
				}
			}
		}
	}
	switch {
	case e.file.Streams(): // where going back means beginning again
		e.file.Guard(func() {
			for i := range ids {
				if i > 0 && ids[i] == ids[i-1] {
					copy(rowOf(block, i), rowOf(block, i-1))
					continue
				}
				one(i)
			}
		})
	default:
		parallel.Do(len(ids), func(first, last int) {
			e.file.Guard(func() {
				for i := first; i < last; i++ {
					one(i)
				}
			})
		})
	}
	e.file.Saw(int64(len(ids)) * max(backing.Page/8, 4*int64(block.Cols)))
	return block, e.set.Err()
}

// toUnit makes the length of v 1, unless it is 0.
func toUnit(v []float64) {
	if norm := blas64.Nrm2(vectorOf(v)); norm > 0 && !math.IsInf(norm, 0) {
		for k := range v {
			v[k] /= norm
		}
	}
}

func vectorOf(numbers []float64) blas64.Vector {
	return blas64.Vector{N: len(numbers), Data: numbers, Inc: 1}
}

// center computes the mean that a step takes off: that of the anchors after the steps before it.
func (e *side) center(ctx context.Context, ids []int, step int) error {
	mean := make([]float64, e.set.Dim())
	for first := 0; first < len(ids); first += blockPairs {
		if err := ctx.Err(); err != nil {
			return err
		}
		block, err := e.read(ids[first:min(len(ids), first+blockPairs)], step)
		if err != nil {
			return err
		}
		for r := range block.Rows {
			blas64.Axpy(1, vectorOf(rowOf(block, r)), vectorOf(mean))
		}
	}
	for k := range mean {
		mean[k] /= float64(len(ids))
	}
	e.means[step] = mean
	return nil
}

// prepare computes the means of all steps.
func (e *side) prepare(ctx context.Context, ids []int) error {
	for i, step := range e.steps {
		if step != Center {
			continue
		}
		if err := e.center(ctx, ids, i); err != nil {
			return err
		}
	}
	return nil
}

// hasDirection tells whether a vector is finite and not zero.
func hasDirection(v []float64) bool {
	norm := blas64.Nrm2(vectorOf(v))
	return norm > 0 && !math.IsInf(norm, 0)
}

// rotated sets to, which is as large, to the rows of a block times a rotation, on all cores.
func rotated(to, block, by blas64.General) {
	parallel.Do(block.Rows, func(first, last int) {
		part := func(m blas64.General) blas64.General {
			m.Rows, m.Data = last-first, m.Data[first*m.Stride:]
			return m
		}
		blas64.Gemm(blas.NoTrans, blas.NoTrans, 1, part(block), by, 0, part(to))
	})
}
