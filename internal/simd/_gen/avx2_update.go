package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// strip256 is a strip of a row: whole vectors and perhaps the tail's lanes.
type strip256 struct {
	label string
	off   GPVirtual
	whole int
	tail  *lanes
}

// vectors is how many registers the strip takes.
func (s strip256) vectors() int {
	if s.tail != nil {
		return s.whole + 1
	}
	return s.whole
}

func (s strip256) at(p GPVirtual, k int) Mem {
	return Mem{Base: p, Index: s.off, Scale: 1, Disp: 4 * lanes256 * k}
}

func (s strip256) load(p GPVirtual, v []VecVirtual) {
	for k := range s.whole {
		VMOVUPS(s.at(p, k), v[k])
	}
	if s.tail != nil {
		s.tail.load(s.at(p, s.whole), v[s.whole])
	}
}

// store stores v; name sets it apart from the strip's other stores.
func (s strip256) store(name string, p GPVirtual, v []VecVirtual) {
	for k := range s.whole {
		VMOVUPS(v[k], s.at(p, k))
	}
	if s.tail != nil {
		s.tail.store(s.label+name, v[s.whole], s.at(p, s.whole))
	}
}

// strips lays out code for a row in strips: as many of most whole vectors as there
// are, then one of what is left, together with the tail.
func (r row256) strips(prefix string, most int, body func(s strip256)) {
	left, off := GP64(), GP64()
	MOVQ(r.whole, left)
	XORQ(off, off)
	bytes := func(vectors int) Constant { return U32(uint32(4 * lanes256 * vectors)) }

	Label(prefix)
	CMPQ(left, bytes(most))
	JLT(LabelRef(prefix + "rest"))
	body(strip256{fmt.Sprintf("%s%d", prefix, most), off, most, nil})
	ADDQ(bytes(most), off)
	SUBQ(bytes(most), left)
	JMP(LabelRef(prefix))

	Label(prefix + "rest")
	CMPQ(r.tail.count, Imm(0))
	JEQ(LabelRef(fmt.Sprintf("%s%d", prefix, most-1)))
	for v := most - 1; v >= 0; v-- {
		label := fmt.Sprintf("%s%dtail", prefix, v)
		Label(label)
		if v > 0 {
			CMPQ(left, bytes(v))
			JLT(LabelRef(fmt.Sprintf("%s%dtail", prefix, v-1)))
		}
		body(strip256{label, off, v, &r.tail})
		JMP(LabelRef(prefix + "done"))
	}
	for v := most - 1; v >= 1; v-- {
		label := fmt.Sprintf("%s%d", prefix, v)
		Label(label)
		CMPQ(left, bytes(v))
		JLT(LabelRef(fmt.Sprintf("%s%d", prefix, v-1)))
		body(strip256{label, off, v, nil})
		JMP(LabelRef(prefix + "done"))
	}
	Label(prefix + "0")
	Label(prefix + "done")
}

// mostOfGroup256 is how many vectors of each row of a group are kept in registers,
// by the number of rows. With a strip of the source and a weight, four times three
// take all 16 registers. Four times two is as fast where a multiplication takes 4
// cycles, but too few to keep processors busy where it takes 5.
var mostOfGroup256 = map[int]int{4: 3, 2: 4, 1: 6}

func avx2Update(m masks256) {
	function("updateAVX2", updateSignature, updateDoc("updateAVX2")...)
	row := m.splitRow()
	groups(func(prefix string, dp []GPVirtual, sources sourceList) {
		row.strips(prefix+"strip", mostOfGroup256[len(dp)], func(s strip256) {
			acc := make([][]VecVirtual, len(dp))
			for k := range acc {
				acc[k] = ymms(s.vectors())
			}
			startGroup(s.label, func() {
				for _, row := range acc {
					for _, v := range row {
						VXORPS(v, v, v)
					}
				}
			}, func() {
				for k := range acc {
					s.load(dp[k], acc[k])
				}
			})
			sources.each(s.label, func(sp GPVirtual, w []Mem) {
				v := ymms(s.vectors())
				s.load(sp, v)
				for k := range acc {
					weight := YMM()
					VBROADCASTSS(w[k], weight)
					for c := range v {
						VFMADD231PS(v[c], weight, acc[k][c])
					}
				}
			})
			for k := range acc {
				s.store(fmt.Sprintf("to%d", k), dp[k], acc[k])
			}
		})
	})
	VZEROUPPER()
	RET()
}

// mostOfRow256 is how many vectors of a row gather and scatter keep in registers.
// With more, up to the 13 there is room for, they were no faster.
const mostOfRow256 = 8

func avx2Gather(m masks256) {
	function("gatherAVX2", gatherSignature,
		"gatherAVX2 is GatherLists for n ≥ 1 lists and cols ≥ 1 numbers; strides are in bytes.")
	row := m.splitRow()
	lists("dst", "dstStride", func(to GPVirtual, l rowList) {
		row.strips("strip", mostOfRow256, func(s strip256) {
			acc := ymms(s.vectors())
			for _, v := range acc {
				VXORPS(v, v, v)
			}
			l.each(s.label, func(p GPVirtual, weight Mem) {
				w := YMM()
				VBROADCASTSS(weight, w)
				for k := range s.whole {
					VFMADD231PS(s.at(p, k), w, acc[k])
				}
				if s.tail != nil {
					v := YMM()
					s.tail.load(s.at(p, s.whole), v)
					VFMADD231PS(v, w, acc[s.whole])
				}
			})
			s.store("", to, acc)
		})
	})
	VZEROUPPER()
	RET()
}

func avx2Scatter(m masks256) {
	function("scatterAVX2", scatterSignature,
		"scatterAVX2 is ScatterLists for n ≥ 1 lists and cols ≥ 1 numbers; strides are in bytes.")
	m.scatter(func(Mem) func(Op, VecVirtual, VecVirtual) {
		return func(row Op, d, sum VecVirtual) { VADDPS(row, d, sum) }
	})
}

func avx2ScatterWeighted(m masks256) {
	function("scatterWeightedAVX2", scatterWeightedSignature, scatterWeightedDoc("scatterWeightedAVX2")...)
	m.scatter(func(weight Mem) func(Op, VecVirtual, VecVirtual) {
		w := YMM()
		VBROADCASTSS(weight, w)
		return func(row Op, d, sum VecVirtual) {
			if row != Op(sum) {
				VMOVUPS(row, sum)
			}
			VFMADD231PS(d, w, sum)
		}
	})
}

// scatter lays out code that goes through lists. For each row that a list names, given where
// its weight is, adder returns what adds a vector of the list's own row to one of that.
func (m masks256) scatter(adder func(weight Mem) (add func(row Op, d, sum VecVirtual))) {
	row := m.splitRow()
	lists("delta", "deltaStride", func(from GPVirtual, l rowList) {
		row.strips("strip", mostOfRow256, func(s strip256) {
			d := ymms(s.vectors())
			s.load(from, d)
			l.each(s.label, func(p GPVirtual, weight Mem) {
				add := adder(weight)
				for k := range s.whole {
					v := YMM()
					add(s.at(p, k), d[k], v)
					VMOVUPS(v, s.at(p, k))
				}
				if s.tail != nil {
					v := YMM()
					s.tail.load(s.at(p, s.whole), v)
					add(v, d[s.whole], v)
					s.tail.store(s.label, v, s.at(p, s.whole))
				}
			})
		})
	})
	VZEROUPPER()
	RET()
}
