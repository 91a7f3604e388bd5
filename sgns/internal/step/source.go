package step

import (
	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/vectors"
)

// A Source is a matrix in which the vectors of words are rows: those of the model, or composed
// ones.
type Source struct {
	vectors.Matrix
	Frozen []bool // rows that stay as they are; nil for none
	Cached bool   // rows were composed, and are in a near cache
}

// alone is a weight for each row of a block, and where its list begins that has one row.
var alone = func() (a struct {
	starts  [simd.Lanes + 1]uint64
	weights [simd.Lanes]float32
}) {
	for i := range a.starts {
		a.starts[i] = uint64(i)
	}
	for i := range a.weights {
		a.weights[i] = 1
	}
	return a
}()

// lists returns up to simd.Lanes rows as that many lists.
func lists(rows []uint32) simd.Lists {
	return simd.Lists{Starts: alone.starts[:], Rows: rows, Weights: alone.weights[:]}
}

// Gather sets row i of dst to row rows[i] of the source. There are at most simd.Lanes rows.
func (s *Source) Gather(dst simd.Block, rows []uint32) {
	simd.GatherLists(dst, s.Data, s.Stride, lists(rows), InOrder[:len(rows)])
}

// Scatter adds row i of delta to row rows[i] of the source, unless that is frozen.
func (s *Source) Scatter(rows []uint32, delta simd.Block) {
	if s.Frozen == nil {
		simd.ScatterLists(s.Data, s.Stride, lists(rows), InOrder[:len(rows)], delta)
		return
	}
	for i, row := range rows {
		if !s.Frozen[row] {
			simd.ScatterLists(s.Data, s.Stride, lists(rows[i:i+1]), InOrder[:1], delta.Slice(i, i+1))
		}
	}
}
