package explorer

import (
	"context"
	"math"

	"github.com/w2v-go/w2v/internal/eigen"
	"github.com/w2v-go/w2v/vectors"
)

// compactRows are vectors of which only the direction is kept, with a byte a number.
type compactRows struct {
	dim  int
	data []int8  // dim a word
	kept float64 // see Exported
}

// compactBlock is how many vectors are looked at together.
const compactBlock = 1024

// compact turns the unit vectors of a set such that the first of their dimensions have most of their squared
// length, keeps dim of these, and rounds them.
func compact(ctx context.Context, set *vectors.Set, dim int) (*compactRows, error) {
	d := set.Dim()
	axes, kept, err := principalAxes(ctx, set, dim)
	if err != nil {
		return nil, err
	}
	c := &compactRows{dim: dim, data: make([]int8, set.Len()*dim), kept: kept}
	turned := make([]float64, compactBlock*dim)
	err = eachBlock(ctx, set, func(first, n int, units []float64) error {
		if err := eigen.Multiply(ctx, turned[:n*dim], units, false, axes, false, n, d, dim); err != nil {
			return err
		}
		for i := range n {
			roundRow(c.data[(first+i)*dim:(first+i+1)*dim], turned[i*dim:(i+1)*dim])
		}
		return nil
	})
	return c, err
}

// roundRow scales a row such that its largest number is 127, and rounds it.
func roundRow(dst []int8, row []float64) {
	var largest float64
	for _, x := range row {
		largest = max(largest, math.Abs(x))
	}
	for k, x := range row {
		if dst[k] = 0; largest > 0 {
			dst[k] = int8(math.RoundToEven(x / largest * 127))
		}
	}
}

// principalAxes returns the directions in which unit vectors have most of their squared length, as dim columns,
// and the share that they have. The vectors are not centred: cosines with the mean taken off are others.
func principalAxes(ctx context.Context, set *vectors.Set, dim int) (axes []float64, kept float64, err error) {
	d := set.Dim()
	sum, part := make([]float64, d*d), make([]float64, d*d)
	err = eachBlock(ctx, set, func(_, n int, units []float64) error {
		if err := eigen.Multiply(ctx, part, units, true, units, false, d, n, d); err != nil {
			return err
		}
		for i, x := range part {
			sum[i] += x
		}
		return nil
	})
	if err != nil {
		return nil, 0, err
	}
	values, all, err := eigen.Symmetric(ctx, sum, d, nil)
	if err != nil {
		return nil, 0, err
	}
	axes = make([]float64, d*dim)
	for k := range d {
		copy(axes[k*dim:(k+1)*dim], all[k*d:k*d+dim])
	}
	var first, total float64
	for i, v := range values {
		total += max(0, v)
		if i < dim {
			first += max(0, v)
		}
	}
	if total > 0 {
		kept = first / total
	}
	return axes, kept, nil
}

// eachBlock visits the unit vectors of a set, some at a time; zeros for words without direction.
func eachBlock(ctx context.Context, set *vectors.Set, visit func(first, n int, units []float64) error) error {
	d := set.Dim()
	units, unit := make([]float64, 0, compactBlock*d), make([]float32, d)
	first := 0
	for id, v := range set.All() {
		vectors.Unit(unit, v)
		for _, x := range unit {
			units = append(units, float64(x))
		}
		if n := id + 1 - first; n == compactBlock || id+1 == set.Len() {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := visit(first, n, units); err != nil {
				return err
			}
			first, units = id+1, units[:0]
		}
	}
	return set.Err()
}

const (
	recallWords     = 500 // that are looked at
	recallNeighbors = 10
)

// recall returns how many of the nearest words of a set are so by the compact rows too, on the average over words
// that are spread over the set.
func (c *compactRows) recall(ctx context.Context, set *vectors.Set) (float64, error) {
	rows := vectors.NewMatrix(set.Len(), c.dim)
	for i := range rows.Rows {
		for k, q := range c.data[i*c.dim : (i+1)*c.dim] {
			rows.Row(i)[k] = float32(q)
		}
	}
	small, err := vectors.New(vectors.Parts{Words: set.Words(), Input: rows})
	if err != nil {
		return 0, err
	}
	n := min(recallWords, set.Len())
	exact, rounded := make([]vectors.Query, n), make([]vectors.Query, n)
	for i := range n {
		id := int(int64(i) * int64(set.Len()) / int64(n))
		exact[i] = vectors.Query{Vector: make([]float32, set.Dim()), K: recallNeighbors, Skip: []int{id}}
		set.WordVector(exact[i].Vector, id)
		rounded[i] = vectors.Query{Vector: rows.Row(id), K: recallNeighbors, Skip: []int{id}}
	}
	want, err := set.Nearest(ctx, exact...)
	if err != nil {
		return 0, err
	}
	got, err := small.Nearest(ctx, rounded...)
	if err != nil {
		return 0, err
	}
	found, all := 0, 0
	for i := range n {
		near := map[int]bool{}
		for _, x := range got[i] {
			near[x.ID] = true
		}
		for _, x := range want[i] {
			all++
			found += btoi(near[x.ID])
		}
	}
	if all == 0 {
		return 1, nil
	}
	return float64(found) / float64(all), nil
}
