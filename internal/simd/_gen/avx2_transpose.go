package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// avx2Transpose takes four numbers of 8 rows at a time, first of the rows 0 to 7, then
// of the others: each register has those of rows q and q+4, so that what is left to
// transpose are the four numbers in each half.
func avx2Transpose(m masks256) {
	function("transposeAVX2", transposeSignature,
		"transposeAVX2 is Transpose for n ≥ 1 rows of cols ≥ 1 numbers; stride is in bytes.")
	m.transposeHalf(0)
	CMPQ(paramAt("n"), Imm(lanes256))
	JLE(LabelRef("done"))
	m.transposeHalf(1)
	Label("done")
	VZEROUPPER()
	RET()
}

// transposeHalf transposes the rows of one half of the lanes, of which there is one at
// least.
func (m masks256) transposeHalf(half int) {
	name := func(s string) string { return fmt.Sprintf("%s%d", s, half) }
	// Rows that lack are the last one again.
	var rows []GPVirtual
	{
		n, stride, p := param("n"), param("stride"), param("h")
		if half > 0 {
			skip := GP64()
			MOVQ(stride, skip)
			SHLQ(Imm(3), skip)
			ADDQ(skip, p)
			SUBQ(Imm(lanes256), n)
		}
		for k := range lanes256 {
			row, next := GP64(), GP64()
			MOVQ(p, row)
			rows = append(rows, row)
			LEAQ(Mem{Base: p, Index: stride, Scale: 1}, next)
			CMPQ(n, U8(k+1))
			CMOVQGT(next, p)
		}
	}
	dst, left, off := param("dst"), param("cols"), GP64()
	XORQ(off, off)
	// columns transposes four, which load and insert bring, and calls stored after each.
	columns := func(load, insert func(m Mem, v VecVirtual), stored func()) {
		v := ymms(4)
		for q := range v {
			load(Mem{Base: rows[q], Index: off, Scale: 1}, v[q])
			insert(Mem{Base: rows[q+4], Index: off, Scale: 1}, v[q])
		}
		ab, AB, cd, CD := YMM(), YMM(), YMM(), YMM()
		VUNPCKLPS(v[1], v[0], ab)
		VUNPCKHPS(v[1], v[0], AB)
		VUNPCKLPS(v[3], v[2], cd)
		VUNPCKHPS(v[3], v[2], CD)
		column := func(k int, unpack func(...Op), a, b VecVirtual) {
			out := YMM()
			unpack(b, a, out)
			VMOVUPS(out, Mem{Base: dst, Disp: 64*k + 32*half})
			stored()
		}
		column(0, VUNPCKLPD, ab, cd)
		column(1, VUNPCKHPD, ab, cd)
		column(2, VUNPCKLPD, AB, CD)
		column(3, VUNPCKHPD, AB, CD)
	}
	Label(name("four"))
	SUBQ(Imm(4), left)
	JLT(LabelRef(name("rest")))
	columns(
		func(m Mem, v VecVirtual) { VBROADCASTF128(m, v) }, // to avo, loading half of v would keep the other
		func(m Mem, v VecVirtual) { VINSERTF128(Imm(1), m, v, v) },
		func() {})
	ADDQ(Imm(16), off)
	ADDQ(U32(256), dst)
	JMP(LabelRef(name("four")))
	Label(name("rest"))
	ADDQ(Imm(4), left)
	JZ(LabelRef(name("done")))
	mask := YMM()
	{
		end, count := GP64(), GP64()
		LEAQ(m.end, end)
		MOVQ(left, count)
		NEGQ(count)
		VMOVUPS(Mem{Base: end, Index: count, Scale: 4}, mask)
	}
	columns(
		func(m Mem, v VecVirtual) { VMASKMOVPS(m, mask, v) },
		func(m Mem, v VecVirtual) {
			part := YMM()
			VMASKMOVPS(m, mask, part)
			VINSERTF128(Imm(1), part.AsX(), v, v)
		},
		func() {
			DECQ(left)
			JZ(LabelRef(name("done")))
		})
	Label(name("done"))
}
