// Package eigen decomposes large symmetric matrices and multiplies matrices, on all cores. Unlike
// LAPACK's routines, its functions return soon after their context ends.
package eigen

import (
	"context"
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// Bytes returns how many bytes Symmetric allocates for a matrix of n rows, besides the matrix.
func Bytes(n int) float64 { return 8*float64(n)*float64(n) + 16*queued }

// Symmetric returns the eigenvalues of a symmetric matrix of n rows, the largest
// first, and its eigenvectors, which are columns of length 1 of a matrix of the same size. It reads
// only the numbers on and above the diagonal of a, which must be finite, and overwrites all of a.
// The result is the same to the bit on any number of cores.
//
// Householder reflections make a tridiagonal, and implicit QL steps make that diagonal: see Golub
// and Van Loan, "Matrix Computations", 2013, sections 8.3.1 and 8.3.3. Step, if not nil, is called
// with the share of the work that has been done, from 0 to 1.
func Symmetric(ctx context.Context, a []float64, n int, step func(done float64)) (values, vectors []float64, err error) {
	if step == nil {
		step = func(float64) {}
	}
	for i := range n {
		for k := range i {
			a[i*n+k] = a[k*n+i]
		}
	}
	var largest float64
	for _, x := range a {
		largest = max(largest, math.Abs(x))
	}
	if math.IsNaN(largest) || math.IsInf(largest, 0) {
		return nil, nil, errors.New("a matrix to decompose has numbers that are not finite")
	}
	if largest > 0 { // scale, so that no square overflows or becomes zero
		floats.Scale(1/largest, a)
	}
	t, err := tridiagonal(ctx, a, n, func(done float64) { step(0.3 * done) })
	if err != nil {
		return nil, nil, err
	}
	if vectors, err = t.reflections(ctx); err != nil {
		return nil, nil, err
	}
	step(0.5)
	if err := t.diagonalise(ctx, vectors, func(done float64) { step(0.5 + 0.5*done) }); err != nil {
		return nil, nil, err
	}
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		switch {
		case t.diagonal[i] > t.diagonal[j]:
			return -1
		case t.diagonal[i] < t.diagonal[j]:
			return 1
		}
		return 0
	})
	for _, i := range order {
		values = append(values, t.diagonal[i]*largest)
	}
	err = inBands(ctx, n, 64, func(first, last int) {
		row := make([]float64, n)
		for i := first; i < last; i++ {
			for k, from := range order {
				row[k] = vectors[i*n+from]
			}
			copy(vectors[i*n:], row)
		}
	})
	step(1)
	return values, vectors, err
}

// A tridiagonalisation is a matrix A = Q·T·Qᵀ with T tridiagonal.
type tridiagonalisation struct {
	n             int
	diagonal, off []float64 // of T; off[i] is the element between diagonal[i] and diagonal[i+1]
	// Q is the product of the reflections I − beta[k]·v·vᵀ. Vector v is in row k of a, after
	// the diagonal.
	a, beta []float64
}

// tridiagonal decomposes a.
func tridiagonal(ctx context.Context, a []float64, n int, step func(done float64)) (*tridiagonalisation, error) {
	t := &tridiagonalisation{n: n, diagonal: make([]float64, n), off: make([]float64, n), a: a, beta: make([]float64, n)}
	// Each step subtracts v·wᵀ + w·vᵀ from the rows below. This is done while the next step
	// goes over these rows, to save a pass over memory.
	var v []float64
	w := make([]float64, n)
	product := make([]float64, n)
	take := func(row []float64, i, from int) { // i and from are counted from the beginning of v
		if v != nil {
			floats.AddScaled(row, -v[i], w[from:len(v)])
			floats.AddScaled(row, -w[i], v[from:])
		}
	}
	for k := range n {
		row := a[k*n+k : (k+1)*n]
		take(row, 0, 0)
		t.diagonal[k] = row[0]
		if k == n-1 {
			break
		}
		next := row[1:]
		square := floats.Dot(next, next)
		length := math.Sqrt(square)
		if square < negligible { // no reflection is needed
			clear(next)
			length = 0
		} else {
			length = -math.Copysign(length, next[0])
			next[0] -= length
			t.beta[k] = 2 / floats.Dot(next, next)
		}
		t.off[k] = length
		rows := len(next)
		if err := inBands(ctx, rows, max(1<<14/rows, (rows+cores()-1)/cores()), func(first, last int) {
			for i := first; i < last; i++ {
				below := a[(k+1+i)*n+k+1 : (k+2+i)*n]
				take(below, i+1, 1)
				product[i] = floats.Dot(below, next)
			}
		}); err != nil {
			return nil, err
		}
		p := product[:len(next)]
		floats.Scale(t.beta[k], p)
		floats.AddScaled(p, -t.beta[k]/2*floats.Dot(p, next), next)
		copy(w, p)
		v = next
		step(1 - math.Pow(1-float64(k)/float64(n), 3))
	}
	return t, nil
}

// negligible is a square that is too small to matter beside 1, the largest number of the matrix.
const negligible = 1e-290

// together is the number of rows to which reflections and rotations are applied side by side.
const together = 4

// reflections returns Q.
func (t *tridiagonalisation) reflections(ctx context.Context) ([]float64, error) {
	n := t.n
	q := make([]float64, n*n)
	err := inBands(ctx, n, together, func(first, last int) {
		for i := first; i < last; i++ {
			q[i*n+i] = 1
		}
		for k := range n - 1 {
			if t.beta[k] == 0 {
				continue
			}
			v := t.a[k*n+k+1 : (k+1)*n]
			for i := max(first, 1); i < last; i++ {
				row := q[i*n+k+1 : (i+1)*n]
				floats.AddScaled(row, -t.beta[k]*floats.Dot(row, v), v)
			}
		}
	})
	return q, err
}
