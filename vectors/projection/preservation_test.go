package projection_test

import (
	"cmp"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/projection"
)

// How many of its nearest words a map keeps near to a word is what one counts pair by pair, with equal points and words
// without direction, too.
func TestKeptNeighborsAreAsCounted(t *testing.T) {
	s := planted(t, 4, 50, 10, 0.8)
	const nowhere = 17
	clear(s.Vectors().Row(nowhere))
	r := rand.New(rand.NewPCG(1, 1))
	points := make([]projection.Point, s.Len())
	for i := range points {
		points[i] = projection.Point{X: float32(r.IntN(12)), Y: float32(r.IntN(12))}
	}
	for _, k := range []int{0, 1, 25} {
		n, err := projection.NewNeighborhoods(context.Background(), s, projection.NeighborhoodOptions{Neighbors: k})
		if err != nil {
			t.Fatal(err)
		}
		got, err := n.Kept(context.Background(), points)
		if err != nil {
			t.Fatal(err)
		}
		for i := range points {
			first := func(distance func(j int) float64) []int {
				var ids []int
				for j := range points {
					if j != i && j != nowhere {
						ids = append(ids, j)
					}
				}
				slices.SortStableFunc(ids, func(a, b int) int { return cmp.Compare(distance(a), distance(b)) })
				return ids[:cmp.Or(k, 10)]
			}
			near := first(func(j int) float64 { return -vectors.Cosine(s.Vectors().Row(i), s.Vectors().Row(j)) })
			want := uint8(0)
			for _, j := range first(func(j int) float64 {
				return math.Hypot(float64(points[i].X)-float64(points[j].X), float64(points[i].Y)-float64(points[j].Y))
			}) {
				if slices.Contains(near, j) {
					want++
				}
			}
			if i == nowhere {
				want = projection.NoNeighbors
			}
			if got[i] != want {
				t.Errorf("k = %d: word %d keeps %d, and %d are counted", k, i, got[i], want)
			}
		}
	}
	if _, err := projection.NewNeighborhoods(context.Background(), s, projection.NeighborhoodOptions{Neighbors: 1000}); err == nil {
		t.Error("1,000 neighbours are no error")
	}
	// Nothing is left of a search that was given up in its middle.
	ctx, cancel := context.WithCancel(context.Background())
	if n, err := projection.NewNeighborhoods(ctx, s, projection.NeighborhoodOptions{Progress: func(string, float64) { cancel() }}); n != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("given up: nothing is left: %v, %v", n == nil, err)
	}
}
