package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// avo takes YMM16 to YMM31 to be there for AVX2 as well: the code here must keep at
// most 16 vectors alive. A test reads what came out.

// lanes256 is how many float32 a YMM register holds.
const lanes256 = 8

// masks256 is a table of masks: that of the first n ≤ 8 lanes starts 4·n bytes
// before end.
type masks256 struct{ end Mem }

func newMasks256() masks256 {
	table := GLOBL("masks", RODATA|NOPTR)
	for k := range 2 * lanes256 {
		bits := U32(0)
		if k < lanes256 {
			bits = 1<<32 - 1
		}
		DATA(4*k, bits)
	}
	return masks256{table.Offset(4 * lanes256)}
}

// lanes are the first count lanes of a vector. They are kept in the frame, as
// registers are few.
type lanes struct{ count, mask Mem }

func newLanes() lanes { return lanes{local(), AllocLocal(4 * lanes256)} }

// set makes l the first count ≤ 8 lanes.
func (m masks256) set(l lanes, count GPVirtual) {
	MOVQ(count, l.count)
	end, mask := GP64(), YMM()
	LEAQ(m.end, end)
	NEGQ(count)
	VMOVUPS(Mem{Base: end, Index: count, Scale: 4}, mask)
	VMOVUPS(mask, l.mask)
}

// load loads the lanes and sets the others to 0.
func (l lanes) load(m Mem, v VecVirtual) {
	VMOVUPS(l.mask, v)
	VMASKMOVPS(m, v, v)
}

// store stores the lanes. A tile mostly has four columns, and four are the tail of
// rows of 100 and of 300 numbers: they are spared the masked store, which takes AMD
// processors long.
func (l lanes) store(label string, v VecVirtual, m Mem) {
	CMPQ(l.count, Imm(4))
	JNE(LabelRef(label + "mask"))
	VMOVUPS(v.AsX(), m)
	JMP(LabelRef(label + "stored"))
	Label(label + "mask")
	mask := YMM()
	VMOVUPS(l.mask, mask)
	VMASKMOVPS(v, mask, m)
	Label(label + "stored")
}

func ymms(n int) []VecVirtual {
	v := make([]VecVirtual, n)
	for k := range v {
		v[k] = YMM()
	}
	return v
}

// row256 is what a row is made of: the bytes of its whole vectors, in the frame, and
// the lanes of its tail, which may be none.
type row256 struct {
	whole Mem
	tail  lanes
}

// splitRow splits rows of cols numbers.
func (m masks256) splitRow() row256 {
	r := row256{local(), newLanes()}
	whole, count := param("cols"), GP64()
	MOVQ(whole, count)
	ANDQ(Imm(lanes256-1), count)
	m.set(r.tail, count)
	SHRQ(Imm(3), whole)
	SHLQ(Imm(5), whole)
	MOVQ(whole, r.whole)
	return r
}

// sums256 returns what makes the 8 dot products of a tile of 2 rows of h and 4 of
// data, of cols numbers: lane 4·i+j is that of rows i and j.
func sums256(m masks256) func(hp, bp []GPVirtual) VecVirtual {
	row := m.splitRow()
	return func(hp, bp []GPVirtual) VecVirtual {
		var acc [4][]VecVirtual
		for b := range acc {
			acc[b] = ymms(2)
			for _, v := range acc[b] {
				VXORPS(v, v, v)
			}
		}
		off, end := GP64(), GP64()
		multiply := func(load func(m Mem, v VecVirtual)) {
			hv := ymms(2)
			for k := range hv {
				load(Mem{Base: hp[k], Index: off, Scale: 1}, hv[k])
			}
			for b := range bp {
				bv := YMM()
				load(Mem{Base: bp[b], Index: off, Scale: 1}, bv)
				for k := range hv {
					VFMADD231PS(bv, hv[k], acc[b][k])
				}
			}
		}
		XORQ(off, off)
		MOVQ(row.whole, end)
		JMP(LabelRef("more"))
		Label("vector")
		multiply(func(m Mem, v VecVirtual) { VMOVUPS(m, v) })
		ADDQ(Imm(32), off)
		Label("more")
		CMPQ(off, end)
		JLT(LabelRef("vector"))
		CMPQ(row.tail.count, Imm(0))
		JEQ(LabelRef("sum"))
		multiply(row.tail.load)
		Label("sum")
		return reduce256(acc)
	}
}

// reduce256 sums each of 8 registers: lane 4·i+j of the result is the sum of
// acc[j][i].
func reduce256(acc [4][]VecVirtual) VecVirtual {
	// The halves of pairs[j] are for the two rows of h.
	var pairs [4]VecVirtual
	for j, a := range acc {
		crossed := YMM()
		VPERM2F128(Imm(0x21), a[1], a[0], crossed) // high half of a[0], low half of a[1]
		VBLENDPS(Imm(0xf0), a[1], a[0], a[0])
		VADDPS(crossed, a[0], a[0])
		pairs[j] = a[0]
	}
	add := func(a, b VecVirtual, high, low func(...Op)) VecVirtual {
		hi := YMM()
		high(b, a, hi)
		low(b, a, a)
		VADDPS(hi, a, a)
		return a
	}
	a := add(pairs[0], pairs[1], VUNPCKHPS, VUNPCKLPS)
	b := add(pairs[2], pairs[3], VUNPCKHPS, VUNPCKLPS)
	return add(a, b, VUNPCKHPD, VUNPCKLPD)
}

// setColumns makes l the columns that a tile has.
func (m masks256) setColumns(l lanes, t tile) {
	count, four := t.colsLeft(), GP64()
	MOVQ(U32(4), four)
	CMPQ(count, four)
	CMOVQGT(four, count)
	m.set(l, count)
}

// ifSecond lays out code for a tile that has two rows.
func ifSecond(t tile, label string, body func()) {
	CMPQ(t.rowsLeft(), Imm(1))
	JEQ(LabelRef(label))
	body()
	Label(label)
}

// storeTile256 stores lane 4·i+j of v at column j of row i.
func storeTile256(v VecVirtual, cols lanes, t tile) {
	cols.store("first", v, t.out(0))
	ifSecond(t, "storedsecond", func() {
		second := YMM()
		VEXTRACTF128(Imm(1), v, second.AsX())
		cols.store("second", second, t.out(1))
	})
}

func avx2Dots(m masks256) {
	function("dotsAVX2", dotsSignature,
		"dotsAVX2 is Dots for nh ≥ 1 rows of h and n ≥ 1 of data; strides are in bytes.")
	cols := newLanes()
	tiles(2, sums256(m), func(sums VecVirtual, t tile) {
		m.setColumns(cols, t)
		storeTile256(sums, cols, t)
	})
	VZEROUPPER()
	RET()
}

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
