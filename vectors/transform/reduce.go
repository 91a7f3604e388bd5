package transform

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"

	"github.com/w2v-go/w2v/internal/eigen"
	"github.com/w2v-go/w2v/vectors"
	"golang.org/x/sync/errgroup"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// A Reduction says what Reduce has done.
type Reduction struct {
	// VarianceKept is the share, from 0 to 1, of the variance of the words' vectors that the new
	// vectors keep.
	VarianceKept float64
	// NotFinite is how many words have a vector with a NaN or an infinity in it. They do not count
	// in mean and variance, and their new vectors are not finite either.
	NotFinite int
}

// maxReduce is the largest number of dimensions that Reduce takes: time grows with the third
// power of it, to a quarter of an hour at this one.
const maxReduce = 1 << 13

// Reduce returns the words of s with the dim principal components of their vectors: Reduce
// subtracts the mean of all words' vectors, and rotates the rest so that the first new dimension
// has the largest variance, and so on. It is exact, in float64, and does not depend on the number
// of cores. The sign of a component is chosen so that its largest number is positive.
//
// N-grams stay. Every row is mapped alike, and mapping preserves means, so words outside the
// vocabulary have the mapped vectors of s. Untrained buckets are zeros in s and share the image of
// zero. In a set with n-gram rows only, a word without n-grams keeps its zeros. Rows of word
// n-grams are mapped, too. Hash embeddings are not means of rows: only the words of the vocabulary
// are kept, as in Plain.
//
// Context vectors are left out. Rows are mapped on demand. If the context ends, Reduce returns its
// error within about a second. It returns a *MemoryError if there is too little memory.
func Reduce(ctx context.Context, s *vectors.Set, dim int, how Computation) (*vectors.Set, Reduction, error) {
	var done Reduction
	if s.Learned().Any() {
		s = s.Plain()
	}
	switch d := s.Dim(); {
	case dim < 1:
		return nil, done, fmt.Errorf("%d dimensions asked for, must be at least 1", dim)
	case dim > d:
		return nil, done, fmt.Errorf("%d dimensions asked for, there are %d", dim, d)
	case d > maxReduce:
		return nil, done, fmt.Errorf("%d dimensions, at most %d can be reduced: take the first ones as they are", d, maxReduce)
	}
	what := fmt.Sprintf("principal components of %d dimensions", s.Dim())
	if err := how.affords(axesBytes(s.Dim()), what, "take the first dimensions as they are, which needs none"); err != nil {
		return nil, done, err
	}
	if err := s.Check(); err != nil {
		return nil, done, err
	}
	mean, finite, _, err := mean(ctx, s, how.step(what, 0, 0.1))
	if err != nil {
		return nil, done, err
	}
	if finite == 0 {
		return nil, done, errors.New("there are no words with finite vectors to reduce the dimensions of")
	}
	done.NotFinite = s.Len() - finite
	scatter, _, err := scatter(ctx, s, s.Rows(), mean, how.step(what, 0.1, 0.5))
	if err != nil {
		return nil, done, err
	}
	axes, variances, err := principal(ctx, scatter, how.step(what, 0.5, 1))
	if err != nil {
		return nil, done, err
	}
	done.VarianceKept = share(variances, dim)
	axes.Cols = dim
	m := mapped(s, affineMap{mean, dim, onto(axes), "mapped to principal components"})
	m.Training.Set("nested", "") // other dimensions come first
	reduced, err := vectors.New(m)
	return reduced, done, err
}

// blockRows is the number of rows processed together.
const blockRows = 1024

// axesBytes is about the memory for computing the axes of so many dimensions: the scatter matrix, its
// eigenvectors, and blocks of rows.
func axesBytes(dim int) float64 {
	d := float64(dim)
	return 8*d*d + eigen.Bytes(dim) + blockRows*(4+8)*d
}

// eachBlock calls visit with the rows of m, which belongs to s, in turn, some at a time,
// which are read on all cores. Step is told how much has been visited.
func eachBlock(ctx context.Context, s *vectors.Set, m vectors.Matrix, step func(done float64), visit func(first int, block vectors.Matrix) error) error {
	block := vectors.NewMatrix(min(blockRows, m.Rows), m.Cols)
	for first := 0; first < m.Rows; first += blockRows {
		if err := ctx.Err(); err != nil {
			return err
		}
		step(float64(first) / float64(m.Rows))
		block.Rows = min(blockRows, m.Rows-first)
		read := func(from, to int) {
			for i := from; i < to; i++ {
				m.Read(block.Row(i), first+i)
			}
		}
		if sequential(s) {
			read(0, block.Rows)
		} else {
			inParallel(s, block.Rows, read)
		}
		if err := s.Err(); err != nil {
			return err
		}
		if err := visit(first, block); err != nil {
			return err
		}
		behind(s).Saw(4 * int64(block.Rows) * int64(block.Cols))
	}
	step(1)
	return nil
}

// mean returns the mean of all words' vectors that are finite, how many are, and the sum of the
// squares of all their numbers.
func mean(ctx context.Context, s *vectors.Set, step func(done float64)) (mean []float64, finite int, squares float64, err error) {
	mean = make([]float64, s.Dim())
	err = eachBlock(ctx, s, s.Rows(), step, func(_ int, block vectors.Matrix) error {
		for r := range block.Rows {
			row := block.Row(r)
			if !vectors.Finite(row) {
				continue
			}
			finite++
			for k, x := range row {
				mean[k] += float64(x)
				squares += float64(x) * float64(x)
			}
		}
		return nil
	})
	for k := range mean {
		mean[k] /= float64(finite)
	}
	return mean, finite, squares, err
}

