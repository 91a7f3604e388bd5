package transform

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/w2v-go/w2v/internal/eigen"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/internal/backing"
	"github.com/w2v-go/w2v/vectors/internal/coded"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// An affineMap maps a vector x to (x − mean)·A. The image of a mean of rows is the mean of the rows' images,
// so mapping the rows maps vectors that are means of rows.
type affineMap struct {
	mean   []float64
	cols   int                          // dimensions of the image
	linear func(dst, centred []float64) // sets dst to centred·A
	done   string                       // the operation, for messages
}

// mapped returns the parts of s with every row mapped. Context vectors are left out.
func mapped(s *vectors.Set, f affineMap) vectors.Parts {
	m := withMatrices(s, vectors.Matrix{}, vectors.Matrix{})
	m.Matrices = nil
	errors := errorsOf(s)
	m.Source = errors
	for _, part := range partVectors(s) {
		m.Put(part.Name, f.rows(s, errors, part.Name, part.Matrix, part.Rows))
	}
	rows := s.Input().Rows
	untrained := false
	behind(s).Guard(func() { untrained = slices.Contains(m.BucketRows, -1) })
	if untrained {
		// Zeros have an image, too: one row of its own.
		m.BucketRows = slices.Clone(s.BucketRows())
		for b, r := range m.BucketRows {
			if r < 0 {
				m.BucketRows[b] = int32(rows)
			}
		}
		rows++
	}
	m.Input = f.rows(s, errors, vectors.MatrixInput, s.Input(), rows)
	return m
}

// rows returns the mapped rows of a matrix of s, followed by mapped zero rows up to n.
func (f affineMap) rows(s *vectors.Set, errors *backing.File, matrix string, of vectors.Matrix, n int) vectors.Matrix {
	return vectors.Stored(n, f.cols, &mappedRows{by: f, of: of, behind: behind(s), overflow: func(r int) {
		errors.Fail(overflow(s, matrix, r, f.done))
	}})
}

// mappedRows are the rows of a matrix, and zeros behind them, mapped.
type mappedRows struct {
	by       affineMap
	of       vectors.Matrix
	behind   *backing.File // of the rows
	overflow func(r int)   // is told of rows that become too large
	spare    sync.Pool     // of *mapping
}

// A mapping is the working memory of a goroutine: the difference of a row from the mean, and its image.
type mapping struct{ centred, place []float64 }

// apply sets dst to the image of row, a sum of rows whose weights sum up to weight.
func (m *mappedRows) apply(dst, row []float32, weight float64) {
	x, ok := m.spare.Get().(*mapping)
	if !ok {
		x = &mapping{make([]float64, m.of.Cols), make([]float64, m.by.cols)}
	}
	defer m.spare.Put(x)
	for k, v := range row {
		x.centred[k] = float64(v) - weight*m.by.mean[k]
	}
	m.by.linear(x.place, x.centred)
	for k, v := range x.place {
		dst[k] = float32(v)
	}
}

func (m *mappedRows) Read(dst []float32, r int) {
	row := make([]float32, m.of.Cols)
	if r < m.of.Rows {
		m.of.Read(row, r)
		m.behind.Saw(4 * int64(len(row)))
	}
	m.apply(dst, row, 1)
	if !vectors.Finite(dst) && vectors.Finite(row) {
		m.overflow(r)
	}
}

// SumRows sets dst to the sum of the given rows, which is mapped once.
func (m *mappedRows) SumRows(dst []float32, rows []uint32, weights []float32) {
	var total float64
	var known []uint32 // without zero rows
	var ofKnown []float32
	for i, r := range rows {
		weight := coded.WeightOf(weights, i)
		total += float64(weight)
		if int(r) < m.of.Rows {
			known, ofKnown = append(known, r), append(ofKnown, weight)
		}
	}
	row := make([]float32, m.of.Cols)
	m.of.Sum(row, known, ofKnown)
	m.apply(dst, row, total)
}

func vectorOf(numbers []float64) blas64.Vector {
	return blas64.Vector{N: len(numbers), Data: numbers, Inc: 1}
}

// onto returns the product with axes, which are columns.
func onto(axes blas64.General) func(dst, centred []float64) {
	return func(dst, centred []float64) {
		blas64.Gemv(blas.Trans, 1, axes, vectorOf(centred), 0, vectorOf(dst))
	}
}

// without returns the map that removes components along axes, which are orthonormal columns.
func without(axes blas64.General) func(dst, centred []float64) {
	return func(dst, centred []float64) {
		copy(dst, centred)
		place := make([]float64, axes.Cols)
		onto(axes)(place, centred)
		blas64.Gemv(blas.NoTrans, -1, axes, vectorOf(place), 1, vectorOf(dst))
	}
}

// A Statistic says what the mean and the variance of words' vectors were computed of. Every word of the set
// counts once, however frequent it is, and words that n-grams compose do not count.
type Statistic struct {
	Words int // with a vector that is finite
	// NotFinite is how many words have a vector with a NaN or an infinity in it. They do not count in the
	// statistic, and their new vectors are not finite either.
	NotFinite int
	// MeanNorm is the Euclidean length of the mean of all vectors, and RootMeanSquare the square root of the
	// mean of their squared lengths. If both are alike, all vectors share a direction.
	MeanNorm, RootMeanSquare float64
}

