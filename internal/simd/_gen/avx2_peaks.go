package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// peaks lays out code for MultiplyPeaks or SubtractPeaks: combine sets a vector of a to its
// product with, or its difference from, a vector of b.
func peaks(name, of string, combine func(ops ...Op)) {
	function(name, peaksSignature, name+" is "+of+" for n ≥ 1 parts of 64 numbers.")
	dst, a, b, to, n := param("dst"), param("a"), param("b"), param("peaks"), param("n")
	least, bits := YMM(), GP32()
	MOVL(U32(0xff800000), bits) // −Inf
	VMOVD(bits, least.AsX())
	VBROADCASTSS(least.AsX(), least)
	Label("part")
	largest := ymms(2)
	for k := range 8 {
		x, most := YMM(), largest[k%2]
		at := func(base GPVirtual) Mem { return Mem{Base: base, Disp: 32 * k} }
		VMOVUPS(at(a), x)
		combine(at(b), x, x)
		VMOVUPS(x, at(dst))
		// VMAXPS returns its first operand here if x is NaN.
		if k < 2 {
			VMAXPS(least, x, most)
		} else {
			VMAXPS(most, x, most)
		}
	}
	VMAXPS(largest[1], largest[0], largest[0])
	half := XMM()
	VEXTRACTF128(Imm(1), largest[0], half)
	most := largest[0].AsX()
	VMAXPS(half, most, most)
	VPERMILPS(Imm(0b01001110), most, half)
	VMAXPS(half, most, most)
	VPERMILPS(Imm(0b10110001), most, half)
	VMAXPS(half, most, most)
	VMOVSS(most, Mem{Base: to})
	for _, p := range []Op{dst, a, b} {
		ADDQ(U32(256), p)
	}
	ADDQ(Imm(4), to)
	DECQ(n)
	JNZ(LabelRef("part"))
	VZEROUPPER()
	RET()
}

func avx2Peaks() {
	peaks("multiplyPeaksAVX2", "MultiplyPeaks", VMULPS)
	peaks("subtractPeaksAVX2", "SubtractPeaks", VSUBPS)
}
