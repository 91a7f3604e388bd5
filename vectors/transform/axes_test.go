package transform

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/internal/trial"
	"gonum.org/v1/gonum/mat"
)

// The squares on the axes are those of the singular values, which is another way to compute them.
func TestPrincipalAxes(t *testing.T) {
	for name, s := range derivable(t) {
		t.Run(name, func(t *testing.T) {
			n, d := s.Len(), s.Dim()
			x := mat.NewDense(n, d, nil)
			for i := range n {
				for k, v := range trial.WordVector(s, i) {
					x.Set(i, k, float64(v))
				}
			}
			var svd mat.SVD
			if !svd.Factorize(x, mat.SVDNone) {
				t.Fatal("no singular values")
			}
			sigma := svd.Values(nil)
			axes, err := PrincipalAxes(t.Context(), s, Computation{})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := Rotate(s, axes.Rotation); err != nil {
				t.Errorf("the axes are no rotation: %v", err)
			}
			var coordinates mat.Dense
			coordinates.Mul(x, mat.NewDense(d, d, axes.Rotation))
			var all, sum, kept float64
			for _, v := range sigma {
				all += v * v
			}
			for k := range d {
				if k < len(sigma) {
					sum += sigma[k] * sigma[k]
				}
				for i := range n {
					kept += coordinates.At(i, k) * coordinates.At(i, k)
				}
				if math.Abs(kept-sum) > 1e-6*all || math.Abs(axes.Squares[k]-sum/all) > 1e-6 {
					t.Errorf("%d axes keep %v, say %v, want %v", k+1, kept/all, axes.Squares[k], sum/all)
				}
			}
		})
	}
}

func TestPrincipalAxesRefuse(t *testing.T) {
	if _, err := PrincipalAxes(t.Context(), nil, Computation{}); err == nil {
		t.Error("no set has axes")
	}
	zeros, err := vectors.New(vectors.Parts{Words: vectors.NewWords("a", "b"), Input: vectors.NewMatrix(2, 3)})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := PrincipalAxes(t.Context(), zeros, Computation{}); err == nil {
		t.Error("zeros have axes")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, s := range derivable(t) {
		if _, err := PrincipalAxes(ctx, s, Computation{}); !errors.Is(err, context.Canceled) {
			t.Errorf("a context that ended gives %v", err)
		}
	}
}
