package pq

import (
	"context"
	"math/rand/v2"
)

const (
	// seedPoints is the number of points among which the first centroids are chosen, for each centroid.
	seedPoints = 64
	// enough is the relative gain of a round below which there is no further round.
	enough = 1e-4
)

// A clustering divides points among centroids.
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

// newClustering returns a clustering of points into at most size clusters. Its centroids are not
// chosen yet.
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

// start chooses the first centroids among some of the points by k-means++: each point is chosen with
// a probability proportional to its squared distance from the centroids chosen before. See Arthur
// and Vassilvitskii, 2007.
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

// assign assigns every point to its nearest centroid and returns the sum of their squared distances.
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

// move moves every centroid to the mean of its points. A centroid without points moves to the point
// that is farthest from its centroid.
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
			if far := c.farthest(); c.distance[far] > 0 {
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

func (c *clustering) farthest() int {
	far := 0
	for i, d := range c.distance {
		if d > c.distance[far] {
			far = i
		}
	}
	return far
}

// improve repeats assign and move for so many rounds, or until a round gains little.
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
