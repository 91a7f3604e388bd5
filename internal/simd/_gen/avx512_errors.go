package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// scored512 goes through rows of scores. Weights have the sign of errors.
type scored512 struct {
	c                       constants
	scores, with            GPVirtual
	left                    GPVirtual
	flip, weights           VecVirtual // flip is the sign of errors
	scale, one, most, least VecVirtual // scale is log₂e with the sign
}

func newScored512(c constants) *scored512 {
	s := &scored512{
		c: c, scores: param("scores"), with: param("with"), left: param("n"),
		flip: ZMM(), weights: ZMM(), scale: ZMM(), one: ZMM(), most: ZMM(), least: ZMM(),
	}
	VPBROADCASTD(Load(Param("sign"), GP32()), s.flip)
	VXORPS(Mem{Base: param("weights")}, s.flip, s.weights)
	VXORPS_BCST(c.log2e, s.flip, s.scale)
	VBROADCASTSS(c.one, s.one)
	VBROADCASTSS(c.most, s.most)
	VBROADCASTSS(c.least, s.least)
	return s
}

// row loads the scores of a row.
func (s *scored512) row() VecVirtual {
	scores := ZMM()
	VMOVUPS(Mem{Base: s.scores}, scores)
	return scores
}

// next goes on to the next row, if there is one.
func (s *scored512) next() {
	ADDQ(Imm(64), s.scores)
	ADDQ(Imm(2), s.with)
	DECQ(s.left)
	JNZ(LabelRef("row"))
}

// power computes e to the power of t, the scores x times the sign of scale. The error of a pair is its weight
// over 1+eᵗ.
func (s *scored512) power(x VecVirtual) VecVirtual {
	// r becomes the rest of t·log₂e, which is made again, unrounded, to be taken from: in 2ʳ its
	// rounding would show.
	r, whole, power := ZMM(), ZMM(), ZMM()
	VMINPS(x, s.most, r) // NaN stays
	VMAXPS(r, s.least, r)
	VMULPS(s.scale, r, whole)
	VRNDSCALEPS(Imm(8), whole, whole)
	VFMSUB213PS(whole, s.scale, r)
	last := len(s.c.exp2) - 1
	VBROADCASTSS(s.c.exp2[last], power)
	for i := last - 1; i >= 0; i-- {
		VFMADD213PS_BCST(s.c.exp2[i], r, power)
	}
	VSCALEFPS(whole, power, power)
	return power
}

func avx512Errors(c constants) {
	function("errorsAVX512", errorsSignature, errorsDoc("errorsAVX512")...)
	s := newScored512(c)
	rounding, two, kept := newRounding512(c), ZMM(), param("kept")
	VBROADCASTSS(c.two, two)
	Label("row")
	y, sigma, step, error := s.power(s.row()), ZMM(), ZMM(), ZMM()
	VADDPS(s.one, y, y)
	pairs := K()
	KMOVW(Mem{Base: s.with}, pairs)
	pairs = rounding.round(y, pairs)
	KMOVW(pairs, Mem{Base: kept})
	VRCP14PS(y, sigma)
	VMOVAPS(two, step)
	VFNMADD231PS(sigma, y, step)
	VMULPS(step, sigma, sigma) // a step of Newton's: σ = σ(2 − yσ)
	VMULPS_Z(s.weights, sigma, pairs, error)
	VMOVUPS(error, Mem{Base: s.scores})
	ADDQ(Imm(2), kept)
	s.next()
	VZEROUPPER()
	RET()
}

// rounding512 rounds errors: limit is what uniform numbers are compared with, inverse is 1/threshold.
type rounding512 struct {
	c                     constants
	limit, inverse, state VecVirtual // state is the generator's
}

// newRounding512 makes of the seed the state of the first row.
func newRounding512(c constants) rounding512 {
	r := rounding512{c, ZMM(), ZMM(), ZMM()}
	threshold := ZMM()
	VBROADCASTSS(paramAt("threshold"), threshold)
	VMULPS_BCST(c.uniforms, threshold, r.limit)
	square := ZMM()
	VMULPS(threshold, threshold, square)
	VDIVPS(square, r.limit, r.limit) // not a number without rounding: nothing is less
	VBROADCASTSS(c.one, r.inverse)
	VDIVPS(threshold, r.inverse, r.inverse) // infinite without rounding
	VPBROADCASTD(Load(Param("seed"), GP32()), r.state)
	VPADDD(c.seeds[0], r.state, r.state)
	shift := func(n uint64) {
		y := ZMM()
		VPSRLD(Imm(n), r.state, y)
		VPXORD(y, r.state, r.state)
	}
	shift(16)
	VPMULLD_BCST(c.hash[0], r.state, r.state)
	shift(15)
	VPMULLD_BCST(c.hash[1], r.state, r.state)
	shift(16)
	return r
}

// round rounds errors that are a weight divided by y: it returns the pairs whose error does not become 0, and
// makes those y smaller whose error becomes the threshold.
func (r rounding512) round(y VecVirtual, pairs OpmaskVirtual) (kept OpmaskVirtual) {
	uniform := ZMM()
	kept = K()
	VPSRLD(Imm(8), r.state, uniform)
	VCVTDQ2PS(uniform, uniform)
	VPMULLD_BCST(r.c.multiplier, r.state, r.state)
	VPADDD_BCST(r.c.weyl, r.state, r.state)
	VMULPS(y, uniform, uniform)
	VCMPPS(Imm(notGreaterOrEqual), r.limit, uniform, pairs, kept)
	VMINPS(y, r.inverse, y) // NaN stays
	return kept
}

func avx512Losses(c constants) {
	function("lossesAVX512", lossesSignature, lossesDoc("lossesAVX512")...)
	s := newScored512(c)
	away, zero, lost := ZMM(), ZMM(), ZMM()
	VXORPS_BCST(c.sign, s.flip, away)
	VPXORD(zero, zero, zero)
	VMOVAPS(zero, lost) // to avo, a VPXORD would read what it zeroes
	Label("row")
	x := s.row()
	power := s.power(x)
	// log(1+e⁻ᵗ) is log(1+u) − min(t, 0), with u = exp(−|t|).
	u, pairs := ZMM(), K()
	VDIVPS(power, s.one, u)
	VMINPS(u, power, u)
	VXORPS(away, x, x)
	VMAXPS(x, zero, x)
	l := polynomial512(u, c.log1p)
	VFMADD213PS(x, u, l)
	KMOVW(Mem{Base: s.with}, pairs)
	VFMADD231PS(s.weights, l, pairs, lost)
	s.next()
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
