// Package scan finds, for each of many vectors, the rows that have the largest dot products with it.
package scan

import (
	"cmp"
	"context"
	"math"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/internal/parallel"
)

const (
	// queryBlock queries share a pass over the rows, and rowBlock rows are scored at a time: they and their
	// products fit into the second-level cache. Neither depends on the number of cores.
	queryBlock = 64
	rowBlock   = 256
)

// A Found is a row and its score.
type Found struct {
	Row   int
	Score float32
}

// A Scan finds the K rows that score best for each query. Queries and rows are unit vectors, or have a NaN if
// they have no direction: such a query finds nothing, and such a row is never found.
type Scan struct {
	Queries, Rows vectors.Matrix
	K             int
	Penalty       []float32          // of each row, subtracted from twice the cosine, as in CSLS; nil scores by the cosine itself
	Self          []int              // the row that each query leaves out; nil leaves out nothing
	Threads       int                // 0 means GOMAXPROCS
	Progress      func(done float64) // called with the share of the queries that is done; may be nil
}

// Run calls visit once for each query with the best rows, the best first; of equal rows the lower row comes
// first. Calls for different queries overlap; those of Progress do not.
func (s Scan) Run(ctx context.Context, visit func(query int, best []Found)) error {
	blocks := (s.Queries.Rows + queryBlock - 1) / queryBlock
	var taken atomic.Int64
	var mu sync.Mutex
	done := 0
	var g parallel.Group
	for range max(1, min(cmp.Or(s.Threads, runtime.GOMAXPROCS(0)), blocks)) {
		g.Go(func() error {
			products, best := make([]float32, queryBlock*rowBlock), make([][]Found, queryBlock)
			for {
				first := int(taken.Add(1)-1) * queryBlock
				if first >= s.Queries.Rows {
					return nil
				}
				n := min(queryBlock, s.Queries.Rows-first)
				if err := s.block(ctx, first, best[:n], products); err != nil {
					return err
				}
				for q := range n {
					visit(first+q, best[q])
				}
				mu.Lock()
				if done++; s.Progress != nil {
					s.Progress(float64(done) / float64(blocks))
				}
				mu.Unlock()
			}
		})
	}
	return g.Wait()
}

func (s *Scan) block(ctx context.Context, first int, best [][]Found, products []float32) error {
	for q := range best {
		best[q] = best[q][:0]
	}
	for row := 0; row < s.Rows.Rows; row += rowBlock {
		if row%(1<<16) == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		n := min(rowBlock, s.Rows.Rows-row)
		simd.Dots(products, rowBlock, s.Queries.Data[first*s.Queries.Stride:], s.Queries.Stride, len(best),
			s.Rows.Data[row*s.Rows.Stride:], s.Rows.Stride, n, s.Rows.Cols)
		for q := range best {
			best[q] = s.offer(best[q], first+q, row, products[q*rowBlock:q*rowBlock+n])
		}
	}
	return nil
}

func (s *Scan) offer(best []Found, query, row int, products []float32) []Found {
	floor, skip, penalty := float32(math.Inf(-1)), -1, s.Penalty
	if len(best) == s.K {
		floor = best[s.K-1].Score
	}
	if s.Self != nil {
		skip = s.Self[query] - row
	}
	for i, x := range products {
		if penalty != nil {
			x = 2*x - penalty[row+i]
		}
		if x > floor && i != skip {
			if best = s.insert(best, Found{row + i, x}); len(best) == s.K {
				floor = best[s.K-1].Score
			}
		}
	}
	return best
}

// insert adds a row behind those of the same score, and keeps the best K.
func (s *Scan) insert(best []Found, f Found) []Found {
	if len(best) < s.K {
		best = append(best, f)
	}
	at := len(best) - 1
	for ; at > 0 && best[at-1].Score < f.Score; at-- {
		best[at] = best[at-1]
	}
	best[at] = f
	return best
}
