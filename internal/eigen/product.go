package eigen

import (
	"context"
	"runtime"

	"golang.org/x/sync/errgroup"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// bandWork is about how many multiplications are done between two looks at the context.
const bandWork = 1 << 27

// Multiply sets c to the product of a and b, each transposed first if asked for. Matrices are
// row by row, without gaps: a is n × m, and b m × p, when they have been transposed.
func Multiply(ctx context.Context, c, a []float64, transposeA bool, b []float64, transposeB bool, n, m, p int) error {
	op := func(transpose bool) blas.Transpose {
		if transpose {
			return blas.Trans
		}
		return blas.NoTrans
	}
	matrix := func(data []float64, rows, cols int, transposed bool) blas64.General {
		if transposed {
			rows, cols = cols, rows
		}
		return blas64.General{Rows: rows, Cols: cols, Stride: cols, Data: data}
	}
	right := matrix(b, m, p, transposeB)
	return inBands(ctx, n, min(64, max(1, bandWork/(m*p))), func(first, last int) {
		left := matrix(a, n, m, transposeA)
		if transposeA {
			left.Data, left.Cols = a[first:], last-first
		} else {
			left.Data, left.Rows = a[first*m:], last-first
		}
		to := blas64.General{Rows: last - first, Cols: p, Stride: p, Data: c[first*p:]}
		blas64.Gemm(op(transposeA), op(transposeB), 1, left, right, 0, to)
	})
}

// cores is how many goroutines work at once.
func cores() int { return runtime.GOMAXPROCS(0) }

// inBands calls do for rows first to last-1, so many at a time, until all n are done or
// the context ends, which is its error then.
func inBands(ctx context.Context, n, size int, do func(first, last int)) error {
	if n <= size || cores() == 1 {
		for first := 0; first < n; first += size {
			if err := ctx.Err(); err != nil {
				return err
			}
			do(first, min(first+size, n))
		}
		return ctx.Err()
	}
	var g errgroup.Group
	g.SetLimit(cores())
	for first := 0; first < n && ctx.Err() == nil; first += size {
		g.Go(func() error {
			do(first, min(first+size, n))
			return nil
		})
	}
	_ = g.Wait() // work cannot fail
	return ctx.Err()
}
