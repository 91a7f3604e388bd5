package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// some256 is 8, 4 or 1 numbers of rows, from number off+first on. Lanes behind them are 0 when they are
// loaded, and are left out when they are stored.
type some256 struct {
	off          GPVirtual
	first, count int
}

// some lays out code for n ≥ 1 numbers of rows: 16 at a time, and then what is left.
func some(n GPVirtual, body func(s some256)) {
	off, end := GP64(), GP64()
	XORQ(off, off)
	// while lays out code that is run as long as there are so many numbers more.
	while := func(label string, counts ...int) {
		all := 0
		for _, c := range counts {
			all += c
		}
		Label(label)
		LEAQ(Mem{Base: off, Disp: all}, end)
		CMPQ(end, n)
		JGT(LabelRef(label + "done"))
		first := 0
		for _, c := range counts {
			body(some256{off, first, c})
			first += c
		}
		MOVQ(end, off)
		JMP(LabelRef(label))
		Label(label + "done")
	}
	while("sixteen", 8, 8)
	while("eight", 8)
	while("four", 4)
	while("one", 1)
}

// of is a vector of as many lanes as there may be.
func (s some256) of(v VecVirtual) Op {
	if s.count == 8 {
		return v
	}
	return v.AsX()
}

func (s some256) at(p GPVirtual) Mem { return Mem{Base: p, Index: s.off, Scale: 4, Disp: 4 * s.first} }
func (s some256) bytesAt(p GPVirtual) Mem {
	return Mem{Base: p, Index: s.off, Scale: 1, Disp: s.first}
}

func (s some256) load(p GPVirtual) VecVirtual {
	v := YMM()
	if s.count == 1 {
		VMOVSS(s.at(p), v.AsX())
	} else {
		VMOVUPS(s.at(p), s.of(v))
	}
	return v
}

func (s some256) store(v VecVirtual, p GPVirtual) {
	if s.count == 1 {
		VMOVSS(v.AsX(), s.at(p))
	} else {
		VMOVUPS(s.of(v), s.at(p))
	}
}

// loadEights loads numbers of 8 bits and multiplies them by step.
func (s some256) loadEights(p GPVirtual, step VecVirtual) VecVirtual {
	v := YMM()
	if s.count == 1 {
		number := GP32()
		MOVBLSX(s.bytesAt(p), number)
		VMOVD(number, v.AsX())
	} else {
		VPMOVSXBD(s.bytesAt(p), s.of(v))
	}
	VCVTDQ2PS(s.of(v), s.of(v))
	if s.count == 1 {
		VMULSS(step.AsX(), v.AsX(), v.AsX())
	} else {
		VMULPS(s.of(step), s.of(v), s.of(v))
	}
	return v
}

// larger makes each lane of most the larger one of its magnitude and that of x.
func larger(most, x, magnitude VecVirtual) {
	v := YMM()
	VANDPS(x, magnitude, v)
	VPMAXUD(v, most, most)
}

// largest256 makes the first lane of v the largest one, as whole numbers without a sign.
func largest256(v VecVirtual) {
	other := XMM()
	VEXTRACTF128(Imm(1), v, other)
	for _, order := range []uint64{0b01001110, 0b10110001} {
		VPMAXUD(other, v.AsX(), v.AsX())
		VPSHUFD(Imm(order), v.AsX(), other)
	}
	VPMAXUD(other, v.AsX(), v.AsX())
}

// all256 returns a vector of these bits.
func all256(of uint32) VecVirtual {
	v, bits := YMM(), GP32()
	MOVL(U32(of), bits)
	VMOVD(bits, v.AsX())
	VBROADCASTSS(v.AsX(), v)
	return v
}

func zero256() VecVirtual {
	v := YMM()
	VXORPS(v, v, v)
	return v
}

// noSign is the bits of a float32 but its sign.
const noSign = 1<<31 - 1

func broadcast256(parameter string) VecVirtual {
	v := YMM()
	VBROADCASTSS(paramAt(parameter), v)
	return v
}

func avx2Difference() {
	function("differenceAVX2", differenceSignature, "differenceAVX2 is Difference for n ≥ 1 numbers.")
	dst, a, b, n := param("dst"), param("a"), param("b"), param("n")
	magnitude, ofA, ofDst := all256(noSign), zero256(), zero256()
	some(n, func(s some256) {
		x, y := s.load(a), s.load(b)
		larger(ofA, x, magnitude)
		VSUBPS(y, x, x)
		s.store(x, dst)
		larger(ofDst, x, magnitude)
	})
	for i, most := range []VecVirtual{ofA, ofDst} {
		largest256(most)
		Store(most.AsX(), ReturnIndex(i))
	}
	VZEROUPPER()
	RET()
}

func avx2ToEights() {
	function("toEightsAVX2", toEightsSignature, "toEightsAVX2 is ToEights for n ≥ 1 numbers.")
	dst, x, n := param("dst"), param("x"), param("n")
	scale, most, least := broadcast256("scale"), all256(0x42fe0000), all256(0xc2fe0000) // ±127
	some(n, func(s some256) {
		v, high := s.load(x), XMM()
		VMULPS(scale, v, v)
		VMINPS(most, v, v) // most, if v is NaN
		VMAXPS(least, v, v)
		VCVTPS2DQ(v, v)
		VEXTRACTI128(Imm(1), v, high)
		VPACKSSDW(high, v.AsX(), v.AsX())
		VPACKSSWB(v.AsX(), v.AsX(), v.AsX())
		switch s.count {
		case 8:
			VMOVQ(v.AsX(), s.bytesAt(dst))
		case 4:
			VMOVD(v.AsX(), s.bytesAt(dst))
		default:
			VPEXTRB(Imm(0), v.AsX(), s.bytesAt(dst))
		}
	})
	VZEROUPPER()
	RET()
}

func avx2AddEights() {
	function("addEightsAVX2", addEightsSignature, "addEightsAVX2 is AddEights for n ≥ 1 numbers.")
	x, bits, n := param("x"), param("bits"), param("n")
	step, magnitude, most := broadcast256("step"), all256(noSign), zero256()
	some(n, func(s some256) {
		by, sum := s.loadEights(bits, step), s.load(x)
		VADDPS(s.of(by), s.of(sum), s.of(sum))
		s.store(sum, x)
		larger(most, sum, magnitude)
	})
	largest256(most)
	Store(most.AsX(), ReturnIndex(0))
	VZEROUPPER()
	RET()
}

func avx2MoveEights() {
	function("moveEightsAVX2", moveEightsSignature, "moveEightsAVX2 is MoveEights for n ≥ 1 numbers.")
	x, y, a, b, n := param("x"), param("y"), param("a"), param("b"), param("n")
	stepA, stepB := broadcast256("stepA"), broadcast256("stepB")
	some(n, func(s some256) {
		by, less := s.loadEights(a, stepA), s.loadEights(b, stepB)
		moved, other := s.load(x), s.load(y)
		VADDPS(by, moved, moved)
		s.store(moved, x)
		VSUBPS(less, by, by)
		VADDPS(by, other, other)
		s.store(other, y)
	})
	VZEROUPPER()
	RET()
}

func avx2Eights() {
	avx2Difference()
	avx2ToEights()
	avx2AddEights()
	avx2MoveEights()
}
