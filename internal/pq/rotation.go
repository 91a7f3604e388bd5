package pq

import (
	"cmp"
	"context"
	"errors"
	"math"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"
	"gonum.org/v1/gonum/mat"

	"github.com/w2v-go/w2v/internal/simd"
)

const (
	// turns is how often the rotation is fitted to the codes.
	turns = 20
	// firstRounds is how often k-means goes over its points before that.
	firstRounds = 4
	// fitRows is how many rows are enough to fit a rotation to.
	fitRows = MaxSize * 64
)

// TrainRotated is Train with rows rotated such that the codes lose less. The
// rotation is a matrix of dim rows of dim numbers: row i of it times the decoded row
// is number i of the original, and encoded is the original times the matrix.
func TrainRotated(ctx context.Context, sample []float32, dim int, opt Options) (Codebook, []float32, error) {
	sample, opt, err := prepare(sample, dim, opt)
	if err != nil {
		return Codebook{}, nil, err
	}
	rotation, centroids, err := turn(ctx, sample, dim, opt)
	if err != nil {
		return Codebook{}, nil, err
	}
	t := newTraining(sample, dim, opt)
	rotated := make([]float32, len(sample))
	RotateRows(rotated, sample, rotation)
	t.cut(rotated)
	for p, c := range t.parts {
		copy(c.centroids, centroids.part(p))
	}
	err = t.each(func(c *clustering) error { return c.improve(ctx, rounds) })
	return t.book(), rotation, err
}

// turn returns a rotation fitted to some of the rows, and centroids that it was
// fitted with.
func turn(ctx context.Context, sample []float32, dim int, opt Options) ([]float32, Codebook, error) {
	var some []float32
	for _, i := range Choose(len(sample)/dim, fitRows, opt.Seed) {
		some = append(some, sample[i*dim:(i+1)*dim]...)
	}
	t := newTraining(some, dim, opt)
	columns := transposed(some, dim)
	rotation, err := t.balanced(columns)
	if err != nil {
		return nil, Codebook{}, err
	}
	rotated := make([]float32, len(some))
	codes := make([]byte, len(some)/dim*t.form.Parts())
	for i := range turns {
		RotateRows(rotated, some, rotation)
		t.cut(rotated)
		if err := t.each(func(c *clustering) error {
			if i == 0 {
				c.start()
				return c.improve(ctx, firstRounds)
			}
			c.assign()
			c.move()
			return ctx.Err()
		}); err != nil {
			return nil, Codebook{}, err
		}
		t.decode(rotated, codes)
		if rotation, err = fit(columns, transposed(rotated, dim), dim); err != nil {
			return nil, Codebook{}, err
		}
	}
	return rotation, t.book(), nil
}

// Rotate writes row times the rotation to dst: what is encoded.
func Rotate(dst, row, rotation []float32) {
	clear(dst)
	for i, x := range row {
		for k, r := range rotation[i*len(dst):][:len(dst)] {
			dst[k] += x * r
		}
	}
}

// RotateRows is Rotate for rows that follow each other, on all cores.
func RotateRows(dst, rows, rotation []float32) {
	dim := int(math.Sqrt(float64(len(rotation))))
	n := len(rows) / dim
	columns := transposed(rotation, dim)
	const run = 256
	var g errgroup.Group
	g.SetLimit(runtime.GOMAXPROCS(0))
	for first := 0; first < n; first += run {
		g.Go(func() error {
			simd.Dots(dst[first*dim:], dim, rows[first*dim:], dim, min(run, n-first), columns, dim, dim, dim)
			return nil
		})
	}
	_ = g.Wait() // cannot fail
}

// Unrotate writes what Rotate made row of to dst.
func Unrotate(dst, row, rotation []float32) {
	dim := len(dst)
	simd.Dots(dst, 1, rotation, dim, dim, row, dim, 1, dim)
}

