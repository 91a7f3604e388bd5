package eigen

import (
	"context"
	"errors"
	"math"
)

// A rotation turns two neighbouring columns, at and at+1.
type rotation struct {
	c, s float64
	at   int32
}

const (
	// queued is how many rotations are collected before they are applied to the vectors.
	queued = 1 << 14
	// mostSteps is the largest number of QL steps for an eigenvalue. Two are usual.
	mostSteps = 100
)

// diagonalise makes T diagonal and applies the same rotations to the columns of vectors.
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

// implicit takes a QL step with Wilkinson's shift on the block from l to m, and appends its
// rotations.
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

// turn applies rotations to the columns of vectors, row by row.
func turn(ctx context.Context, vectors []float64, n int, queue []rotation) error {
	return inBands(ctx, n, together, func(first, last int) {
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
