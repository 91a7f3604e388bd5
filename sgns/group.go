package sgns

import (
	"math/bits"
	"slices"

	"github.com/w2v-go/w2v/internal/simd"
)

// group says which rows are to be changed together, and by which: rows in a group must
// differ, lest one update is lost. Frozen rows are in none. Inputs are rows of some matrix,
// in which some may be frozen, and so may those of the side.
func (s *side) group(inputs []uint32, frozenInputs, frozen []bool) {
	n := len(s.rows)
	s.add, s.update = s.add[:0], s.update[:0]
	for i := 0; i < len(inputs); i += groupRows {
		rows := min(groupRows, len(inputs)-i)
		these := uint16(1<<rows-1) << i
		from, to := 0, n
		for from < n && s.with[from]&these == 0 {
			from++
		}
		for to > from && s.with[to-1]&these == 0 {
			to--
		}
		if from < to {
			s.add = appendDistinct(s.add, frozenInputs, inputs, i, rows, from, to)
		}
	}
	for j := 0; j < n; j += groupRows {
		rows := min(groupRows, n-j)
		var with uint16
		for _, w := range s.with[j : j+rows] {
			with |= w
		}
		if with != 0 {
			s.update = appendDistinct(s.update, frozen, s.rows, j, rows, bits.TrailingZeros16(with), bits.Len16(with))
		}
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
		// Number by number: to copy what was just written so stalls the processor.
		groups = slices.Grow(groups, 1)[:len(groups)+1]
		g := &groups[len(groups)-1]
		g.First, g.Rows, g.From, g.To = int32(i), int32(step), int32(from), int32(to)
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
