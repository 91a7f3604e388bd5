package projection

import (
	"slices"

	"github.com/w2v-go/w2v/vectors"
)

// Place returns where a vector that is not on the map belongs: the mean of the points of its nearest
// neighbours, weighted by how far they belong to its neighbourhood, which is where UMAP's transform of new data
// begins. Neighbours are those of Set.Nearest, of the set that the map was made of; as many as the map's options say
// are best. Those that are not on the map, or put aside, do not count; ok is false if none is left.
func (m *Map) Place(neighbors []vectors.Neighbor) (p Point, ok bool) {
	var placed []vectors.Neighbor
	var distances []float64
	var sum float64
	for _, n := range neighbors {
		if _, aside := slices.BinarySearch(m.Aside, n.ID); n.ID >= 0 && n.ID < len(m.Points) && !aside {
			placed = append(placed, n)
			distances = append(distances, distance(n.Similarity))
			sum += distance(n.Similarity)
		}
	}
	if len(placed) == 0 {
		return p, false
	}
	slices.Sort(distances)
	rho, sigma := smooth(distances, sum/float64(len(placed)))
	var x, y, total float64
	for _, n := range placed {
		w := membership(distance(n.Similarity), rho, sigma)
		x += w * float64(m.Points[n.ID].X)
		y += w * float64(m.Points[n.ID].Y)
		total += w
	}
	return Point{float32(x / total), float32(y / total)}, true
}