// band is how many rows of the scatter matrix a core adds to at a time.
const band = 32

// scatter returns the sum of the products of the finite rows' differences from the
// mean: of the vectors of words that is the covariance times their number. Only the
// diagonal and the numbers above it are set. Every number is summed in the order of the
// rows. The first row that is not finite is returned too, -1 if there is none.
func scatter(ctx context.Context, s *vectors.Set, m vectors.Matrix, mean []float64, step func(done float64)) (sum blas64.General, notFinite int, err error) {
	d := m.Cols
	sum = blas64.General{Rows: d, Cols: d, Stride: d, Data: make([]float64, d*d)}
	notFinite = -1
	buffer := make([]float64, min(blockRows, m.Rows)*d)
	err = eachBlock(ctx, s, m, step, func(first int, block vectors.Matrix) error {
		n := 0
		for r := range block.Rows {
			row := block.Row(r)
			if !vectors.Finite(row) {
				if notFinite < 0 {
					notFinite = first + r
				}
				continue
			}
			to := buffer[n*d:]
			for k, x := range row {
				to[k] = float64(x) - mean[k]
			}
			n++
		}
		if n == 0 {
			return nil
		}
		g, ctx := errgroup.WithContext(ctx)
		g.SetLimit(runtime.GOMAXPROCS(0))
		for first := 0; first < d; first += band {
			g.Go(func() error {
				if err := ctx.Err(); err != nil {
					return err
				}
				width := min(band, d-first)
				blas64.Gemm(blas.Trans, blas.NoTrans, 1,
					blas64.General{Rows: n, Cols: width, Stride: d, Data: buffer[first:]},
					blas64.General{Rows: n, Cols: d - first, Stride: d, Data: buffer[first:]},
					1, blas64.General{Rows: width, Cols: d - first, Stride: d, Data: sum.Data[first*d+first:]})
				return nil
			})
		}
		return g.Wait()
	})
	return sum, notFinite, err
}

// principal returns the axes of a scatter matrix, one a column, that of largest variance
// first, and the variances, times what the matrix is of.
func principal(ctx context.Context, scatter blas64.General, step func(done float64)) (axes blas64.General, variances []float64, err error) {
	d := scatter.Rows
	variances, vectors, err := eigen.Symmetric(ctx, scatter.Data, d, step)
	if err != nil {
		return axes, nil, fmt.Errorf("principal components: %w", err)
	}
	axes = blas64.General{Rows: d, Cols: d, Stride: d, Data: vectors}
	axis := make([]float64, d)
	for i := range d {
		variances[i] = max(0, variances[i]) // rounding may make it negative
		for k := range axis {
			axis[k] = vectors[k*d+i]
		}
		if largestNumber(axis) < 0 {
			for k := range axis {
				vectors[k*d+i] = -vectors[k*d+i]
			}
		}
	}
	return axes, variances, nil
}

// share returns the share of all variances that the first n have.
func share(variances []float64, n int) float64 {
	var kept, all float64
	for i, v := range variances {
		if all += v; i < n {
			kept += v
		}
	}
	if all == 0 {
		return 1 // there is no variance to lose
	}
	return kept / all
}

// largestNumber returns the number farthest from zero, the first if there are several.
func largestNumber(numbers []float64) float64 {
	var largest float64
	for _, x := range numbers {
		if math.Abs(x) > math.Abs(largest) {
			largest = x
		}
	}
	return largest
}

// Axes are orthogonal directions of the space of a set. They are ordered by the share of the words'
// vectors along them.
type Axes struct {
	// Rotation has Dim × Dim numbers, row by row: v·Rotation are the coordinates of v on the axes,
	// the first axis first. Rotate takes it.
	Rotation []float64
	// Squares[i] is the share, from 0 to 1, of the squares of the words' vectors that is on the first
	// i+1 axes.
	Squares []float64
}

// PrincipalAxes returns the axes of the words' vectors without taking off their mean: the right
// singular vectors of the matrix of all vectors. So the first n coordinates keep as much of lengths
// and dot products as n numbers that are linear in a vector can (Eckart and Young 1936). The result
// is exact, in float64, and does not depend on the number of cores. The sign of an axis is chosen
// so that its largest number is positive. Words whose vectors are not finite do not count.
//
// If the context ends, PrincipalAxes returns its error within about a second. It returns a
// *MemoryError if there is too little memory.
func PrincipalAxes(ctx context.Context, s *vectors.Set, how Computation) (Axes, error) {
	d := s.Dim()
	if d > maxReduce {
		return Axes{}, fmt.Errorf("%d dimensions, at most %d have axes that can be computed: take the first ones as they are", d, maxReduce)
	}
	what := fmt.Sprintf("principal axes of %d dimensions", d)
	if err := how.affords(axesBytes(d), what, "take the first dimensions as they are, which needs none"); err != nil {
		return Axes{}, err
	}
	if err := s.Check(); err != nil {
		return Axes{}, err
	}
	scatter, _, err := scatter(ctx, s, s.Rows(), make([]float64, d), how.step(what, 0, 0.5))
	if err != nil {
		return Axes{}, err
	}
	axes, squares, err := principal(ctx, scatter, how.step(what, 0.5, 1))
	if err != nil {
		return Axes{}, err
	}
	if squares[0] == 0 {
		return Axes{}, errors.New("there are no words with finite vectors that are not zero")
	}
	all := Axes{Rotation: axes.Data, Squares: make([]float64, d)}
	for i := range all.Squares {
		all.Squares[i] = share(squares, i+1)
	}
	return all, nil
}
