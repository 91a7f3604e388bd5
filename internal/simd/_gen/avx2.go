package main

import (
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
