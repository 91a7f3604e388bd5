package align

import (
	"context"
	"math"
	"runtime"
	"sync/atomic"

	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/internal/parallel"
)

const (
	// scanQueries and scanRows are how many queries share a pass over the rows, and how many rows
	// are scored at a time. Neither depends on the number of cores.
	scanQueries = 64
	scanRows    = 256
)

// A found row and how well it scores.
type found struct {
	row   int
	score float32
}

// A scan looks for the rows that score best for each of some queries. All are unit vectors, or have
// a NaN where there is no direction: nothing is found for such a query, and no such row is found.
type scan struct {
	queries, rows vectors.Matrix
	k             int
	// penalty of each row is taken off twice the cosine, as CSLS does; nil for the cosine itself.
	penalty []float32
	// self of each query is a row that is left out, -1 for none; nil leaves out none.
	self []int
	// progress, if not nil, is told which share of the queries is done.
	progress func(done float64)
}

// run calls visit once with the best rows of each query, best first and of equal ones the lower
// row first. Calls for different queries overlap.
func (s scan) run(ctx context.Context, visit func(query int, best []found)) error {
	blocks := (s.queries.Rows + scanQueries - 1) / scanQueries
	var taken, done atomic.Int64
	var g parallel.Group
	for range max(1, min(runtime.GOMAXPROCS(0), blocks)) {
		g.Go(func() error {
			w := newScanner(s)
			for {
				first := int(taken.Add(1)-1) * scanQueries
				if first >= s.queries.Rows {
					return nil
				}
				if err := w.block(ctx, first, min(scanQueries, s.queries.Rows-first), visit); err != nil {
					return err
				}
				if n := done.Add(1); s.progress != nil {
					s.progress(float64(n) / float64(blocks))
				}
			}
		})
	}
	return g.Wait()
}

// A scanner is the memory of a worker.
type scanner struct {
	scan
	products []float32
	best     [][]found
}

func newScanner(s scan) *scanner {
	w := &scanner{scan: s, products: make([]float32, scanQueries*scanRows), best: make([][]found, scanQueries)}
	for q := range w.best {
		w.best[q] = make([]found, 0, s.k+1)
	}
	return w
}

// block scans all rows for n queries.
func (w *scanner) block(ctx context.Context, first, n int, visit func(query int, best []found)) error {
	for q := range n {
		w.best[q] = w.best[q][:0]
	}
	for row := 0; row < w.rows.Rows; row += scanRows {
		if row%(1<<16) == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		rows := min(scanRows, w.rows.Rows-row)
		simd.Dots(w.products, scanRows, w.queries.Data[first*w.queries.Stride:], w.queries.Stride, n,
			w.rows.Data[row*w.rows.Stride:], w.rows.Stride, rows, w.rows.Cols)
		for q := range n {
			w.offer(q, first+q, row, w.products[q*scanRows:q*scanRows+rows])
		}
	}
	for q := range n {
		visit(first+q, w.best[q])
	}
	return nil
}

// offer keeps the products that are among the best of a query.
func (w *scanner) offer(q, query, row int, products []float32) {
	best, floor := w.best[q], float32(math.Inf(-1))
	if len(best) == w.k {
		floor = best[w.k-1].score
	}
	for i, x := range products {
		if w.penalty != nil {
			x = 2*x - w.penalty[row+i]
		}
		if !(x > floor) || w.self != nil && w.self[query] == row+i {
			continue
		}
		at := len(best)
		best = append(best, found{row + i, x})
		for ; at > 0 && best[at-1].score < x; at-- {
			best[at] = best[at-1]
		}
		best[at] = found{row + i, x}
		if len(best) > w.k {
			best = best[:w.k]
		}
		if len(best) == w.k {
			floor = best[w.k-1].score
		}
	}
	w.best[q] = best
}

// unitRows returns the unit vectors of words of a set; with a NaN where there is no direction.
func unitRows(s *vectors.Set, ids []int) (vectors.Matrix, error) {
	m, rows := vectors.NewMatrix(len(ids), s.Dim()), s.Rows()
	file := s.SharedParts().File
	read := func(first, last int) {
		file.Guard(func() {
			for i := first; i < last; i++ {
				rows.Read(m.Row(i), ids[i])
				if !vectors.Unit(m.Row(i), m.Row(i)) {
					m.Row(i)[0] = float32(math.NaN()) // which no product with it is larger than anything
				}
			}
		})
	}
	if file.Streams() {
		read(0, len(ids))
	} else {
		parallel.Do(len(ids), read)
	}
	return m, s.Err()
}