// decode writes the rows that the clusterings' codes stand for to dst.
func (t *training) decode(dst []float32, codes []byte) {
	parts := t.form.Parts()
	for p, c := range t.parts {
		for i, code := range c.code {
			codes[i*parts+p] = code
		}
	}
	book := t.book()
	for i := range len(codes) / parts {
		book.Decode(dst[i*book.Dim:][:book.Dim], codes[i*parts:])
	}
}

// balanced returns a rotation to principal axes, dealt out to the parts such that
// each has about the same product of variances: where to start from.
func (t *training) balanced(columns []float32) ([]float32, error) {
	dim := t.form.Dim
	n := len(columns) / dim
	centred := slices.Clone(columns)
	for column := range slices.Chunk(centred, n) {
		var sum float64
		for _, x := range column {
			sum += float64(x)
		}
		mean := float32(sum / float64(n))
		for i := range column {
			column[i] -= mean
		}
	}
	products, err := correlate(centred, centred, dim)
	if err != nil {
		return nil, err
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(mat.NewSymDense(dim, products), true) {
		return nil, errors.New("the principal axes of the rows cannot be computed")
	}
	variances := eigen.Values(nil)
	var axes mat.Dense
	eigen.VectorsTo(&axes)

	order := make([]int, dim) // by falling variance
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(variances[b], variances[a]) })
	least := math.Max(variances[order[0]]*1e-12, math.SmallestNonzeroFloat64)
	logs := make([]float64, t.form.Parts())
	taken := make([]int, len(logs))
	rotation := make([]float32, dim*dim)
	for _, axis := range order {
		to := -1
		for p := range logs {
			if taken[p] < t.form.width(p) && (to < 0 || logs[p] < logs[to]) {
				to = p
			}
		}
		column := to*t.form.Part + taken[to]
		for i := range dim {
			rotation[i*dim+column] = float32(axes.At(i, axis))
		}
		taken[to]++
		logs[to] += math.Log(math.Max(variances[axis], least)) - math.Log(least)
	}
	return rotation, nil
}

// fit returns the rotation that takes the rows with columns a as near as can be to
// those with columns b. See Schönemann, "A generalized solution of the orthogonal
// Procrustes problem", 1966.
func fit(a, b []float32, dim int) ([]float32, error) {
	products, err := correlate(a, b, dim)
	if err != nil {
		return nil, err
	}
	var svd mat.SVD
	if !svd.Factorize(mat.NewDense(dim, dim, products), mat.SVDFull) {
		return nil, errors.New("the rotation of the rows cannot be fitted")
	}
	var u, v, r mat.Dense
	svd.UTo(&u)
	svd.VTo(&v)
	r.Mul(&u, v.T())
	rotation := make([]float32, dim*dim)
	for i, x := range r.RawMatrix().Data {
		rotation[i] = float32(x)
	}
	return rotation, nil
}

// correlate returns the dot product of each column of a with each one of b.
func correlate(a, b []float32, dim int) ([]float64, error) {
	n := len(a) / dim
	const most = 1024 // numbers to add up in single precision
	sums := make([]float64, dim*dim)
	var g errgroup.Group
	g.SetLimit(runtime.GOMAXPROCS(0))
	const group = 8
	for first := 0; first < dim; first += group {
		g.Go(func() error {
			rows := min(group, dim-first)
			products := make([]float32, rows*dim)
			for at := 0; at < n; at += most {
				simd.Dots(products, dim, a[first*n+at:], n, rows, b[at:], n, dim, min(most, n-at))
				for i, x := range products {
					sums[first*dim+i] += float64(x)
				}
			}
			return nil
		})
	}
	err := g.Wait()
	return sums, err
}

// transposed returns the columns of rows of dim numbers, one after the other.
func transposed(rows []float32, dim int) []float32 {
	n := len(rows) / dim
	columns := make([]float32, len(rows))
	for i := range n {
		for k := range dim {
			columns[k*n+i] = rows[i*dim+k]
		}
	}
	return columns
}
