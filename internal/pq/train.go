package pq

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/w2v-go/w2v/internal/eigen"
)

// Options are the settings of training.
type Options struct {
	Part int    // numbers in a part, at least 1; if it is more than a row has, a part is a whole row
	Size int    // centroids for each part; 0 means MaxSize
	Seed uint64 // of the random numbers
	// Step, if not nil, is called with the share of the work that has been done, from 0 to 1.
	// Calls do not overlap.
	Step func(done float64)
}

func (o Options) step(done float64) {
	if o.Step != nil {
		o.Step(done)
	}
}

// SampleSize is the number of rows that is enough for training.
const SampleSize = MaxSize * 256

// rounds is the largest number of rounds of k-means.
const rounds = 25

// Choose returns the numbers of the rows to train on, of n rows: all, or a random sample if there are
// more than most. The numbers rise.
func Choose(n, most int, seed uint64) []int {
	var chosen []int
	random := rand.New(rand.NewPCG(seed, streamChoice))
	for i := range n {
		// Each remaining row is equally likely to be one of those still to be chosen.
		if missing := most - len(chosen); missing >= n-i || random.IntN(n-i) < missing {
			chosen = append(chosen, i)
		}
	}
	return chosen
}

// Streams of random numbers that no part uses.
const streamChoice = math.MaxUint64

// Train returns a codebook for rows like those of sample, which have dim numbers each and follow one
// another. It leaves out rows with a number that is not finite. It works on all cores, and the
// result does not depend on their number. If there are fewer rows than centroids, the codebook has
// as many centroids as there are rows.
func Train(ctx context.Context, sample []float32, dim int, opt Options) (Codebook, error) {
	sample, opt, err := prepare(sample, dim, opt)
	if err != nil {
		return Codebook{}, err
	}
	t := newTraining(sample, dim, opt)
	t.cut(sample)
	var mu sync.Mutex
	ready := 0
	if err := t.each(func(c *clustering) error {
		if err := c.start(ctx); err != nil {
			return err
		}
		if err := c.improve(ctx, rounds); err != nil {
			return err
		}
		mu.Lock()
		defer mu.Unlock()
		ready++
		opt.step(float64(ready) / float64(len(t.parts)))
		return nil
	}); err != nil {
		return Codebook{}, err
	}
	return t.book(), nil
}

// Bytes returns about how much memory Train takes for so many rows of dim numbers, including these
// rows and the codebook. If rotated is set, it is that of TrainRotated.
func Bytes(rows, dim int, opt Options, rotated bool) float64 {
	const float = 4
	n, d := float64(rows), float64(dim)
	size := float64(MaxSize)
	if opt.Size > 0 {
		size = float64(opt.Size)
	}
	size = math.Min(size, n)
	parts := math.Ceil(d / math.Min(float64(max(opt.Part, 1)), d))
	// The rows; the points of all parts with their codes and distances; the centroids; and
	// either sums of centroids in float64 or the codebook.
	bytes := 2*float*n*d + 5*n*parts + 3*float*size*d
	if rotated {
		fit := math.Min(n, fitRows)
		// The rotated rows. The rows that the rotation is fitted to: as points, as columns,
		// rotated, and rotated as columns. Products of columns, and rotations.
		fitting := 5*float*fit*d + 5*fit*parts + 8*d*d + eigen.RotationBytes(dim) + 3*float*d*d
		bytes += math.Max(float*n*d+2*float*d*d, fitting)
	}
	return bytes
}

// prepare checks the arguments of training and drops rows with numbers that are not finite.
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

// Limit is larger than the absolute value of any number that can be coded. Squares of smaller numbers
// can be added up without overflow.
const Limit = 1e18

// infinite reports whether a number cannot be coded.
func infinite(x float32) bool { return !(math.Abs(float64(x)) < Limit) }

// A training holds the clusterings of all parts.
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

// cut sets the points of every part from rows. Centroids stay as they are.
func (t *training) cut(rows []float32) {
	for p, c := range t.parts {
		for i := range c.count {
			copy(c.point(i), rows[i*t.form.Dim+p*t.form.Part:])
		}
	}
}

// each calls work for every part, on all cores. A clustering has a finder only during that time,
// because the finders of thousands of parts would take more memory than their points.
func (t *training) each(work func(c *clustering) error) error {
	var g errgroup.Group
	g.SetLimit(runtime.GOMAXPROCS(0))
	for _, c := range t.parts {
		g.Go(func() error {
			c.find = newFinder(c.size, c.width)
			c.batch = newPoints(c.find)
			defer func() { c.find, c.batch = nil, nil }()
			return work(c)
		})
	}
	return g.Wait()
}

// book returns the codebook of the present centroids.
func (t *training) book() Codebook {
	b := t.form
	for _, c := range t.parts {
		b.Centroids = append(b.Centroids, c.centroids...)
	}
	return b
}
