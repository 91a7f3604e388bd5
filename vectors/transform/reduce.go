package transform

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/w2v-go/w2v/internal/eigen"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/internal/backing"
	"gonum.org/v1/gonum/blas/blas64"
)

// A Reduction says what Reduce has done.
type Reduction struct {
	VarianceKept float64 // share, from 0 to 1, of the variance of the words' vectors that the new vectors keep
	NotFinite    int     // see Statistic
}

// MaxReduced is the largest number of dimensions that Reduce and Merge take together. It limits their time, which grows with its third power, to a quarter of an hour.
const MaxReduced = 1 << 13

// Reduce returns the words of s with the dim principal components of their vectors: it subtracts the mean of
// all words' vectors, and rotates the rest so that the first new dimension has the largest variance, and so
// on. It is exact, in float64, and does not depend on the number of cores. The sign of a component is chosen
// so that its largest number is positive.
//
// N-grams stay. Every row is mapped alike, and mapping preserves means, so words outside the vocabulary have
// the mapped vectors of s. Untrained buckets share the image of zero. In a set with n-gram rows only, a word
// without n-grams keeps its zeros. Hash embeddings are not means of rows: only the words of the vocabulary
// are kept, as in Plain. Context vectors are left out.
func Reduce(ctx context.Context, s *vectors.Set, dim int, how Computation) (*vectors.Set, Reduction, error) {
	var done Reduction
	switch d := s.Dim(); {
	case dim < 1:
		return nil, done, fmt.Errorf("%d dimensions asked for, must be at least 1", dim)
	case dim > d:
		return nil, done, fmt.Errorf("%d dimensions asked for, there are %d", dim, d)
	case d > MaxReduced:
		return nil, done, fmt.Errorf("%d dimensions, at most %d can be reduced: take the first ones as they are", d, MaxReduced)
	}
	a := analysis{what: fmt.Sprintf("principal components of %d dimensions", s.Dim()), how: how}
	if err := how.affords(axesBytes(s.Dim()), a.what, "take the first dimensions as they are, which needs none"); err != nil {
		return nil, done, err
	}
	if err := a.findMean(ctx, s, "reduce the dimensions", 0.1); err != nil {
		return nil, done, err
	}
	done.NotFinite = a.of.NotFinite
	if err := a.findAxes(ctx, 0.1); err != nil {
		return nil, done, err
	}
	done.VarianceKept = share(a.variances, dim)
	a.axes.Cols = dim
	reduced, err := a.mapped(dim, onto(a.axes), "mapped to principal components")
	return reduced, done, err
}

const blockRows = 1024

// axesBytes is about the memory for computing axes: the scatter matrix, its eigenvectors, and blocks of rows.
func axesBytes(dim int) float64 {
	d := float64(dim)
	return 8*d*d + eigen.Bytes(dim) + blockRows*(4+8)*d
}

// eachBlock calls visit with the rows of m, whose file is behind, in turn, up to size at a time, which are read
// on all cores. Rows of a block follow each other without gaps. Step, if not nil, is told how much has been
// visited.
func eachBlock(ctx context.Context, behind *backing.File, m vectors.Matrix, size int, step func(done float64), visit func(first int, block vectors.Matrix) error) error {
	if step == nil {
		step = func(float64) {}
	}
	numbers := make([]float32, min(size, m.Rows)*m.Cols)
	for first := 0; first < m.Rows; first += size {
		if err := ctx.Err(); err != nil {
			return err
		}
		step(float64(first) / float64(m.Rows))
		n := min(size, m.Rows-first)
		block := vectors.Matrix{Data: numbers[:n*m.Cols], Rows: n, Cols: m.Cols, Stride: m.Cols}
		behind.InTurn(n, func(from, to int) {
			for i := from; i < to; i++ {
				m.Read(block.Row(i), first+i)
			}
		})
		if err := behind.Err(); err != nil {
			return err
		}
		if err := visit(first, block); err != nil {
			return err
		}
		behind.Saw(4 * int64(len(block.Data)))
	}
	step(1)
	return nil
}

// An analysis finds the mean and the principal components of words' vectors.
type analysis struct {
	what      string // is computed, for messages
	how       Computation
	set       *vectors.Set // whose rows are to be mapped: a set, or its plain words
	of        Statistic
	mean      []float64
	axes      blas64.General // columns, the one of largest variance first
	variances []float64      // along axes, times the number of words
}

