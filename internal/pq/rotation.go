package pq

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/w2v-go/w2v/internal/eigen"
	"github.com/w2v-go/w2v/internal/simd"
)

const (
	turns       = 20
	firstRounds = 4
	fitRows     = MaxSize * 64
	// MaxRotated is the largest length of rows that are rotated. The time to fit a rotation grows with its third power:
	// at this length it is half an hour on two cores.
	MaxRotated = 4096
)

// TrainRotated is like Train, but also returns a rotation of rows by which codes lose less. The
// rotation is a matrix of dim rows of dim numbers. A row times the matrix is what gets encoded; the
// dot product of row i of the matrix and a decoded row is number i of the original row.
func TrainRotated(ctx context.Context, sample []float32, dim int, opt Options) (Codebook, []float32, error) {
	sample, opt, err := prepare(sample, dim, opt)
	if err != nil {
		return Codebook{}, nil, err
	}
	if dim > MaxRotated {
		return Codebook{}, nil, fmt.Errorf("rows of %d numbers, at most %d can be rotated", dim, MaxRotated)
	}
	if len(sample)/dim <= opt.Size { // every row is a centroid, and nothing is lost without a rotation
		book, err := Train(ctx, sample, dim, opt)
		identity := make([]float32, dim*dim)
		for i := range dim {
			identity[i*dim+i] = 1
		}
		return book, identity, err
	}
	rotation, centroids, err := turn(ctx, sample, dim, opt)
	if err != nil {
		return Codebook{}, nil, err
	}
	t := newTraining(sample, dim, opt)
	rotated := make([]float32, len(sample))
	if err := RotateRows(ctx, rotated, sample, rotation); err != nil {
		return Codebook{}, nil, err
	}
	t.cut(rotated)
	for p, c := range t.parts {
		copy(c.centroids, centroids.part(p))
	}
	if err := t.each(func(c *clustering) error { return c.improve(ctx, rounds) }); err != nil {
		return Codebook{}, nil, err
	}
	opt.step(1)
	return t.book(), rotation, nil
}

func turn(ctx context.Context, sample []float32, dim int, opt Options) ([]float32, Codebook, error) {
	var some []float32
	for _, i := range Choose(len(sample)/dim, fitRows, opt.Seed) {
		some = append(some, sample[i*dim:(i+1)*dim]...)
	}
	t := newTraining(some, dim, opt)
	columns := transposed(some, dim)
	// The principal axes, the turns, and the last k-means take about as long as each other turn.
	part := func(i int) func(done float64) {
		return func(done float64) { opt.step((float64(i) + done) / (turns + 2)) }
	}
	rotation, err := t.balanced(ctx, columns, part(0))
	if err != nil {
		return nil, Codebook{}, err
	}
	rotated := make([]float32, len(some))
	codes := make([]byte, len(some)/dim*t.form.Parts())
	for i := range turns {
		if err := RotateRows(ctx, rotated, some, rotation); err != nil {
			return nil, Codebook{}, err
		}
		t.cut(rotated)
		if err := t.each(func(c *clustering) error {
			if i == 0 {
				if err := c.start(ctx); err != nil {
					return err
				}
				return c.improve(ctx, firstRounds)
			}
			if _, err := c.assign(ctx); err != nil {
				return err
			}
			c.move()
			return nil
		}); err != nil {
			return nil, Codebook{}, err
		}
		t.decode(rotated, codes)
		if rotation, err = fit(ctx, columns, transposed(rotated, dim), dim, part(1+i)); err != nil {
			return nil, Codebook{}, err
		}
	}
	return rotation, t.book(), nil
}

// Rotate writes row times the rotation to dst, which can then be encoded.
func Rotate(dst, row, rotation []float32) {
	clear(dst)
	for i, x := range row {
		for k, r := range rotation[i*len(dst):][:len(dst)] {
			dst[k] += x * r
		}
	}
}

// RotateRows is Rotate for many rows that follow one another, on all cores.
func RotateRows(ctx context.Context, dst, rows, rotation []float32) error {
	dim := int(math.Sqrt(float64(len(rotation))))
	n := len(rows) / dim
	columns := transposed(rotation, dim)
	const run = 64
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for first := 0; first < n; first += run {
		g.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			simd.Dots(dst[first*dim:], dim, rows[first*dim:], dim, min(run, n-first), columns, dim, dim, dim)
			return nil
		})
	}
	return g.Wait()
}

// Unrotate reverses Rotate: it writes the original of row to dst.
func Unrotate(dst, row, rotation []float32) {
	dim := len(dst)
	simd.Dots(dst, 1, rotation, dim, dim, row, dim, 1, dim)
}

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

// balanced rotates to the principal axes, such that each part has about the same product of variances.
func (t *training) balanced(ctx context.Context, columns []float32, step func(done float64)) ([]float32, error) {
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
	products, err := correlate(ctx, centred, centred, dim)
	if err != nil {
		return nil, err
	}
	variances, axes, err := eigen.Symmetric(ctx, products, dim, step)
	if err != nil {
		return nil, fmt.Errorf("principal axes of the rows: %w", err)
	}
	least := math.Max(variances[0]*1e-12, math.SmallestNonzeroFloat64)
	logs := make([]float64, t.form.Parts())
	taken := make([]int, len(logs))
	rotation := make([]float32, dim*dim)
	for axis := range dim {
		to := -1
		for p := range logs {
			if taken[p] < t.form.width(p) && (to < 0 || logs[p] < logs[to]) {
				to = p
			}
		}
		column := to*t.form.Part + taken[to]
		for i := range dim {
			rotation[i*dim+column] = float32(axes[i*dim+axis])
		}
		taken[to]++
		logs[to] += math.Log(math.Max(variances[axis], least)) - math.Log(least)
	}
	return rotation, nil
}

// fit returns the rotation that brings rows with columns a as near as possible to those with columns b. See
// Schönemann, "A generalized solution of the orthogonal Procrustes problem", 1966.
func fit(ctx context.Context, a, b []float32, dim int, step func(done float64)) ([]float32, error) {
	products, err := correlate(ctx, a, b, dim)
	if err != nil {
		return nil, err
	}
	nearest, err := eigen.Rotation(ctx, products, dim, step)
	if err != nil {
		return nil, fmt.Errorf("the rotation of the rows: %w", err)
	}
	rotation := make([]float32, dim*dim)
	for i, x := range nearest {
		rotation[i] = float32(x)
	}
	return rotation, nil
}

func correlate(ctx context.Context, a, b []float32, dim int) ([]float64, error) {
	n := len(a) / dim
	const most = 1024 // how many numbers are added up in single precision
	sums := make([]float64, dim*dim)
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	const group = 8
	for first := 0; first < dim; first += group {
		g.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
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
