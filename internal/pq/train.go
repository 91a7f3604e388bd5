package pq

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"

	"github.com/w2v-go/w2v/internal/eigen"
	"golang.org/x/sync/errgroup"
)

// Options are the settings of training.
type Options struct {
	Part int    // numbers in a part, at least 1; if it is more than a row has, a part is a whole row
	Size int    // centroids for each part; 0 means MaxSize
	Seed uint64 // of the random numbers
	// Step, if not nil, is called with the share of the work that has been done, from 0 to 1, one call at a time.
	Step func(done float64)
}

func (o Options) step(done float64) {
	if o.Step != nil {
		o.Step(done)
	}
}

// SampleSize is the number of rows that is enough for training.
const SampleSize = MaxSize * 256

const rounds = 25

// Choose returns rising numbers of the rows to train on, of n rows: all, or a random sample of most of them.
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

const streamChoice = math.MaxUint64

// Train returns a codebook for rows like those of sample, which have dim numbers each. It leaves out rows with a number
// that is not finite. The result does not depend on the number of cores. There are no more centroids than rows.
func Train(ctx context.Context, sample []float32, dim int, opt Options) (Codebook, error) {
	sample, opt, err := prepare(sample, dim, opt)
	if err != nil {
		return Codebook{}, err
	}
	t := newTraining(sample, dim, opt)
	t.cut(sample)
	var mu sync.Mutex
	ready := 0
	err = t.each(func(c *clustering) error {
		err := c.start(ctx)
		if err == nil {
			err = c.improve(ctx, rounds)
		}
		mu.Lock()
		defer mu.Unlock()
		if ready++; err == nil {
			opt.step(float64(ready) / float64(len(t.parts)))
		}
		return err
	})
	if err != nil {
		return Codebook{}, err
	}
	return t.book(), nil
}

// Bytes returns about how much memory Train takes, or TrainRotated, with the rows of dim numbers and the codebook.
func Bytes(rows, dim int, opt Options, rotated bool) float64 {
	const float = 4
	n, d := float64(rows), float64(dim)
	size := math.Min(float64(cmp.Or(opt.Size, MaxSize)), n)
	parts := math.Ceil(d / math.Min(float64(max(opt.Part, 1)), d))
	// rows; points of all parts with codes and distances; centroids, with sums in float64 or the codebook
	bytes := 2*float*n*d + 5*n*parts + 3*float*size*d
	if rotated {
		fit := math.Min(n, fitRows)
		// rows as points, as columns, rotated, and rotated as columns; products of columns, and rotations
		fitting := 5*float*fit*d + 5*fit*parts + 8*d*d + eigen.RotationBytes(dim) + 3*float*d*d
		bytes += math.Max(float*n*d+2*float*d*d, fitting)
	}
	return bytes
}

func prepare(sample []float32, dim int, opt Options) ([]float32, Options, error) {
	opt.Size = cmp.Or(opt.Size, MaxSize)
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

// Limit is larger than any number that can be coded. Sums of squares of smaller numbers do not overflow.
const Limit = 1e18

func infinite(x float32) bool { return !(math.Abs(float64(x)) < Limit) }

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

func (t *training) cut(rows []float32) {
	for p, c := range t.parts {
		for i := range c.count {
			copy(c.point(i), rows[i*t.form.Dim+p*t.form.Part:])
		}
	}
}

// A clustering has a finder only during this time: those of thousands of parts would take more memory than points.
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

func (t *training) book() Codebook {
	b := t.form
	for _, c := range t.parts {
		b.Centroids = append(b.Centroids, c.centroids...)
	}
	return b
}

const (
	seedPoints = 64
	enough     = 1e-4
)

type clustering struct {
	points       []float32 // one after the other
	width, count int
	centroids    []float32
	size         int
	find         *finder // only while the clustering is worked on, and so is the batch
	batch        *points
	code         []uint8   // the centroid of each point
	distance     []float32 // the squared distance of each point from its centroid
	random       *rand.Rand
}

func newClustering(points []float32, width, size int, random *rand.Rand) *clustering {
	n := len(points) / width
	return &clustering{
		points: points, width: width, count: n,
		centroids: make([]float32, size*width), size: size,
		code: make([]uint8, n), distance: make([]float32, n),
		random: random,
	}
}

func (c *clustering) point(i int) []float32    { return c.points[i*c.width:][:c.width] }
func (c *clustering) centroid(i int) []float32 { return c.centroids[i*c.width:][:c.width] }

// start chooses among some of the points by k-means++ (Arthur and Vassilvitskii 2007).
func (c *clustering) start(ctx context.Context) error {
	among := c.random.Perm(c.count)[:min(c.count, seedPoints*c.size)]
	copy(c.centroid(0), c.point(among[0]))
	least := make([]float32, len(among))
	for k := 1; k <= c.size; k++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		last := c.centroid(k - 1)
		var sum float64
		for i, p := range among {
			d := square(c.point(p), last)
			if k == 1 || d < least[i] {
				least[i] = d
			}
			sum += float64(least[i])
		}
		if k == c.size {
			break
		}
		next := among[k%len(among)] // all points are centroids already
		for i, at := 0, sum*c.random.Float64(); i < len(among) && sum > 0; i++ {
			if least[i] > 0 {
				next = among[i]
				if at -= float64(least[i]); at <= 0 {
					break
				}
			}
		}
		copy(c.centroid(k), c.point(next))
	}
	return nil
}

func (c *clustering) assign(ctx context.Context) (float64, error) {
	c.find.set(c.centroids)
	var sum float64
	for first := 0; first < c.count; first += batch {
		if first%(16*batch) == 0 && ctx.Err() != nil {
			return 0, ctx.Err()
		}
		n := min(batch, c.count-first)
		for i := range n {
			c.find.put(c.batch, i, c.point(first+i))
		}
		for i, nearest := range c.find.find(c.batch, n) {
			d := square(c.point(first+i), c.centroid(nearest))
			c.code[first+i], c.distance[first+i] = uint8(nearest), d
			sum += float64(d)
		}
	}
	return sum, nil
}

// A centroid without points moves to the point that is farthest from its centroid.
func (c *clustering) move() {
	sums := make([]float64, len(c.centroids))
	counts := make([]int, c.size)
	for i := range c.count {
		code := int(c.code[i])
		counts[code]++
		sum := sums[code*c.width:][:c.width]
		for k, x := range c.point(i) {
			sum[k] += float64(x)
		}
	}
	for code, n := range counts {
		to := c.centroid(code)
		if n == 0 {
			if far := slices.Index(c.distance, slices.Max(c.distance)); c.distance[far] > 0 {
				copy(to, c.point(far))
				c.distance[far] = 0 // the next such centroid moves to another point
			}
			continue
		}
		for k := range to {
			to[k] = float32(sums[code*c.width+k] / float64(n))
		}
	}
}

func (c *clustering) improve(ctx context.Context, rounds int) error {
	last, err := c.assign(ctx)
	if err != nil {
		return err
	}
	for range rounds {
		c.move()
		sum, err := c.assign(ctx)
		if err != nil {
			return err
		}
		if last-sum <= enough*last {
			break
		}
		last = sum
	}
	return nil
}

func square(a, b []float32) float32 {
	var sum float32
	for k, x := range a {
		d := x - b[k]
		sum += d * d
	}
	return sum
}
