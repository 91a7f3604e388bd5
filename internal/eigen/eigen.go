// Package eigen decomposes large symmetric matrices and multiplies matrices, on all cores. Unlike
// LAPACK's routines, its functions return soon after their context ends.
package eigen

import (
	"cmp"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
)

// Bytes returns how many bytes Symmetric allocates for a matrix of n rows, besides the matrix.
func Bytes(n int) float64 { return 8*float64(n)*float64(n) + 16*queued }

// Symmetric returns the eigenvalues of a symmetric matrix of n rows, the largest first, and its eigenvectors as columns
// of length 1. It reads only the finite numbers on and above the diagonal of a, and overwrites all of a. The result is the
// same to the bit on any number of cores. Step, if not nil, is called with the share of the work that has been done.
//
// Householder reflections make a tridiagonal, and implicit QL steps make that diagonal: see Golub and Van Loan, "Matrix
// Computations", 2013, sections 8.3.1 and 8.3.3.
func Symmetric(ctx context.Context, a []float64, n int, step func(done float64)) (values, vectors []float64, err error) {
	if step == nil {
		step = func(float64) {}
	}
	for i := range n {
		for k := range i {
			a[i*n+k] = a[k*n+i]
		}
	}
	largest := floats.Norm(a, math.Inf(1))
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
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(t.diagonal[j], t.diagonal[i]) })
	for _, i := range order {
		values = append(values, t.diagonal[i]*largest)
	}
	err = InBands(ctx, n, 64, func(first, last int) {
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
	// Q is the product of the reflections I − beta[k]·v·vᵀ, with v in row k of a, after the diagonal.
	a, beta []float64
}

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
		if err := InBands(ctx, rows, max(1<<14/rows, (rows+cores()-1)/cores()), func(first, last int) {
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

const negligible = 1e-290 // a square that is too small to matter beside 1, the largest number of the matrix

const together = 4

func (t *tridiagonalisation) reflections(ctx context.Context) ([]float64, error) {
	n := t.n
	q := make([]float64, n*n)
	err := InBands(ctx, n, together, func(first, last int) {
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

type rotation struct {
	c, s float64
	at   int32
}

const (
	queued    = 1 << 14
	mostSteps = 100 // two QL steps for an eigenvalue are usual
)

func (t *tridiagonalisation) diagonalise(ctx context.Context, vectors []float64, step func(done float64)) error {
	d, e, n := t.diagonal, t.off, t.n
	var norm float64
	for i := range n {
		norm = max(norm, math.Abs(d[i])+math.Abs(e[i]))
	}
	const eps = 0x1p-52
	nothing := eps / 64 * norm // smaller numbers are only rounding errors
	queue := make([]rotation, 0, queued)
	for l := range n {
		for steps := 0; ; steps++ {
			// The block from l to m is not connected with what follows.
			m := l
			for m < n-1 && math.Abs(e[m]) > eps*(math.Abs(d[m])+math.Abs(d[m+1]))+nothing {
				m++
			}
			if m == l {
				break
			}
			if steps == mostSteps {
				return errors.New("the eigenvalues of a matrix cannot be computed: their iteration does not converge")
			}
			if len(queue)+m-l > queued && len(queue) > 0 {
				if err := turn(ctx, vectors, n, queue); err != nil {
					return err
				}
				queue = queue[:0]
				step(float64(l) / float64(n))
			}
			queue = t.implicit(queue, l, m)
		}
	}
	return turn(ctx, vectors, n, queue)
}

// implicit appends the rotations of a QL step with Wilkinson's shift on the block from l to m.
func (t *tridiagonalisation) implicit(queue []rotation, l, m int) []rotation {
	d, e := t.diagonal, t.off
	g := (d[l+1] - d[l]) / (2 * e[l])
	g = d[m] - d[l] + e[l]/(g+math.Copysign(math.Hypot(g, 1), g))
	s, c, p := 1.0, 1.0, 0.0
	for i := m - 1; i >= l; i-- {
		f, b := s*e[i], c*e[i]
		r := math.Hypot(f, g)
		e[i+1] = r
		if r == 0 { // the block splits here
			d[i+1] -= p
			e[m] = 0
			return queue
		}
		s, c = f/r, g/r
		g = d[i+1] - p
		r = (d[i]-g)*s + 2*c*b
		p = s * r
		d[i+1] = g + p
		g = c*r - b
		queue = append(queue, rotation{c: c, s: s, at: int32(i)})
	}
	d[l] -= p
	e[l] = g
	e[m] = 0
	return queue
}

func turn(ctx context.Context, vectors []float64, n int, queue []rotation) error {
	return InBands(ctx, n, together, func(first, last int) {
		i := first
		if last-first == together {
			a, b := vectors[i*n:][:n], vectors[(i+1)*n:][:n]
			c, d := vectors[(i+2)*n:][:n], vectors[(i+3)*n:][:n]
			for _, r := range queue {
				k := int(r.at)
				a[k], a[k+1] = r.c*a[k]-r.s*a[k+1], r.s*a[k]+r.c*a[k+1]
				b[k], b[k+1] = r.c*b[k]-r.s*b[k+1], r.s*b[k]+r.c*b[k+1]
				c[k], c[k+1] = r.c*c[k]-r.s*c[k+1], r.s*c[k]+r.c*c[k+1]
				d[k], d[k+1] = r.c*d[k]-r.s*d[k+1], r.s*d[k]+r.c*d[k+1]
			}
			return
		}
		for ; i < last; i++ {
			row := vectors[i*n:][:n]
			for _, r := range queue {
				k := int(r.at)
				row[k], row[k+1] = r.c*row[k]-r.s*row[k+1], r.s*row[k]+r.c*row[k+1]
			}
		}
	})
}

const bandWork = 1 << 27

// Multiply sets c to the product of a and b. Each of them can be transposed first. Matrices are
// stored row by row, without gaps. After transposition, a is n × m and b is m × p.
func Multiply(ctx context.Context, c, a []float64, transposeA bool, b []float64, transposeB bool, n, m, p int) error {
	op := func(transpose bool) blas.Transpose {
		if transpose {
			return blas.Trans
		}
		return blas.NoTrans
	}
	matrix := func(data []float64, rows, cols int, transposed bool) blas64.General {
		if transposed {
			rows, cols = cols, rows
		}
		return blas64.General{Rows: rows, Cols: cols, Stride: cols, Data: data}
	}
	right := matrix(b, m, p, transposeB)
	return InBands(ctx, n, min(64, max(1, bandWork/(m*p))), func(first, last int) {
		left := matrix(a, n, m, transposeA)
		if transposeA {
			left.Data, left.Cols = a[first:], last-first
		} else {
			left.Data, left.Rows = a[first*m:], last-first
		}
		to := blas64.General{Rows: last - first, Cols: p, Stride: p, Data: c[first*p:]}
		blas64.Gemm(op(transposeA), op(transposeB), 1, left, right, 0, to)
	})
}

// AddSquare adds rowsᵀ·rows, of n rows of d numbers, to the matrix sum, on and above its diagonal.
func AddSquare(ctx context.Context, sum, rows []float64, n, d int) error {
	return InBands(ctx, d, 32, func(first, last int) {
		blas64.Gemm(blas.Trans, blas.NoTrans, 1,
			blas64.General{Rows: n, Cols: last - first, Stride: d, Data: rows[first:]},
			blas64.General{Rows: n, Cols: d - first, Stride: d, Data: rows[first:]},
			1, blas64.General{Rows: last - first, Cols: d - first, Stride: d, Data: sum[first*d+first:]})
	})
}

func cores() int { return runtime.GOMAXPROCS(0) }

// InBands calls do for bands of n rows, first to last-1, on all cores. It returns the error of an ended context.
func InBands(ctx context.Context, n, size int, do func(first, last int)) error {
	if n <= size || cores() == 1 {
		for first := 0; first < n; first += size {
			if err := ctx.Err(); err != nil {
				return err
			}
			do(first, min(first+size, n))
		}
		return ctx.Err()
	}
	var g errgroup.Group
	g.SetLimit(cores())
	for first := 0; first < n && ctx.Err() == nil; first += size {
		g.Go(func() error {
			do(first, min(first+size, n))
			return nil
		})
	}
	_ = g.Wait() // the functions return no errors
	return ctx.Err()
}

// RotationBytes returns how many bytes Rotation allocates for a matrix of n rows, besides the matrix.
func RotationBytes(n int) float64 { return 8*float64(n)*float64(n) + Bytes(n) }

// Rotation returns the orthogonal matrix that is nearest to m, of n rows and columns, and overwrites m: m·(mᵀ·m)^(−½).
// Directions in which m is zero get vectors that are orthogonal to the others, the same ones every time. Directions in
// which m is less than about 10⁻⁷ of its largest are not optimal.
func Rotation(ctx context.Context, m []float64, n int, step func(done float64)) ([]float64, error) {
	if largest := floats.Norm(m, math.Inf(1)); largest > 0 {
		floats.Scale(1/largest, m)
	}
	gram := make([]float64, n*n)
	if err := Multiply(ctx, gram, m, true, m, false, n, n, n); err != nil {
		return nil, err
	}
	_, right, err := Symmetric(ctx, gram, n, step)
	if err != nil {
		return nil, err
	}
	// Row i of left is m times column i of right.
	left := gram
	if err := Multiply(ctx, left, right, true, m, true, n, n, n); err != nil {
		return nil, err
	}
	if err := orthonormalise(ctx, left, n); err != nil {
		return nil, err
	}
	return m, Multiply(ctx, m, left, true, right, true, n, n, n)
}

const panel = 32

func orthonormalise(ctx context.Context, rows []float64, n int) error {
	random := rand.New(rand.NewPCG(uint64(n), 1))
	dots, sums := make([]float64, panel*n), make([]float64, panel*n)
	length := math.Sqrt(floats.Dot(rows[:n], rows[:n])) // the first row is the longest
	for first := 0; first < n; first += panel {
		last := min(first+panel, n)
		these, before := rows[first*n:last*n], rows[:first*n]
		for i := first; i < last; i++ {
			row := rows[i*n : (i+1)*n]
			if own := math.Sqrt(floats.Dot(row, row)); own > 1e-13*length && own > 0 {
				floats.Scale(1/own, row)
			} else {
				direction(row, random)
			}
		}
		for range 2 { // twice is enough (Giraud, Langou, Rozložník and van den Eshof 2005)
			if first == 0 {
				break
			}
			if err := Multiply(ctx, dots, these, false, before, true, last-first, n, first); err != nil {
				return err
			}
			if err := Multiply(ctx, sums, dots, false, before, false, last-first, first, n); err != nil {
				return err
			}
			floats.Sub(these, sums[:len(these)])
		}
		for i := first; i < last; i++ {
			if err := orthonormal(ctx, rows, n, i, first, random); err != nil {
				return err
			}
		}
	}
	return nil
}

// orthonormal makes row i orthogonal to the rows first to i-1, and of length 1. A random row replaces one of which
// nothing is left.
func orthonormal(ctx context.Context, rows []float64, n, i, first int, random *rand.Rand) error {
	row := rows[i*n : (i+1)*n]
	for {
		for range 2 {
			for j := first; j < i; j++ {
				other := rows[j*n : (j+1)*n]
				floats.AddScaled(row, -floats.Dot(row, other), other)
			}
		}
		left := math.Sqrt(floats.Dot(row, row))
		if left > 1e-6 {
			floats.Scale(1/left, row)
			return nil
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		direction(row, random)
		first = 0
	}
}

func direction(row []float64, random *rand.Rand) {
	for k := range row {
		row[k] = random.NormFloat64()
	}
	floats.Scale(1/math.Sqrt(floats.Dot(row, row)), row)
}
