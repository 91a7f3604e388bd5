package vectors

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync/atomic"

	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/vectors/internal/parallel"
)

// A Neighbor is a word of a set and its similarity to a query.
type Neighbor struct {
	Word       string  `json:"word"`
	ID         int     `json:"-"`          // position of Word in Set.Words
	Similarity float32 `json:"similarity"` // cosine, from -1 to 1, unless a method says otherwise
}

// A Query asks for the words whose vectors have the largest cosine with a vector.
type Query struct {
	Vector []float32 // has Dim numbers
	K      int       // how many words
	First  int       // restricts answers to the first words of the vocabulary, which are the most frequent; 0 allows all
	Skip   []int     // ids of words that are left out
	// Among reports whether a word may answer; nil allows all. Several goroutines call it, and only for words that are near
	// enough to answer.
	Among func(id int) bool
}

// Nearest returns the nearest words of each query, the nearest first; of equally near words the lower id
// comes first. Words whose vectors are zero or not finite are left out. A query gets fewer than K neighbours
// if the set has fewer words, and none if its vector has no direction.
//
// Nearest scans every vector, on all cores; the result does not depend on their number. Many queries in one
// call share each pass over the vectors.
func (s *Set) Nearest(ctx context.Context, queries ...Query) ([][]Neighbor, error) {
	if err := s.usable(); err != nil {
		return nil, err
	}
	k := 0
	for _, q := range queries {
		if len(q.Vector) != s.Dim() {
			return nil, fmt.Errorf("vectors: query of %d numbers in a set of %d dimensions", len(q.Vector), s.Dim())
		}
		k = max(k, min(q.K, s.Len()))
	}
	found := make([][]Neighbor, 0, len(queries))
	for group := range slices.Chunk(queries, inPass(1, k)) {
		of := search{units: NewMatrix(len(group), s.Dim()), score: cosines}
		for i, q := range group {
			if !Unit(of.units.Row(i), q.Vector) {
				q.K = 0 // every word is equally near to a query without direction
			}
			sel := s.selection(q.K, q.First, q.Skip)
			sel.among = q.Among
			of.kept = append(of.kept, sel)
		}
		all, err := s.search(ctx, of)
		if err != nil {
			return nil, err
		}
		for _, near := range all {
			for i := range near {
				// Rounding may carry a cosine past 1. It is clipped only here, so that the order is that of
				// the exact sums.
				near[i].Similarity = min(1, max(-1, near[i].Similarity))
			}
		}
		found = append(found, all...)
	}
	return found, nil
}

// cosines scores the words of a block for each query by the cosine with its unit vector.
func cosines(to []selection, b block) {
	for q := range to {
		best := &to[q]
		floor, inverse := best.floor, best.allowed(b)
		for i, x := range b.dots(q)[:len(inverse)] {
			if x *= inverse[i]; x > floor {
				floor = best.offer(b.first+i, x)
			}
		}
	}
}

const (
	searchRows  = 256     // rows that a worker scores at a time, whatever the number of workers
	searchUnits = 128     // unit vectors of a pass: they and the scores of a block fit into the second-level cache
	searchKept  = 1 << 20 // about how many words all queries of a pass keep: if K is large, fewer queries share a pass
)

// inPass returns how many queries share a pass over the rows. Each has so many unit vectors and keeps k words.
func inPass(units, k int) int { return max(1, min(searchUnits/units, searchKept/max(k, 1))) }

// A search finds the words that score best for each of some queries.
type search struct {
	units Matrix      // unit vectors of the queries
	kept  []selection // what to select for each query
	// scores the words of a block, for each selection of a worker; a selection belongs to a query
	score func(to []selection, b block)
}

// A block holds the dot products of consecutive words' rows with all unit vectors of a search.
type block struct {
	first    int       // id of the first word
	inverse  []float32 // factors of the products, a word each, see Directions
	products []float32 // searchRows for each unit vector
}

