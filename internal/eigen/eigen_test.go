package eigen

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// symmetric returns a symmetric matrix of n rows that is the product of n × rank numbers
// with themselves, of which column k is multiplied by scale(k).
func symmetric(n, rank int, scale func(k int) float64) []float64 {
	random := rand.New(rand.NewPCG(uint64(n), uint64(rank)))
	half := mat.NewDense(n, max(rank, 1), nil)
	for i := range n {
		for k := range rank {
			half.Set(i, k, random.NormFloat64()*scale(k))
		}
	}
	var a mat.Dense
	a.Mul(half, half.T())
	return a.RawMatrix().Data
}

var spectra = map[string]func(k int) float64{
	"alike":   func(int) float64 { return 1 },
	"falling": func(k int) float64 { return math.Pow(0.7, float64(k)) },
	"tiny":    func(int) float64 { return 1e-60 },
	"huge":    func(k int) float64 { return 1e70 / float64(k+1) },
}

// Eigenvalues are those that gonum's LAPACK finds, and vectors are what they have to be.
func TestSymmetric(t *testing.T) {
	for name, scale := range spectra {
		for _, n := range []int{1, 2, 3, 4, 5, 7, 33, 130} {
			for _, rank := range []int{0, 1, n / 2, n} {
				a := symmetric(n, rank, scale)
				var want mat.EigenSym
				if !want.Factorize(mat.NewSymDense(n, slices.Clone(a)), false) {
					t.Fatal("gonum finds no eigenvalues")
				}
				wanted := want.Values(nil)
				slices.Reverse(wanted)
				upper := slices.Clone(a)
				for i := range n {
					for k := range i {
						upper[i*n+k] = math.NaN() // must not be read
					}
				}
				values, vectors, err := Symmetric(t.Context(), upper, n, nil)
				if err != nil {
					t.Fatalf("%s, %d rows, rank %d: %v", name, n, rank, err)
				}
				near := 1e-13 * float64(n) * math.Max(wanted[0], math.SmallestNonzeroFloat64)
				for i, x := range values {
					if !(math.Abs(x-wanted[i]) <= near) {
						t.Fatalf("%s, %d rows, rank %d: eigenvalue %d is %v, want %v", name, n, rank, i, x, wanted[i])
					}
				}
				v := mat.NewDense(n, n, vectors)
				var product, times mat.Dense
				product.Mul(v.T(), v)
				isIdentity(t, name, &product)
				product.Mul(mat.NewDense(n, n, a), v)
				times.Mul(v, mat.NewDiagDense(n, values))
				times.Sub(&times, &product)
				if d := mat.Max(&times); !(d <= 10*near) {
					t.Fatalf("%s, %d rows, rank %d: A·v − λ·v is up to %v", name, n, rank, d)
				}
			}
		}
	}
}

// isIdentity fails if a matrix is not the identity.
func isIdentity(t *testing.T, what string, product *mat.Dense) {
	t.Helper()
	n, _ := product.Dims()
	for i := range n {
		for k := range n {
			want := 0.0
			if i == k {
				want = 1
			}
			if d := math.Abs(product.At(i, k) - want); !(d <= 1e-13*float64(n+10)) {
				t.Fatalf("%s: the product of rows %d and %d is %v", what, i, k, product.At(i, k))
			}
		}
	}
}

