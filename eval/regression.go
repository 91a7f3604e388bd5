package eval

import (
	"math"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// A regression is a logistic regression with an L2 penalty: it minimises ½‖w‖² + Σ log(1 +
// exp(−y·(w·x + intercept))), with labels y of 1 and −1. The intercept has no penalty. This is
// what LogisticRegression(C=1) of scikit-learn minimises.
type regression struct {
	samples [][]float64 // each with 1 after it, which the intercept multiplies
	labels  []float64   // 1 or 0
	all     []float64   // the solution for all samples
	hessian mat.Cholesky
}

func newRegression(samples [][]float64, labels []bool) *regression {
	r := new(regression)
	for i, sample := range samples {
		r.samples = append(r.samples, append(sample[:len(sample):len(sample)], 1))
		label := 0.0
		if labels[i] {
			label = 1
		}
		r.labels = append(r.labels, label)
	}
	r.all = make([]float64, len(r.samples[0]))
	r.hessian = r.minimize(r.all, nil)
	return r
}

// without returns the normal and the intercept for all samples but some.
func (r *regression) without(left ...int) (normal []float64, intercept float64) {
	w := append([]float64{}, r.all...)
	r.minimize(w, left)
	last := len(w) - 1
	return w[:last], w[last]
}

// minimize moves w, the normal with the intercept after it, to the minimum for all samples but
// those left out, by Newton's method. The solution for all samples is near that for all but few,
// and so is its Hessian: as long as steps with that Hessian converge fast, no other is made. Steps
// end where the gradient is rounding error. It returns the Hessian at the end, if left is nil.
func (r *regression) minimize(w []float64, left []int) mat.Cholesky {
	const steps, enough = 200, 1e-12
	hessian, fresh := r.hessian, false
	if left == nil {
		hessian, fresh = r.curvature(w, left), true
	}
	g := r.gradient(w, left)
	size := floats.Norm(g, 2)
	for range steps {
		if size <= enough {
			break
		}
		step := mat.NewVecDense(len(w), nil)
		if hessian.SolveVecTo(step, mat.NewVecDense(len(g), g)) != nil {
			break // never: the Hessian has no eigenvalue near zero
		}
		next, nextSize, nextG := w, size, g
		for scale := 1.0; scale > 1e-6; scale /= 2 {
			next = append([]float64{}, w...)
			floats.AddScaled(next, -scale, step.RawVector().Data)
			nextG = r.gradient(next, left)
			if nextSize = floats.Norm(nextG, 2); nextSize < size {
				break
			}
		}
		better := nextSize < size
		slow := !(nextSize < size/2)
		if better {
			copy(w, next)
			g, size = nextG, nextSize
		}
		switch {
		case !better && fresh:
			return hessian // rounding errors are as large as the gradient
		case slow || fresh && left == nil:
			hessian, fresh = r.curvature(w, left), true
		default:
			fresh = false
		}
	}
	return hessian
}

// gradient returns the derivatives at w.
func (r *regression) gradient(w []float64, left []int) []float64 {
	last := len(w) - 1
	g := append([]float64{}, w...)
	g[last] = 0
	for i, x := range r.samples {
		if !contains(left, i) {
			floats.AddScaled(g, r.probability(w, x)-r.labels[i], x)
		}
	}
	return g
}

// curvature returns the Hessian at w, factorized.
func (r *regression) curvature(w []float64, left []int) mat.Cholesky {
	n := len(w)
	h := mat.NewSymDense(n, nil)
	for i := range n - 1 {
		h.SetSym(i, i, 1)
	}
	for i, x := range r.samples {
		if p := r.probability(w, x); !contains(left, i) {
			blas64.Syr(p*(1-p), blas64.Vector{N: n, Data: x, Inc: 1}, h.RawSymmetric())
		}
	}
	var c mat.Cholesky
	if !c.Factorize(h) { // p (1−p) of every sample is zero
		h.SetSym(n-1, n-1, h.At(n-1, n-1)+1e-12)
		c.Factorize(h)
	}
	return c
}

func (r *regression) probability(w, x []float64) float64 {
	return 1 / (1 + math.Exp(-floats.Dot(w, x)))
}

func contains(list []int, i int) bool {
	for _, x := range list {
		if x == i {
			return true
		}
	}
	return false
}

func norm64(v []float64) float64 { return floats.Norm(v, 2) }
