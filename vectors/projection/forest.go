package projection

import (
	"context"

	"github.com/w2v-go/w2v/vectors"
)

// leafRows is how many rows a leaf has at most.
const leafRows = 60

// A tree is a random projection tree (Dasgupta and Freund 2008, with the splits of Bernhardsson's Annoy):
// each node cuts its rows in two by the plane between two of them.
type tree struct {
	order []int32 // rows, leaf by leaf
	leaf  []int32 // of each row: the first place of its leaf in order
	size  []int32 // of the leaf that begins at a place
}

// forestNear returns lists of the nearest among the rows that share a leaf of a tree with a row, and all rows in an order
// in which near ones are near each other: rows that are visited so find much of what they read in the cache.
func forestNear(ctx context.Context, rows vectors.Matrix, k int, o UMAPOptions, step func(done float64)) (found near, order []int32, err error) {
	n := rows.Rows
	trees := make([]tree, forest)
	err = each(ctx, o.Threads, forest, 1, func(done float64) { step(0.5 * done) }, func(_, first, _ int) {
		t := tree{order: make([]int32, n), leaf: make([]int32, n), size: make([]int32, n)}
		for i := range t.order {
			t.order[i] = int32(i)
		}
		t.split(ctx, rows, 0, n, mix(o.Seed, uint64(first), 5), make([]bool, n))
		trees[first] = t
	})
	found, order = newNear(n, k), trees[0].order
	if err != nil {
		return found, order, err
	}
	searchers := make([]*searcher, o.Threads)
	for w := range searchers {
		searchers[w] = newSearcher(rows)
	}
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

// split cuts the rows of order[first:last] into leaves.
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
		// Nearly all are on one side, as equal rows are: half of them go to each.
		middle = len(part) / 2
		for i := range part {
			side[i] = i < middle
		}
	}
	ordered := make([]int32, 0, len(part))
	for i, id := range part {
		if side[i] {
			ordered = append(ordered, id)
		}
	}
	for i, id := range part {
		if !side[i] {
			ordered = append(ordered, id)
		}
	}
	copy(part, ordered)
	t.split(ctx, rows, first, first+middle, mix(seed, 2, 6), side)
	t.split(ctx, rows, first+middle, last, mix(seed, 3, 6), side)
}
