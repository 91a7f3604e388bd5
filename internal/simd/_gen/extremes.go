package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// Comparisons of VCMPPS.
const (
	less     = 1
	notEqual = 4
	greater  = 14
)

// An extreme is the largest or the smallest numbers of a strip's columns, and their rows.
type extreme struct {
	first      VecVirtual // what every number that counts is beyond
	is         uint64     // how a number compares that takes the place of another
	take       func(...Op)
	of, at     []VecVirtual
	toOf, toAt string // parameters
}

// avx2Extremes goes through rows, for two vectors of a row at a time. With AVX-512 it was slower.
func avx2Extremes() {
	filled := func(bits uint32) VecVirtual {
		at, v := AllocLocal(4), YMM()
		MOVL(U32(bits), at)
		VBROADCASTSS(at, v)
		return v
	}
	r := m.splitRow()
	r.strips("strip", 2, func(s strip) {
		both := []*extreme{
			{first: filled(0xff800000), is: greater, take: VMAXPS, toOf: "most", toAt: "atMost"},
			{first: filled(0x7f800000), is: less, take: VMINPS, toOf: "least", toAt: "atLeast"},
		}
		none := filled(0xffffffff)
		for _, e := range both {
			e.of, e.at = s.registers(), s.registers()
			for k := range e.of {
				VMOVAPS(e.first, e.of[k])
				VMOVAPS(none, e.at[k])
			}
		}
		rows, n, data, stride := param("rows"), param("n"), param("data"), param("stride")
		fromEnd(n, rows)
		Label(s.name() + "row")
		p, id := GP64(), Mem{Base: rows, Index: n, Scale: 4}
		rowAddress(p, id, stride, data)
		row, v := r.broadcast(id), s.registers()
		s.load(p, v)
		for k, x := range v {
			zeros, counts, is := YMM(), YMM(), YMM()
			VXORPS(is, is, is)
			VCMPPS(Imm(notEqual), is, x, zeros)
			for _, e := range both { // of NaN and another number, VMAXPS takes that on the left
				VBLENDVPS(zeros, x, e.first, counts)
				VCMPPS(Imm(e.is), e.of[k], counts, is)
				e.take(e.of[k], counts, e.of[k])
				VBLENDVPS(is, row, e.at[k], e.at[k])
			}
		}
		INCQ(n)
		JNZ(LabelRef(s.name() + "row"))
		for _, e := range both {
			s.store(e.toOf, param(e.toOf), e.of)
			s.store(e.toAt, param(e.toAt), e.at)
		}
	})
}
