// Package projection shows the words of a set as points in the plane, so that one can look at them.
//
//	few := transform.Top(set, 50_000)
//	m, err := projection.UMAP(ctx, few, projection.UMAPOptions{Seed: 1})
//	…
//	fmt.Println(m.Points[0].X, m.Points[0].Y) // of the first word
//
// PCA shows the two directions in which vectors vary most. It is exact and linear: distances in the plane are
// never larger than those of the vectors. UMAP (McInnes, Healy and Melville, "UMAP: Uniform Manifold
// Approximation and Projection for Dimension Reduction", 2018) keeps nearest neighbours together, by cosine,
// and so shows clusters; distances between clusters mean little. Trustworthiness says how far the neighbours
// on a map can be believed.
//
// A Graph is the fuzzy neighbourhood graph that UMAP lays out. Its Clusters are communities of words, which
// Describe names by their most central frequent words. A Cache keeps maps in files.
//
// All results are the same for the same set, options and seed, whatever the number of cores. If its context
// ends, a computation returns the error of the context within about a second.
package projection

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/w2v-go/w2v/vectors"
	"golang.org/x/sync/errgroup"
)

// A Point is a place in the plane.
type Point struct{ X, Y float32 }

// A Method is a way to place words in the plane.
type Method string

// The methods.
const (
	MethodPCA  Method = "pca"
	MethodUMAP Method = "umap"
)

// Methods returns every method.
func Methods() []Method { return []Method{MethodPCA, MethodUMAP} }

// ParseMethod returns the method of that name.
func ParseMethod(name string) (Method, error) {
	if m := Method(name); slices.Contains(Methods(), m) {
		return m, nil
	}
	return "", fmt.Errorf("projection %q is unknown, want pca or umap", name)
}

// A Progress is called with a description of the current stage and the share of the whole computation that is
// done, from 0 to 1. Calls do not overlap, and done never decreases.
type Progress func(stage string, done float64)

// A Map is the words of a set as points in the plane.
type Map struct {
	Method Method
	// Points has a finite point for each word of the set, in the order of ids.
	Points []Point
	// Aside lists the ids, rising, of words that cannot be placed: their vectors are not finite or, if only
	// directions count, zero. All of them are at one point, to the lower left of the others.
	Aside []int
	// Landmarks is how many of the first words were laid out, if the others were placed beside them; 0 if all were.
	Landmarks int
	// Explained is the share of the variance of each principal component, the largest first; nil if the
	// method has no components.
	Explained []float64
}

// Bounds returns the corners of the smallest rectangle that contains all points; zeros if there are no
// points.
func (m *Map) Bounds() (low, high Point) { return bounds(m.Points) }

func bounds(points []Point) (low, high Point) {
	if len(points) == 0 {
		return low, high
	}
	low, high = points[0], points[0]
	for _, p := range points {
		low.X, low.Y = min(low.X, p.X), min(low.Y, p.Y)
		high.X, high.Y = max(high.X, p.X), max(high.Y, p.Y)
	}
	return low, high
}

// asideMargin is the distance of the words in Aside from the other points, as a share of the width.
const asideMargin = 0.05

// spread returns the points of n words, those of ids as placed, and the ids of the others, which are put
// aside.
func spread(n int, ids []int32, placed []Point) (points []Point, aside []int) {
	points = make([]Point, n)
	low, high := bounds(placed)
	corner := Point{low.X - asideMargin*(high.X-low.X), low.Y - asideMargin*(high.Y-low.Y)}
	next := 0
	for id := range points {
		if next < len(ids) && int(ids[next]) == id {
			points[id] = placed[next]
			next++
			continue
		}
		points[id] = corner
		aside = append(aside, id)
	}
	return points, aside
}

// Place returns the point of a vector that is not on the map: the mean of the points of its nearest
// neighbours, weighted by their membership in its neighbourhood, where UMAP's transform of new data begins.
// Neighbors are the result of Set.Nearest in the set of the map, as many as the map's options say. Neighbours
// that are not on the map, or are put aside, do not count; ok is false if none is left.
func (m *Map) Place(neighbors []vectors.Neighbor) (p Point, ok bool) {
	var points []Point
	var distances []float64
	var sum float64
	for _, n := range neighbors {
		if _, aside := slices.BinarySearch(m.Aside, n.ID); n.ID >= 0 && n.ID < len(m.Points) && !aside {
			points, distances = append(points, m.Points[n.ID]), append(distances, distance(n.Similarity))
			sum += distance(n.Similarity)
		}
	}
	if len(points) == 0 {
		return p, false
	}
	rho, sigma := smooth(slices.Sorted(slices.Values(distances)), sum/float64(len(points)))
	var x, y, total float64
	for i, p := range points {
		w := membership(distances[i], rho, sigma)
		x += w * float64(p.X)
		y += w * float64(p.Y)
		total += w
	}
	return Point{float32(x / total), float32(y / total)}, true
}

func numbered[T int | int32](n int) []T {
	all := make([]T, n)
	for i := range all {
		all[i] = T(i)
	}
	return all
}

// each divides 0…n-1 into runs of the given size and calls work for each run, on threads goroutines, numbered
// from 0. Runs do not depend on the number of goroutines. If the context ends first, each returns its error.
// If step is not nil, the first goroutine calls it with the share that is done.
func each(ctx context.Context, threads, n, size int, step func(done float64), work func(worker, first, last int)) error {
	runs := (n + size - 1) / size
	threads = max(1, min(threads, runs))
	var taken atomic.Int64
	loop := func(worker int) {
		for ctx.Err() == nil {
			first := int(taken.Add(1)-1) * size
			if first >= n {
				return
			}
			if worker == 0 && step != nil {
				step(float64(first) / float64(n))
			}
			work(worker, first, min(n, first+size))
		}
	}
	var g errgroup.Group
	for w := range threads {
		g.Go(func() error { loop(w); return nil })
	}
	_ = g.Wait() // work cannot fail
	return ctx.Err()
}

// stage reports the start of a stage, which goes from one share of the whole to another, and returns the
// function that reports how much of the stage is done.
func (p Progress) stage(name string, from, to float64) func(done float64) {
	if p == nil {
		return func(float64) {}
	}
	last := from
	p(name, from)
	return func(done float64) {
		if now := from + (to-from)*min(1, done); now > last {
			last = now
			p(name, now)
		}
	}
}

// part returns a Progress for a part of the whole, from one share to another.
func (p Progress) part(from, to float64) Progress {
	if p == nil {
		return nil
	}
	return func(stage string, done float64) { p(stage, from+(to-from)*done) }
}

// mix returns 64 pseudo-random bits from three numbers: SplitMix64's finaliser (Steele, Lea and Flood 2014).
func mix(a, b, c uint64) uint64 {
	x := a*0x9e3779b97f4a7c15 + b*0xd1342543de82ef95 + c*0xaf251af3b0f025b5 + 0x632be59bd9b4e019
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
