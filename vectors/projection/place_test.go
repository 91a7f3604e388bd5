package projection_test

import (
	"context"
	"math"
	"testing"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/projection"
)

// A vector that is near to the words of a group is placed among them.
func TestPlaceAmongItsNeighbours(t *testing.T) {
	const groups = 5
	s := planted(t, groups, 60, 16, 0.3)
	m, err := projection.UMAP(context.Background(), s, projection.UMAPOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for g := range groups {
		v := make([]float32, s.Dim())
		for i := g; i < s.Len(); i += groups { // the mean of the group
			for k, x := range s.Vectors().Row(i) {
				v[k] += x
			}
		}
		p, ok := m.Place(s.Nearest(v, 15))
		if !ok {
			t.Fatalf("group %d has no place", g)
		}
		nearest, least := -1, math.Inf(1)
		for i, q := range m.Points {
			if d := math.Hypot(float64(p.X-q.X), float64(p.Y-q.Y)); d < least {
				nearest, least = i, d
			}
		}
		if nearest%groups != g {
			t.Errorf("the mean of group %d is placed beside word %d of group %d", g, nearest, nearest%groups)
		}
	}
}

func TestPlaceWeighsNeighbours(t *testing.T) {
	m := projection.Map{Points: []projection.Point{{X: 0}, {X: 1}, {X: 2}, {X: -100}}, Aside: []int{3}}
	for name, c := range map[string]struct {
		neighbors []vectors.Neighbor
		low, high float32
	}{
		"one":                        {[]vectors.Neighbor{{ID: 1, Similarity: 0.1}}, 1, 1},
		"equally near":               {[]vectors.Neighbor{{ID: 0, Similarity: 0.5}, {ID: 2, Similarity: 0.5}}, 1, 1},
		"the nearer ones count more": {[]vectors.Neighbor{{ID: 2, Similarity: 0.9}, {ID: 2, Similarity: 0.85}, {ID: 0, Similarity: 0.2}, {ID: 0, Similarity: 0.1}}, 1.5, 2},
		"in any order":               {[]vectors.Neighbor{{ID: 0, Similarity: 0.1}, {ID: 2, Similarity: 0.85}, {ID: 0, Similarity: 0.2}, {ID: 2, Similarity: 0.9}}, 1.5, 2},
		"none aside or beyond":       {[]vectors.Neighbor{{ID: 3, Similarity: 1}, {ID: 4, Similarity: 1}, {ID: -1, Similarity: 1}, {ID: 2, Similarity: -0.3}}, 2, 2},
	} {
		p, ok := m.Place(c.neighbors)
		if !ok || !(p.X >= c.low && p.X <= c.high) {
			t.Errorf("%s: %v, %t, want X from %v to %v", name, p, ok, c.low, c.high)
		}
	}
	if p, ok := m.Place([]vectors.Neighbor{{ID: 3, Similarity: 1}}); ok {
		t.Errorf("nothing is near, and yet there is a place: %v", p)
	}
}