// Center returns the words of s with the mean of all words' vectors subtracted from each, computed in float64.
//
// N-grams stay, as in Reduce: every row is mapped alike. Hash embeddings are not means of rows: only the
// words of the vocabulary are kept. Context vectors are left out.
func Center(ctx context.Context, s *vectors.Set, how Computation) (*vectors.Set, Statistic, error) {
	a := analysis{what: "the mean of all vectors", how: how}
	if err := a.findMean(ctx, s, "compute the mean of all vectors", 1); err != nil {
		return nil, a.of, err
	}
	c, err := vectors.New(mapped(a.set, affineMap{a.mean, s.Dim(), func(dst, centred []float64) { copy(dst, centred) }, "centred"}))
	return c, a.of, err
}

func (a *analysis) components(ctx context.Context, s *vectors.Set) error {
	if d := s.Dim(); d > MaxReduced {
		return fmt.Errorf("%d dimensions, and the components of at most %d can be computed: take the first dimensions before", d, MaxReduced)
	}
	if err := a.how.affords(axesBytes(s.Dim()), a.what, "take the first dimensions before, or only centre the vectors"); err != nil {
		return err
	}
	if err := a.findMean(ctx, s, "compute "+a.what, 0.1); err != nil {
		return err
	}
	if a.of.Words < 2 {
		return errors.New("there is only one word with a finite vector, and one vector has no variance")
	}
	err := a.findAxes(ctx, 0.1)
	for i := range a.variances {
		a.variances[i] /= float64(a.of.Words - 1)
	}
	return err
}

// A Removal says what AllButTheTop has done.
type Removal struct {
	Statistic
	VarianceRemoved float64 // share, from 0 to 1, of the words' variance along the removed components
}

// AllButTheTop returns the words of s with centred vectors that have nothing in the direction of the first
// components principal components, 1…Dim−1: Mu and Viswanath, "All-but-the-Top: Simple and Effective
// Postprocessing for Word Representations", 2018, who remove about a hundredth of the dimensions. The number
// of dimensions stays. Mean and components are exact, in float64, and do not depend on the number of cores.
// AllButTheTop keeps and leaves out the same parts as Center.
func AllButTheTop(ctx context.Context, s *vectors.Set, components int, how Computation) (*vectors.Set, Removal, error) {
	if components < 1 || components >= s.Dim() {
		return nil, Removal{}, fmt.Errorf("%d components to be removed of %d dimensions, must be from 1 to %d", components, s.Dim(), s.Dim()-1)
	}
	a := analysis{what: fmt.Sprintf("principal components of %d dimensions", s.Dim()), how: how}
	if err := a.components(ctx, s); err != nil {
		return nil, Removal{Statistic: a.of}, err
	}
	a.axes.Cols = components
	left, err := a.mapped(s.Dim(), without(a.axes), "freed of its first components")
	return left, Removal{a.of, share(a.variances, components)}, err
}

// A Whitening says what Whiten has done.
type Whitening struct {
	Statistic
	// Directions is the number of directions in which vectors vary. Others have less than 1e-12 of the largest
	// variance, and whitened vectors are zero along them.
	Directions int
}

// noVariance is the share of the largest variance below which there are only rounding errors: near 1e-15 in
// float32.
const noVariance = 1e-12

// Whiten returns the words of s with centred vectors whose numbers are uncorrelated and have variance 1: ZCA
// whitening, x ↦ (x − μ)·Σ^(−1/2), with the covariance Σ divided by the number of words less 1. Of all
// whitenings this one changes vectors least, and its cosines are those of PCA whitening, of which it is a
// rotation: Kessy, Lewin and Strimmer, "Optimal Whitening and Decorrelation", 2018. After Reduce, both are
// the same.
//
// Whiten keeps and leaves out the same parts as Center. Mean and covariance are exact, in float64, and do not
// depend on the number of cores.
func Whiten(ctx context.Context, s *vectors.Set, how Computation) (*vectors.Set, Whitening, error) {
	a := analysis{what: fmt.Sprintf("whitening of %d dimensions", s.Dim()), how: how}
	if err := a.components(ctx, s); err != nil {
		return nil, Whitening{Statistic: a.of}, err
	}
	d := s.Dim()
	scaled, root := general(d, d), general(d, d)
	rank := 0
	for ; rank < d && a.variances[rank] > noVariance*a.variances[0]; rank++ {
		by := 1 / math.Sqrt(a.variances[rank])
		for k := range d {
			scaled.Data[k*d+rank] = by * a.axes.Data[k*d+rank]
		}
	}
	if rank == 0 {
		return nil, Whitening{Statistic: a.of}, fmt.Errorf("all %d vectors are the same: there is no variance to be made 1", a.of.Words)
	}
	if err := eigen.Multiply(ctx, root.Data, scaled.Data, false, a.axes.Data, true, d, d, d); err != nil {
		return nil, Whitening{Statistic: a.of}, err
	}
	white, err := a.mapped(d, onto(root), "whitened")
	return white, Whitening{a.of, rank}, err
}
