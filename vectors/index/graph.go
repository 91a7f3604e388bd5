package index

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sync/atomic"

	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/vectors/internal/parallel"
)

// A graph has links from each row to rows near to it, and entries, rows from all over, from which walks begin.
type graph struct {
	rows    []float32 // unit vectors
	stride  int
	cols    int
	links   []uint32 // slots for each row: the rows that it is linked to, and then noRow
	slots   int
	entries []uint32
	heads   []float32 // the rows of entries one after another, cols numbers each
}

const (
	noRow = simd.NoRow
	// MaxRows is the largest number of rows of an index.
	MaxRows = 1<<31 - 1
	// A walk begins at the best few entries, because a row need not be reached from just one.
	begins = 4
	// lengthened is by how much longer, squared, a link must be than the link that makes it needless: the α of
	// DiskANN. A larger number keeps more links.
	lengthened = 1.15
	// Two rows are the same to links if the cosine of one with the other is so close to 1.
	rounding = 2e-6
	// pack is how many links are compared with a candidate at a time.
	pack = 8
)

func (g *graph) row(id uint32) []float32 { return g.rows[int(id)*g.stride:][:g.cols] }

// linked returns the slots of a row.
func (g *graph) linked(id uint32) []uint32 { return g.links[int(id)*g.slots:][:g.slots] }

// degree returns how many slots are filled.
func degree(slots []uint32) int {
	if n := slices.Index(slots, noRow); n >= 0 {
		return n
	}
	return len(slots)
}

// enter makes an entry of a row.
func (g *graph) enter(id uint32) {
	g.entries = append(g.entries, id)
	g.heads = append(g.heads, g.row(id)...)
}

// A near is a row and its cosine with a vector.
type near struct {
	score float32
	id    uint32 // with walked, if its links were looked at
}

const walked = 1 << 31

func (n near) row() uint32 { return n.id &^ walked }

// before orders by cosine, the largest first, and of equal ones by row.
func (n near) before(o near) bool {
	return n.score > o.score || n.score == o.score && n.row() < o.row()
}

func byScore(a, b near) int {
	return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.row(), b.row()))
}

// A walker has what one worker needs to walk through a graph.
type walker struct {
	*graph
	seen     []uint64 // a bit for each row
	touched  []uint32 // rows whose bits are set
	pool     []near   // the best rows so far, in order
	list     []uint32
	products []float32
	chosen   []uint32
	pairs    []uint64
}

func (g *graph) walker(rows int) *walker {
	return &walker{graph: g, seen: make([]uint64, (rows+63)/64)}
}

// dots sets w.products to the dot products of v and the listed rows.
func (w *walker) dots(v []float32, list []uint32) []float32 {
	if len(w.products) < len(list) {
		w.products = make([]float32, 2*len(list))
	}
	if len(list) > 0 {
		simd.DotLists(w.products, w.rows, w.stride, simd.Lists{Starts: []uint64{0, uint64(len(list))}, Rows: list},
			[]uint32{0}, simd.Block{Data: v, Rows: 1, Cols: w.cols, Stride: w.cols})
	}
	return w.products[:len(list)]
}

// consecutive is dots for rows in rising order, which often follow each other.
func (w *walker) consecutive(v []float32, list []uint32) []float32 {
	n := len(list)
	if n == 0 || int(list[n-1]-list[0]) != n-1 {
		return w.dots(v, list)
	}
	if len(w.products) < n {
		w.products = make([]float32, 2*n)
	}
	simd.Dots(w.products, n, v, w.cols, 1, w.rows[int(list[0])*w.stride:], w.stride, n, w.cols)
	return w.products[:n]
}

// see reports whether the walk comes to a row for the first time. Links of a damaged file may lead nowhere.
func (w *walker) see(id uint32) bool {
	at, bit := int(id>>6), uint64(1)<<(id&63)
	if at >= len(w.seen) || w.seen[at]&bit != 0 || int(id)*w.stride+w.cols > len(w.rows) {
		return false
	}
	w.seen[at] |= bit
	w.touched = append(w.touched, id)
	return true
}

