package projection

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/vectors"
)

// TrustworthinessOptions are the settings of Trustworthiness. The zero value works.
type TrustworthinessOptions struct {
	// Neighbors is how many nearest points of a word are looked at: k, less than half of the words; 0 for 15,
	// or as many as there may be.
	Neighbors int
	// Sample is how many words are looked at, drawn at random, each among all other words; 0 for all.
	Sample int
	// Seed is that of the sample.
	Seed uint64
	// Threads is how many goroutines compute; 0 for GOMAXPROCS.
	Threads int
	// Progress, if not nil, is told how far the computation is.
	Progress Progress
}

// A Trust says how far the neighbours on a map can be believed.
type Trust struct {
	Value     float64 // from 0 to 1
	Neighbors int     // k
	Words     int     // looked at
}

// Trustworthiness measures how far words that are near on a map have vectors that are near by cosine
// (Venna and Kaski, "Neighborhood Preservation in Nonlinear Projection Methods", 2001):
//
//	T(k) = 1 − 2 / (n·k·(2n−3k−1)) · Σ_i Σ_{j ∈ U(i)} max(0, r(i,j) − k)
//
// U(i) are the k points nearest to that of word i, and r(i,j) is the rank of word j among the others by the
// cosine of their vectors, from 1. It is scikit-learn's trustworthiness with the metric "cosine". With a
// sample, the mean over all i is estimated by that over the sample; ranks are among all words. Of
// equally near words the lower id is nearer.
//
// The points are those of a map of s. Words whose vectors have no direction are left out.
func Trustworthiness(ctx context.Context, s *vectors.Set, points []Point, o TrustworthinessOptions) (Trust, error) {
	if err := check(s); err != nil {
		return Trust{}, err
	}
	if len(points) != s.Len() {
		return Trust{}, fmt.Errorf("projection: there are %d points for %d words", len(points), s.Len())
	}
	if err := affords(float64(s.Len())*(4*float64(s.Dim()+15)+8), "trustworthiness"); err != nil {
		return Trust{}, err
	}
	report := reporter{progress: o.Progress}
	report.stage("reading vectors", 0.1)
	t, err := readRows(ctx, s, true)
	if err != nil {
		return Trust{}, err
	}
	placed := make([]Point, len(t.ids))
	for i, id := range t.ids {
		placed[i] = points[id]
	}
	return trust(ctx, t.rows, placed, o, report.stage("trustworthiness", 1))
}

// trust is Trustworthiness of rows of length 1 and their points.
func trust(ctx context.Context, rows vectors.Matrix, points []Point, o TrustworthinessOptions, step func(done float64)) (Trust, error) {
	n, k := rows.Rows, o.Neighbors
	if k == 0 {
		k = min(defaultNeighbors, (n-1)/2)
	}
	switch {
	case o.Sample < 0 || o.Threads < 0:
		return Trust{}, fmt.Errorf("projection: Sample is %d and Threads is %d, must be 0 or more", o.Sample, o.Threads)
	case k < 1 || 2*k >= n:
		return Trust{}, fmt.Errorf("projection: trustworthiness of %d neighbours needs more than %d words with vectors that have a direction, there are %d", k, 2*max(1, k), n)
	}
	sample := make([]int, n)
	for i := range sample {
		sample[i] = i
	}
	if o.Sample > 0 && o.Sample < n {
		sample = rand.New(rand.NewPCG(o.Seed, 7)).Perm(n)[:o.Sample]
		slices.Sort(sample)
	}
	threads := workers(o.Threads)
	judges := make([]judge, threads)
	for w := range judges {
		judges[w] = judge{rows: rows, points: points, k: k, products: make([]float32, n)}
	}
	sums := make([]float64, len(sample)) // of whole numbers, exact
	err := each(ctx, threads, len(sample), 4, step, func(worker, first, last int) {
		for i := first; i < last; i++ {
			sums[i] = float64(judges[worker].excess(sample[i]))
		}
	})
	var sum float64
	for _, x := range sums {
		sum += x
	}
	scale := 2 / (float64(len(sample)) * float64(k) * (2*float64(n) - 3*float64(k) - 1))
	return Trust{1 - scale*sum, k, len(sample)}, err
}

// A judge looks at one word at a time.
type judge struct {
	rows     vectors.Matrix
	points   []Point
	k        int
	products []float32
	nearest  []placed
}

// A placed is a row, and the square of its point's distance.
type placed struct {
	id     int
	square float64
}

// doubt is how far the float32 product of two rows of length 1 may be off.
const doubt = 4e-6

// excess returns the sum of max(0, r−k) over the ranks r of the k rows whose points are nearest to that of row i.
func (j *judge) excess(i int) (sum int) {
	j.find(i)
	row := j.rows.Row(i)
	simd.Dots(j.products, len(j.products), row, len(row), 1, j.rows.Data, j.rows.Stride, j.rows.Rows, len(row))
	// Few float32 products are so near to one of the k that only float64 tells which is larger.
	for _, p := range j.nearest {
		exact := dot(row, j.rows.Row(p.id))
		low, high := float32(exact-doubt), float32(exact+doubt)
		rank := 1
		for l, x := range j.products {
			switch {
			case x <= low || l == i || l == p.id:
			case x >= high:
				rank++
			default:
				if y := dot(row, j.rows.Row(l)); y > exact || y == exact && l < p.id {
					rank++
				}
			}
		}
		sum += max(0, rank-j.k)
	}
	return sum
}

// find sets nearest to the k nearest points of point i.
func (j *judge) find(i int) {
	j.nearest = j.nearest[:0]
	p := j.points[i]
	floor := math.Inf(1)
	for l, q := range j.points {
		dx, dy := float64(p.X)-float64(q.X), float64(p.Y)-float64(q.Y)
		square := dx*dx + dy*dy
		if square >= floor || l == i {
			continue
		}
		if len(j.nearest) < j.k {
			j.nearest = append(j.nearest, placed{})
		}
		at := len(j.nearest) - 1
		for at > 0 && j.nearest[at-1].square > square {
			j.nearest[at] = j.nearest[at-1]
			at--
		}
		j.nearest[at] = placed{l, square}
		if len(j.nearest) == j.k {
			floor = j.nearest[j.k-1].square
		}
	}
}

// dot returns the product of two rows in float64.
func dot(a, b []float32) (sum float64) {
	for i, x := range a {
		sum += float64(x) * float64(b[i])
	}
	return sum
}
