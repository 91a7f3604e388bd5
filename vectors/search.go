package vectors

import (
	"iter"
	"runtime"
	"sync/atomic"

	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/vectors/internal/parallel"
)

const (
	// searchRows is how many rows a worker scores at a time. The cut does not
	// depend on the number of workers, so neither do the results.
	searchRows = 256
	// searchUnits is how many unit vectors share one pass over the rows: they and
	// the scores of a block stay in the second-level cache.
	searchUnits = 128
	// searchKept is how many words the queries of a pass keep, about: lists of many
	// words are made for few queries at a time.
	searchKept = 1 << 20
)

// passes cuts queries that have so many unit vectors each, and keep k words each, into runs
// that share a pass over the rows. It yields the first query of each, and how many they are.
func passes(queries, units, k int) iter.Seq2[int, int] {
	most := max(1, min(searchUnits/units, searchKept/max(k, 1)))
	return func(yield func(first, n int) bool) {
		for first := 0; first < queries; first += most {
			if !yield(first, min(most, queries-first)) {
				return
			}
		}
	}
}

// A search is for the words that score best for each of some queries.
type search struct {
	units Matrix      // unit vectors of the queries
	kept  []selection // what to select for each query
	// score offers the words of a block to the selections of a worker, one a query.
	score func(to []selection, b block)
}

// last returns how many of n words any of the queries may be answered with.
func (of search) last(n int) (last int) {
	for _, sel := range of.kept {
		if sel.first <= 0 {
			return n
		}
		last = max(last, sel.first)
	}
	return min(last, n)
}

// A block holds the dot products of some consecutive words' rows with all unit vectors of a search.
type block struct {
	first    int       // word
	inverse  []float32 // what products with a word's row are multiplied by, see Directions
	products []float32 // searchRows for each unit vector
}

// dots returns the products of all words of the block with unit vector u.
func (b block) dots(u int) []float32 { return b.products[u*searchRows:] }

// search looks at every word, on all cores. A word whose vector has no direction has NaN for
// products, which are larger than nothing.
func (s *Set) search(of search) (found [][]Neighbor) {
	s.file.Guard(func() { found = s.searched(of) }) // all of it, so that Close waits for the end
	if found == nil {
		found = make([][]Neighbor, len(of.kept)) // a fault is in s.Err
		for q := range found {
			found[q] = []Neighbor{}
		}
	}
	return found
}

// searched is search where faults are looked after.
func (s *Set) searched(of search) [][]Neighbor {
	workers := s.searchers(of)
	found := make([][]Neighbor, len(of.kept))
	for q := range found {
		best := selection{k: of.kept[q].k}
		for _, w := range workers {
			best.found = append(best.found, w[q].found...)
		}
		best.cut()
		found[q] = make([]Neighbor, len(best.found))
		for i, f := range best.found {
			found[q][i] = Neighbor{Word: s.words.At(f.id), ID: f.id, Similarity: f.score}
		}
	}
	return found
}

// searchers returns what each worker has selected of its blocks for each query. It takes its
// blocks by rising first word.
func (s *Set) searchers(of search) [][]selection {
	last := of.last(s.Len())
	blocks := (last + searchRows - 1) / searchRows
	workers := make([][]selection, max(1, min(runtime.GOMAXPROCS(0), blocks)))
	for w := range workers {
		workers[w] = begin(of.kept)
	}
	rows, inverse := s.Directions()
	if s.Err() != nil {
		return workers // rows that are no rows are near to nothing
	}
	var taken atomic.Int64
	var g parallel.Group
	for w := range workers {
		g.Go(func() error {
			products := make([]float32, searchRows*of.units.Rows)
			s.file.Inside(func() {
				for {
					first := int(taken.Add(1)-1) * searchRows
					if first >= last {
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
	_ = g.Wait() // a fault is in s.Err
	return workers
}
