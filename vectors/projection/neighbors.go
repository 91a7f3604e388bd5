package projection

import (
	"context"
	"math"

	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/internal/scan"
)

// A near has, for each of some rows of length 1, a list of the k nearest other rows, the nearest first; of
// equally near rows the lower number comes first.
type near struct {
	k       int
	ids     []int32   // k for each row
	cosines []float32 // cosines of the row with ids
}

func (n near) len() int { return len(n.ids) / max(1, n.k) }

func (n near) row(i int) ([]int32, []float32) {
	return n.ids[i*n.k : (i+1)*n.k], n.cosines[i*n.k : (i+1)*n.k]
}

func newNear(rows, k int) near {
	return near{k: k, ids: make([]int32, rows*k), cosines: make([]float32, rows*k)}
}

func (n near) cut(k int) near {
	short := newNear(n.len(), k)
	for i := range n.len() {
		copy(short.ids[i*k:(i+1)*k], n.ids[i*n.k:])
		copy(short.cosines[i*k:(i+1)*k], n.cosines[i*n.k:])
	}
	return short
}

// exactWords is the largest number of words of which all pairs are compared.
const exactWords = 32_768

// nearest finds the neighbours of all rows. Each row gets as many as the options say, without itself.
func nearest(ctx context.Context, rows vectors.Matrix, o UMAPOptions, step func(done float64)) (near, error) {
	k := min(o.Neighbors, rows.Rows) - 1
	if rows.Rows <= exactWords {
		return exactNear(ctx, rows, k, o.Threads, step)
	}
	n, err := descend(ctx, rows, listLength(rows.Rows, o.Neighbors), o, step)
	return n.cut(k), err
}

func exactNear(ctx context.Context, rows vectors.Matrix, k, threads int, step func(done float64)) (near, error) {
	found := newNear(rows.Rows, k)
	if k == 0 {
		return found, ctx.Err()
	}
	all := scan.Scan{Queries: rows, Rows: rows, K: k, Self: numbered[int](rows.Rows), Threads: threads, Progress: step}
	return found, all.Run(ctx, func(i int, best []scan.Found) {
		ids, cosines := found.row(i)
		for j, f := range best {
			ids[j], cosines[j] = int32(f.Row), f.Score
		}
	})
}

// A ranked keeps the best rows offered, the best first; of equal rows the one offered first. Its slices have
// room for all rows that it may keep.
type ranked struct {
	n       int
	ids     []int32
	cosines []float32
}

// floor returns the cosine that a row must exceed to be kept.
func (r *ranked) floor() float32 {
	if r.n < len(r.ids) {
		return float32(math.Inf(-1))
	}
	return r.cosines[r.n-1]
}

func (r *ranked) offer(id int32, cosine float32) {
	if r.n < len(r.ids) {
		r.n++
	}
	at := r.n - 1
	for at > 0 && r.cosines[at-1] < cosine {
		r.ids[at], r.cosines[at] = r.ids[at-1], r.cosines[at-1]
		at--
	}
	r.ids[at], r.cosines[at] = id, cosine
}

const leafRows = 60

// A tree is a random projection tree (Dasgupta and Freund 2008, with the splits of Bernhardsson's Annoy):
// each node divides its rows by the plane between two of them.
type tree struct {
	order []int32 // rows, leaf by leaf
	leaf  []int32 // of each row: where its leaf begins in order
	size  []int32 // of the leaf that begins at this position of order
}

// forestNear returns lists of the nearest rows among those that share a leaf with a row in some tree. It also
// returns an order of rows in which near rows are close to each other: visiting rows in this order uses the
// cache well.
func forestNear(ctx context.Context, rows vectors.Matrix, k int, o UMAPOptions, step func(done float64)) (found near, order []int32, err error) {
	n := rows.Rows
	trees := make([]tree, forest)
	err = each(ctx, o.Threads, forest, 1, func(done float64) { step(0.5 * done) }, func(_, first, _ int) {
		t := tree{order: numbered[int32](n), leaf: make([]int32, n), size: make([]int32, n)}
		t.split(ctx, rows, 0, n, mix(o.Seed, uint64(first), 5), make([]bool, n))
		trees[first] = t
	})
	found, order = newNear(n, k), trees[0].order
	if err != nil {
		return found, order, err
	}
	searchers := newSearchers(rows, o.Threads)
	err = each(ctx, o.Threads, n, descentRun, func(done float64) { step(0.5 + 0.5*done) }, func(worker, first, last int) {
		s := searchers[worker]
		for _, id := range order[first:last] {
			i := int(id)
			s.begin(i, nil)
			for _, t := range trees {
				from := t.leaf[i]
				for _, id := range t.order[from : from+t.size[from]] {
					s.add(id)
				}
			}
			s.first(i, found)
		}
	})
	return found, order, err
}

