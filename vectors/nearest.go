package vectors

import (
	"cmp"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/w2v-go/w2v/internal/simd"
)

// A Neighbor is a word of a set and how near it is to a query.
type Neighbor struct {
	Word       string  `json:"word"`
	ID         int     `json:"-"`          // position of Word in Set.Words
	Similarity float32 `json:"similarity"` // cosine, from -1 to 1, unless a method says otherwise
}

const (
	// scanRows is how many rows a worker scores at a time. The cut does not
	// depend on the number of workers, so neither do the results.
	scanRows = 256
	// scanQueries is how many queries share one pass over the rows: with
	// scanRows the scores of a block stay in 64 KB of cache.
	scanQueries = 64
)

// Nearest returns the k words whose vectors have the largest cosine with query,
// which has Dim numbers, nearest first and of equal ones the lower id first.
// Words whose ids are in skip are left out, and so are words whose vectors are
// zero or not finite. There are fewer than k neighbours if the set has no more
// words, and none, though never nil, if query has no direction.
//
// Every vector is looked at, on all cores; the result does not depend on their
// number.
func (s *Set) Nearest(query []float32, k int, skip ...int) []Neighbor {
	queries := Matrix{Data: query, Rows: 1, Cols: len(query), Stride: len(query)}
	return s.NearestBatch(queries, k, [][]int{skip})[0]
}

// NearestBatch is Nearest for every row of queries: result i belongs to row i.
// The ids in skip[i] are left out of it; skip may be shorter than queries.Rows.
// Many queries at once share each pass over the vectors, which makes them
// cheaper than one after the other.
func (s *Set) NearestBatch(queries Matrix, k int, skip [][]int) [][]Neighbor {
	s.mustBeUsable()
	if err := queries.CheckSizes(); err != nil {
		panic(fmt.Sprintf("vectors: queries: %v", err))
	}
	if queries.Rows > 0 && queries.Cols != s.Dim() {
		panic(fmt.Sprintf("vectors: query of %d numbers in a set of %d dimensions", queries.Cols, s.Dim()))
	}
	found := make([][]Neighbor, queries.Rows)
	k = min(k, s.Len())
	if k <= 0 {
		for q := range found {
			found[q] = []Neighbor{}
		}
		return found
	}
	for first := 0; first < queries.Rows; first += scanQueries {
		n := min(scanQueries, queries.Rows-first)
		units := NewMatrix(n, queries.Cols)
		kept := make([]selection, n)
		for q := range kept {
			// A query without direction stays all zeros: every word would be
			// equally near to it, so it keeps none.
			if Unit(units.Row(q), queries.Row(first+q)) {
				kept[q].k = k
			}
			if first+q < len(skip) {
				kept[q].skip = skip[first+q]
			}
		}
		s.selectNearest(found[first:first+n], units, kept)
	}
	return found
}

// selectNearest fills found[q] with the words nearest to row q of units that
// kept[q] asks for.
func (s *Set) selectNearest(found [][]Neighbor, units Matrix, kept []selection) {
	workers := make([][]selection, s.scanWorkers())
	for w := range workers {
		workers[w] = slices.Clone(kept)
		for q := range workers[w] {
			workers[w][q].floor = float32(math.Inf(-1))
		}
	}
	s.scan(units, len(workers), func(worker, first int, cosines []float32) {
		mine := workers[worker]
		for len(cosines) > 0 {
			for q, x := range cosines[:len(mine)] {
				if x > mine[q].floor {
					mine[q].offer(first, x)
				}
			}
			cosines = cosines[len(mine):]
			first++
		}
	})
	for q := range found {
		found[q] = s.mergeSelections(workers, q)
		for i := range found[q] {
			// Rounding may carry a cosine past 1. It is cut only here so that
			// the order stays that of the sums.
			found[q][i].Similarity = min(1, max(-1, found[q][i].Similarity))
		}
	}
}

// scanWorkers returns how many goroutines a scan of the set is worth.
func (s *Set) scanWorkers() int {
	blocks := (s.Len() + scanRows - 1) / scanRows
	return max(1, min(runtime.GOMAXPROCS(0), blocks))
}

