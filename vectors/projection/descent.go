package projection

import (
	"context"
	"math"

	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/vectors"
)

const (
	// descentRounds is how many rounds there are at most, and descentChange the share of entries of all lists
	// that a round has to change for there to be another one.
	descentRounds = 12
	descentChange = 0.002
	// descentList is how long lists are at least: short ones lead to fewer of the nearest.
	descentList = 24
	// forest is how many trees the first lists come from.
	forest = 8
	// descentRun is how many rows a goroutine does at a time.
	descentRun = 64
)

// listLength returns how many neighbours of each of n rows are looked for, if so many of them, the row itself
// counted, are asked for.
func listLength(n, neighbors int) int {
	if n <= exactWords {
		return min(neighbors, n) - 1
	}
	return max(neighbors-1, descentList)
}

// descend finds nearest neighbours by nearest-neighbour descent (Dong, Charikar and Li, "Efficient
// K-Nearest Neighbor Graph Construction for Generic Similarity Measures", 2011): a neighbour of a neighbour
// is likely to be a neighbour. The first lists come from random projection trees. Each row looks for its own
// neighbours among those of the round before, so rows do not wait for each other and the result does not depend on
// the number of goroutines.
func descend(ctx context.Context, rows vectors.Matrix, k int, o UMAPOptions, step func(done float64)) (near, error) {
	now, order, err := forestNear(ctx, rows, k, o, func(done float64) { step(0.25 * done) })
	if err != nil {
		return now, err
	}
	n := rows.Rows
	next := newNear(n, k)
	fresh, freshNext := make([]bool, n*k), make([]bool, n*k)
	for i := range fresh {
		fresh[i] = true
	}
	b := &back{most: k / 2, counts: make([]int32, n), ids: make([]int32, n*(k/2)), fresh: make([]bool, n*(k/2))}
	searchers := make([]*searcher, o.Threads)
	for w := range searchers {
		searchers[w] = newSearcher(rows)
	}
	for round := range descentRounds {
		b.fill(now, fresh, mix(o.Seed, uint64(round), 4))
		changed := make([]int, o.Threads)
		err := each(ctx, o.Threads, n, descentRun, func(done float64) { step(0.25 + 0.75*(float64(round)+done)/descentRounds) }, func(worker, first, last int) {
			s := searchers[worker]
			for _, i := range order[first:last] {
				s.neighbors(int(i), now, fresh, b)
				changed[worker] += s.update(int(i), now, next, freshNext)
			}
		})
		if err != nil {
			return now, err
		}
		now, next = next, now
		fresh, freshNext = freshNext, fresh
		total := 0
		for _, c := range changed {
			total += c
		}
		if float64(total) < descentChange*float64(len(now.ids)) {
			break
		}
	}
	return now, ctx.Err()
}

// A back is the rows in whose lists each row is, up to so many of each, with whether the entry is fresh.
type back struct {
	most   int
	counts []int32
	ids    []int32
	fresh  []bool
}

// fill fills b from lists. Of too many rows, random ones are taken.
func (b *back) fill(n near, fresh []bool, seed uint64) {
	clear(b.counts)
	seen := make([]uint32, n.len())
	for e, id := range n.ids {
		seen[id]++
		at := int(seen[id] - 1)
		if at >= b.most {
			// Reservoir sampling.
			if at = int(mix(seed, uint64(id), uint64(at)) % uint64(seen[id])); at >= b.most {
				continue
			}
		} else {
			b.counts[id]++
		}
		at += int(id) * b.most
		b.ids[at], b.fresh[at] = int32(e/n.k), fresh[e]
	}
}

// row returns the rows in whose lists row i is.
func (b *back) row(i int) (ids []int32, fresh []bool) {
	first, last := i*b.most, i*b.most+int(b.counts[i])
	return b.ids[first:last], b.fresh[first:last]
}

