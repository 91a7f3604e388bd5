package eigen

import (
	"context"
	"runtime"

	"golang.org/x/sync/errgroup"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// bandWork is about how many multiplications are done between two checks of the context.
const bandWork = 1 << 27

// Multiply sets c to the product of a and b. Each of them can be transposed first. Matrices are
// stored row by row, without gaps. After transposition, a is n × m and b is m × p.
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

// cores returns how many goroutines work at once.
func cores() int { return runtime.GOMAXPROCS(0) }

// inBands calls do for bands of rows, first to last-1, until all n rows are done. It returns the
// context's error if the context ends before.
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
	_ = g.Wait() // the functions return no errors
	return ctx.Err()
}
