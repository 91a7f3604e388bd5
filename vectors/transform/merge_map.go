package transform

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/w2v-go/w2v/internal/eigen"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/internal/backing"
	"gonum.org/v1/gonum/blas/blas64"
)

// behind returns a file that fails when one of the parts does.
func (m *merger) behind() *backing.File {
	var files []*backing.File
	for _, p := range m.parts {
		files = append(files, behind(p.set))
	}
	return backing.Several(files...)
}

// A joined matrix has the unit vectors of a word in all parts, one after the other; zeros of a part without one.
type joined struct {
	of      *merger
	words   []uint32    // of the rows
	lengths [][]float64 // of each part, those of the vectors that were read
}

func (j joined) Read(dst []float32, r int) {
	for i, p := range j.of.parts {
		j.lengths[i][r] = p.unit(dst[p.first:p.first+p.dim], j.of.words, int(j.words[r]))
	}
}

// unit sets dst to the vector of a word, scaled to length 1, and returns its length.
func (p *mergePart) unit(dst []float32, words vectors.Words, id int) float64 {
	p.read(dst, words, id)
	var sum float64
	for _, x := range dst {
		sum += float64(x) * float64(x)
	}
	if sum != 0 {
		factor(1 / math.Sqrt(sum))(dst)
	}
	return math.Sqrt(sum)
}

func (p *mergePart) read(dst []float32, words vectors.Words, id int) {
	switch place := p.places[id]; place {
	case nowhere:
		clear(dst)
	case composed:
		p.set.Vector(dst, words.At(id))
	default:
		p.set.WordVector(dst, int(place))
		behind(p.set).Saw(4 * int64(p.dim))
	}
}

// measure computes the second moments of the words that all parts have.
func (m *merger) measure(ctx context.Context) error {
	ids := make([]uint32, 0, len(m.classes))
	for id, class := range m.classes {
		if class == m.complete() && id >= m.special {
			ids = append(ids, uint32(id))
		}
	}
	if len(ids) == 0 {
		return errNothingShared
	}
	rows := joined{of: m, words: ids}
	for range m.parts {
		rows.lengths = append(rows.lengths, make([]float64, len(ids)))
	}
	var err error
	m.moments, m.shared, _, err = scatter(ctx, m.behind(), vectors.Stored(len(ids), m.dim, rows), make([]float64, m.dim), m.options.Computation.step(m.what, 0, 1))
	if err != nil {
		return err
	}
	if m.shared == 0 {
		return errors.New("no word has a finite vector in each of them, and so it is unknown how their vectors go together")
	}
	g := m.moments
	for i := range g.Rows {
		for k := range i {
			g.Data[i*g.Stride+k] = g.Data[k*g.Stride+i]
		}
	}
	for i, p := range m.parts {
		var sum float64
		for r := range ids {
			if !slices.ContainsFunc(rows.lengths, func(of []float64) bool { return math.IsNaN(of[r]) || math.IsInf(of[r], 0) }) {
				sum += rows.lengths[i][r] * rows.lengths[i][r]
			}
		}
		if p.scale = math.Sqrt(sum / float64(m.shared)); !(p.scale > 0) {
			return &PartError{i, errors.New("the vectors of all shared words are zeros")}
		}
	}
	return nil
}

// block returns rows × columns of the moments of two parts.
func (m *merger) block(a, b *mergePart) blas64.General {
	return blas64.General{Rows: a.dim, Cols: b.dim, Stride: m.moments.Stride, Data: m.moments.Data[a.first*m.moments.Stride+b.first:]}
}

// joint returns the linear map from joined vectors to vectors of the result, and the share of squares that it keeps.
func (m *merger) joint(ctx context.Context, weights []float64) (blas64.General, float64, error) {
	to, err := m.gathered(ctx, weights)
	if err != nil {
		return to, 0, err
	}
	d, dim := to.Cols, m.options.Dim
	if m.options.Method == MergeAverage && dim == d && m.options.Power == 1 {
		return to, 1, nil // the axes of the first set
	}
	// The moments of what is gathered are toᵀ·G·to.
	half, square := general(m.dim, d), general(d, d)
	if err := eigen.Multiply(ctx, half.Data, m.moments.Data, false, to.Data, false, m.dim, m.dim, d); err != nil {
		return to, 0, err
	}
	if err := eigen.Multiply(ctx, square.Data, to.Data, true, half.Data, false, d, m.dim, d); err != nil {
		return to, 0, err
	}
	axes, energies, err := principal(ctx, square, nil)
	if err != nil {
		return to, 0, err
	}
	first := general(d, dim)
	for r := range d {
		copy(first.Data[r*dim:(r+1)*dim], axes.Data[r*d:])
	}
	if m.options.Power != 1 {
		raise(first, energies[:dim], m.options.Power)
	}
	reduced := general(m.dim, dim)
	return reduced, share(energies, dim), eigen.Multiply(ctx, reduced.Data, to.Data, false, first.Data, false, m.dim, d, dim)
}

