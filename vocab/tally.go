package vocab

import (
	"cmp"
	"slices"
)

// A Tally says how many tokens of a corpus are seen how often. It knows no tokens, so it stays
// small however many there are.
type Tally struct {
	few  [tallied]uint64   // tokens by count, for small counts, which most tokens have
	many map[uint64]uint64 // for all others
}

// tallied is the smallest count that few has no place for.
const tallied = 1 << 10

// Tally returns the tally of a vocabulary.
func (v *Vocab) Tally() *Tally {
	t := new(Tally)
	for _, count := range v.counts {
		t.add(count)
	}
	return t
}

// add includes a token that is seen so many times.
func (t *Tally) add(count uint64) {
	if count < tallied {
		t.few[count]++
		return
	}
	if t.many == nil {
		t.many = make(map[uint64]uint64)
	}
	t.many[count]++
}

// Types returns how many distinct tokens there are.
func (t *Tally) Types() (n uint64) {
	for _, f := range t.falling() {
		n += f.types
	}
	return n
}

// Tokens returns how many tokens there are in all.
func (t *Tally) Tokens() (n uint64) {
	for _, f := range t.falling() {
		n += f.types * f.count
	}
	return n
}

// A frequency is how many distinct tokens have a count.
type frequency struct{ count, types uint64 }

// falling returns all frequencies, the largest count first.
func (t *Tally) falling() []frequency {
	var all []frequency
	for count, types := range t.many {
		all = append(all, frequency{count, types})
	}
	slices.SortFunc(all, func(a, b frequency) int { return cmp.Compare(b.count, a.count) })
	for count := len(t.few) - 1; count > 0; count-- {
		if types := t.few[count]; types > 0 {
			all = append(all, frequency{uint64(count), types})
		}
	}
	return all
}
