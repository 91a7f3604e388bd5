package transform

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/w2v-go/w2v/internal/eigen"
	"github.com/w2v-go/w2v/vectors"
)

// A Whitening says what Whiten has done.
type Whitening struct {
	Statistic
	// Directions is in how many directions vectors vary. In the others, whose variance is below 1e-12
	// of the largest one, whitened vectors have nothing.
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
// What stays and what is left out is as with Center. Mean and covariance are exact, in float64,
// and do not depend on the number of cores. More memory than there is is a *MemoryError.
func Whiten(ctx context.Context, s *vectors.Set, how Computation) (*vectors.Set, Whitening, error) {
	if s == nil {
		return nil, Whitening{}, errNoSet
	}
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
