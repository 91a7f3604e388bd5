package inspect_test

import (
	"context"
	"errors"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/inspect"
)

// The singular values are those that gonum finds of the vectors less their mean.
func TestSpectrum(t *testing.T) {
	const n, d = 1300, 6
	s := shifted(n, d)
	got, err := inspect.SpectrumOf(t.Context(), s, inspect.Options{})
	if err != nil {
		t.Fatal(err)
	}
	centred := mat.NewDense(n, d, nil)
	for c := range d {
		var mean float64
		for r := range n {
			mean += float64(s.Input().Row(r)[c]) / n
		}
		for r := range n {
			centred.Set(r, c, float64(s.Input().Row(r)[c])-mean)
		}
	}
	var svd mat.SVD
	if !svd.Factorize(centred, mat.SVDNone) {
		t.Fatal("gonum finds no singular values")
	}
	var sum, total float64
	for _, v := range svd.Values(nil) {
		total += v * v
	}
	for i, v := range svd.Values(nil) {
		near(t, "singular value", got.SingularValues[i], v)
		near(t, "variance", got.Variance[i], v*v/total)
		sum += got.Variance[i]
	}
	near(t, "all variances", sum, 1)
	if got.Words != n || got.Dim != d || got.Components(0.9) != report(t, s, inspect.Options{}).Isotropy.Components90 || got.Components(0) != 0 {
		t.Errorf("%+v", got)
	}
}

func TestSpectrumOfLittle(t *testing.T) {
	same, err := vectors.New(vectors.Parts{Words: vectors.NewWords("a", "b"), Input: vectors.Matrix{Data: []float32{1, 2, 1, 2}, Rows: 2, Cols: 2, Stride: 2}})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := inspect.SpectrumOf(t.Context(), same, inspect.Options{}); err != nil || got.Words != 2 || got.Variance[0] != 0 || got.Components(0.9) != 2 {
		t.Errorf("vectors that are one: %+v, %v", got, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := inspect.SpectrumOf(ctx, same, inspect.Options{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if _, err := inspect.SpectrumOf(t.Context(), nil, inspect.Options{}); err == nil {
		t.Error("there is no set")
	}
	if _, err := inspect.SpectrumOf(t.Context(), same, inspect.Options{Top: -1}); err == nil {
		t.Error("an option makes no sense")
	}
}
