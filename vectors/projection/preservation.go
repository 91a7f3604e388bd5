package projection

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"slices"

	"github.com/w2v-go/w2v/vectors"
)

// Neighborhoods are the nearest words of each word of a set. They do not depend on a map, so that several maps
// of the set can be compared with them.
type Neighborhoods struct {
	words   int     // of the set, including words without direction
	ids     []int32 // words that have a direction, rising
	k       int
	nearest []int32 // k places in ids for each of ids
}

// NeighborhoodOptions are the settings of NewNeighborhoods. The zero value works.
type NeighborhoodOptions struct {
	Neighbors int      // nearest words of each word, as far as there are so many; 0 means 10
	Threads   int      // goroutines; 0 means GOMAXPROCS
	Seed      uint64   // of the search in sets of more than 32,768 words
	Progress  Progress // may be nil
}

// mostNeighborhood is the largest number of nearest words of a word.
const mostNeighborhood = 250

// NewNeighborhoods finds the nearest words of each word by cosine: exactly in sets of up to 32,768 words, and as
// for UMAP in larger ones. Words whose vectors have no direction are left out.
func NewNeighborhoods(ctx context.Context, s *vectors.Set, o NeighborhoodOptions) (*Neighborhoods, error) {
	if err := s.CheckSizes(); err != nil {
		return nil, err
	}
	k := cmp.Or(o.Neighbors, 10)
	if k < 1 || k > mostNeighborhood || o.Threads < 0 {
		return nil, fmt.Errorf("projection: Neighbors is %d and Threads is %d, must be from 1 to %d and 0 or more", o.Neighbors, o.Threads, mostNeighborhood)
	}
	options := UMAPOptions{Neighbors: k + 1, Landmarks: max(2, s.Len()), Threads: o.Threads, Seed: o.Seed}.resolved(s.Len())
	if err := affords(nearBytes(s.Len(), s.Dim(), options.Neighbors), fmt.Sprintf("the nearest words of %d words", s.Len())); err != nil {
		return nil, err
	}
	t, err := readRows(ctx, s, s.Len(), vectors.Unit)
	if err != nil {
		return nil, err
	}
	found, err := nearest(ctx, t.rows, options, o.Progress.stage("nearest neighbours", 0, 1), nil)
	if err != nil {
		return nil, err
	}
	return &Neighborhoods{words: s.Len(), ids: t.ids, k: found.k, nearest: found.ids}, nil
}

// NoNeighbors is the number of kept neighbours of a word without direction.
const NoNeighbors = 255

// Kept returns, for each word, how many of its nearest words are also among as many words whose points are nearest
// to its point: 0 if the map shows none of a word's neighbours near it. It is NoNeighbors
// for words without direction. Of equally near points that of the lower id is nearer.
func (n *Neighborhoods) Kept(ctx context.Context, points []Point) ([]uint8, error) {
	if len(points) != n.words {
		return nil, fmt.Errorf("projection: there are %d points for %d words", len(points), n.words)
	}
	placed := make([]Point, len(n.ids))
	for i, id := range n.ids {
		placed[i] = points[id]
	}
	tree, k := newPlane(placed), n.k
	kept := slices.Repeat([]uint8{NoNeighbors}, n.words)
	err := each(ctx, runtime.GOMAXPROCS(0), len(placed), 256, nil, func(_, first, last int) {
		best := make([]flat, 0, k)
		for i := first; i < last; i++ {
			best = tree.nearest(best[:0], int32(i), k)
			ids := n.nearest[i*k : (i+1)*k]
			both := uint8(0)
			for _, f := range best {
				if slices.Contains(ids, f.id) {
					both++
				}
			}
			kept[n.ids[i]] = both
		}
	})
	return kept, err
}

// A plane finds nearest points: a k-d tree without pointers. The point in the middle of a range divides it, by x and y
// in turn.
type plane struct {
	points []Point
	order  []int32
}

// A flat is a point and its squared distance.
type flat struct {
	id     int32
	square float64
}

// leafPoints is the largest number of points that are not divided further.
const leafPoints = 8

func newPlane(points []Point) *plane {
	p := &plane{points, numbered[int32](len(points))}
	p.divide(p.order, 0)
	return p
}

func (p *plane) along(id int32, axis int) float32 {
	if axis == 0 {
		return p.points[id].X
	}
	return p.points[id].Y
}

func (p *plane) divide(ids []int32, axis int) {
	if len(ids) <= leafPoints {
		return
	}
	slices.SortFunc(ids, func(a, b int32) int {
		return cmp.Or(cmp.Compare(p.along(a, axis), p.along(b, axis)), cmp.Compare(a, b))
	})
	middle := len(ids) / 2
	p.divide(ids[:middle], 1-axis)
	p.divide(ids[middle+1:], 1-axis)
}

// nearest appends the k points nearest to point i, without i, the nearest first.
func (p *plane) nearest(best []flat, i int32, k int) []flat {
	return p.search(best, p.order, 0, i, k)
}

func (p *plane) search(best []flat, ids []int32, axis int, i int32, k int) []flat {
	if len(ids) <= leafPoints {
		for _, id := range ids {
			best = p.offer(best, id, i, k)
		}
		return best
	}
	middle := len(ids) / 2
	here := ids[middle]
	beyond := float64(p.along(i, axis)) - float64(p.along(here, axis))
	nearer, farther := ids[:middle], ids[middle+1:]
	if beyond > 0 {
		nearer, farther = farther, nearer
	}
	best = p.search(best, nearer, 1-axis, i, k)
	best = p.offer(best, here, i, k)
	if len(best) < k || beyond*beyond <= best[len(best)-1].square { // ties are decided by the id
		best = p.search(best, farther, 1-axis, i, k)
	}
	return best
}

func (p *plane) offer(best []flat, id, i int32, k int) []flat {
	if id == i || k == 0 {
		return best
	}
	a, b := p.points[id], p.points[i]
	x, y := float64(a.X)-float64(b.X), float64(a.Y)-float64(b.Y)
	f := flat{id, x*x + y*y}
	if len(best) == k {
		if f.farther(best[k-1]) {
			return best
		}
		best = best[:k-1]
	}
	best = append(best, f)
	for at := len(best) - 1; at > 0 && best[at-1].farther(best[at]); at-- {
		best[at-1], best[at] = best[at], best[at-1]
	}
	return best
}

func (f flat) farther(g flat) bool {
	return cmp.Or(cmp.Compare(f.square, g.square), cmp.Compare(f.id, g.id)) > 0
}