// A searcher looks for the neighbours of one row at a time.
type searcher struct {
	rows       vectors.Matrix
	marks      []uint32 // the number of the search that has seen each row
	search     uint32
	candidates []uint32
	products   []float32
	starts     [2]uint64
	list       [1]uint32
}

func newSearcher(rows vectors.Matrix) *searcher {
	return &searcher{rows: rows, marks: make([]uint32, rows.Rows)}
}

// begin begins a search for row i, which has seen these rows.
func (s *searcher) begin(i int, seen []int32) {
	if s.search++; s.search == 0 {
		clear(s.marks)
		s.search = 1
	}
	s.candidates = s.candidates[:0]
	s.marks[i] = s.search
	for _, id := range seen {
		s.marks[id] = s.search
	}
}

// add adds a candidate that was not seen before.
func (s *searcher) add(id int32) {
	if s.marks[id] != s.search {
		s.marks[id] = s.search
		s.candidates = append(s.candidates, uint32(id))
	}
}

// neighbors makes candidates of the neighbours of the neighbours of row i, in both directions of both steps. Of
// two entries by which a row is reached one has to be fresh: what the others lead to was looked at before.
func (s *searcher) neighbors(i int, n near, fresh []bool, b *back) {
	ids, _ := n.row(i)
	s.begin(i, ids)
	through := func(v int32, all bool) {
		at := int(v) * n.k
		for j, w := range n.ids[at : at+n.k] {
			if all || fresh[at+j] {
				s.add(w)
			}
		}
		back, freshBack := b.row(int(v))
		for j, w := range back {
			if all || freshBack[j] {
				s.add(w)
			}
		}
	}
	for j, v := range ids {
		through(v, fresh[i*n.k+j])
	}
	back, freshBack := b.row(i)
	for j, v := range back {
		s.add(v)
		through(v, freshBack[j])
	}
}

// score sets the products of row i with all candidates.
func (s *searcher) score(i int) {
	if len(s.products) < len(s.candidates) {
		s.products = make([]float32, 2*len(s.candidates))
	}
	s.starts[1] = uint64(len(s.candidates))
	row := s.rows.Row(i)
	simd.DotLists(s.products, s.rows.Data, s.rows.Stride, simd.Lists{Starts: s.starts[:], Rows: s.candidates}, s.list[:],
		simd.Block{Data: row, Rows: 1, Cols: len(row), Stride: len(row)})
}

// update writes the best of the list of row i and of the candidates to next, says which of them are fresh, and returns
// how many are.
func (s *searcher) update(i int, now, next near, fresh []bool) (changed int) {
	s.score(i)
	ids, cosines := now.row(i)
	to, too := next.row(i)
	copy(to, ids)
	copy(too, cosines)
	list := ranked{n: len(to), ids: to, cosines: too}
	floor := list.floor()
	for c, id := range s.candidates {
		if x := s.products[c]; x > floor {
			list.offer(int32(id), x)
			floor = list.floor()
		}
	}
	// What was there keeps its order, so one walk over both lists finds what is new.
	old := 0
	for j, id := range to {
		for old < len(ids) && ids[old] != id && cosines[old] >= too[j] {
			old++
		}
		stale := old < len(ids) && ids[old] == id
		fresh[i*now.k+j] = !stale
		if stale {
			old++
		} else {
			changed++
		}
	}
	return changed
}

// first sets the list of row i to the best of the candidates, with others for those that are missing.
func (s *searcher) first(i int, to near) {
	ids, cosines := to.row(i)
	for id := i; len(s.candidates) < to.k; {
		id = (id + 1) % s.rows.Rows
		s.add(int32(id))
	}
	s.score(i)
	list := ranked{ids: ids, cosines: cosines}
	floor := float32(math.Inf(-1))
	for c, id := range s.candidates {
		if x := s.products[c]; x > floor {
			list.offer(int32(id), x)
			floor = list.floor()
		}
	}
}
