package pq

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"
)

// Options are the settings of training.
type Options struct {
	Part int    // how many numbers a part has, at least 1; more than a row has are a row
	Size int    // centroids a part; 0 for MaxSize
	Seed uint64 // of random numbers
}

// SampleSize is how many rows are enough to train on.
const SampleSize = MaxSize * 256

// rounds is how often k-means goes over its points at most.
const rounds = 25

// Choose returns which of n rows to train on: all if they are no more than most, or
// else that many at random. They rise.
func Choose(n, most int, seed uint64) []int {
	var chosen []int
	random := rand.New(rand.NewPCG(seed, streamChoice))
	for i := range n {
		// Each row that is left is as likely as the others to be among those missing.
		if missing := most - len(chosen); missing >= n-i || random.IntN(n-i) < missing {
			chosen = append(chosen, i)
		}
	}
	return chosen
}

// Streams of random numbers that no part has.
const streamChoice = math.MaxUint64

// Train returns a codebook for rows like those of sample, of dim numbers each, one
// after the other. Rows with a number that is not finite are left out. It works on
// all cores; the result does not depend on their number. If there are fewer rows
// than centroids, there are as many centroids as rows.
func Train(ctx context.Context, sample []float32, dim int, opt Options) (Codebook, error) {
	sample, opt, err := prepare(sample, dim, opt)
	if err != nil {
		return Codebook{}, err
	}
	t := newTraining(sample, dim, opt)
	t.cut(sample)
	err = t.each(func(c *clustering) error {
		c.start()
		return c.improve(ctx, rounds)
	})
	return t.book(), err
}

// prepare checks what training is given, and drops rows that it cannot use.
func prepare(sample []float32, dim int, opt Options) ([]float32, Options, error) {
	if opt.Size == 0 {
		opt.Size = MaxSize
	}
	switch {
	case dim < 1:
		return nil, opt, fmt.Errorf("rows of %d numbers, must be at least 1", dim)
	case opt.Part < 1:
		return nil, opt, fmt.Errorf("parts of %d numbers, must be at least 1", opt.Part)
	case opt.Size < 1 || opt.Size > MaxSize:
		return nil, opt, fmt.Errorf("%d centroids a part, must be from 1 to %d", opt.Size, MaxSize)
	}
	opt.Part = min(opt.Part, dim)
	if slices.ContainsFunc(sample, infinite) {
		var finite []float32
		for row := range slices.Chunk(sample, dim) {
			if !slices.ContainsFunc(row, infinite) {
				finite = append(finite, row...)
			}
		}
		sample = finite
	}
	n := len(sample) / dim
	if n == 0 {
		return nil, opt, errors.New("there are no rows of finite numbers to train on")
	}
	opt.Size = min(opt.Size, n)
	return sample[:n*dim], opt, nil
}

// Limit is more than any number of a row that can be coded: squares of what is less
// can be added up.
const Limit = 1e18

// infinite tells of a number that cannot be coded.
func infinite(x float32) bool { return !(math.Abs(float64(x)) < Limit) }

// A training is the clusterings of all parts.
type training struct {
	form  Codebook // without centroids
	parts []*clustering
}

func newTraining(sample []float32, dim int, opt Options) *training {
	t := &training{form: Codebook{Dim: dim, Part: opt.Part, Size: opt.Size}}
	n := len(sample) / dim
	for p := range t.form.Parts() {
		width := t.form.width(p)
		random := rand.New(rand.NewPCG(opt.Seed, uint64(p)))
		t.parts = append(t.parts, newClustering(make([]float32, n*width), width, opt.Size, random))
	}
	return t
}

// cut makes the points of every part those of the rows, without changing centroids.
func (t *training) cut(rows []float32) {
	for p, c := range t.parts {
		for i := range c.count {
			copy(c.point(i), rows[i*t.form.Dim+p*t.form.Part:])
		}
	}
}

// each calls work for every part, on all cores.
func (t *training) each(work func(c *clustering) error) error {
	var g errgroup.Group
	g.SetLimit(runtime.GOMAXPROCS(0))
	for _, c := range t.parts {
		g.Go(func() error { return work(c) })
	}
	return g.Wait()
}

// book returns the codebook as it is now.
func (t *training) book() Codebook {
	b := t.form
	for _, c := range t.parts {
		b.Centroids = append(b.Centroids, c.centroids...)
	}
	return b
}
