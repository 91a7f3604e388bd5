package vectors

import (
	"cmp"
	"math"
	"slices"
)

// A selection keeps the k best of the words that it is offered by rising id.
type selection struct {
	k     int
	skip  []int
	first int     // only so many first words are offered; 0 for all
	floor float32 // only what is larger can still be among the best
	found []scored
}

type scored struct {
	id    int
	score float32
}

// allowed returns the factors of those words of a block that are offered.
func (sel *selection) allowed(b block) []float32 {
	if sel.first <= 0 {
		return b.inverse
	}
	return b.inverse[:max(0, min(len(b.inverse), sel.first-b.first))]
}

// offer takes a word if it can be among the best, and returns the floor.
func (sel *selection) offer(id int, score float32) float32 {
	if score > math.MaxFloat32 || slices.Contains(sel.skip, id) {
		return sel.floor
	}
	sel.found = append(sel.found, scored{id, score})
	if len(sel.found) >= 2*sel.k {
		sel.cut()
		// An equal score that comes later has a higher id and loses.
		sel.floor = sel.found[sel.k-1].score
	}
	return sel.floor
}

// begin returns selections of the same words that nothing was offered to.
func begin(kept []selection) []selection {
	begun := slices.Clone(kept)
	for q := range begun {
		begun[q].floor = float32(math.Inf(-1))
		if begun[q].k == 0 {
			begun[q].floor = float32(math.Inf(1))
		}
	}
	return begun
}

// cut sorts what was found and drops all but the k best.
func (sel *selection) cut() {
	slices.SortFunc(sel.found, func(x, y scored) int {
		return cmp.Or(cmp.Compare(y.score, x.score), cmp.Compare(x.id, y.id))
	})
	sel.found = sel.found[:min(sel.k, len(sel.found))]
}
