// Package topk keeps the best of many scores as GNU's C++ library does: of equal scores it keeps the same ones
// and returns them in the same order, because it moves elements of its heap in the same way.
package topk

// An Entry is a score and whose it is.
type Entry struct {
	Score float32
	ID    int
}

// A Heap has the entry with the lowest score at the front.
type Heap []Entry

// Offer adds an entry, and removes the lowest one if there are more than k. Callers may leave out an entry that
// is lower than the front of k entries.
func (h *Heap) Offer(e Entry, k int) {
	*h = append(*h, e)
	h.rise(len(*h)-1, e)
	if len(*h) > k {
		h.pop(len(*h))
		*h = (*h)[:k]
	}
}

// Sort orders the entries, the highest score first. Then the heap is none any more.
func (h *Heap) Sort() {
	for n := len(*h); n > 1; n-- {
		h.pop(n)
	}
}

// pop moves the front of the first n entries behind the others.
func (h *Heap) pop(n int) {
	all := *h
	last := n - 1
	e := all[last]
	all[last] = all[0]
	hole, child := 0, 0
	for child < (last-1)/2 {
		child = 2 * (child + 1)
		if all[child].Score > all[child-1].Score {
			child--
		}
		all[hole] = all[child]
		hole = child
	}
	if last%2 == 0 && child == (last-2)/2 && last > 0 {
		child = 2*child + 1
		all[hole] = all[child]
		hole = child
	}
	if last > 0 {
		h.rise(hole, e)
	}
}

// rise fills the hole with an entry and moves the entry up.
func (h *Heap) rise(hole int, e Entry) {
	all := *h
	for hole > 0 {
		parent := (hole - 1) / 2
		if !(all[parent].Score > e.Score) { // also true for NaN
			break
		}
		all[hole] = all[parent]
		hole = parent
	}
	all[hole] = e
}
