package projection

import (
	"context"
	"errors"

	"github.com/w2v-go/w2v/internal/eigen"
	"github.com/w2v-go/w2v/vectors"
)

// PCAOptions are the settings of PCA. The zero value works.
type PCAOptions struct {
	// Unit takes vectors of length 1, and so shows directions, which is what cosines compare. Otherwise
	// vectors are taken as they are.
	Unit bool
	// Progress, if not nil, is told how far the computation is.
	Progress Progress
}

// PCA places words by the first two principal components of their vectors: the mean of all words'
// vectors is at the origin, the variance is largest along X, and along Y it is the largest one across X. Of
// a component's two directions the one is taken in which the largest of its numbers is above zero.
// It is exact, in float64 (Pearson, "On Lines and Planes of Closest Fit to Systems of Points in
// Space", 1901). With one dimension, Y is 0.
func PCA(ctx context.Context, s *vectors.Set, o PCAOptions) (*Map, error) {
	return pca(ctx, s, o.Unit, &reporter{progress: o.Progress}, 1)
}

// pca is PCA; when it is done, that share of the whole work is.
func pca(ctx context.Context, s *vectors.Set, ofUnits bool, report *reporter, end float64) (*Map, error) {
	if err := check(s); err != nil {
		return nil, err
	}
	if err := affords(pcaBytes(s.Len(), s.Dim()), "principal components"); err != nil {
		return nil, err
	}
	keep := asIs
	if ofUnits {
		keep = unit
	}
	report.stage("reading vectors", report.done+0.3*(end-report.done))
	t, err := readRows(ctx, s, keep)
	if err != nil {
		return nil, err
	}
	if len(t.ids) == 0 {
		return nil, errNoWords
	}
	placed, explained, err := principal(ctx, t.rows, report.stage("principal components", end))
	if err != nil {
		return nil, err
	}
	m := &Map{Method: MethodPCA, Explained: explained}
	m.Points, m.Aside = spread(s.Len(), t.ids, placed)
	return m, nil
}

// errNoWords says that a map would be empty.
var errNoWords = errors.New("projection: no word of the set has a vector that can be placed")

// pcaBlock is how many rows are summed up at a time.
const pcaBlock = 1024

// pcaBytes is about what PCA takes.
func pcaBytes(n, dim int) float64 {
	d := float64(dim)
	return float64(n)*(4*d+64) + 8*(3*d*d+pcaBlock*d) + eigen.Bytes(dim)
}

// principal returns the rows in the directions of their first two principal components, and the
// share of the variance that each component has.
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
		var largest float64
		for k := range d {
			axis[c][k] = axes[k*d+c]
			if x := axis[c][k]; x*x > largest*largest {
				largest = x
			}
		}
		if largest < 0 {
			for k := range d {
				axis[c][k] = -axis[c][k]
			}
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

// shares returns what share of the sum each variance has. Variances that rounding made negative are 0.
func shares(variances []float64) []float64 {
	var total float64
	for i, v := range variances {
		variances[i] = max(0, v)
		total += variances[i]
	}
	if total > 0 {
		for i := range variances {
			variances[i] /= total
		}
	}
	return variances
}
