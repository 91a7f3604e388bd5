package transform

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
)

// A Statistic says what the mean and the variance of words' vectors were computed of. Every word
// of the set counts once, however frequent it is, and words that n-grams compose do not count.
type Statistic struct {
	Words int // with a vector that is finite
	// NotFinite is how many words have a vector with a NaN or an infinity in it. They have no
	// part in the statistic, and their new vectors are not finite either.
	NotFinite int
	// MeanNorm is the Euclidean length of the mean of all vectors, and RootMeanSquare the square
	// root of the mean of their squared lengths. A mean that is long beside the vectors says
	// that all of them share a direction.
	MeanNorm, RootMeanSquare float64
}

// Center returns the words of s with the mean of all words' vectors subtracted from each. The
// mean is computed in float64.
//
// N-grams stay, as in Reduce: every row is mapped alike, so words outside the vocabulary have
// the vectors of s without the mean, too. Hash embeddings are not means of rows; of these only
// the words of the vocabulary are left. Context vectors are left out. Rows are mapped when they
// are asked for. If the context ends, its error is returned.
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
	if s == nil {
		return nil, nil, done, errNoSet
	}
	if ctx == nil {
		return nil, nil, done, errNoCtx
	}
	if s.Composition() == subword.Weighted {
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
	if s == nil {
		return nil, nil, axes, nil, done, errNoSet
	}
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