// search returns the rows near to a unit vector, the nearest first: the best effort rows among those that a walk comes
// by. It goes on from the nearest row whose links it has not looked at. The result is valid until the next call.
//
// Source: Malkov and Yashunin, "Efficient and robust approximate nearest neighbor search using Hierarchical
// Navigable Small World graphs", 2018, algorithm 2. Its upper layers only find where a walk begins, and here the
// entries do that, which are all compared at once.
func (w *walker) search(v []float32, effort int) []near {
	for _, id := range w.touched {
		w.seen[id>>6] = 0
	}
	w.touched, w.pool = w.touched[:0], w.pool[:0]
	n := len(w.entries)
	if len(w.products) < n {
		w.products = make([]float32, 2*n)
	}
	simd.Dots(w.products, n, v, w.cols, 1, w.heads, w.cols, n, w.cols)
	for i, score := range w.products[:n] {
		w.offer(near{score, uint32(i)}, min(begins, effort))
	}
	first := slices.Clone(w.pool)
	w.pool = w.pool[:0]
	for _, f := range first {
		if f.id = w.entries[f.id]; w.see(f.id) {
			w.offer(f, effort)
		}
	}
	for at := 0; at < len(w.pool); {
		if w.pool[at].id&walked != 0 {
			at++
			continue
		}
		from := w.pool[at].id
		w.pool[at].id |= walked
		w.list = w.list[:0]
		for _, id := range w.linked(from) {
			if id == noRow {
				break
			}
			if w.see(id) {
				w.list = append(w.list, id)
			}
		}
		simd.Prefetch(w.rows, w.stride, w.list, w.cols)
		for i, score := range w.dots(v, w.list) {
			at = min(at, w.offer(near{score, w.list[i]}, effort))
		}
	}
	return w.pool
}

// offer puts a row into the pool if it is among the best, and returns its place, or a place behind all.
func (w *walker) offer(n near, most int) int {
	if !(n.score >= -2) || len(w.pool) == most && !n.before(w.pool[most-1]) {
		return math.MaxInt // a damaged file may have NaN
	}
	at, last := 0, len(w.pool)
	for at < last {
		if middle := (at + last) / 2; w.pool[middle].before(n) {
			at = middle + 1
		} else {
			last = middle
		}
	}
	if len(w.pool) == most {
		w.pool = w.pool[:most-1]
	}
	w.pool = slices.Insert(w.pool, at, n)
	return at
}

// choose returns which of some candidates a row is linked to, of which there are at most most. They come in order of
// their cosines with the row. A candidate is left out if a chosen row is about as near to it as the row itself: a
// walk then gets there by the chosen row.
//
// Source: algorithm 4 of the paper above, and Subramanya et al., "DiskANN", 2019, algorithm 2, for the factor.
func (w *walker) choose(candidates []near, self uint32, most int) []uint32 {
	w.chosen = w.chosen[:0]
next:
	for _, c := range candidates {
		id := c.row()
		if len(w.chosen) == most {
			break
		}
		if id == self {
			continue
		}
		limit := (1 - c.score + rounding) / lengthened
		v := w.row(id)
		for list := range slices.Chunk(w.chosen, pack) {
			for _, score := range w.dots(v, list) {
				if 1-score <= limit {
					continue next
				}
			}
		}
		w.chosen = append(w.chosen, id)
	}
	return w.chosen
}

// each calls use for 0…n-1 on several workers, until ctx ends or use returns an error.
func each(ctx context.Context, n int, workers []*walker, use func(w *walker, i int) error) error {
	run := min(16, max(1, n/(8*len(workers))))
	var taken atomic.Int64
	var g parallel.Group
	for _, w := range workers[:max(1, min(len(workers), (n+run-1)/run))] {
		g.Go(func() error {
			for {
				first := int(taken.Add(int64(run))) - run
				if first >= n {
					return nil
				}
				if err := ctx.Err(); err != nil {
					return err
				}
				for i := first; i < min(n, first+run); i++ {
					if err := use(w, i); err != nil {
						return err
					}
				}
			}
		})
	}
	return g.Wait()
}
