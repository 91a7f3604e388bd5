package sgns

import (
	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/vectors"
)

// A common is a matrix so small that every block of every worker changes all of it. Each
// worker trains a copy of its own, and hands over what that has moved by after every
// text: workers do not wait for each other's cache lines.
type common struct {
	shared vectors.Matrix
	own    simd.Block // what the worker trains
	began  simd.Block // what it was when it was taken
	rows   simd.Lists // each row alone
	all    []uint32
}

func newCommon(shared vectors.Matrix) common {
	c := common{
		shared: shared,
		own:    newRows(shared.Rows, shared.Cols),
		began:  newRows(shared.Rows, shared.Cols),
		rows:   eachAlone(shared.Rows),
	}
	for i := range shared.Rows {
		c.all = append(c.all, uint32(i))
	}
	return c
}

// take takes the matrix as it is.
func (c *common) take() {
	simd.GatherLists(c.own, c.shared.Data, c.shared.Stride, c.rows, c.all)
	copy(c.began.Data, c.own.Data)
}

// give adds to the matrix what the worker's copy has moved by since it was taken.
func (c *common) give() {
	for i, began := range c.began.Data {
		c.began.Data[i] = c.own.Data[i] - began
	}
	simd.ScatterLists(c.shared.Data, c.shared.Stride, c.rows, c.all, c.began)
}

// take takes what the block has copies of, and give hands over how these have changed.
func (b *block) take() {
	if b.projection != nil {
		b.projection.take()
	}
	if b.positions != nil {
		b.positions.take()
	}
}

func (b *block) give() {
	if b.projection != nil {
		b.projection.give()
	}
	if b.positions != nil {
		b.positions.give()
	}
}