func (t *tree) split(ctx context.Context, rows vectors.Matrix, first, last int, seed uint64, side []bool) {
	if last-first <= leafRows || ctx.Err() != nil {
		t.size[first] = int32(last - first)
		for _, id := range t.order[first:last] {
			t.leaf[id] = int32(first)
		}
		return
	}
	part := t.order[first:last]
	n := uint64(len(part))
	a := mix(seed, 0, 6) % n
	b := (a + 1 + mix(seed, 1, 6)%(n-1)) % n
	x, y := rows.Row(int(part[a])), rows.Row(int(part[b]))
	normal := make([]float32, len(x))
	for i := range normal {
		normal[i] = x[i] - y[i]
	}
	middle := 0
	for i, id := range part {
		var product float32
		for k, v := range rows.Row(int(id)) {
			product += float32(v * normal[k])
		}
		if side[i] = product > 0; side[i] {
			middle++
		}
	}
	if middle < len(part)/20 || middle > len(part)-len(part)/20 {
		// Nearly all rows are on one side, for example because they are equal: each side gets half of them.
		middle = len(part) / 2
		for i := range part {
			side[i] = i < middle
		}
	}
	ordered := make([]int32, 0, len(part))
	for _, positive := range []bool{true, false} {
		for i, id := range part {
			if side[i] == positive {
				ordered = append(ordered, id)
			}
		}
	}
	copy(part, ordered)
	t.split(ctx, rows, first, first+middle, mix(seed, 2, 6), side)
	t.split(ctx, rows, first+middle, last, mix(seed, 3, 6), side)
}

const (
	descentRounds = 12    // at most: there is another round only if the last one changed
	descentChange = 0.002 // this share of all entries
	descentList   = 24    // smallest length of lists: short lists miss more of the nearest rows
	forest        = 8     // trees for the first lists
	descentRun    = 64    // rows that a goroutine processes at a time
)

// listLength returns the length of lists for so many neighbours, counting the row itself.
func listLength(n, neighbors int) int {
	if n <= exactWords {
		return min(neighbors, n) - 1
	}
	return max(neighbors-1, descentList)
}

// descend finds nearest neighbours by nearest-neighbour descent (Dong, Charikar and Li, "Efficient K-Nearest
// Neighbor Graph Construction for Generic Similarity Measures", 2011): a neighbour of a neighbour is likely
// to be a neighbour. Random projection trees give the first lists. Each row searches the lists of the round
// before, so rows do not wait for each other and the result does not depend on the number of goroutines.
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
	searchers := newSearchers(rows, o.Threads)
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

// A back has, for each row, up to most rows whose lists contain the row, and whether these entries are fresh.
type back struct {
	most   int
	counts []int32
	ids    []int32
	fresh  []bool
}

// fill fills b from lists. If too many lists contain a row, random ones are kept.
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

func (b *back) row(i int) (ids []int32, fresh []bool) {
	first, last := i*b.most, i*b.most+int(b.counts[i])
	return b.ids[first:last], b.fresh[first:last]
}

type searcher struct {
	rows       vectors.Matrix
	marks      []uint32 // for each row, the last search that has seen it
	search     uint32
	candidates []uint32
	products   []float32
	starts     [2]uint64
	list       [1]uint32
}

func newSearchers(rows vectors.Matrix, n int) []*searcher {
	all := make([]*searcher, n)
	for w := range all {
		all[w] = &searcher{rows: rows, marks: make([]uint32, rows.Rows)}
	}
	return all
}

// begin starts a search for row i and marks the rows of seen.
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

func (s *searcher) add(id int32) {
	if s.marks[id] != s.search {
		s.marks[id] = s.search
		s.candidates = append(s.candidates, uint32(id))
	}
}

// neighbors makes candidates of the neighbours of the neighbours of row i, following both steps in both
// directions. At least one of the two entries on the way must be fresh: paths of two old entries were
// searched before.
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

func (s *searcher) offer(i int, list ranked) {
	if len(s.products) < len(s.candidates) {
		s.products = make([]float32, 2*len(s.candidates))
	}
	s.starts[1] = uint64(len(s.candidates))
	row := s.rows.Row(i)
	simd.DotLists(s.products, s.rows.Data, s.rows.Stride, simd.Lists{Starts: s.starts[:], Rows: s.candidates}, s.list[:],
		simd.Block{Data: row, Rows: 1, Cols: len(row), Stride: len(row)})
	floor := list.floor()
	for c, id := range s.candidates {
		if x := s.products[c]; x > floor {
			list.offer(int32(id), x)
			floor = list.floor()
		}
	}
}

// update writes the best of row i's list and the candidates to next, and returns how many are fresh.
func (s *searcher) update(i int, now, next near, fresh []bool) (changed int) {
	ids, cosines := now.row(i)
	to, too := next.row(i)
	copy(to, ids)
	copy(too, cosines)
	s.offer(i, ranked{n: len(to), ids: to, cosines: too})
	// Old entries keep their order, so one pass over both lists finds the new ones.
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

// first sets the list of row i to the best candidates, filled up with other rows if they are too few.
func (s *searcher) first(i int, to near) {
	ids, cosines := to.row(i)
	for id := i; len(s.candidates) < to.k; {
		id = (id + 1) % s.rows.Rows
		s.add(int32(id))
	}
	s.offer(i, ranked{ids: ids, cosines: cosines})
}
