package inspect

import (
	"context"
	"math"

	"github.com/w2v-go/w2v/internal/eigen"
	"github.com/w2v-go/w2v/vectors"
)

// Isotropy says how evenly vectors fill the space. Vectors without direction do not count.
type Isotropy struct {
	Words int `json:"words"` // whose vectors have a direction
	// MeanCosine is the mean cosine of two different words, over all pairs: exact, from the sum of the unit
	// vectors. It is near 0 for vectors that point everywhere alike, and 1 for vectors that all point the
	// same way.
	MeanCosine      float64 `json:"mean_cosine"`
	CosineDeviation float64 `json:"cosine_deviation"` // standard deviation of these cosines
	// MeanNorm is the length of the mean vector over the root of the mean squared length: the constant part
	// of the vectors, which centring removes.
	MeanNorm float64 `json:"mean_vector"`
	// ParticipationRatio is (Σλ)² / Σλ² of the eigenvalues λ of the vectors' covariance: about how many
	// dimensions the vectors use, from 1 to Dim.
	ParticipationRatio float64 `json:"participation_ratio"`
	Dim                int     `json:"dim"`
	FirstComponent     float64 `json:"first_component"` // share of the variance along the first principal component
	Components90       int     `json:"components_90"`   // number of components that hold 90 % of the variance
}

type sums struct {
	dim, words int
	norms      []float64 // of every word; NaN for a vector that is not finite
	unit, mean []float64 // sums of unit vectors, and of vectors
	units      []float64 // sum of the products of unit vectors with themselves: Dim × Dim, above the diagonal
	vectors    []float64 // likewise of vectors
}

const blockRows = 1024

func sum(ctx context.Context, s *vectors.Set, o Options) (*sums, error) {
	d := s.Dim()
	all := &sums{
		dim: d, norms: make([]float64, s.Len()), unit: make([]float64, d), mean: make([]float64, d),
		units: make([]float64, d*d), vectors: make([]float64, d*d),
	}
	block, units := make([]float64, 0, blockRows*d), make([]float64, 0, blockRows*d)
	for id, vector := range s.All() {
		start := len(block)
		var squares float64
		for _, x := range vector {
			block = append(block, float64(x))
			squares += float64(x) * float64(x)
		}
		norm := math.Sqrt(squares)
		all.norms[id] = norm
		if math.IsNaN(norm) || math.IsInf(norm, 0) {
			all.norms[id] = math.NaN()
		}
		if !(norm > 0) || math.IsInf(norm, 0) {
			block = block[:start]
		} else {
			for _, x := range block[start:] {
				units = append(units, x/norm)
			}
		}
		if len(block) < blockRows*d && id+1 < s.Len() || d == 0 {
			continue
		}
		o.Progress("adding up vectors", float64(id+1)/float64(s.Len()))
		if err := all.add(ctx, block, units); err != nil {
			return nil, err
		}
		block, units = block[:0], units[:0]
	}
	return all, s.Err()
}

func (a *sums) add(ctx context.Context, block, units []float64) error {
	n := len(block) / a.dim
	a.words += n
	for _, to := range []struct{ rows, sum, products []float64 }{{block, a.mean, a.vectors}, {units, a.unit, a.units}} {
		for r := range n {
			for k, x := range to.rows[r*a.dim : (r+1)*a.dim] {
				to.sum[k] += x
			}
		}
		if n > 0 {
			if err := eigen.AddSquare(ctx, to.products, to.rows, n, a.dim); err != nil {
				return err
			}
		}
	}
	return nil
}

func (a *sums) isotropy(ctx context.Context, o Options) (Isotropy, error) {
	i := Isotropy{Words: a.words, Dim: a.dim}
	n := float64(a.words)
	if a.words == 0 {
		return i, nil
	}
	if pairs := n * (n - 1); pairs > 0 {
		var squared, products float64 // ‖Σu‖², and Σ(u·v)² over all pairs of words, each with itself too
		for _, x := range a.unit {
			squared += x * x
		}
		for r := range a.dim {
			for c := r; c < a.dim; c++ {
				x := a.units[r*a.dim+c]
				if c > r {
					products += x * x
				}
				products += x * x
			}
		}
		i.MeanCosine = (squared - n) / pairs
		i.CosineDeviation = math.Sqrt(max(0, (products-n)/pairs-i.MeanCosine*i.MeanCosine))
	}
	of := a.covariance()
	i.MeanNorm = math.Sqrt(of.mean / of.lengths)
	if of.constant() {
		return i, nil
	}
	trace := of.trace
	i.ParticipationRatio = trace * trace / of.squares
	variances, err := of.eigenvalues(ctx, a.dim, o)
	if err != nil {
		return i, err
	}
	i.FirstComponent, i.Components90 = variances[0]/trace, components(variances, 0.9*trace)
	return i, nil
}

// components returns how many of the variances, the largest first, sum up to the wanted one.
func components(variances []float64, wanted float64) (n int) {
	for kept := 0.0; n < len(variances) && kept < wanted; n++ {
		kept += max(0, variances[n])
	}
	return n
}

type covariance struct {
	products []float64 // Dim × Dim; only what is on the diagonal or above it is set
	trace    float64
	squares  float64 // sum of the squares of all its numbers
	mean     float64 // squared length of the mean vector
	lengths  float64 // mean squared length of vectors
}

// covariance returns Σxxᵀ/n − μμᵀ; n must not be 0.
func (a *sums) covariance() covariance {
	n := float64(a.words)
	of := covariance{products: make([]float64, len(a.vectors))}
	for r := range a.dim {
		for c := r; c < a.dim; c++ {
			x := a.vectors[r*a.dim+c]/n - a.mean[r]/n*a.mean[c]/n
			of.products[r*a.dim+c] = x
			of.squares += x * x
			if c > r {
				of.squares += x * x
				continue
			}
			of.trace += x
			of.lengths += a.vectors[r*a.dim+r] / n
			of.mean += a.mean[r] / n * a.mean[r] / n
		}
	}
	return of
}

func (c covariance) constant() bool { return !(c.trace > 1e-12*c.lengths) }

// eigenvalues returns all eigenvalues, the largest first. It overwrites the products.
func (c covariance) eigenvalues(ctx context.Context, dim int, o Options) ([]float64, error) {
	values, _, err := eigen.Symmetric(ctx, c.products, dim, func(done float64) { o.Progress("principal components", done) })
	return values, err
}

// A Spectrum holds the share of each principal component in the variance of a set's vectors.
type Spectrum struct {
	Words int `json:"words"` // words whose vectors have a direction; others do not count
	Dim   int `json:"dim"`
	// SingularValues are those of the matrix of these words' vectors less their mean, the largest first: the
	// square roots of the components' variances times the number of words.
	SingularValues []float64 `json:"singular_values"`
	Variance       []float64 `json:"variance"` // the components' shares of the variance; all are 0 if there is none
}

// Components returns how many components hold a share of the variance, 0 to 1.
func (s Spectrum) Components(share float64) int { return components(s.Variance, share) }

// SpectrumOf returns the spectrum of s, of 8192 dimensions at most. Memory and errors are as for Set.
func SpectrumOf(ctx context.Context, s *vectors.Set, o Options) (*Spectrum, error) {
	o, err := o.prepared(s)
	if err != nil {
		return nil, err
	}
	var values []float64
	var trace float64
	r := &Spectrum{Dim: s.Dim(), SingularValues: make([]float64, s.Dim()), Variance: make([]float64, s.Dim())}
	err = s.Guard(func() error {
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
