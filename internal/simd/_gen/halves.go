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

// newHalves returns those of AVX2 and those of AVX-512.
func newHalves() (avx2, avx512 halves) {
	columns := GLOBL("columns", RODATA|NOPTR)
	for c := range mostGroups * lanesOfGroup {
		DATA(4*c, U32(uint32(c*weyl)))
	}
	cut := GLOBL("cut", RODATA|NOPTR)
	for lane := range lanes512 {
		DATA(4*lane, U32(1<<32-1<<13))
	}
	avx2 = halves{lanes256, 4, func() VecVirtual { return YMM() }, func(x ...Op) { VPAND(x[0], x[1], x[2]) }, columns, cut}
	avx512 = halves{lanes512, mostGroups, func() VecVirtual { return ZMM() }, func(x ...Op) { VPANDD(x[0], x[1], x[2]) }, columns, cut}
	return avx2, avx512
}

// strips lays out code for a row of groups of 16 numbers, in strips of at most h.most. body is called
// for each number of groups of a strip, with as many vectors as they take. off is the strip's first
// byte in a row of halves.
func (h halves) strips(body func(label string, off GPVirtual, vectors int)) {
	left, off := GP64(), GP64()
	MOVQ(paramAt("groups"), left)
	XORQ(off, off)
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

func (h halves) gather(name string) {
	function(name, gatherHalvesSignature,
		name+" is GatherHalves for n ≥ 1 lists and groups ≥ 1 of 16 numbers; strides are in bytes.")
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
			for k, sum := range sums {
				VMOVUPS(sum, h.float(to, off, k))
			}
		})
	})
	VZEROUPPER()
	RET()
}

func (h halves) scatter(name string) {
	function(name, scatterHalvesSignature,
		name+" is ScatterHalves for n ≥ 1 lists and groups ≥ 1 of 16 numbers; strides are in bytes.")
	column := AllocLocal(8) // what the strip's first one adds to the bits of a row
	lists("delta", "deltaStride", func(from GPVirtual, l rowList) {
		h.strips(func(label string, off GPVirtual, vectors int) {
			begin := GP64()
			MOVQ(off, begin)
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
	VZEROUPPER()
	RET()
}