// findMean finds the mean of the finite vectors of s, up to the share end of the work. purpose is for
// messages.
func (a *analysis) findMean(ctx context.Context, s *vectors.Set, purpose string, end float64) error {
	if a.set = s; s.Learned().Any() {
		a.set = s.Plain()
	}
	if err := a.set.Check(); err != nil {
		return err
	}
	a.mean = make([]float64, s.Dim())
	var squares float64
	err := eachBlock(ctx, behind(a.set), a.set.Rows(), blockRows, a.how.step(a.what, 0, end), func(_ int, block vectors.Matrix) error {
		for r := range block.Rows {
			row := block.Row(r)
			if !vectors.Finite(row) {
				continue
			}
			a.of.Words++
			for k, x := range row {
				a.mean[k] += float64(x)
				squares += float64(x) * float64(x)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	if a.of.Words == 0 {
		return fmt.Errorf("there are no words with finite vectors to %s of", purpose)
	}
	var norm float64
	for k := range a.mean {
		a.mean[k] /= float64(a.of.Words)
		norm += a.mean[k] * a.mean[k]
	}
	a.of.NotFinite = s.Len() - a.of.Words
	a.of.MeanNorm, a.of.RootMeanSquare = math.Sqrt(norm), math.Sqrt(squares/float64(a.of.Words))
	return nil
}

// findAxes finds the principal components around the mean, from that share of the work on.
func (a *analysis) findAxes(ctx context.Context, begin float64) error {
	sum, _, _, err := scatter(ctx, behind(a.set), a.set.Rows(), a.mean, a.how.step(a.what, begin, 0.5))
	if err == nil {
		a.axes, a.variances, err = principal(ctx, sum, a.how.step(a.what, 0.5, 1))
	}
	return err
}

// mapped returns the set with every row mapped, whose dimensions are new.
func (a *analysis) mapped(cols int, linear func(dst, centred []float64), done string) (*vectors.Set, error) {
	m := mapped(a.set, affineMap{a.mean, cols, linear, done})
	m.Training.Set("nested", "") // the first dimensions are others
	return vectors.New(m)
}

// scatter returns the sum of the products of the finite rows' differences from the mean: of the vectors of
// words that is the covariance times their number. Only the diagonal and the numbers above it are set. Every
// number is summed in the order of the rows. It returns how many rows are finite, too, and the first one that is
// not, -1 if there is none.
func scatter(ctx context.Context, behind *backing.File, m vectors.Matrix, mean []float64, step func(done float64)) (sum blas64.General, finite, notFinite int, err error) {
	d := m.Cols
	sum = general(d, d)
	notFinite = -1
	buffer := make([]float64, min(blockRows, m.Rows)*d)
	err = eachBlock(ctx, behind, m, blockRows, step, func(first int, block vectors.Matrix) error {
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
		finite += n
		return eigen.AddSquare(ctx, sum.Data, buffer, n, d)
	})
	return sum, finite, notFinite, err
}

func general(rows, cols int) blas64.General {
	return blas64.General{Rows: rows, Cols: cols, Stride: cols, Data: make([]float64, rows*cols)}
}

// principal returns the axes of a scatter matrix, columns of falling variance, and these variances.
func principal(ctx context.Context, scatter blas64.General, step func(done float64)) (axes blas64.General, variances []float64, err error) {
	d := scatter.Rows
	variances, vectors, err := eigen.Symmetric(ctx, scatter.Data, d, step)
	if err != nil {
		return axes, nil, fmt.Errorf("principal components: %w", err)
	}
	axis := make([]float64, d)
	for i := range d {
		variances[i] = max(0, variances[i]) // rounding may make it negative
		for k := range axis {
			axis[k] = vectors[k*d+i]
		}
		largest := slices.MaxFunc(axis, func(a, b float64) int { return cmp.Compare(math.Abs(a), math.Abs(b)) })
		for k := range axis {
			if largest < 0 {
				vectors[k*d+i] = -vectors[k*d+i]
			}
		}
	}
	return blas64.General{Rows: d, Cols: d, Stride: d, Data: vectors}, variances, nil
}

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

// Axes are orthogonal directions of the space of a set, ordered by the share of the words' vectors along them.
type Axes struct {
	Rotation []float64 // Dim × Dim numbers, row by row: v·Rotation are the coordinates of v on the axes. Rotate takes it
	Squares  []float64 // Squares[i] is the share of the squares of the words' vectors that is on the first i+1 axes
}

// PrincipalAxes returns the axes of the words' vectors without taking off their mean: the right singular
// vectors of the matrix of all vectors. So the first n coordinates keep as much of lengths and dot products
// as n numbers that are linear in a vector can (Eckart and Young 1936). Exactness and signs are as in Reduce.
// Words whose vectors are not finite do not count.
func PrincipalAxes(ctx context.Context, s *vectors.Set, how Computation) (Axes, error) {
	d := s.Dim()
	if d > MaxReduced {
		return Axes{}, fmt.Errorf("%d dimensions, at most %d have axes that can be computed: take the first ones as they are", d, MaxReduced)
	}
	a := analysis{what: fmt.Sprintf("principal axes of %d dimensions", d), how: how, set: s, mean: make([]float64, d)}
	if err := how.affords(axesBytes(d), a.what, "take the first dimensions as they are, which needs none"); err != nil {
		return Axes{}, err
	}
	if err := s.Check(); err != nil {
		return Axes{}, err
	}
	if err := a.findAxes(ctx, 0); err != nil {
		return Axes{}, err
	}
	if a.variances[0] == 0 {
		return Axes{}, errors.New("there are no words with finite vectors that are not zero")
	}
	all := Axes{Rotation: a.axes.Data, Squares: make([]float64, d)}
	for i := range all.Squares {
		all.Squares[i] = share(a.variances, i+1)
	}
	return all, nil
}
