package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// rowWeyl is what the bits that round a number grow by from row to row, as weyl is from column to
// column: see ../halves.go.
const rowWeyl = multiplier

const (
	lanesOfGroup = 16
	bytesOfGroup = 2 * lanesOfGroup // of halves
	mostGroups   = 8                // of a strip
)

// halves lays out kernels of rows of halves, in vectors of as many lanes.
type halves struct {
	lanes, most int // most is how many groups of a row are kept in registers
	vector      func() VecVirtual
	and         func(...Op)
	columns     Mem // of each column of a strip, its number times weyl
	cut         Mem // the bits of a float32 that a half keeps
}

func newHalves() (avx2, avx512 halves) {
	columns := table("columns", mostGroups*lanesOfGroup, func(k int) Constant { return U32(uint32(k * weyl)) })
	cut := table("cut", lanes512, func(int) Constant { return U32(1<<32 - 1<<13) })
	avx2 = halves{lanes256, 4, func() VecVirtual { return YMM() }, func(x ...Op) { VPAND(x[0], x[1], x[2]) }, columns, cut}
	avx512 = halves{lanes512, mostGroups, func() VecVirtual { return ZMM() }, func(x ...Op) { VPANDD(x[0], x[1], x[2]) }, columns, cut}
	return avx2, avx512
}

// strips lays out code for a row of groups of 16 numbers, in strips of at most h.most. body is called
// for each number of groups of a strip, with as many vectors as they take. off is the strip's first
// byte in a row of halves.
func (h halves) strips(body func(label string, off GPVirtual, vectors int)) {
	left, off := loaded(paramAt("groups")), zeroed()
	name := func(groups int) string { return fmt.Sprintf("strip%d", groups) }
	Label("strip")
	for groups := h.most; groups > 1; groups-- {
		CMPQ(left, Imm(uint64(groups)))
		if groups == h.most {
			JGE(LabelRef(name(groups)))
		} else {
			JEQ(LabelRef(name(groups)))
		}
	}
	for groups := 1; groups <= h.most; groups++ {
		Label(name(groups))
		body(name(groups), off, groups*lanesOfGroup/h.lanes)
		if groups < h.most {
			JMP(LabelRef("done"))
		}
	}
	ADDQ(U32(uint32(h.most*bytesOfGroup)), off)
	SUBQ(Imm(uint64(h.most)), left)
	JNZ(LabelRef("strip"))
	Label("done")
}

// half is where vector k of a strip of halves is, and float that of a strip of float32.
func (h halves) half(p, off GPVirtual, k int) Mem {
	return Mem{Base: p, Index: off, Scale: 1, Disp: 2 * h.lanes * k}
}

func (h halves) float(p, off GPVirtual, k int) Mem {
	return Mem{Base: p, Index: off, Scale: 2, Disp: 4 * h.lanes * k}
}

func (h halves) gather() {
	lists("dst", "dstStride", func(to GPVirtual, l rowList) {
		h.strips(func(label string, off GPVirtual, vectors int) {
			sums := make([]VecVirtual, vectors)
			for k := range sums {
				sums[k] = h.vector()
				VXORPS(sums[k], sums[k], sums[k])
			}
			l.each(label, func(p GPVirtual, weight Mem) {
				w := h.vector()
				VBROADCASTSS(weight, w)
				for k, sum := range sums {
					v := h.vector()
					VCVTPH2PS(h.half(p, off, k), v)
					VFMADD231PS(v, w, sum)
				}
			})
			storeAll(sums, h.float(to, off, 0), 4*h.lanes)
		})
	})
}

func (h halves) scatter() {
	column := AllocLocal(8) // what the strip's first one adds to the bits of a row
	lists("delta", "deltaStride", func(from GPVirtual, l rowList) {
		h.strips(func(label string, off GPVirtual, vectors int) {
			begin := loaded(off)
			SHRQ(Imm(1), begin)
			IMUL3L(U32(weyl), begin.As32(), begin.As32())
			ADDL(paramAt("seed"), begin.As32())
			MOVL(begin.As32(), column)
			delta := make([]VecVirtual, vectors)
			for k := range delta {
				delta[k] = h.vector()
				VMOVUPS(h.float(from, off, k), delta[k])
			}
			l.each(label, func(p GPVirtual, row Mem) {
				number, bits := GP32(), h.vector()
				IMUL3L(U32(rowWeyl), row, number)
				ADDL(column, number)
				first := XMM()
				VMOVD(number, first)
				VPBROADCASTD(first, bits)
				for k, d := range delta {
					v, random := h.vector(), h.vector()
					VPADDD(h.columns.Offset(4*h.lanes*k), bits, random)
					VPSRLD(Imm(19), random, random)
					VCVTPH2PS(h.half(p, off, k), v)
					VADDPS(d, v, v)
					VPADDD(random, v, v)
					h.and(h.cut, v, v)
					VCVTPS2PH(Imm(0), v, h.half(p, off, k))
				}
			})
		})
	})
}

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
		compare(end, n, JGT, LabelRef(label+"done"))
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
}

func avx2ToEights() {
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
}

func avx2AddEights() {
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
}

func avx2MoveEights() {
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
}

// peaks lays out code for MultiplyPeaks or SubtractPeaks: combine sets a vector of a to its
// product with, or its difference from, a vector of b.
func peaks(combine func(ops ...Op)) {
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
	again(n, LabelRef("part"))
}
