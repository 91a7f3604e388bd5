package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// avx2Errors multiplies number k of a few rows by the lanes' numbers k. The scores
// then go through memory, because registers are too few to make errors of some while
// others wait.
func avx2Errors(c constants) {
	function("errorsAVX2", errorsSignature, errorsDoc("errorsAVX2")...)
	s := newErrors256(c)
	s.rows = spill("rows")
	s.each(func(size int, scores [][]VecVirtual) {
		for k, halves := range scores {
			for half, x := range halves {
				VMOVUPS(x, s.scores.Offset(64*k+32*half))
			}
		}
		taken := GP64()
		MOVQ(U32(uint32(size)), taken)
		CMPQ(taken, s.left)
		CMOVQGT(s.left, taken)
		MOVQ(taken, s.taken)
		rows := GP64()
		MOVQ(s.rows, rows)
		LEAQ(Mem{Base: rows, Index: taken, Scale: 4}, rows)
		MOVQ(rows, s.rows)
		JMP(LabelRef("errors"))
	})
	Label("errors")
	s.errors()
	JG(LabelRef("rows"))
	s.end()
}

// avx2ErrorsOfScores takes scores from memory, one row after the other.
func avx2ErrorsOfScores(c constants) {
	function("errorsOfScoresAVX2", errorsOfScoresSignature, errorsOfScoresDoc("errorsOfScoresAVX2")...)
	s := newErrors256(c)
	MOVQ(U32(1), s.taken)
	scores := spill("scores")
	Label("rows")
	from, parts, stride, sum := GP64(), param("parts"), param("stride"), ymms(2)
	MOVQ(scores, from)
	for half, x := range sum {
		VMOVUPS(Mem{Base: from, Disp: 32 * half}, x)
	}
	DECQ(parts)
	JZ(LabelRef("summed"))
	Label("part")
	ADDQ(stride, from)
	for half, x := range sum {
		VADDPS(Mem{Base: from, Disp: 32 * half}, x, x)
	}
	DECQ(parts)
	JNZ(LabelRef("part"))
	Label("summed")
	for half, x := range sum {
		VMOVUPS(x, s.scores.Offset(32*half))
	}
	advance(scores, 64)
	s.errors()
	JG(LabelRef("rows"))
	s.end()
}

func newErrors256(c constants) scores256 {
	s := scores256{c: c, scores: AllocLocal(4 * 2 * lanes256 * mostScored256), taken: local(), lost: AllocLocal(4 * lanes256)}
	zero := YMM()
	VXORPS(zero, zero, zero)
	VMOVUPS(zero, s.lost)
	s.left, s.g, s.with = spill("n"), spill("out"), spill("with")
	return s
}

// end lays out the function's end, which returns the loss.
func (s scores256) end() {
	lost, half := YMM(), XMM()
	VMOVUPS(s.lost, lost)
	VEXTRACTF128(Imm(1), lost, half)
	VADDPS(half, lost.AsX(), half)
	VHADDPS(half, half, half)
	VHADDPS(half, half, half)
	VZEROUPPER() // before the store, which avo makes an SSE instruction
	Store(half, ReturnIndex(0))
	RET()
}

// errors lays out code that makes errors of the scores of the rows that were taken. The
// flags then say whether rows are left.
func (s scores256) errors() {
	scale, weights := YMM(), ymms(2)
	{
		flip, w := YMM(), param("weights")
		VBROADCASTSS(paramAt("sign"), flip)
		VXORPS(s.c.log2e, flip, scale)
		for half := range weights {
			VXORPS(Mem{Base: w, Disp: 32 * half}, flip, weights[half])
		}
	}
	most, least := YMM(), YMM()
	VMOVUPS(s.c.most, most)
	VMOVUPS(s.c.least, least)
	g, with, scores, n := GP64(), GP64(), GP64(), GP64()
	MOVQ(s.g, g)
	MOVQ(s.with, with)
	LEAQ(s.scores, scores)
	MOVQ(s.taken, n)

	Label("row")
	with16 := YMM()
	VPBROADCASTW(Mem{Base: with}, with16)
	pairs, power, powerOf2 := ymms(2), ymms(2), ymms(2)
	for half := range weights {
		VPAND(s.c.bits[half], with16, pairs[half])
		VPCMPEQD(s.c.bits[half], pairs[half], pairs[half])
		// With t the score, for negative pairs negated as w is, the error is w/(1+eᵗ)
		// and the loss w·log(1+e⁻ᵗ).
		r, n, whole := YMM(), powerOf2[half], YMM()
		VMOVUPS(Mem{Base: scores, Disp: 32 * half}, r)
		VMINPS(r, most, r) // NaN stays
		VMAXPS(r, least, r)
		// The last bits of n become the whole part of t·log₂e and an exponent's bias:
		// shifted, they are 2 to the power of it.
		VMOVUPS(s.c.round, n)
		VFMADD231PS(scale, r, n)
		VSUBPS(s.c.round, n, whole)
		VFMSUB213PS(whole, scale, r)
		VPSLLD(Imm(23), n, n)
		VMOVUPS(s.c.exp2[len(s.c.exp2)-1], power[half])
		for i := len(s.c.exp2) - 2; i >= 0; i-- {
			VFMADD213PS(s.c.exp2[i], r, power[half])
		}
		y, error := YMM(), YMM()
		VMOVUPS(s.c.one, y)
		VFMADD231PS(power[half], n, y)
		VDIVPS(y, weights[half], error)
		VANDPS(pairs[half], error, error)
		VMOVUPS(error, Mem{Base: g, Disp: 32 * half})
	}
	CMPQ(paramAt("loss"), Imm(0))
	JE(LabelRef("next"))
	for half := range weights {
		// log(1+e⁻ᵗ) is log(1+u) − min(t, 0), with u = exp(−|t|).
		u, x, zero := YMM(), YMM(), YMM()
		VMULPS(powerOf2[half], power[half], power[half])
		VMOVUPS(s.c.one, u)
		VDIVPS(power[half], u, u)
		VMINPS(u, power[half], u)
		VBROADCASTSS(paramAt("sign"), x)
		VXORPS(s.c.sign, x, x)
		VXORPS(Mem{Base: scores, Disp: 32 * half}, x, x)
		VXORPS(zero, zero, zero)
		VMAXPS(x, zero, x)
		l := polynomial256(u, s.c.log1p)
		VFMADD213PS(x, u, l)
		VMULPS(weights[half], l, l)
		VANDPS(pairs[half], l, l)
		VADDPS(s.lost, l, l)
		VMOVUPS(l, s.lost)
	}
	Label("next")
	ADDQ(Imm(64), g)
	ADDQ(Imm(2), with)
	ADDQ(Imm(64), scores)
	DECQ(n)
	JNZ(LabelRef("row"))
	MOVQ(g, s.g)
	MOVQ(with, s.with)
	taken := GP64()
	MOVQ(s.taken, taken)
	SUBQ(taken, s.left)
}

func polynomial256(x VecVirtual, terms []Mem) VecVirtual {
	return polynomial(x, terms, YMM, func(term Mem, v VecVirtual) { VMOVUPS(term, v) }, VFMADD213PS)
}
