package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// avx512Errors keeps the scores of twelve, eight or four rows with all lanes in registers.
func avx512Errors(c constants) {
	function("errorsAVX512", errorsSignature, errorsDoc("errorsAVX512")...)
	zero := ZMM()
	VPXORD(zero, zero, zero)
	s := newScores512(zero)
	s.errors(c, func(size int) []VecVirtual {
		scores := s.score(size)
		advance(s.rows, 4*size)
		return scores
	})
}

// avx512ErrorsOfScores takes scores from memory.
func avx512ErrorsOfScores(c constants) {
	function("errorsOfScoresAVX512", errorsOfScoresSignature, errorsOfScoresDoc("errorsOfScoresAVX512")...)
	zero := ZMM()
	VPXORD(zero, zero, zero)
	s := scores512{left: spill("n"), last: local(), zero: zero}
	scores := spill("scores")
	s.errors(c, func(size int) []VecVirtual {
		n, from, parts, stride := GP64(), GP64(), param("parts"), param("stride")
		MOVQ(s.left, n)
		DECQ(n)
		SHLQ(Imm(6), n)
		MOVQ(n, s.last)
		MOVQ(scores, from)
		// Rows that lack are the last one again.
		var at []GPVirtual
		for k := range size {
			off := GP64()
			MOVQ(U32(uint32(64*k)), off)
			CMPQ(off, s.last)
			CMOVQGT(s.last, off)
			at = append(at, off)
		}
		acc := zmms(size)
		for k, a := range acc {
			VMOVUPS(Mem{Base: from, Index: at[k], Scale: 1}, a)
		}
		DECQ(parts)
		JZ(LabelRef(fmt.Sprintf("summed%d", size)))
		Label(fmt.Sprintf("part%d", size))
		ADDQ(stride, from)
		for k, a := range acc {
			VADDPS(Mem{Base: from, Index: at[k], Scale: 1}, a, a)
		}
		DECQ(parts)
		JNZ(LabelRef(fmt.Sprintf("part%d", size)))
		Label(fmt.Sprintf("summed%d", size))
		advance(scores, 64*size)
		return acc
	})
}

// errors lays out code that makes errors of the scores of so many rows that scores
// returns, for all rows, and the end of the function.
func (s scores512) errors(c constants, scores func(size int) []VecVirtual) {
	zero := s.zero
	weights, scale, away, lost := ZMM(), ZMM(), ZMM(), ZMM()
	{
		sign := Load(Param("sign"), GP32()).(GPVirtual)
		flip := ZMM()
		VPBROADCASTD(sign, flip)
		w := param("weights")
		VXORPS(Mem{Base: w}, flip, weights)
		VXORPS_BCST(c.log2e, flip, scale)
		VXORPS_BCST(c.sign, flip, away)
		VPXORD(lost, lost, lost)
	}
	one, most, least, two := ZMM(), ZMM(), ZMM(), ZMM()
	VBROADCASTSS(c.one, one)
	VBROADCASTSS(c.two, two)
	VBROADCASTSS(c.most, most)
	VBROADCASTSS(c.least, least)
	left := s.left
	g, with := spill("out"), spill("with")

	body := func(size int) {
		name := func(s string) string { return fmt.Sprintf("%s%d", s, size) }
		taken := scores(size)
		to, masks := GP64(), GP64()
		MOVQ(g, to)
		MOVQ(with, masks)
		for k, x := range taken {
			pairs := K()
			KMOVW(Mem{Base: masks, Disp: 2 * k}, pairs)
			// With t the score, for negative pairs negated as w is, the error is w/(1+eᵗ)
			// and the loss w·log(1+e⁻ᵗ). r becomes the rest of t·log₂e, which is made
			// again, unrounded, to be taken from: in 2ʳ its rounding would show.
			r, whole := ZMM(), ZMM()
			VMINPS(x, most, r) // NaN stays
			VMAXPS(r, least, r)
			VMULPS(scale, r, whole)
			VRNDSCALEPS(Imm(8), whole, whole)
			VFMSUB213PS(whole, scale, r)
			power := ZMM()
			VBROADCASTSS(c.exp2[len(c.exp2)-1], power)
			for i := len(c.exp2) - 2; i >= 0; i-- {
				VFMADD213PS_BCST(c.exp2[i], r, power)
			}
			VSCALEFPS(whole, power, power)
			y := ZMM()
			VADDPS(one, power, y)
			sigma, step := ZMM(), ZMM()
			VRCP14PS(y, sigma)
			VMOVAPS(two, step)
			VFNMADD231PS(sigma, y, step)
			VMULPS(step, sigma, sigma) // a step of Newton's: σ = σ(2 − yσ)
			error := ZMM()
			VMULPS_Z(weights, sigma, pairs, error)
			VMOVUPS(error, Mem{Base: to, Disp: 64 * k})

			CMPQ(paramAt("loss"), Imm(0))
			JE(LabelRef(name(fmt.Sprintf("next%d_", k))))
			// log(1+e⁻ᵗ) is log(1+u) − min(t, 0), with u = exp(−|t|).
			u := ZMM()
			VDIVPS(power, one, u)
			VMINPS(u, power, u)
			VXORPS(away, x, x)
			VMAXPS(x, zero, x)
			l := polynomial512(u, c.log1p)
			VFMADD213PS(x, u, l)
			VFMADD231PS(weights, l, pairs, lost)
			Label(name(fmt.Sprintf("next%d_", k)))
			if k+1 < size {
				CMPQ(left, Imm(uint64(k+1)))
				JE(LabelRef("done"))
			}
		}
		advance(with, 2*size)
		advance(g, 64*size)
		SUBQ(Imm(uint64(size)), left)
		JNZ(LabelRef("rows"))
		JMP(LabelRef("done"))
	}
	s.each(body)
	half, quarter := YMM(), XMM()
	VEXTRACTF64X4(Imm(1), lost, half)
	VADDPS(half, lost.AsY(), half)
	VEXTRACTF128(Imm(1), half, quarter)
	VADDPS(quarter, half.AsX(), quarter)
	VHADDPS(quarter, quarter, quarter)
	VHADDPS(quarter, quarter, quarter)
	VZEROUPPER() // before the store, which avo makes an SSE instruction
	Store(quarter, ReturnIndex(0))
	RET()
}
