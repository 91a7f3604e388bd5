package align

import (
	"context"
	"errors"
	"math"
	"runtime"

	"golang.org/x/sync/errgroup"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/w2v-go/w2v/vectors"
)

// A fitter fits a rotation to pairs of words of two sets.
type fitter struct {
	a, b     *side
	dim      int
	progress func(what string, done float64)
}

func newFitter(a, b *vectors.Set, o Options) *fitter {
	f := &fitter{a: newSide(a, o.Steps), b: newSide(b, o.Steps), dim: a.Dim(), progress: o.Progress}
	if f.progress == nil {
		f.progress = func(string, float64) {}
	}
	return f
}

// fit is Procrustes of arguments that were checked.
func (f *fitter) fit(ctx context.Context, pairs []Pair) (*Fit, error) {
	usable, err := f.usable(ctx, pairs)
	if err != nil {
		return nil, err
	}
	fit := &Fit{Dim: f.dim, Anchors: len(usable), Unused: len(pairs) - len(usable)}
	if fit.Anchors == 0 {
		return nil, ErrNoAnchors
	}
	idsA, idsB := split(usable)
	if err := errors.Join(f.a.prepare(ctx, idsA), f.b.prepare(ctx, idsB)); err != nil {
		return nil, err
	}
	product, squaresA, squaresB, err := f.product(ctx, usable)
	if err != nil {
		return nil, err
	}
	f.progress("decomposing", 0)
	singular, err := rotationOf(ctx, product, fit)
	if err != nil {
		return nil, err
	}
	for _, x := range singular {
		fit.Scale += x
		if x <= float64(f.dim)*epsilon*singular[0] {
			fit.Undecided++
		}
	}
	if squaresB > 0 { // ‖A·R − B‖² = ‖A‖² + ‖B‖² − 2·Scale
		fit.Residual = math.Sqrt(max(0, squaresA+squaresB-2*fit.Scale) / squaresB)
	}
	f.progress("decomposing", 1)
	fit.MeanCosine, err = f.meanCosine(ctx, usable, fit.Rotation)
	return fit, err
}

// split returns the ids of pairs in A and in B.
func split(pairs []Pair) (a, b []int) {
	a, b = make([]int, len(pairs)), make([]int, len(pairs))
	for i, p := range pairs {
		a[i], b[i] = p.A, p.B
	}
	return a, b
}

// eachBlock calls visit with the vectors of pairs, some at a time, as they are after the first so
// many steps.
func (f *fitter) eachBlock(ctx context.Context, pairs []Pair, steps int, what string, visit func(first int, a, b blas64.General) error) error {
	idsA, idsB := split(pairs)
	for first := 0; first < len(pairs); first += blockPairs {
		if err := ctx.Err(); err != nil {
			return err
		}
		f.progress(what, float64(first)/float64(len(pairs)))
		last := min(len(pairs), first+blockPairs)
		a, err := f.a.read(idsA[first:last], steps)
		if err != nil {
			return err
		}
		b, err := f.b.read(idsB[first:last], steps)
		if err != nil {
			return err
		}
		if err := visit(first, a, b); err != nil {
			return err
		}
	}
	f.progress(what, 1)
	return nil
}

// usable returns the pairs whose vectors both have a direction.
func (f *fitter) usable(ctx context.Context, pairs []Pair) (usable []Pair, err error) {
	err = f.eachBlock(ctx, pairs, 0, "reading anchors", func(first int, a, b blas64.General) error {
		for r := range a.Rows {
			if hasDirection(rowOf(a, r)) && hasDirection(rowOf(b, r)) {
				usable = append(usable, pairs[first+r])
			}
		}
		return nil
	})
	return usable, err
}

// band is how many rows of a product a core adds to at a time.
const band = 32

// product returns AᵀB of the pairs' vectors after all steps, and the sums of the squares of A and of
// B. Every number of it is summed up in the order of the pairs.
func (f *fitter) product(ctx context.Context, pairs []Pair) (sum blas64.General, squaresA, squaresB float64, err error) {
	d := f.dim
	sum = blas64.General{Rows: d, Cols: d, Stride: d, Data: make([]float64, d*d)}
	err = f.eachBlock(ctx, pairs, len(f.a.steps), "multiplying", func(_ int, a, b blas64.General) error {
		squaresA += squares(a)
		squaresB += squares(b)
		var g errgroup.Group
		g.SetLimit(runtime.GOMAXPROCS(0))
		for first := 0; first < d; first += band {
			g.Go(func() error {
				width := min(band, d-first)
				blas64.Gemm(blas.Trans, blas.NoTrans, 1,
					blas64.General{Rows: a.Rows, Cols: width, Stride: d, Data: a.Data[first:]}, b,
					1, blas64.General{Rows: width, Cols: d, Stride: d, Data: sum.Data[first*d:]})
				return nil
			})
		}
		return g.Wait()
	})
	return sum, squaresA, squaresB, err
}

func squares(m blas64.General) (sum float64) {
	for r := range m.Rows {
		row := vectorOf(rowOf(m, r))
		sum += blas64.Dot(row, row)
	}
	return sum
}

// meanCosine returns the mean cosine of the pairs' vectors, without steps, after a rotation.
func (f *fitter) meanCosine(ctx context.Context, pairs []Pair, rotation []float64) (float64, error) {
	cosines, err := f.cosines(ctx, pairs, rotation)
	var sum float64
	for _, x := range cosines {
		sum += x
	}
	return sum / float64(len(cosines)), err
}

// cosines returns the cosine of each pair's vectors, without steps, after a rotation. It is NaN
// where a vector has no direction.
func (f *fitter) cosines(ctx context.Context, pairs []Pair, rotation []float64) ([]float64, error) {
	cosines := make([]float64, len(pairs))
	by := blas64.General{Rows: f.dim, Cols: f.dim, Stride: f.dim, Data: rotation}
	to := blas64.General{Rows: blockPairs, Cols: f.dim, Stride: f.dim, Data: make([]float64, blockPairs*f.dim)}
	err := f.eachBlock(ctx, pairs, 0, "comparing", func(first int, a, b blas64.General) error {
		to.Rows = a.Rows
		rotated(to, a, by)
		for r := range a.Rows {
			x, y := vectorOf(rowOf(to, r)), vectorOf(rowOf(b, r))
			cosines[first+r] = min(1, max(-1, blas64.Dot(x, y)/(blas64.Nrm2(x)*blas64.Nrm2(y))))
		}
		return nil
	})
	return cosines, err
}

// epsilon is the distance from 1 to the next float64.
const epsilon = 0x1p-52

// rotationOf sets the fit's rotation to U·Vᵀ of the singular value decomposition U·S·Vᵀ of a product, and
// returns the singular values, the largest first. The decomposition cannot be interrupted: if the
// context ends, it goes on for nobody.
func rotationOf(ctx context.Context, product blas64.General, fit *Fit) ([]float64, error) {
	type result struct {
		rotation, singular []float64
		err                error
	}
	done := make(chan result, 1)
	go func() {
		d := product.Rows
		var svd mat.SVD
		if !svd.Factorize(mat.NewDense(d, d, product.Data), mat.SVDFull) {
			done <- result{err: errors.New("the singular value decomposition of the anchors' product does not converge")}
			return
		}
		var u, v, r mat.Dense
		svd.UTo(&u)
		svd.VTo(&v)
		r.Mul(&u, v.T())
		done <- result{rotation: r.RawMatrix().Data, singular: svd.Values(nil)}
	}()
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case r := <-done:
		fit.Rotation = r.rotation
		return r.singular, r.err
	}
}
