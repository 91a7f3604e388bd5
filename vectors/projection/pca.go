package projection

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"

	"github.com/w2v-go/w2v/internal/eigen"
	"github.com/w2v-go/w2v/internal/sysinfo"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/transform"
	"gonum.org/v1/gonum/floats"
)

// PCAOptions are the settings of PCA. The zero value works.
type PCAOptions struct {
	// Unit scales vectors to length 1, so the map shows directions, which cosines compare. Otherwise vectors
	// keep their lengths.
	Unit bool
	// Progress, if not nil, is called with the progress of the computation.
	Progress Progress
}

// PCA places words by the first two principal components of their vectors. The mean of all vectors is at the
// origin. The variance is largest along X; Y is the direction of largest variance orthogonal to X. The sign
// of a component is chosen so that its number of largest magnitude is positive. The result is exact, in
// float64 (Pearson, "On Lines and Planes of Closest Fit to Systems of Points in Space", 1901). In one
// dimension, Y is 0.
func PCA(ctx context.Context, s *vectors.Set, o PCAOptions) (*Map, error) {
	if err := cmp.Or(s.CheckSizes(), affords(pcaBytes(s.Len(), s.Dim()), "principal components")); err != nil {
		return nil, err
	}
	keep := func(row, v []float32) bool {
		copy(row, v)
		return vectors.Finite(v)
	}
	if o.Unit {
		keep = vectors.Unit
	}
	o.Progress.stage("reading vectors", 0, 0.3)
	t, err := readRows(ctx, s, s.Len(), keep)
	if err != nil {
		return nil, err
	}
	placed, explained, err := principal(ctx, t.rows, o.Progress.stage("principal components", 0.3, 1))
	if err != nil {
		return nil, err
	}
	m := &Map{Method: MethodPCA, Explained: explained}
	m.Points, m.Aside = spread(s.Len(), t.ids, placed)
	return m, nil
}

var errNoWords = errors.New("projection: no word of the set has a vector that can be placed")

const pcaBlock = 1024

func pcaBytes(n, dim int) float64 {
	d := float64(dim)
	return float64(n)*(4*d+64) + 8*(3*d*d+pcaBlock*d) + eigen.Bytes(dim)
}

// principal returns the places of rows on two principal components, and each component's share of the
// variance.
func principal(ctx context.Context, m vectors.Matrix, step func(done float64)) (points []Point, explained []float64, err error) {
	d := m.Cols
	mean := make([]float64, d)
	for r := range m.Rows {
		for k, x := range m.Row(r) {
			mean[k] += float64(x)
		}
	}
	for k := range mean {
		mean[k] /= float64(m.Rows)
	}
	sum, part, block := make([]float64, d*d), make([]float64, d*d), make([]float64, min(pcaBlock, m.Rows)*d)
	for first := 0; first < m.Rows; first += pcaBlock {
		n := min(pcaBlock, m.Rows-first)
		for r := range n {
			to := block[r*d : (r+1)*d]
			for k, x := range m.Row(first + r) {
				to[k] = float64(x) - mean[k]
			}
		}
		if err := eigen.Multiply(ctx, part, block[:n*d], true, block[:n*d], false, d, n, d); err != nil {
			return nil, nil, err
		}
		for i, x := range part {
			sum[i] += x
		}
		step(0.5 * float64(first) / float64(m.Rows))
	}
	values, axes, err := eigen.Symmetric(ctx, sum, d, func(done float64) { step(0.5 + 0.4*done) })
	if err != nil {
		return nil, nil, err
	}
	axis := [2][]float64{make([]float64, d), make([]float64, d)}
	for c := range min(2, d) {
		for k := range d {
			axis[c][k] = axes[k*d+c]
		}
		if slices.MaxFunc(axis[c], func(a, b float64) int { return cmp.Compare(math.Abs(a), math.Abs(b)) }) < 0 {
			floats.Scale(-1, axis[c])
		}
	}
	points = make([]Point, m.Rows)
	for r := range points {
		var x, y float64
		for k, v := range m.Row(r) {
			x += (float64(v) - mean[k]) * axis[0][k]
			y += (float64(v) - mean[k]) * axis[1][k]
		}
		points[r] = Point{float32(x), float32(y)}
	}
	return points, shares(values), nil
}

// shares returns each variance as a share of their sum. Variances that rounding made negative count as 0.
func shares(variances []float64) []float64 {
	var total float64
	for i, v := range variances {
		variances[i] = max(0, v)
		total += variances[i]
	}
	for i := range variances {
		variances[i] /= cmp.Or(total, 1)
	}
	return variances
}

// A table is a copy in memory of the vectors that can be placed: a file may change, and there are many passes.
type table struct {
	rows vectors.Matrix
	ids  []int32 // of the words, rising
}

// readRows reads the first n vectors of s. keep writes the row of a vector, or returns false to leave it out.
func readRows(ctx context.Context, s *vectors.Set, n int, keep func(row, vector []float32) bool) (table, error) {
	t := table{rows: vectors.NewMatrix(n, s.Dim())}
	for id, v := range s.All() {
		if id == n {
			break
		}
		if id%1024 == 0 && ctx.Err() != nil {
			return t, ctx.Err()
		}
		if keep(t.rows.Row(len(t.ids)), v) {
			t.ids = append(t.ids, int32(id))
		}
	}
	if t.rows = t.rows.First(len(t.ids)); len(t.ids) == 0 {
		return t, cmp.Or(s.Err(), errNoWords)
	}
	return t, s.Err()
}

// scaled multiplies a vector by a power of two, which keeps its direction exactly, so that its length is
// between ½ and 1. It returns that length, or 0 if the vector has no direction.
func scaled(row, v []float32) float64 {
	length := math.Sqrt(dot(v, v))
	if !(length > 0) || math.IsInf(length, 0) {
		return 0
	}
	fraction, exponent := math.Frexp(length)
	factor := math.Ldexp(1, -exponent)
	for i, x := range v {
		row[i] = float32(float64(x) * factor)
	}
	return fraction
}

func dot(a, b []float32) (sum float64) {
	for i, x := range a {
		sum += float64(x) * float64(b[i])
	}
	return sum
}

// slack is the ratio of memory taken to memory in use; the difference is garbage that is not collected yet.
const slack = 1.25

// affords returns a *transform.MemoryError if bytes exceed the memory that the process can get.
func affords(bytes float64, what string) error {
	if need, have, limit, lacks := sysinfo.Lacks(slack*bytes, false); lacks {
		return &transform.MemoryError{What: what, Need: need, Have: have, Limit: limit, Instead: "take fewer words, such as the most frequent ones"}
	}
	return nil
}
