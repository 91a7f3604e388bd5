package projection

import (
	"context"
	"math"

	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/vectors"
)

// A near is, for each of some rows of length 1, the same number of nearest other rows, the nearest first, and
// of equal ones the lower number first.
type near struct {
	k       int
	ids     []int32   // k for each row
	cosines []float32 // with them
}

func (n near) len() int {
	if n.k == 0 {
		return 0
	}
	return len(n.ids) / n.k
}

// row returns the list of row i.
func (n near) row(i int) ([]int32, []float32) {
	return n.ids[i*n.k : (i+1)*n.k], n.cosines[i*n.k : (i+1)*n.k]
}

func newNear(rows, k int) near {
	return near{k: k, ids: make([]int32, rows*k), cosines: make([]float32, rows*k)}
}

// cut returns the first k of each list.
func (n near) cut(k int) near {
	if k == n.k {
		return n
	}
	short := newNear(n.len(), k)
	for i := range n.len() {
		ids, cosines := n.row(i)
		to, too := short.row(i)
		copy(to, ids)
		copy(too, cosines)
	}
	return short
}

// exactWords is up to how many words all pairs are compared.
const exactWords = 32_768

// nearest finds the neighbours of all rows: of each as many as the options say, without itself.
func nearest(ctx context.Context, rows vectors.Matrix, o UMAPOptions, report *reporter, end float64) (near, error) {
	k := min(o.Neighbors, rows.Rows) - 1
	step := report.stage("nearest neighbours", end)
	if rows.Rows <= exactWords {
		return exactNear(ctx, rows, k, o.Threads, step)
	}
	n, err := descend(ctx, rows, listLength(rows.Rows, o.Neighbors), o, step)
	return n.cut(k), err
}

const (
	// queryRows is how many rows are compared with blockRows others at a time: both, and their products,
	// stay in the second-level cache.
	queryRows = 64
	blockRows = 256
)

// exactNear compares all pairs of rows.
func exactNear(ctx context.Context, rows vectors.Matrix, k, threads int, step func(done float64)) (near, error) {
	found := newNear(rows.Rows, k)
	if k == 0 {
		return found, ctx.Err()
	}
	products := make([][]float32, threads)
	for w := range products {
		products[w] = make([]float32, queryRows*blockRows)
	}
	err := each(ctx, threads, rows.Rows, queryRows, step, func(worker, first, last int) {
		lists := make([]ranked, last-first)
		for q := range lists {
			lists[q].ids, lists[q].cosines = found.row(first + q)
		}
		for from := 0; from < rows.Rows && ctx.Err() == nil; from += blockRows {
			n := min(blockRows, rows.Rows-from)
			simd.Dots(products[worker], blockRows, rows.Data[first*rows.Stride:], rows.Stride, last-first,
				rows.Data[from*rows.Stride:], rows.Stride, n, rows.Cols)
			for q := range lists {
				list := &lists[q]
				floor := list.floor()
				for i, x := range products[worker][q*blockRows : q*blockRows+n] {
					if x > floor && from+i != first+q {
						list.offer(int32(from+i), x)
						floor = list.floor()
					}
				}
			}
		}
	})
	return found, err
}

// A ranked is a list of the best of the rows that were offered, the best first, and of equal ones
// the one first that was offered first. Its slices have the room for all that it may keep.
type ranked struct {
	n       int
	ids     []int32
	cosines []float32
}

// floor is what a row must be better than to be kept.
func (r *ranked) floor() float32 {
	if r.n < len(r.ids) {
		return float32(math.Inf(-1))
	}
	return r.cosines[r.n-1]
}

// offer puts a row in its place, which is above the floor.
func (r *ranked) offer(id int32, cosine float32) {
	if r.n < len(r.ids) {
		r.n++
	}
	at := r.n - 1
	for at > 0 && r.cosines[at-1] < cosine {
		r.ids[at], r.cosines[at] = r.ids[at-1], r.cosines[at-1]
		at--
	}
	r.ids[at], r.cosines[at] = id, cosine
}