func (b block) dots(u int) []float32 { return b.products[u*searchRows:] }

// search scans every word, on all cores. Products of words without direction are NaN, which is never larger.
func (s *Set) search(ctx context.Context, of search) (found [][]Neighbor, err error) {
	s.file.Guard(func() { // one guard for all of it, so that Close waits for the end
		workers := s.searchers(ctx, of)
		found = make([][]Neighbor, len(of.kept))
		for q := range found {
			best := selection{k: of.kept[q].k}
			for _, w := range workers {
				best.found = append(best.found, w[q].found...)
			}
			best.cut()
			found[q] = make([]Neighbor, len(best.found))
			for i, f := range best.found {
				found[q][i] = Neighbor{Word: s.parts.Words.At(f.id), ID: f.id, Similarity: f.score}
			}
		}
	})
	return found, cmp.Or(ctx.Err(), s.Err())
}

// searchers returns each worker's selections, one a query. A worker takes its blocks in rising order.
func (s *Set) searchers(ctx context.Context, of search) [][]selection {
	last := 0 // the number of words that any query allows
	for _, sel := range of.kept {
		last = max(last, sel.first)
	}
	blocks := (last + searchRows - 1) / searchRows
	workers := make([][]selection, max(1, min(runtime.GOMAXPROCS(0), blocks)))
	for w := range workers {
		workers[w] = slices.Clone(of.kept)
	}
	rows, inverse := s.Directions()
	if s.Err() != nil {
		return workers // rows that cannot be read are near to nothing
	}
	var taken atomic.Int64
	var g parallel.Group
	for w := range workers {
		g.Go(func() error {
			products := make([]float32, searchRows*of.units.Rows)
			s.file.Inside(func() {
				for {
					first := int(taken.Add(1)-1) * searchRows
					if first >= last || ctx.Err() != nil {
						return
					}
					n := min(searchRows, last-first)
					simd.Dots(products, searchRows, of.units.Data, of.units.Stride, of.units.Rows,
						rows.Data[first*rows.Stride:], rows.Stride, n, of.units.Cols)
					of.score(workers[w], block{first, inverse[first : first+n], products})
				}
			})
			return nil
		})
	}
	_ = g.Wait() // faults are in s.Err
	return workers
}

// A selection keeps the k best of the words that are offered to it in rising order of ids.
type selection struct {
	k     int
	skip  []int
	among func(id int) bool // nil allows all
	first int               // allows only the first words
	floor float32           // only a larger score can still be among the best
	found []scored
}

// selection returns a selection of k of the first words; first is 0 for all.
func (s *Set) selection(k, first int, skip []int) selection {
	sel := selection{k: max(0, min(k, s.Len())), skip: skip, first: s.Len(), floor: float32(math.Inf(-1))}
	if first > 0 {
		sel.first = min(first, s.Len())
	}
	if sel.k == 0 {
		sel.floor = float32(math.Inf(1))
	}
	return sel
}

type scored struct {
	id    int
	score float32
}

// allowed returns the factors of the words of a block that the selection allows.
func (sel *selection) allowed(b block) []float32 {
	return b.inverse[:max(0, min(len(b.inverse), sel.first-b.first))]
}

// offer keeps a word if it can be among the best, and returns the floor.
func (sel *selection) offer(id int, score float32) float32 {
	if score > math.MaxFloat32 || sel.bars(id) {
		return sel.floor
	}
	sel.found = append(sel.found, scored{id, score})
	if len(sel.found) >= 2*sel.k {
		sel.cut()
		// A later word of equal score has a higher id and loses.
		sel.floor = sel.found[sel.k-1].score
	}
	return sel.floor
}

// bars reports whether a word may not answer.
func (sel *selection) bars(id int) bool {
	return sel.among != nil && !sel.among(id) || slices.Contains(sel.skip, id)
}

