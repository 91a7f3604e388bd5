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
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// An affineMap maps a vector x to (x − mean)·A. It preserves means: the image of a mean of rows is
// the mean of the rows' images. So mapping the rows maps vectors that are means of rows.
type affineMap struct {
	mean   []float64
	cols   int                          // dimensions of the image
	linear func(dst, centred []float64) // sets dst to centred·A
	done   string                       // the operation, for messages
}

// mapped returns the parts of s with every row mapped. Context vectors are left out.
func mapped(s *vectors.Set, f affineMap) vectors.Parts {
	m := sibling(s)
	composedAs(&m, s)
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
	return vectors.Stored(n, f.cols, &mappedRows{by: f, of: of, behind: behind(s), errors: errors,
		name: func(r int) string { return s.RowName(matrix, r) }})
}

// mappedRows are the rows of a matrix, and zeros behind them, mapped.
type mappedRows struct {
	by     affineMap
	of     vectors.Matrix
	behind *backing.File // of the rows
	errors *backing.File // receives errors of rows that become too large
	name   func(r int) string
	spare  sync.Pool // of *mapping
}

// A mapping is the memory that mapping a row takes.
type mapping struct {
	row            []float32
	centred, place []float64
}

func (m *mappedRows) take() *mapping {
	if x, ok := m.spare.Get().(*mapping); ok {
		return x
	}
	return &mapping{make([]float32, m.of.Cols), make([]float64, m.of.Cols), make([]float64, m.by.cols)}
}

// apply sets dst to the image of row, a sum of rows whose weights sum up to weight.
func (m *mappedRows) apply(dst []float32, x *mapping, row []float32, weight float64) {
	for k, v := range row {
		x.centred[k] = float64(v) - weight*m.by.mean[k]
	}
	m.by.linear(x.place, x.centred)
	for k, v := range x.place {
		dst[k] = float32(v)
	}
}

func (m *mappedRows) Read(dst []float32, r int) {
	x := m.take()
	defer m.spare.Put(x)
	clear(x.row)
	if r < m.of.Rows {
		m.of.Read(x.row, r)
		m.behind.Saw(4 * int64(len(x.row)))
	}
	m.apply(dst, x, x.row, 1)
	if !vectors.Finite(dst) && vectors.Finite(x.row) {
		m.errors.Fail(fmt.Errorf("%s has numbers beyond those of float32 when it is %s", m.name(r), m.by.done))
	}
}