// scan computes the cosine of every word with every row of units, which are
// unit vectors, and hands them to visit block by block: cosines holds units.Rows
// numbers for each of the words first, first+1, … and is valid during the call.
// A word whose vector has no direction has NaN, which is larger than nothing.
// Each worker visits from a goroutine of its own, its blocks by rising first.
func (s *Set) scan(units Matrix, workers int, visit func(worker, first int, cosines []float32)) {
	rows, inverse := s.Directions()
	if s.Err() != nil {
		return // rows that are no rows are near to nothing
	}
	var taken atomic.Int64
	var g errgroup.Group
	for worker := range workers {
		g.Go(func() error {
			cosines := make([]float32, min(scanRows, s.Len())*units.Rows)
			s.file.Guard(func() {
				for {
					first := int(taken.Add(1)-1) * scanRows
					if first >= s.Len() {
						return
					}
					n := min(scanRows, s.Len()-first)
					simd.Dots(cosines, units.Rows, rows.Data[first*rows.Stride:], rows.Stride, n,
						units.Data, units.Stride, units.Rows, units.Cols)
					for i, inv := range inverse[first : first+n] {
						for j := range units.Rows {
							cosines[i*units.Rows+j] *= inv
						}
					}
					visit(worker, first, cosines[:n*units.Rows])
				}
			})
			return nil
		})
	}
	_ = g.Wait() // a fault is in s.Err
}

// Directions returns a row for the vector of every word, and what a dot product of the row with
// a unit vector is multiplied by to make a cosine: one over the row's Euclidean length. It is NaN, and so makes
// every cosine NaN, where a vector has no direction because it is zero or not finite. The rows are
// those of Vectors, but for vectors so long or so short that float32 cannot hold such a product: in
// place of these stand unit vectors. Both are computed the first time that they are asked for; they must
// not be changed.
func (s *Set) Directions() (rows Matrix, inverseNorms []float32) {
	s.mustBeUsable()
	s.file.MustBeOpen()
	s.normsOnce.Do(func() {
		s.directed, s.norms = s.Vectors(), make([]float32, s.Len())
		var extreme atomic.Bool
		s.inParallel(s.Len(), func(first, last int) {
			for i := first; i < last; i++ {
				norm := normOf(s.directed.Row(i))
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
		if !extreme.Load() {
			return
		}
		of := s.directed
		s.directed = NewMatrix(of.Rows, of.Cols)
		s.inParallel(of.Rows, func(first, last int) {
			for i := first; i < last; i++ {
				row := s.directed.Row(i)
				copy(row, of.Row(i))
				if norm := normOf(row); norm > 0 && !ordinary(norm) {
					Unit(row, row)
				}
			}
		})
	})
	return s.directed, s.norms
}

// Unit sets dst to v scaled to length 1 and reports whether v has a direction.
// If not, because it is zero or not finite, dst is all zeros. Both have the
// same length and may be the same.
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
	default: // float32 cannot hold the reciprocal, or not all of its digits
		for i, x := range v {
			dst[i] = float32(float64(x) / norm)
		}
	}
	return true
}

// normOf returns the Euclidean length of v, which no finite numbers make infinite.
func normOf(v []float32) float64 {
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	return math.Sqrt(sum)
}

// ordinary tells whether products of a vector of that length with a unit vector neither overflow nor
// lose digits in float32, nor does the reciprocal of the length.
func ordinary(norm float64) bool { return norm >= 0x1p-100 && norm <= 0x1p+120 }

// A selection keeps the k best of the words that it is offered by rising id.
type selection struct {
	k     int
	skip  []int
	floor float32 // only what is larger can still be among the best
	found []scored
}

type scored struct {
	id    int
	score float32
}

func (sel *selection) offer(id int, score float32) {
	if sel.k == 0 || score > math.MaxFloat32 || slices.Contains(sel.skip, id) {
		return
	}
	sel.found = append(sel.found, scored{id, score})
	if len(sel.found) >= 2*sel.k {
		sel.cut()
		// An equal score that comes later has a higher id and loses.
		sel.floor = sel.found[sel.k-1].score
	}
}

// cut sorts what was found and drops all but the k best.
func (sel *selection) cut() {
	slices.SortFunc(sel.found, func(x, y scored) int {
		return cmp.Or(cmp.Compare(y.score, x.score), cmp.Compare(x.id, y.id))
	})
	sel.found = sel.found[:min(sel.k, len(sel.found))]
}

// mergeSelections returns the best of what all workers found for query q.
func (s *Set) mergeSelections(workers [][]selection, q int) []Neighbor {
	best := selection{k: workers[0][q].k}
	for _, w := range workers {
		best.found = append(best.found, w[q].found...)
	}
	best.cut()
	neighbors := make([]Neighbor, len(best.found))
	for i, f := range best.found {
		neighbors[i] = Neighbor{Word: s.words.At(f.id), ID: f.id, Similarity: f.score}
	}
	return neighbors
}