func (sel *selection) cut() {
	slices.SortFunc(sel.found, func(x, y scored) int {
		return cmp.Or(cmp.Compare(y.score, x.score), cmp.Compare(x.id, y.id))
	})
	sel.found = sel.found[:min(sel.k, len(sel.found))]
}

// Directions returns a row for every word, and the factor that turns the dot product of the row with a unit
// vector into a cosine: 1 over the row's Euclidean length. The factor is NaN, and so is every cosine, if a
// vector is zero or not finite, and for the second occurrence of a word. The rows are those of Vectors,
// except for vectors so long or so short that float32 cannot hold such a product: unit vectors replace them.
// Both results are computed on the first call and must not be changed.
func (s *Set) Directions() (rows Matrix, inverseNorms []float32) {
	s.mustBeUsable()
	s.file.MustBeOpen()
	s.normsOnce.Do(func() {
		s.directed, s.norms = s.Vectors(), make([]float32, s.Len())
		var extreme atomic.Bool
		s.file.Parallel(s.Len(), func(first, last int) {
			for i := first; i < last; i++ {
				norm := normOf(s.directed.row(i))
				s.norms[i] = float32(1 / norm)
				switch {
				case !(norm > 0) || math.IsInf(norm, 0):
					s.norms[i] = float32(math.NaN())
				case !ordinary(norm):
					s.norms[i] = 1
					extreme.Store(true)
				}
			}
		})
		for id := range s.again() {
			s.norms[id] = float32(math.NaN())
		}
		if !extreme.Load() {
			return
		}
		of := s.directed
		s.directed = NewMatrix(of.Rows, of.Cols)
		s.file.Parallel(of.Rows, func(first, last int) {
			for i := first; i < last; i++ {
				row := s.directed.Row(i)
				copy(row, of.row(i))
				if norm := normOf(row); norm > 0 && !ordinary(norm) {
					Unit(row, row)
				}
			}
		})
	})
	return s.directed.open(), s.norms
}

// Unit sets dst to v scaled to length 1 and reports whether v has a direction. If v is zero or not finite,
// dst is all zeros. Both have the same length and may be the same slice.
func Unit(dst, v []float32) bool {
	norm := normOf(v)
	switch {
	case !(norm > 0) || math.IsInf(norm, 0):
		clear(dst)
		return false
	case ordinary(norm):
		inv := float32(1 / norm)
		for i, x := range v {
			dst[i] = x * inv
		}
	default: // float32 cannot hold the reciprocal with all its digits
		for i, x := range v {
			dst[i] = float32(float64(x) / norm)
		}
	}
	return true
}

// normOf returns the Euclidean length of v. It does not overflow for finite numbers.
func normOf(v []float32) float64 {
	// Four independent sums, so that additions do not wait for each other.
	var sums [4]float64
	for ; len(v) >= 4; v = v[4:] {
		a, b, c, d := float64(v[0]), float64(v[1]), float64(v[2]), float64(v[3])
		sums[0] += a * a
		sums[1] += b * b
		sums[2] += c * c
		sums[3] += d * d
	}
	for i, x := range v {
		sums[i] += float64(x) * float64(x)
	}
	return math.Sqrt(sums[0] + sums[1] + (sums[2] + sums[3]))
}

// ordinary reports whether the reciprocal of a length, and products with a unit vector, keep their digits in
// float32.
func ordinary(norm float64) bool { return norm >= 0x1p-100 && norm <= 0x1p+120 }

// Cosine returns the cosine of the angle between a and b, from -1 to 1, computed in float64. Both have the
// same length. It is NaN if a or b is zero or not finite.
func Cosine(a, b []float32) float64 {
	return min(1, max(-1, dot(a, b)/(math.Sqrt(dot(a, a))*math.Sqrt(dot(b, b))))) // 0/0 and ∞/∞ are NaN
}

func dot(a, b []float32) (sum float64) {
	for i, x := range a {
		sum += float64(x) * float64(b[i])
	}
	return sum
}
