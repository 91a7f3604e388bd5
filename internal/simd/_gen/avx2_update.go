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
	four  bool // the tail is known to be of four lanes
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
	switch {
	case s.four:
		VMOVUPS(s.at(p, s.whole), v[s.whole].AsX())
	case s.tail != nil:
		s.tail.load(s.at(p, s.whole), v[s.whole])
	}
}

// multiplyAdd adds to sums the strip of the row at p, times w.
func (s strip256) multiplyAdd(p GPVirtual, w VecVirtual, sums []VecVirtual) {
	for k := range s.whole {
		VFMADD231PS(s.at(p, k), w, sums[k])
	}
	switch {
	case s.four:
		VFMADD231PS(s.at(p, s.whole), w.AsX(), sums[s.whole].AsX())
	case s.tail != nil:
		v := YMM()
		s.tail.load(s.at(p, s.whole), v)
		VFMADD231PS(v, w, sums[s.whole])
	}
}

// store stores v; name sets it apart from the strip's other stores.
func (s strip256) store(name string, p GPVirtual, v []VecVirtual) {
	for k := range s.whole {
		VMOVUPS(v[k], s.at(p, k))
	}
	switch {
	case s.four:
		VMOVUPS(v[s.whole].AsX(), s.at(p, s.whole))
	case s.tail != nil:
		s.tail.store(s.label+name, v[s.whole], s.at(p, s.whole))
	}
}

// strips lays out code for a row in strips: as many of most whole vectors as there
// are, then one of what is left, together with the tail.
func (r row256) strips(prefix string, most int, body func(s strip256)) {
	r.stripsOfTails(prefix, most, false, body)
}

// stripsByTail is strips with code of its own for tails of four lanes, which are those of rows
// of 100 and of 300 numbers.
func (r row256) stripsByTail(prefix string, most int, body func(s strip256)) {
	r.stripsOfTails(prefix, most, true, body)
}

func (r row256) stripsOfTails(prefix string, most int, byTail bool, body func(s strip256)) {
	left, off := GP64(), GP64()
	MOVQ(r.whole, left)
	XORQ(off, off)
	bytes := func(vectors int) Constant { return U32(uint32(4 * lanes256 * vectors)) }

	Label(prefix)
	CMPQ(left, bytes(most))
	JLT(LabelRef(prefix + "rest"))
	body(strip256{label: fmt.Sprintf("%s%d", prefix, most), off: off, whole: most})
	ADDQ(bytes(most), off)
	SUBQ(bytes(most), left)
	JMP(LabelRef(prefix))

	// rest lays out the last strip, of any number of vectors down to fewest.
	rest := func(kind string, fewest int, tail *lanes, four bool) {
		name := func(vectors int) string { return fmt.Sprintf("%s%d%s", prefix, vectors, kind) }
		for v := most - 1; v >= fewest; v-- {
			Label(name(v))
			if v > 0 {
				CMPQ(left, bytes(v))
				JLT(LabelRef(name(v - 1)))
			}
			body(strip256{name(v), off, v, tail, four})
			JMP(LabelRef(prefix + "done"))
		}
	}
	begin := func(kind string) LabelRef { return LabelRef(fmt.Sprintf("%s%d%s", prefix, most-1, kind)) }
	Label(prefix + "rest")
	CMPQ(r.tail.count, Imm(0))
	JEQ(begin(""))
	if byTail {
		CMPQ(r.tail.count, Imm(4))
		JEQ(begin("four"))
	}
	rest("tail", 0, &r.tail, false)
	if byTail {
		rest("four", 0, &r.tail, true)
	}
	rest("", 1, nil, false)
	Label(prefix + "0")
	Label(prefix + "done")
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