// raise makes columns count by a power of their singular values, the roots of their energies. All together keep their energy.
func raise(columns blas64.General, energies []float64, power float64) {
	by := make([]float64, len(energies))
	var before, after float64
	for c, e := range energies {
		if e <= 1e-12*energies[0] { // rounding errors, which would be made large
			continue
		}
		by[c] = math.Pow(e, (power-1)/2)
		before, after = before+e, after+e*by[c]*by[c]
	}
	keep := math.Sqrt(before / after)
	for r := range columns.Rows {
		for c, x := range by {
			columns.Data[r*columns.Stride+c] *= keep * x
		}
	}
}

// gathered returns the linear map from joined unit vectors to weighted ones, or to weighted means of rotated ones.
func (m *merger) gathered(ctx context.Context, weights []float64) (blas64.General, error) {
	concat := m.options.Method == MergeConcat
	var norm float64
	for _, w := range weights {
		if concat {
			norm += w * w
		} else {
			norm += w
		}
	}
	if concat {
		norm = math.Sqrt(norm)
	}
	cols := m.dim
	if !concat {
		cols = m.parts[0].dim
	}
	to := general(m.dim, cols)
	for i, p := range m.parts {
		by := weights[i] / norm
		switch {
		case concat:
			for k := p.first; k < p.first+p.dim; k++ {
				to.Data[k*cols+k] = by
			}
		case i == 0:
			for k := range p.dim {
				to.Data[k*cols+k] = by
			}
		default:
			product := general(p.dim, cols)
			from := m.block(p, m.parts[0])
			for r := range p.dim {
				copy(product.Data[r*cols:(r+1)*cols], from.Data[r*from.Stride:r*from.Stride+cols])
			}
			rotation, err := eigen.Rotation(ctx, product.Data, cols, func(float64) {})
			if err != nil {
				return to, err
			}
			for k, x := range rotation {
				to.Data[p.first*cols+k] = by * x
			}
		}
	}
	return to, nil
}

// mapOf returns the map of words that only the parts of a class have vectors of: the joint map of what these parts say of the
// others, by least squares over the shared words. Its rows for other parts are zeros.
func (m *merger) mapOf(ctx context.Context, class uint32, joint blas64.General) (blas64.General, error) {
	if class == m.complete() {
		return joint, nil
	}
	var at []int // dimensions that are known
	for i, p := range m.parts {
		for k := range p.dim {
			if class&(1<<i) != 0 {
				at = append(at, p.first+k)
			}
		}
	}
	n, d, cols := len(at), m.dim, joint.Cols
	// Solve K·X = G[known,:]·joint, where K are the moments of what is known.
	known, right, product := general(n, n), general(n, d), general(n, cols)
	for r, i := range at {
		for c, k := range at {
			known.Data[r*n+c] = m.moments.Data[i*d+k]
		}
		copy(right.Data[r*d:(r+1)*d], m.moments.Data[i*d:(i+1)*d])
	}
	if err := eigen.Multiply(ctx, product.Data, right.Data, false, joint.Data, false, n, d, cols); err != nil {
		return joint, err
	}
	solved, err := solve(ctx, known, product)
	if err != nil {
		return joint, err
	}
	to := general(d, cols)
	for r, i := range at {
		copy(to.Data[i*cols:(i+1)*cols], solved.Data[r*cols:(r+1)*cols])
	}
	return to, nil
}

// solve returns the X of smallest length that minimises ‖K·X − B‖, where K is symmetric and has no negative eigenvalue. It
// overwrites K.
func solve(ctx context.Context, k, b blas64.General) (blas64.General, error) {
	n, cols := b.Rows, b.Cols
	axes, energies, err := principal(ctx, k, nil)
	if err != nil {
		return b, err
	}
	places, x := general(n, cols), general(n, cols)
	if err := eigen.Multiply(ctx, places.Data, axes.Data, true, b.Data, false, n, n, cols); err != nil {
		return b, err
	}
	for r := range n {
		for c := range cols {
			if energies[r] > noVariance*energies[0] {
				places.Data[r*cols+c] /= energies[r]
			} else {
				places.Data[r*cols+c] = 0
			}
		}
	}
	return x, eigen.Multiply(ctx, x.Data, axes.Data, false, places.Data, false, n, n, cols)
}
