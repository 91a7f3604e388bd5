package projection

import (
	"context"
	"math"
	"slices"

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

// A finder finds the rows that are nearest to each of some other vectors of length 1.
type finder func(queries vectors.Matrix, found near) error

// nearest finds the neighbours of all rows. Each row gets as many as the options say, without itself. Others, if not
// nil, is called after that, with what finds the rows near other vectors.
func nearest(ctx context.Context, rows vectors.Matrix, o UMAPOptions, step func(done float64), others func(find finder) error) (near, error) {
	k := min(o.Neighbors, rows.Rows) - 1
	if rows.Rows > exactWords {
		n, err := descend(ctx, rows, listLength(rows.Rows, o.Neighbors), o, step, others)
		return n.cut(k), err
	}
	n, err := exactNear(ctx, rows, k, o.Threads, step)
	if err != nil || others == nil {
		return n, err
	}
	return n, others(func(queries vectors.Matrix, found near) error {
		all := scan.Scan{Queries: queries, Rows: rows, K: found.k, Threads: o.Threads}
		return all.Run(ctx, found.put)
	})
}

func (n near) put(i int, best []scan.Found) {
	ids, cosines := n.row(i)
	for j, f := range best {
		ids[j], cosines[j] = int32(f.Row), f.Score
	}
}

func exactNear(ctx context.Context, rows vectors.Matrix, k, threads int, step func(done float64)) (near, error) {
	found := newNear(rows.Rows, k)
	if k == 0 {
		return found, ctx.Err()
	}
	all := scan.Scan{Queries: rows, Rows: rows, K: k, Self: numbered[int](rows.Rows), Threads: threads, Progress: step}
	return found, all.Run(ctx, found.put)
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

const (
	cellRows    = 256 // rows of a cell, about
	cellSample  = 32  // rows for each centre that the centres are computed of
	cellRounds  = 6   // of k-means
	cellProbes  = 16  // cells that are searched for each row
	otherProbes = 8   // and for each vector of others
	cellQueries = 256 // vectors that are searched for at a time
)

// A cells divides rows into cells of near rows: each row is in that of its nearest centre.
type cells struct {
	probes  int // cells that are searched for each row
	centres vectors.Matrix
	order   []int32 // rows, cell by cell, rising
	starts  []int   // of each cell in order
}

// divide makes cells by k-means of directions (Dhillon and Modha 2001) of a sample.
func divide(ctx context.Context, rows vectors.Matrix, o UMAPOptions, step func(done float64)) (c cells, probed []int32, err error) {
	n := rows.Rows
	count := (n + cellRows - 1) / cellRows
	c.probes = min(cellProbes, count)
	sample := vectors.NewMatrix(min(n, count*cellSample), rows.Cols)
	for i := range sample.Rows {
		copy(sample.Row(i), rows.Row(int(uint64(i)*uint64(n)/uint64(sample.Rows))))
	}
	centres := vectors.NewMatrix(count, rows.Cols)
	for i := range count {
		copy(centres.Row(i), sample.Row(int(uint64(i)*uint64(sample.Rows)/uint64(count))))
	}
	of := make([]int32, sample.Rows)
	for round := range cellRounds {
		search := scan.Scan{Queries: sample, Rows: centres, K: 1, Threads: o.Threads}
		if err := search.Run(ctx, func(i int, best []scan.Found) { of[i] = int32(best[0].Row) }); err != nil {
			return c, nil, err
		}
		sums := make([]float64, count*rows.Cols)
		for i, cell := range of {
			sum := sums[int(cell)*rows.Cols:][:rows.Cols]
			for k, x := range sample.Row(i) {
				sum[k] += float64(x)
			}
		}
		mean := make([]float32, rows.Cols)
		for i := range count {
			for k, x := range sums[i*rows.Cols:][:rows.Cols] {
				mean[k] = float32(x)
			}
			if slices.ContainsFunc(mean, func(x float32) bool { return x != 0 }) { // an empty cell keeps its centre
				vectors.Unit(centres.Row(i), mean)
			}
		}
		step(0.5 * float64(round+1) / cellRounds)
	}
	c.centres = centres
	if probed, err = c.probed(ctx, rows, c.probes, o.Threads, func(done float64) { step(0.5 + 0.5*done) }); err != nil {
		return c, nil, err
	}
	c.order, c.starts = c.sorted(probed, c.probes)
	return c, probed, nil
}

// probed returns so many cells that are searched for each row, the nearest first.
func (c cells) probed(ctx context.Context, rows vectors.Matrix, probes, threads int, step func(done float64)) ([]int32, error) {
	probed := make([]int32, rows.Rows*probes)
	search := scan.Scan{Queries: rows, Rows: c.centres, K: probes, Threads: threads, Progress: step}
	return probed, search.Run(ctx, func(i int, best []scan.Found) {
		for j, f := range best {
			probed[i*probes+j] = int32(f.Row)
		}
	})
}

// sorted returns the rows, cell by cell, and where each cell begins.
func (c cells) sorted(probed []int32, probes int) (order []int32, starts []int) {
	n := len(probed) / probes
	starts = make([]int, c.centres.Rows+1)
	for i := range n {
		starts[probed[i*probes]+1]++
	}
	for i := range c.centres.Rows {
		starts[i+1] += starts[i]
	}
	order = make([]int32, n)
	next := slices.Clone(starts)
	for i := range n {
		cell := probed[i*probes]
		order[next[cell]] = int32(i)
		next[cell]++
	}
	return order, starts
}

// permute moves row order[i] of m to row i, or back.
func permute(m vectors.Matrix, order []int32, back bool) {
	moved, held := make([]bool, len(order)), make([]float32, m.Cols)
	for first := range order {
		if moved[first] {
			continue
		}
		copy(held, m.Row(first))
		at := first
		for {
			moved[at] = true
			from := int(order[at])
			if back {
				// What is held belongs to row from.
				for k, x := range m.Row(from) {
					m.Row(from)[k], held[k] = held[k], x
				}
			} else if from != first {
				copy(m.Row(at), m.Row(from))
			} else {
				copy(m.Row(at), held)
			}
			if at = from; at == first {
				break
			}
		}
	}
}

// search finds lists of the nearest rows among those of the cells that are probed for each query. Rows are in the order
// of cells. Queries are looked at in their order, best cell by cell; without an order they are the rows themselves,
// and none is in its own list.
func (c cells) search(ctx context.Context, rows, queries vectors.Matrix, order, probed []int32, found near, threads int, step func(done float64)) error {
	type worker struct {
		queries  vectors.Matrix
		products []float32
		probing  [][]int32 // of each cell, the queries that probe it, by their number from the first on
		lists    [cellQueries]ranked
	}
	probes := len(probed) / queries.Rows
	workers := make([]*worker, threads)
	for w := range workers {
		workers[w] = &worker{queries: vectors.NewMatrix(cellQueries, rows.Cols), products: make([]float32, cellQueries*cellRows), probing: make([][]int32, c.centres.Rows)}
	}
	return each(ctx, threads, queries.Rows, cellQueries, step, func(number, first, last int) {
		w := workers[number]
		query := func(q int) int {
			if order != nil {
				return int(order[first+q])
			}
			return first + q
		}
		for q := range last - first {
			i := query(q)
			ids, cosines := found.row(i)
			w.lists[q] = ranked{ids: ids, cosines: cosines}
			for _, cell := range probed[i*probes:][:probes] {
				w.probing[cell] = append(w.probing[cell], int32(q))
			}
		}
		for cell, probing := range w.probing {
			if len(probing) == 0 {
				continue
			}
			for at, q := range probing {
				copy(w.queries.Row(at), queries.Row(query(int(q))))
			}
			for from := c.starts[cell]; from < c.starts[cell+1]; from += cellRows {
				n := min(cellRows, c.starts[cell+1]-from)
				simd.Dots(w.products, cellRows, w.queries.Data, w.queries.Stride, len(probing), rows.Data[from*rows.Stride:], rows.Stride, n, rows.Cols)
				for at, q := range probing {
					list, itself := &w.lists[q], -1
					if order == nil {
						itself = first + int(q) - from
					}
					floor := list.floor()
					for j, x := range w.products[at*cellRows : at*cellRows+n] {
						if x > floor && j != itself {
							list.offer(int32(from+j), x)
							floor = list.floor()
						}
					}
				}
			}
			w.probing[cell] = probing[:0]
		}
		for q := range last - first { // a list that is too short, in small cells, gets any rows
			list, i := &w.lists[q], query(q)
			for id := i; list.n < found.k; {
				id = (id + 1) % rows.Rows
				if !slices.Contains(list.ids[:list.n], int32(id)) {
					list.offer(int32(id), float32(dot(queries.Row(i), rows.Row(id))))
				}
			}
		}
	})
}

const (
	descentRounds = 5     // at most: there is another round only if the last one changed
	descentChange = 0.002 // this share of all entries
	descentList   = 24    // smallest length of lists: short lists miss more of the nearest rows
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
// to be a neighbour. The first lists are those of an inverted file: rows are compared with all of the cells whose
// centres are near. Each row searches the lists of the round before, so rows do not wait for each other and the
// result does not depend on the number of goroutines.
func descend(ctx context.Context, rows vectors.Matrix, k int, o UMAPOptions, step func(done float64), others func(find finder) error) (near, error) {
	c, probed, err := divide(ctx, rows, o, func(done float64) { step(0.2 * done) })
	if err != nil {
		return near{}, err
	}
	// Rows of a cell are beside each other meanwhile, which uses caches well.
	permute(rows, c.order, false)
	defer permute(rows, c.order, true)
	n, now := rows.Rows, newNear(rows.Rows, k)
	ordered := make([]int32, 0, len(probed))
	for _, i := range c.order {
		ordered = append(ordered, probed[int(i)*c.probes:][:c.probes]...)
	}
	if err := c.search(ctx, rows, rows, nil, ordered, now, o.Threads, func(done float64) { step(0.2 + 0.5*done) }); err != nil {
		return now, err
	}
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
		err := each(ctx, o.Threads, n, descentRun, func(done float64) { step(0.7 + 0.3*(float64(round)+done)/descentRounds) }, func(worker, first, last int) {
			s := searchers[worker]
			for i := first; i < last; i++ {
				s.neighbors(i, now, fresh, b)
				changed[worker] += s.update(i, now, next, freshNext)
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
	if others != nil {
		err := others(func(queries vectors.Matrix, found near) error {
			probes := min(otherProbes, c.probes)
			probed, err := c.probed(ctx, queries, probes, o.Threads, nil)
			if err != nil {
				return err
			}
			order, _ := c.sorted(probed, probes)
			if err := c.search(ctx, rows, queries, order, probed, found, o.Threads, nil); err != nil {
				return err
			}
			for j, id := range found.ids {
				found.ids[j] = c.order[id]
			}
			return nil
		})
		if err != nil {
			return now, err
		}
	}
	for i, row := range c.order {
		ids, cosines := now.row(i)
		to, too := next.row(int(row))
		copy(too, cosines)
		for j, id := range ids {
			to[j] = c.order[id]
		}
	}
	return next, ctx.Err()
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
