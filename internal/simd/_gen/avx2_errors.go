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
	s := scores256{
		c: c, scores: AllocLocal(4 * 2 * lanes256 * mostScored256), taken: local(), lost: AllocLocal(4 * lanes256),
		limit: AllocLocal(4 * lanes256), inverse: AllocLocal(4 * lanes256), uniform: AllocLocal(4 * 2 * lanes256),
	}
	zero := YMM()
	VXORPS(zero, zero, zero)
	VMOVUPS(zero, s.lost)
	s.left, s.g, s.with, s.kept = spill("n"), spill("out"), spill("with"), spill("kept")
	s.beginRounding()
	return s
}

// beginRounding lays out code that makes of the threshold what errors are rounded with, and of the seed the
// uniform numbers of the first row.
func (s scores256) beginRounding() {
	threshold, limit, inverse := YMM(), YMM(), YMM()
	VBROADCASTSS(paramAt("threshold"), threshold)
	VMULPS(s.c.unit, threshold, limit)
	VMOVUPS(limit, s.limit)
	VMOVUPS(s.c.one, inverse)
	VDIVPS(threshold, inverse, inverse) // infinite without rounding
	VMOVUPS(inverse, s.inverse)
	for half := range s.c.seeds {
		x := YMM()
		VBROADCASTSS(paramAt("seed"), x)
		VPADDD(s.c.seeds[half], x, x)
		shift := func(n uint64) {
			y := YMM()
			VPSRLD(Imm(n), x, y)
			VPXOR(y, x, x)
		}
		shift(16)
		VPMULLD(s.c.hash[0], x, x)
		shift(15)
		VPMULLD(s.c.hash[1], x, x)
		shift(16)
		VMOVDQU(x, s.uniform.Offset(32*half))
	}
}

// rounded lays out code that rounds errors of half a row: of those of pairs, which are weights divided
// by y, it returns y and pairs as they are after rounding.
func (s scores256) rounded(half int, y, pairs VecVirtual) {
	state, limit := YMM(), YMM()
	VMOVDQU(s.uniform.Offset(32*half), state)
	VPSRLD(Imm(8), state, limit)
	VCVTDQ2PS(limit, limit)
	VMULPS(s.limit, limit, limit)
	VPMULLD(s.c.multiplier, state, state)
	VPADDD(s.c.weyl, state, state)
	VMOVDQU(state, s.uniform.Offset(32*half))
	VMULPS(y, limit, limit)
	const notGreaterOrEqual = 0x19 // and what is not a number
	VCMPPS(Imm(notGreaterOrEqual), s.c.one, limit, limit)
	VANDPS(limit, pairs, pairs)
	inverse := YMM()
	VMOVUPS(s.inverse, inverse)
	VMINPS(y, inverse, y) // NaN stays
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
	g, with, kept, scores, n := GP64(), GP64(), GP64(), GP64(), GP64()
	MOVQ(s.g, g)
	MOVQ(s.with, with)
	MOVQ(s.kept, kept)
	LEAQ(s.scores, scores)
	MOVQ(s.taken, n)

	Label("row")
	with16 := YMM()
	VPBROADCASTW(Mem{Base: with}, with16)
	pairs, bits := ymms(2), []GPVirtual{GP64(), GP64()}
	var power, powerOf2 [2]VecVirtual
	for half := range weights {
		VPAND(s.c.bits[half], with16, pairs[half])
		VPCMPEQD(s.c.bits[half], pairs[half], pairs[half])
		r := YMM()
		VMOVUPS(Mem{Base: scores, Disp: 32 * half}, r)
		power[half], powerOf2[half] = s.c.power256(r, scale, most, least)
		y, error := YMM(), YMM()
		VMOVUPS(s.c.one, y)
		VFMADD231PS(power[half], powerOf2[half], y)
		some := YMM()
		VMOVAPS(pairs[half], some)
		s.rounded(half, y, some)
		VDIVPS(y, weights[half], error)
		VANDPS(some, error, error)
		VMOVUPS(error, Mem{Base: g, Disp: 32 * half})
		VMOVMSKPS(some, bits[half].As32())
	}
	SHLL(Imm(8), bits[1].As32())
	ORL(bits[1].As32(), bits[0].As32())
	MOVW(bits[0].As16(), Mem{Base: kept})
	CMPQ(paramAt("loss"), Imm(0))
	JE(LabelRef("next"))
	for half := range weights {
		x := YMM()
		VBROADCASTSS(paramAt("sign"), x)
		VXORPS(Mem{Base: scores, Disp: 32 * half}, x, x)
		l := s.c.loss256(power[half], powerOf2[half], x)
		VMULPS(weights[half], l, l)
		VANDPS(pairs[half], l, l)
		VADDPS(s.lost, l, l)
		VMOVUPS(l, s.lost)
	}
	Label("next")
	ADDQ(Imm(64), g)
	ADDQ(Imm(2), with)
	ADDQ(Imm(2), kept)
	ADDQ(Imm(64), scores)
	DECQ(n)
	JNZ(LabelRef("row"))
	MOVQ(g, s.g)
	MOVQ(with, s.with)
	MOVQ(kept, s.kept)
	taken := GP64()
	MOVQ(s.taken, taken)
	SUBQ(taken, s.left)
}

// power256 lays out code that computes e to the power of t, the score r times the sign of scale, which is
// log₂e: as a factor from √½ to √2, and a power of 2. With it, the error of a pair is its weight over 1+eᵗ,
// with the sign that scale has.
func (c constants) power256(r, scale, most, least VecVirtual) (power, powerOf2 VecVirtual) {
	n, whole, power := YMM(), YMM(), YMM()
	VMINPS(r, most, r) // NaN stays
	VMAXPS(r, least, r)
	// The last bits of n become the whole part of t·log₂e and an exponent's bias:
	// shifted, they are 2 to the power of it.
	VMOVUPS(c.round, n)
	VFMADD231PS(scale, r, n)
	VSUBPS(c.round, n, whole)
	VFMSUB213PS(whole, scale, r)
	VPSLLD(Imm(23), n, n)
	VMOVUPS(c.exp2[len(c.exp2)-1], power)
	for i := len(c.exp2) - 2; i >= 0; i-- {
		VFMADD213PS(c.exp2[i], r, power)
	}
	return power, n
}

// loss256 lays out code that computes log(1+e⁻ᵗ) of what power256 returned and x, which is −t.
func (c constants) loss256(power, powerOf2, x VecVirtual) VecVirtual {
	// It is log(1+u) − min(t, 0), with u = exp(−|t|).
	u, zero := YMM(), YMM()
	VMULPS(powerOf2, power, power)
	VMOVUPS(c.one, u)
	VDIVPS(power, u, u)
	VMINPS(u, power, u)
	VXORPS(c.sign, x, x)
	VXORPS(zero, zero, zero)
	VMAXPS(x, zero, x)
	l := polynomial256(u, c.log1p)
	VFMADD213PS(x, u, l)
	return l
}

func polynomial256(x VecVirtual, terms []Mem) VecVirtual {
	return polynomial(x, terms, YMM, func(term Mem, v VecVirtual) { VMOVUPS(term, v) }, VFMADD213PS)
}