// The nearest rotation is the one that gonum's singular values make, where there is just one.
func TestRotation(t *testing.T) {
	for name, scale := range spectra {
		for _, n := range []int{1, 2, 5, 31, 70} {
			for _, rank := range []int{0, 1, n / 2, n} {
				random := rand.New(rand.NewPCG(uint64(n), 9))
				m := symmetric(n, rank, scale)
				turned := mat.NewDense(n, n, nil) // of which the nearest rotation is not the identity
				order := random.Perm(n)
				for i := range n {
					turned.SetRow(order[i], m[i*n:(i+1)*n])
				}
				var svd mat.SVD
				if !svd.Factorize(turned, mat.SVDFull) {
					t.Fatal("gonum finds no singular values")
				}
				var want float64 // of the sum of products: that of singular values
				for _, s := range svd.Values(nil) {
					want += s
				}
				got, err := Rotation(t.Context(), slices.Clone(turned.RawMatrix().Data), n, nil)
				if err != nil {
					t.Fatalf("%s, %d rows, rank %d: %v", name, n, rank, err)
				}
				r := mat.NewDense(n, n, got)
				var product mat.Dense
				product.Mul(r.T(), r)
				isIdentity(t, fmt.Sprintf("%s, %d rows, rank %d", name, n, rank), &product)
				var sum float64
				for i, x := range turned.RawMatrix().Data {
					sum += x * got[i]
				}
				if !(math.Abs(sum-want) <= 1e-7*want) {
					t.Errorf("%s, %d rows, rank %d: the sum of products is %v, could be %v", name, n, rank, sum, want)
				}
			}
		}
	}
}

// The number of cores changes no bit.
func TestCoresChangeNothing(t *testing.T) {
	run := func(cores int) []float64 {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
		r, err := Rotation(t.Context(), symmetric(150, 120, spectra["falling"]), 150, nil)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	one := run(1)
	for _, cores := range []int{2, 3, 8} {
		if !slices.Equal(run(cores), one) {
			t.Errorf("%d cores give other bits than one", cores)
		}
	}
}

// Wherever the context ends, no more is done than what was begun. Its Err is counted in place of time.
func TestContextEnds(t *testing.T) {
	const n = 130
	counted := &counting{Context: t.Context(), left: math.MaxInt}
	if _, err := Rotation(counted, symmetric(n, n, spectra["alike"]), n, nil); err != nil {
		t.Fatal(err)
	}
	all := math.MaxInt - counted.left
	for at := 0; at < all; at += 1 + all/50 {
		c := &counting{Context: t.Context(), left: at}
		_, err := Rotation(c, symmetric(n, n, spectra["alike"]), n, nil)
		if !errors.Is(err, context.Canceled) {
			t.Fatalf("ended at look %d of %d: error %v", at, all, err)
		}
		if more := -c.left; more > 3*runtime.GOMAXPROCS(0)+2 {
			t.Errorf("ended at look %d of %d: it was looked at %d times more", at, all, more)
		}
	}
}

// counting is a context that ends when it has been looked at so often.
type counting struct {
	context.Context
	mu   sync.Mutex
	left int
}

func (c *counting) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

func TestNotFinite(t *testing.T) {
	for _, x := range []float64{math.NaN(), math.Inf(1)} {
		if _, _, err := Symmetric(t.Context(), []float64{1, x, x, 1}, 2, nil); err == nil {
			t.Errorf("%v is decomposed", x)
		}
	}
}

func BenchmarkSymmetric(b *testing.B) {
	for _, n := range []int{300, 1000} {
		a := symmetric(n, n, spectra["alike"])
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				if _, _, err := Symmetric(b.Context(), slices.Clone(a), n, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(fmt.Sprint(n, " gonum"), func(b *testing.B) {
			for b.Loop() {
				var e mat.EigenSym
				if !e.Factorize(mat.NewSymDense(n, slices.Clone(a)), true) {
					b.Fatal("not found")
				}
			}
		})
		b.Run(fmt.Sprint(n, " rotation"), func(b *testing.B) {
			for b.Loop() {
				if _, err := Rotation(b.Context(), slices.Clone(a), n, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(fmt.Sprint(n, " gonum SVD"), func(b *testing.B) {
			for b.Loop() {
				var svd mat.SVD
				if !svd.Factorize(mat.NewDense(n, n, slices.Clone(a)), mat.SVDFull) {
					b.Fatal("not found")
				}
			}
		})
	}
}
