package transform

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/internal/trial"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Reduced vectors are the centred ones in the directions of the singular vectors of
// their matrix, which is another way to compute them.
func TestReduce(t *testing.T) {
	for name, s := range derivable(t) {
		t.Run(name, func(t *testing.T) {
			n, d := s.Len(), s.Dim()
			mean := make([]float64, d)
			x := mat.NewDense(n, d, nil)
			for i := range n {
				for k, v := range trial.WordVector(s, i) {
					mean[k] += float64(v) / float64(n)
					x.Set(i, k, float64(v))
				}
			}
			for i := range n {
				for k := range d {
					x.Set(i, k, x.At(i, k)-mean[k])
				}
			}
			var svd mat.SVD
			if !svd.Factorize(x, mat.SVDThin) {
				t.Fatal("no singular values")
			}
			var axes mat.Dense
			svd.VTo(&axes)
			sigma := svd.Values(nil)
			for dim := 1; dim <= d; dim++ {
				got, done, err := Reduce(t.Context(), s, dim, Computation{})
				if err != nil {
					t.Fatal(err)
				}
				var kept, all float64
				for k, v := range sigma {
					all += v * v
					if k < dim {
						kept += v * v
					}
				}
				if math.Abs(done.VarianceKept-kept/all) > 1e-9 || done.NotFinite != 0 {
					t.Errorf("%d dimensions: %+v, want %v", dim, done, kept/all)
				}
				// Directions that nothing varies in are not told apart.
				varied := min(dim, n-1, rank(sigma))
				place := func(v []float32) []float32 {
					to := make([]float32, varied)
					for c := range to {
						col := mat.Col(nil, c, &axes)
						sign := 1.0
						if -floats.Min(col) > floats.Max(col) {
							sign = -1
						}
						var sum float64
						for k := range v {
							sum += sign * col[k] * (float64(v[k]) - mean[k])
						}
						to[c] = float32(sum)
					}
					return to
				}
				if err := got.Check(); err != nil {
					t.Fatal(err)
				}
				if got.Output().Rows != 0 || (got.Subword() != nil) != (s.Subword() != nil) || got.Dim() != dim {
					t.Errorf("%d context vectors, subwords %v, %d dimensions", got.Output().Rows, got.Subword(), got.Dim())
				}
				for _, word := range append(s.Words().Strings(), unknown...) {
					v, ok := trial.Vector(s, word)
					g, gotOK := trial.Vector(got, word)
					if ok != gotOK {
						t.Errorf("%q has a vector: %v, want %v", word, gotOK, ok)
					}
					if ok {
						trial.Near(t, word, g[:varied], place(v))
					}
				}
				if dim == d { // turning changes no distance
					for i := range min(n, 10) {
						a, b := apart(trial.WordVector(got, 0), trial.WordVector(got, i)), apart(trial.WordVector(s, 0), trial.WordVector(s, i))
						if math.Abs(a-b) > 1e-4*b {
							t.Errorf("distance of words 0 and %d: %v, want %v", i, a, b)
						}
					}
				}
			}
		})
	}
}

func rank(sigma []float64) (n int) {
	for _, v := range sigma {
		if v > 1e-6*sigma[0] {
			n++
		}
	}
	return n
}

func apart(a, b []float32) (sum float64) {
	for k := range a {
		sum += float64(a[k]-b[k]) * float64(a[k]-b[k])
	}
	return math.Sqrt(sum)
}

// More words than a block, and dimensions than a band, on one core and on several.
func TestReduceOnAnyCores(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	words := make([]string, 2*blockRows+100)
	m := vectors.NewMatrix(len(words), 2*32+5)
	for i := range words {
		words[i] = string(rune('a'+i%26)) + strings.Repeat("x", i/26)
		for k := range m.Row(i) {
			m.Row(i)[k] = float32(r.NormFloat64())
		}
	}
	s := trial.New(vectors.Parts{Words: vectors.NewWords(words...), Input: m})
	var want *vectors.Set
	for _, cores := range []int{1, 2, 5} {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
		got, _, err := Reduce(t.Context(), s, 7, Computation{})
		if err != nil {
			t.Fatal(err)
		}
		if want == nil {
			want = got
		}
		trial.SameMatrix(t, "reduced", got.Input(), want.Input())
	}
}

func TestReduceErrors(t *testing.T) {
	nan := float32(math.NaN())
	for _, tt := range []struct {
		s    *vectors.Set
		dim  int
		want string
	}{
		{randomSet(subword.Mean), 0, "0 dimensions asked for, must be at least 1"},
		{randomSet(subword.Mean), 5, "5 dimensions asked for, there are 4"},
		{trial.New(vectors.Parts{Input: vectors.Matrix{Cols: 3}}), 2, "there are no words with finite vectors to reduce the dimensions of"},
		{trial.New(vectors.Parts{Words: vectors.NewWords("a"), Input: vectors.Matrix{Data: []float32{nan, 1}, Rows: 1, Cols: 2, Stride: 2}}), 1, "there are no words with finite vectors to reduce the dimensions of"},
	} {
		if _, _, err := Reduce(t.Context(), tt.s, tt.dim, Computation{}); err == nil || err.Error() != tt.want {
			t.Errorf("got %v, want %s", err, tt.want)
		}
	}
}

// What is not finite does not spoil the rest.
func TestReduceNotFinite(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	rows := [][]float32{{1, 0}, {nan, 5}, {3, 0}, {2, inf}}
	s := trial.New(vectors.Parts{Words: vectors.NewWords("a", "b", "c", "d"), Input: vectors.NewMatrix(4, 2)})
	for i, row := range rows {
		copy(s.Input().Row(i), row)
	}
	got, done, err := Reduce(t.Context(), s, 1, Computation{})
	if err != nil {
		t.Fatal(err)
	}
	if done != (Reduction{VarianceKept: 1, NotFinite: 2}) {
		t.Errorf("%+v", done)
	}
	trial.Near(t, "a", got.Input().Row(0), []float32{-1})
	trial.Near(t, "c", got.Input().Row(2), []float32{1})
	for _, i := range []int{1, 3} {
		if vectors.Finite(got.Input().Row(i)) {
			t.Errorf("row %d is %v", i, got.Input().Row(i))
		}
	}
	// Vectors that are all the same lose nothing.
	same := trial.New(vectors.Parts{Words: vectors.NewWords("a", "b"), Input: vectors.Matrix{Data: []float32{1, 2, 1, 2}, Rows: 2, Cols: 2, Stride: 2}})
	if _, done, err := Reduce(t.Context(), same, 1, Computation{}); err != nil || done.VarianceKept != 1 {
		t.Errorf("%+v, %v", done, err)
	}
}

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
