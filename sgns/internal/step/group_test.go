package step

import (
	"math/rand/v2"
	"testing"

	"github.com/w2v-go/w2v/internal/simd"
)

// Groups have every pair that may change something, once; no group has a row twice; and none
// has a row that is frozen.
func TestGroups(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		inputs := make([]uint32, 1+r.IntN(simd.Lanes))
		for i := range inputs {
			inputs[i] = uint32(r.IntN(6))
		}
		rows := r.IntN(40)
		p := NewPairs(PairsOf{Most: rows}, 1)
		for range rows {
			p.Rows = append(p.Rows, uint32(r.IntN(30)))
			some := uint16(r.IntN(1 << len(inputs)))
			p.With = append(p.With, some&uint16(r.IntN(1<<len(inputs))))
		}
		var frozenInputs, frozen []bool
		if r.IntN(2) == 0 {
			frozenInputs, frozen = make([]bool, 6), make([]bool, 30)
			frozenInputs[r.IntN(6)], frozen[r.IntN(30)] = true, true
		}
		p.Group(inputs, frozenInputs, frozen)
		check := func(what string, groups []simd.Group, of []uint32, frozen []bool, paired func(row, other int) bool, others int) {
			seen := make([]int, len(of))
			for _, g := range groups {
				own := map[uint32]bool{}
				for k := int(g.First); k < int(g.First+g.Rows); k++ {
					if own[of[k]] {
						t.Fatalf("%s: a group has row %d twice", what, of[k])
					}
					own[of[k]] = true
					seen[k]++
					if frozen != nil && frozen[of[k]] {
						t.Fatalf("%s: row %d is frozen and in a group", what, of[k])
					}
					for other := range others {
						if in := other >= int(g.From) && other < int(g.To); !in && paired(k, other) {
							t.Fatalf("%s: the pair of %d and %d is not in its group", what, k, other)
						}
					}
				}
			}
			for k, n := range seen {
				any := false
				for other := range others {
					any = any || paired(k, other)
				}
				if n > 1 || n == 0 && any && (frozen == nil || !frozen[of[k]]) {
					t.Fatalf("%s: number %d is in %d groups", what, k, n)
				}
			}
		}
		check("inputs", p.ToInputs, inputs, frozenInputs, func(i, j int) bool { return p.With[j]>>i&1 != 0 }, len(p.Rows))
		check("rows", p.ToRows, p.Rows, frozen, func(j, i int) bool { return p.With[j]>>i&1 != 0 }, len(inputs))
	}
}
