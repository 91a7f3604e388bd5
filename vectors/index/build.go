package index

import (
	"context"
	"math"
	"math/bits"
	"slices"
)

// A builder links rows, some at a time.
type builder struct {
	*graph
	degree  int // most links of a row at the end; until then there are more slots, so that links are rarely chosen anew
	effort  int
	workers []*walker
	done    int // number of rows that are linked
}

// batch returns how many rows can be linked at the same time when some are: they do not find each other, so they
// must be few. Of several batches, later ones are larger, and no larger than a 50th of all rows, if their number is known.
//
// Source: Manohar et al., "ParlayANN: Scalable and Deterministic Parallel Graph-Based Approximate Nearest Neighbor
// Search Algorithms", 2024, section 3.
func batch(linked, all int) int { return max(1, min(linked, max(64, all/50))) }

// link links rows that are not in the graph yet to those that are. What it does depends on neither the number of
// workers nor their speed: rows look for neighbours in a graph that does not change meanwhile.
func (b *builder) link(ctx context.Context, ids []uint32) error {
	for _, w := range b.workers {
		w.pairs = w.pairs[:0]
	}
	if b.done > 0 {
		err := each(ctx, len(ids), b.workers, func(w *walker, i int) error {
			id := ids[i]
			found := w.search(w.row(id), b.effort)
			to := w.choose(found, id, b.degree)
			copy(w.linked(id), to)
			for _, t := range to {
				w.pairs = append(w.pairs, uint64(t)<<32|uint64(id))
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	if err := b.back(ctx); err != nil {
		return err
	}
	for _, id := range ids {
		if b.done++; len(b.entries)*len(b.entries) < b.done {
			b.enter(id)
		}
	}
	return nil
}

// back adds the way back to the links that workers have made.
func (b *builder) back(ctx context.Context) error {
	var pairs []uint64
	for _, w := range b.workers {
		pairs = append(pairs, w.pairs...)
	}
	slices.Sort(pairs)
	var starts []int
	for i, p := range pairs {
		if i == 0 || p>>32 != pairs[i-1]>>32 {
			starts = append(starts, i)
		}
	}
	starts = append(starts, len(pairs))
	return each(ctx, len(starts)-1, b.workers, func(w *walker, i int) error {
		added := pairs[starts[i]:starts[i+1]]
		id := uint32(added[0] >> 32)
		slots := w.linked(id)
		has := degree(slots)
		w.list = append(w.list[:0], slots[:has]...)
		for _, p := range added {
			if from := uint32(p); !slices.Contains(slots[:has], from) {
				w.list = append(w.list, from)
			}
		}
		if len(w.list) > len(slots) {
			b.rechoose(w, id)
		} else {
			copy(slots, w.list)
		}
		return nil
	})
}

// rechoose chooses the links of a row among those in w.list.
func (b *builder) rechoose(w *walker, id uint32) {
	w.pool = w.pool[:0]
	for i, score := range w.dots(w.row(id), w.list) {
		w.pool = append(w.pool, near{score, w.list[i]})
	}
	slices.SortFunc(w.pool, byScore)
	slots := w.linked(id)
	n := copy(slots, w.choose(w.pool, id, b.degree))
	for i := range slots[n:] {
		slots[n+i] = noRow
	}
}

// finish leaves no row more links than its degree, and returns the graph without the other slots.
func (b *builder) finish(ctx context.Context, rows int) error {
	links := make([]uint32, rows*b.degree)
	err := each(ctx, rows, b.workers, func(w *walker, i int) error {
		id := uint32(i)
		slots := w.linked(id)
		if n := degree(slots); n > b.degree {
			w.list = append(w.list[:0], slots[:n]...)
			b.rechoose(w, id)
		}
		copy(links[i*b.degree:][:b.degree], w.linked(id))
		return nil
	})
	b.links, b.slots = links, b.degree
	b.reach(rows)
	return err
}

const (
	ways   = 4        // each row should be linked to by so many others, or else some searches miss it at any effort
	spared = 3 * ways // a link to a row with so many may give way
)

// reach adds links to rows that few others are linked to, from the rows that they are linked to themselves.
func (b *builder) reach(rows int) {
	to := make([]uint16, rows)
	for _, id := range b.links {
		if id != noRow {
			to[id] = min(to[id], math.MaxUint16-1) + 1
		}
	}
	for id := range uint32(rows) {
		for _, from := range b.linked(id) {
			if from == noRow || to[id] >= ways {
				break
			}
			slots := b.linked(from)
			if slices.Contains(slots, id) {
				continue
			}
			at := degree(slots)
			if at == len(slots) {
				for at--; at >= 0 && to[slots[at]] < spared; at-- {
				}
				if at < 0 {
					continue
				}
				to[slots[at]]--
			}
			slots[at] = id
			to[id]++
		}
	}
}

// shuffled returns 0…n-1 in an order that the seed says, and that is the same on all machines.
func shuffled(n int, seed uint64) []uint32 {
	ids := make([]uint32, n)
	for i := range ids {
		ids[i] = uint32(i)
	}
	for i := n - 1; i > 0; i-- {
		seed += 0x9e3779b97f4a7c15 // splitmix64
		x := seed
		x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
		x = (x ^ x>>27) * 0x94d049bb133111eb
		j, _ := bits.Mul64(x^x>>31, uint64(i+1))
		ids[i], ids[j] = ids[j], ids[i]
	}
	return ids
}