// AddRows adds the given rows to dst. Their sum is mapped once.
func (m *mappedRows) AddRows(dst []float32, rows []uint32, weights []float32) {
	x := m.take()
	defer m.spare.Put(x)
	var total float64
	var known []uint32 // without zero rows
	var ofKnown []float32
	for i, r := range rows {
		weight := float32(1)
		if weights != nil {
			weight = weights[i]
		}
		total += float64(weight)
		if int(r) < m.of.Rows {
			known, ofKnown = append(known, r), append(ofKnown, weight)
		}
	}
	m.of.Sum(x.row, known, ofKnown)
	sum := make([]float32, len(dst))
	m.apply(sum, x, x.row, total)
	for k, v := range sum {
		dst[k] += v
	}
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

// without returns the map that removes the components of vectors along axes, which are orthonormal
// columns.
func without(axes blas64.General) func(dst, centred []float64) {
	return func(dst, centred []float64) {
		copy(dst, centred)
		place := make([]float64, axes.Cols)
		onto(axes)(place, centred)
		blas64.Gemv(blas.NoTrans, -1, axes, vectorOf(place), 1, vectorOf(dst))
	}
}

// A Statistic says what the mean and the variance of words' vectors were computed of. Every word
// of the set counts once, however frequent it is, and words that n-grams compose do not count.
type Statistic struct {
	Words int // with a vector that is finite
	// NotFinite is how many words have a vector with a NaN or an infinity in it. They do not count
	// in the statistic, and their new vectors are not finite either.
	NotFinite int
	// MeanNorm is the Euclidean length of the mean of all vectors, and RootMeanSquare the square
	// root of the mean of their squared lengths. A mean that is long beside the vectors says
	// that all of them share a direction.
	MeanNorm, RootMeanSquare float64
}

// Center returns the words of s with the mean of all words' vectors subtracted from each. The
// mean is computed in float64.
//
// N-grams stay, as in Reduce: every row is mapped alike, so words outside the vocabulary have the
// vectors of s without the mean, too. Hash embeddings are not means of rows: only the words of the
// vocabulary are kept. Context vectors are left out. Rows are mapped on demand. If the context
// ends, Center returns its error.
func Center(ctx context.Context, s *vectors.Set, how Computation) (*vectors.Set, Statistic, error) {
	what := "the mean of all vectors"
	s, mean, of, err := meanOf(ctx, s, what, how.step(what, 0, 1))
	if err != nil {
		return nil, of, err
	}
	c, err := vectors.New(mapped(s, affineMap{mean, s.Dim(), func(dst, centred []float64) { copy(dst, centred) }, "centred"}))
	return c, of, err
}

// meanOf returns the set whose rows are to be mapped, which is s or its plain words, and the mean
// of its vectors. What is to be computed, for messages.
func meanOf(ctx context.Context, s *vectors.Set, what string, step func(done float64)) (of *vectors.Set, m []float64, done Statistic, err error) {
	if s.Learned().Any() {
		s = s.Plain()
	}
	if err := s.Check(); err != nil {
		return nil, nil, done, err
	}
	var squares float64
	m, done.Words, squares, err = mean(ctx, s, step)
	if err != nil {
		return nil, nil, done, err
	}
	if done.Words == 0 {
		return nil, nil, done, fmt.Errorf("there are no words with finite vectors to compute %s of", what)
	}
	done.NotFinite = s.Len() - done.Words
	var norm float64
	for _, x := range m {
		norm += x * x
	}
	done.MeanNorm, done.RootMeanSquare = math.Sqrt(norm), math.Sqrt(squares/float64(done.Words))
	return s, m, done, nil
}

// componentsOf returns what meanOf returns, the principal components of the vectors around their
// mean, which are columns, and the variances along them.
func componentsOf(ctx context.Context, s *vectors.Set, what string, how Computation) (of *vectors.Set, mean []float64, axes blas64.General, variances []float64, done Statistic, err error) {
	if d := s.Dim(); d > maxReduce {
		return nil, nil, axes, nil, done, fmt.Errorf("%d dimensions, and the components of at most %d can be computed: take the first dimensions before", d, maxReduce)
	}
	if err := how.affords(axesBytes(s.Dim()), what, "take the first dimensions before, or only centre the vectors"); err != nil {
		return nil, nil, axes, nil, done, err
	}
	s, mean, done, err = meanOf(ctx, s, what, how.step(what, 0, 0.1))
	if err != nil {
		return nil, nil, axes, nil, done, err
	}
	if done.Words < 2 {
		return nil, nil, axes, nil, done, errors.New("there is only one word with a finite vector, and one vector has no variance")
	}
	sum, _, err := scatter(ctx, s, s.Rows(), mean, how.step(what, 0.1, 0.5))
	if err != nil {
		return nil, nil, axes, nil, done, err
	}
	axes, variances, err = principal(ctx, sum, how.step(what, 0.5, 1))
	for i := range variances {
		variances[i] /= float64(done.Words - 1)
	}
	return s, mean, axes, variances, done, err
}

// A Removal says what AllButTheTop has done.
type Removal struct {
	Statistic
	// VarianceRemoved is the share, from 0 to 1, of the words' variance along the removed
	// components.
	VarianceRemoved float64
}

// AllButTheTop returns the words of s with centred vectors that have nothing in the direction
// of the first components principal components: the post-processing of Mu and Viswanath,
// "All-but-the-Top: Simple and Effective Postprocessing for Word Representations", 2018, who
// remove about a hundredth of the dimensions. The number of dimensions stays. Mean and
// components are exact, in float64, and do not depend on the number of cores.
//
// AllButTheTop keeps and leaves out the same parts as Center. Components must be 1…Dim−1. AllButTheTop
// returns a *MemoryError if there is too little memory.
func AllButTheTop(ctx context.Context, s *vectors.Set, components int, how Computation) (*vectors.Set, Removal, error) {
	if components < 1 || components >= s.Dim() {
		return nil, Removal{}, fmt.Errorf("%d components to be removed of %d dimensions, must be from 1 to %d", components, s.Dim(), s.Dim()-1)
	}
	what := fmt.Sprintf("principal components of %d dimensions", s.Dim())
	of, mean, axes, variances, done, err := componentsOf(ctx, s, what, how)
	if err != nil {
		return nil, Removal{Statistic: done}, err
	}
	axes.Cols = components
	removed := Removal{done, share(variances, components)}
	m := mapped(of, affineMap{mean, of.Dim(), without(axes), "freed of its first components"})
	m.Training.Set("nested", "") // numbers of all dimensions change the first dimensions
	left, err := vectors.New(m)
	return left, removed, err
}

// A Whitening says what Whiten has done.
type Whitening struct {
	Statistic
	// Directions is the number of directions in which vectors vary. Other directions have less than
	// 1e-12 of the largest variance, and whitened vectors are zero along them.
	Directions int
}

// noVariance is the share of the largest variance below which a variance is that of rounding
// errors: float32 has 24 bits, so those are near 1e-15.
const noVariance = 1e-12

// Whiten returns the words of s with centred vectors whose numbers are uncorrelated and have
// variance 1: ZCA whitening, x ↦ (x − μ)·Σ^(−1/2), with the covariance Σ divided by the number of
// words less 1. Of all whitenings this is the one that changes vectors least, it does not depend
// on the signs and the order of eigenvectors, and its cosines are those of PCA whitening, of
// which it is a rotation: Kessy, Lewin and Strimmer, "Optimal Whitening and Decorrelation", 2018.
// After Reduce, Σ is diagonal and both are the same.
//
// Whiten keeps and leaves out the same parts as Center. Mean and covariance are exact, in float64,
// and do not depend on the number of cores. It returns a *MemoryError if there is too little
// memory.
func Whiten(ctx context.Context, s *vectors.Set, how Computation) (*vectors.Set, Whitening, error) {
	what := fmt.Sprintf("whitening of %d dimensions", s.Dim())
	of, mean, axes, variances, done, err := componentsOf(ctx, s, what, how)
	if err != nil {
		return nil, Whitening{Statistic: done}, err
	}
	d := of.Dim()
	scaled := blas64.General{Rows: d, Cols: d, Stride: d, Data: make([]float64, d*d)}
	rank := 0
	for i, variance := range variances {
		if !(variance > noVariance*variances[0]) {
			break
		}
		rank++
		by := 1 / math.Sqrt(variance)
		for k := range d {
			scaled.Data[k*d+i] = by * axes.Data[k*axes.Stride+i]
		}
	}
	if rank == 0 {
		return nil, Whitening{Statistic: done}, fmt.Errorf("all %d vectors are the same: there is no variance to be made 1", done.Words)
	}
	root := blas64.General{Rows: d, Cols: d, Stride: d, Data: make([]float64, d*d)}
	if err := eigen.Multiply(ctx, root.Data, scaled.Data, false, axes.Data, true, d, d, d); err != nil {
		return nil, Whitening{Statistic: done}, err
	}
	m := mapped(of, affineMap{mean, d, onto(root), "whitened"})
	m.Training.Set("nested", "")
	white, err := vectors.New(m)
	return white, Whitening{done, rank}, err
}
