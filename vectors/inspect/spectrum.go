package inspect

import (
	"context"
	"errors"
	"math"

	"github.com/w2v-go/w2v/internal/eigen"
	"github.com/w2v-go/w2v/vectors"
)

// A covariance is that of the vectors of all words.
type covariance struct {
	products []float64 // Dim × Dim; only what is on the diagonal or above it is set
	trace    float64
	squares  float64 // sum of the squares of all its numbers
	mean     float64 // squared length of the mean vector
	lengths  float64 // mean squared length of vectors
}

// covariance returns Σxxᵀ/n − μμᵀ; there are vectors.
func (a *sums) covariance() covariance {
	n := float64(a.words)
	of := covariance{products: make([]float64, len(a.vectors))}
	for r := range a.dim {
		of.lengths += a.vectors[r*a.dim+r] / n
		of.mean += a.mean[r] / n * a.mean[r] / n
		for c := r; c < a.dim; c++ {
			x := a.vectors[r*a.dim+c]/n - a.mean[r]/n*a.mean[c]/n
			of.products[r*a.dim+c] = x
			of.squares += x * x
			if c > r {
				of.squares += x * x
			} else {
				of.trace += x
			}
		}
	}
	return of
}

// constant reports whether all vectors are one, but for rounding.
func (c covariance) constant() bool { return !(c.trace > 1e-12*c.lengths) }

// eigenvalues returns all of them, the largest first. The products are used up.
func (c covariance) eigenvalues(ctx context.Context, dim int, o Options) ([]float64, error) {
	values, _, err := eigen.Symmetric(ctx, c.products, dim, func(done float64) { o.Progress("principal components", done) })
	return values, err
}

// A Spectrum says how much of the variance of a set's vectors each of their principal components has.
type Spectrum struct {
	Words int `json:"words"` // whose vectors have a direction; others have no part in it
	Dim   int `json:"dim"`
	// SingularValues are those of the matrix of these words' vectors less their mean, the largest
	// first: the square roots of the components' variances times the number of words.
	SingularValues []float64 `json:"singular_values"`
	// Variance are the components' shares of the variance, 0 to 1; all are 0 if there is none.
	Variance []float64 `json:"variance"`
}

// Components returns how many components hold a share of the variance, 0 to 1.
func (s Spectrum) Components(share float64) (n int) {
	var kept float64
	for _, v := range s.Variance {
		if kept >= share {
			break
		}
		kept += v
		n++
	}
	return n
}

// SpectrumOf returns the spectrum of s, of 8192 dimensions at most. Memory and errors are as those of Set.
func SpectrumOf(ctx context.Context, s *vectors.Set, o Options) (*Spectrum, error) {
	switch {
	case ctx == nil:
		return nil, errors.New("inspect: there is no context to work in: it is nil")
	case s == nil:
		return nil, errors.New("inspect: there is no set: it is nil")
	}
	if err := o.Validate(); err != nil {
		return nil, err
	}
	if err := affords(s); err != nil {
		return nil, err
	}
	o = o.withDefaults()
	var values []float64
	var trace float64
	r := &Spectrum{Dim: s.Dim(), SingularValues: make([]float64, s.Dim()), Variance: make([]float64, s.Dim())}
	err := s.Guard(func() error {
		all, err := sum(ctx, s, o)
		if err != nil || all.words == 0 {
			return err
		}
		r.Words = all.words
		of := all.covariance()
		if of.constant() {
			return nil
		}
		trace = of.trace
		values, err = of.eigenvalues(ctx, s.Dim(), o)
		return err
	})
	if err != nil {
		return nil, err
	}
	for i, v := range values {
		v = max(0, v)
		r.SingularValues[i], r.Variance[i] = math.Sqrt(v*float64(r.Words)), v/trace
	}
	return r, nil
}
