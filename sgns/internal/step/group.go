package step

import (
	"math/bits"
	"slices"

	"github.com/w2v-go/w2v/internal/simd"
)

// Group finds which rows to change together, and by which: rows in a group must differ, lest
// one update is lost. Frozen rows are in none. Inputs are rows of some matrix, in which some
// may be frozen, and so may rows of the pairs.
func (p *Pairs) Group(inputs []uint32, frozenInputs, frozen []bool) {
	n := len(p.Rows)
	p.ToInputs, p.ToRows = p.ToInputs[:0], p.ToRows[:0]
	for i := 0; i < len(inputs); i += groupRows {
		rows := min(groupRows, len(inputs)-i)
		if from, to := p.rowsOf(uint16(1<<rows-1) << i); from < to {
			p.ToInputs = appendDistinct(p.ToInputs, frozenInputs, inputs, i, rows, from, to)
		}
	}
	for j := 0; j < n; j += groupRows {
		rows := min(groupRows, n-j)
		with := p.With[j]
		if !p.Full {
			for _, w := range p.With[j+1 : j+rows] {
				with |= w
			}
		}
		if with != 0 {
			p.ToRows = appendDistinct(p.ToRows, frozen, p.Rows, j, rows, bits.TrailingZeros16(with), bits.Len16(with))
		}
	}
}

// rowsOf returns the bounds of the rows that are paired with any of these inputs.
func (p *Pairs) rowsOf(inputs uint16) (from, to int) {
	to = len(p.Rows)
	if p.Full {
		return 0, to
	}
	for from < to && p.With[from]&inputs == 0 {
		from++
	}
	for to > from && p.With[to-1]&inputs == 0 {
		to--
	}
	return from, to
}

// groupRows is how many rows the kernels change together.
const groupRows = 4

// appendDistinct appends the group of so many rows from first on, or each of them alone
// if some are the same, or are frozen, which are left out.
func appendDistinct(groups []simd.Group, frozen []bool, ids []uint32, first, rows, from, to int) []simd.Group {
	these := ids[first : first+rows]
	if frozen != nil && slices.ContainsFunc(these, func(id uint32) bool { return frozen[id] }) {
		for i, id := range these {
			if !frozen[id] {
				groups = appendGroup(groups, first+i, 1, from, to)
			}
		}
		return groups
	}
	if distinct(these) {
		return appendGroup(groups, first, rows, from, to)
	}
	for i := range these {
		groups = appendGroup(groups, first+i, 1, from, to)
	}
	return groups
}

// appendGroup appends a group number by number: to copy what was just written so stalls
// the processor.
func appendGroup(groups []simd.Group, first, rows, from, to int) []simd.Group {
	n := len(groups)
	groups = groups[:n+1]
	g := &groups[n]
	g.First, g.Rows, g.From, g.To = int32(first), int32(rows), int32(from), int32(to)
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
