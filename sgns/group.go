package sgns

import (
	"slices"

	"github.com/w2v-go/w2v/internal/simd"
)

// group says which rows are to be changed together, and by which: rows in a group
// must differ, lest one update is lost. Frozen rows are in none. The first of the centres is the position
// number offset.
//
// Words differ where their rows of inputs do.
func (b *pairing) group(offset, window int) {
	centres, positions := b.words, b.positions
	in, out := b.frozen.in, b.frozen.out
	s, p, n := len(centres), len(positions), len(b.now)
	b.positive.add, b.negative.add = b.positive.add[:0], b.negative.add[:0]
	for i := 0; i < s; i += groupRows {
		rows := min(groupRows, s-i)
		from, to := max(offset+i-window, 0), min(offset+i+rows+window, p)
		b.positive.add = appendDistinct(b.positive.add, in, centres, i, rows, from, to)
		b.negative.add = appendDistinct(b.negative.add, in, centres, i, rows, 0, n)
	}
	b.positive.update = b.positive.update[:0]
	for j := 0; j < p; j += groupRows {
		rows := min(groupRows, p-j)
		from, to := max(j-offset-window, 0), min(j+rows-offset+window, s)
		b.positive.update = appendDistinct(b.positive.update, out, positions, j, rows, from, to)
	}
	b.negative.update = b.negative.update[:0]
	for j := 0; j < n; j += groupRows {
		b.negative.update = appendDistinct(b.negative.update, out, b.now, j, min(groupRows, n-j), 0, s)
	}
}

// groupRows is how many rows the kernels change together.
const groupRows = 4

// appendDistinct appends the group of so many rows from first on, or each of them alone
// if some are the same, or are frozen, which are left out.
func appendDistinct(groups []simd.Group, frozen []bool, ids []uint32, first, rows, from, to int) []simd.Group {
	step := rows
	some := frozen != nil && slices.ContainsFunc(ids[first:first+rows], func(id uint32) bool { return frozen[id] })
	if some || !distinct(ids[first:first+rows]) {
		step = 1
	}
	for i := first; i < first+rows; i += step {
		if some && frozen[ids[i]] {
			continue
		}
		groups = append(groups, simd.Group{First: int32(i), Rows: int32(step), From: int32(from), To: int32(to)})
	}
	return groups
}

// distinct reports whether up to four rows differ from each other.
func distinct(r []uint32) bool {
	switch len(r) {
	case 4:
		return r[0] != r[1] && r[0] != r[2] && r[0] != r[3] && r[1] != r[2] && r[1] != r[3] && r[2] != r[3]
	case 3:
		return r[0] != r[1] && r[0] != r[2] && r[1] != r[2]
	case 2:
		return r[0] != r[1]
	}
	return true
}
