package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// avx512Transpose takes four numbers of 16 rows at a time: each register has
// those of rows q, q+4, q+8 and q+12, so that what is left to transpose are the four
// numbers in each quarter.
func avx512Transpose() {
	function("transposeAVX512", transposeSignature,
		"transposeAVX512 is Transpose for n ≥ 1 rows of cols ≥ 1 numbers; stride is in bytes.")
	dst, left := param("dst"), param("cols")
	// The places of rows, in the frame: the last one again for rows that lack.
	n, stride, p := param("n"), param("stride"), param("h")
	var at []Mem
	for i := range 16 {
		m := local()
		MOVQ(p, m)
		at = append(at, m)
		next := GP64()
		LEAQ(Mem{Base: p, Index: stride, Scale: 1}, next)
		CMPQ(n, U8(i+1))
		CMOVQGT(next, p)
	}
	off := GP64()
	XORQ(off, off)
	// columns transposes up to four, which load and insert bring.
	columns := func(load func(m Mem, v VecVirtual), insert func(quarter int, m Mem, v VecVirtual)) {
		v := zmms(4)
		for q := range v {
			for quarter := range 4 {
				row := GP64()
				MOVQ(at[q+4*quarter], row)
				m := Mem{Base: row, Index: off, Scale: 1}
				if quarter == 0 {
					load(m, v[q])
				} else {
					insert(quarter, m, v[q])
				}
			}
		}
		ab, AB, cd, CD := ZMM(), ZMM(), ZMM(), ZMM()
		VUNPCKLPS(v[1], v[0], ab)
		VUNPCKHPS(v[1], v[0], AB)
		VUNPCKLPS(v[3], v[2], cd)
		VUNPCKHPS(v[3], v[2], CD)
		column := func(k int, unpack func(...Op), a, b VecVirtual) {
			out := ZMM()
			unpack(b, a, out)
			VMOVUPS(out, Mem{Base: dst, Disp: 64 * k})
			DECQ(left)
			JZ(LabelRef("done"))
		}
		column(0, VUNPCKLPD, ab, cd)
		column(1, VUNPCKHPD, ab, cd)
		column(2, VUNPCKLPD, AB, CD)
		column(3, VUNPCKHPD, AB, CD)
	}
	Label("four")
	CMPQ(left, Imm(4))
	JLT(LabelRef("rest"))
	columns(
		func(m Mem, v VecVirtual) { VMOVUPS(m, v.AsX()) },
		func(quarter int, m Mem, v VecVirtual) { VINSERTF32X4(Imm(uint64(quarter)), m, v, v) })
	ADDQ(Imm(16), off)
	ADDQ(U32(256), dst)
	JMP(LabelRef("four"))
	Label("rest")
	mask := K()
	KMOVW(ones(left).As32(), mask)
	columns(
		func(m Mem, v VecVirtual) { VMOVUPS_Z(m, mask, v.AsX()) },
		func(quarter int, m Mem, v VecVirtual) {
			part := XMM()
			VMOVUPS_Z(m, mask, part)
			VINSERTF32X4(Imm(uint64(quarter)), part, v, v)
		})
	Label("done")
	VZEROUPPER()
	RET()
}
