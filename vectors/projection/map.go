package projection

import (
	"errors"
	"fmt"

	"github.com/w2v-go/w2v/vectors"
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
	for _, m := range Methods() {
		if name == string(m) {
			return m, nil
		}
	}
	return "", fmt.Errorf("projection %q is unknown, want pca or umap", name)
}

// A Progress is told what is being computed, in a few words, and how much of the whole is done,
// from 0 to 1. Calls do not overlap, and done never falls.
type Progress func(stage string, done float64)

// A Map is the words of a set as points in the plane.
type Map struct {
	Method Method
	// Points has a point for each word of the set, in the order of ids. All are finite.
	Points []Point
	// Aside are the ids of words that have no place of their own, rising: their vectors are not finite
	// or, where only directions count, zero. All of them are at one point, to the lower left of the others.
	Aside []int
	// Explained is the share of the variance that each principal component has, the largest first;
	// nil if the method has no components.
	Explained []float64
}

// Bounds returns the corners of the smallest rectangle that has all points in it; zeros if there
// are none.
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

// asideMargin is how far from the other points those words are that have no place, as a share of the width.
const asideMargin = 0.05

// spread returns the points of n words, of which those of ids have the points placed, and the ids
// of the others, which are put aside.
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

// errNoSet is what functions say of a nil set.
var errNoSet = errors.New("projection: there is no set: it is nil, as what Open and Train return together with an error")

// check reports a set that cannot be looked at.
func check(s *vectors.Set) error {
	if s == nil {
		return errNoSet
	}
	return s.CheckSizes()
}
