package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// notGreaterOrEqual compares numbers. It holds of what is not a number, too.
const notGreaterOrEqual = 0x19

// scored256 goes through rows of scores. Weights have the sign of errors.
type scored256 struct {
	c                  constants
	scores, with, left GPVirtual
	weights            [2]Mem
	flip               VecVirtual // the sign of errors
	scale              VecVirtual // log₂e with the sign
	most, least        VecVirtual
}

func newScored256(c constants) *scored256 {
	s := &scored256{
		c: c, scores: param("scores"), with: param("with"), left: param("n"),
		weights: [2]Mem{AllocLocal(32), AllocLocal(32)}, flip: YMM(), scale: YMM(), most: YMM(), least: YMM(),
	}
	VBROADCASTSS(paramAt("sign"), s.flip)
	VXORPS(c.log2e, s.flip, s.scale)
	weights := param("weights")
	for half, at := range s.weights {
		w := YMM()
		VXORPS(Mem{Base: weights, Disp: 32 * half}, s.flip, w)
		VMOVUPS(w, at)
	}
	VMOVUPS(c.most, s.most)
	VMOVUPS(c.least, s.least)
	return s
}

// row loads the scores of a row, by halves of the lanes.
func (s *scored256) row() []VecVirtual {
	sums := ymms(2)
	for half, x := range sums {
		VMOVUPS(Mem{Base: s.scores, Disp: 32 * half}, x)
	}
	return sums
}

// next goes on to the next row, if there is one.
func (s *scored256) next() {
	ADDQ(Imm(64), s.scores)
	ADDQ(Imm(2), s.with)
	DECQ(s.left)
	JNZ(LabelRef("row"))
}

// pairs returns all ones where row k is paired.
func (s *scored256) pairs(k int) []VecVirtual {
	with, pairs := YMM(), ymms(2)
	VPBROADCASTW(Mem{Base: s.with, Disp: 2 * k}, with)
	for half, p := range pairs {
		VPAND(s.c.bits[half], with, p)
		VPCMPEQD(s.c.bits[half], p, p)
	}
	return pairs
}

// together256 is of how many rows errors are made together: they are long chains, of which processors only
// look ahead to a few.
const together256 = 3

func avx2Errors(c constants) {
	function("errorsAVX2", errorsSignature, errorsDoc("errorsAVX2")...)
	s := newScored256(c)
	rounding, kept, powersOf2 := newRounding256(c), param("kept"), AllocLocal(2*32*together256)
	body := func(rows int) {
		for k, y := range s.onePlusPowers(rows, powersOf2) {
			s.round(k, y, rounding, kept)
		}
		ADDQ(U32(uint32(64*rows)), s.scores)
		ADDQ(Imm(uint64(2*rows)), s.with)
		ADDQ(Imm(uint64(2*rows)), kept)
		SUBQ(Imm(uint64(rows)), s.left)
	}
	JMP(LabelRef("more"))
	Label("rows")
	body(together256)
	Label("more")
	CMPQ(s.left, Imm(together256))
	JGE(LabelRef("rows"))
	Label("last")
	TESTQ(s.left, s.left)
	JZ(LabelRef("done"))
	body(1)
	JMP(LabelRef("last"))
	Label("done")
	VZEROUPPER()
	RET()
}

// onePlusPowers computes 1+eᵗ for so many rows, with t as in power256, by halves of the lanes. Registers are
// too few for the powers of 2, which are kept in the frame.
func (s *scored256) onePlusPowers(rows int, powersOf2 Mem) [][]VecVirtual {
	scale, most, least := YMM(), YMM(), YMM()
	VXORPS(s.c.log2e, s.flip, scale)
	VMOVUPS(s.c.most, most)
	VMOVUPS(s.c.least, least)
	r := ymms(2 * rows)
	for k, r := range r {
		n, whole := YMM(), YMM()
		VMINPS(Mem{Base: s.scores, Disp: 32 * k}, most, r) // NaN stays
		VMAXPS(r, least, r)
		VMOVUPS(s.c.round, n)
		VFMADD231PS(scale, r, n)
		VSUBPS(s.c.round, n, whole)
		VFMSUB213PS(whole, scale, r)
		VPSLLD(Imm(23), n, n)
		VMOVUPS(n, powersOf2.Offset(32*k))
	}
	power := s.c.exp2256(r)
	one, y := YMM(), make([][]VecVirtual, rows)
	VMOVUPS(s.c.one, one)
	for k, p := range power {
		VFMADD132PS(powersOf2.Offset(32*k), one, p)
		y[k/2] = append(y[k/2], p)
	}
	return y
}

// exp2256 computes 2ʳ for |r| ≤ ½.
func (c constants) exp2256(r []VecVirtual) []VecVirtual {
	power, last := ymms(len(r)), len(c.exp2)-1
	for _, p := range power {
		VMOVUPS(c.exp2[last], p)
	}
	for i := last - 1; i >= 0; i-- {
		for k, p := range power {
			VFMADD213PS(c.exp2[i], r[k], p)
		}
	}
	return power
}

// round makes errors of row k, the weights divided by y, rounds them and sets which are kept.
func (s *scored256) round(k int, y []VecVirtual, rounding rounding256, kept GPVirtual) {
	pairs, bits := s.pairs(k), []GPVirtual{GP64(), GP64()}
	rounding.round(y, pairs)
	for half, y := range y {
		error := YMM()
		VMOVUPS(s.weights[half], error)
		VDIVPS(y, error, error)
		VANDPS(pairs[half], error, error)
		VMOVUPS(error, Mem{Base: s.scores, Disp: 64*k + 32*half})
		VMOVMSKPS(pairs[half], bits[half].As32())
	}
	SHLL(Imm(8), bits[1].As32())
	ORL(bits[1].As32(), bits[0].As32())
	MOVW(bits[0].As16(), Mem{Base: kept, Disp: 2 * k})
}

// rounding256 rounds errors: the frame has what uniform numbers are compared with, and 1/threshold.
type rounding256 struct {
	c              constants
	limit, inverse Mem
	states         []VecVirtual // of the generator, by halves of the lanes
}

// newRounding256 makes of the seed the states of the first row.
func newRounding256(c constants) rounding256 {
	r := rounding256{c, AllocLocal(32), AllocLocal(32), ymms(2)}
	threshold, limit, square, inverse := YMM(), YMM(), YMM(), YMM()
	VBROADCASTSS(paramAt("threshold"), threshold)
	VMULPS(c.uniforms, threshold, limit)
	VMULPS(threshold, threshold, square)
	VDIVPS(square, limit, limit) // not a number without rounding: nothing is less
	VMOVUPS(limit, r.limit)
	VMOVUPS(c.one, inverse)
	VDIVPS(threshold, inverse, inverse) // infinite without rounding
	VMOVUPS(inverse, r.inverse)
	for half, x := range r.states {
		VBROADCASTSS(paramAt("seed"), x)
		VPADDD(c.seeds[half], x, x)
		shift := func(n uint64) {
			y := YMM()
			VPSRLD(Imm(n), x, y)
			VPXOR(y, x, x)
		}
		shift(16)
		VPMULLD(c.hash[0], x, x)
		shift(15)
		VPMULLD(c.hash[1], x, x)
		shift(16)
	}
	return r
}

// round rounds errors that are a weight divided by y: it takes out of pairs whose error becomes 0, and makes
// those y smaller whose error becomes the threshold.
func (r rounding256) round(y, pairs []VecVirtual) {
	inverse := YMM()
	VMOVUPS(r.inverse, inverse)
	for half, state := range r.states {
		uniform := YMM()
		VPSRLD(Imm(8), state, uniform)
		VCVTDQ2PS(uniform, uniform)
		VPMULLD(r.c.multiplier, state, state)
		VPADDD(r.c.weyl, state, state)
		VMULPS(y[half], uniform, uniform)
		VCMPPS(Imm(notGreaterOrEqual), r.limit, uniform, uniform)
		VANDPS(uniform, pairs[half], pairs[half])
		VMINPS(y[half], inverse, y[half]) // NaN stays
	}
}

func avx2Losses(c constants) {
	function("lossesAVX2", lossesSignature, lossesDoc("lossesAVX2")...)
	s := newScored256(c)
	lost := YMM()
	VXORPS(lost, lost, lost)
	Label("row")
	scores := s.row()
	minus := ymms(2)
	for half, x := range minus {
		VXORPS(scores[half], s.flip, x)
		VXORPS(c.sign, x, x)
	}
	power, powerOf2 := c.power256(scores, s.scale, s.most, s.least)
	pairs := s.pairs(0)
	for half, p := range power {
		l := c.loss256(p, powerOf2[half], minus[half])
		VMULPS(s.weights[half], l, l)
		VANDPS(pairs[half], l, l)
		VADDPS(lost, l, lost)
	}
	s.next()
	half := XMM()
	VEXTRACTF128(Imm(1), lost, half)
	VADDPS(half, lost.AsX(), half)
	VHADDPS(half, half, half)
	VHADDPS(half, half, half)
	VZEROUPPER() // before the store, which avo makes an SSE instruction
	Store(half, ReturnIndex(0))
	RET()
}

// power256 computes e to the power of t, the scores r times the sign of scale, which is log₂e: each as a
// factor from √½ to √2, and a power of 2. The error of a pair is its weight over 1+eᵗ, with the sign that
// scale has.
func (c constants) power256(r []VecVirtual, scale, most, least VecVirtual) (power, powerOf2 []VecVirtual) {
	powerOf2 = ymms(len(r))
	for k, n := range powerOf2 {
		whole := YMM()
		VMINPS(r[k], most, r[k]) // NaN stays
		VMAXPS(r[k], least, r[k])
		// The last bits of n become the whole part of t·log₂e and an exponent's bias:
		// shifted, they are 2 to the power of it.
		VMOVUPS(c.round, n)
		VFMADD231PS(scale, r[k], n)
		VSUBPS(c.round, n, whole)
		VFMSUB213PS(whole, scale, r[k])
		VPSLLD(Imm(23), n, n)
	}
	return c.exp2256(r), powerOf2
}

// loss256 computes log(1+e⁻ᵗ) of what power256 returned and x, which is −t.
func (c constants) loss256(power, powerOf2, x VecVirtual) VecVirtual {
	// It is log(1+u) − min(t, 0), with u = exp(−|t|).
	u, zero := YMM(), YMM()
	VMULPS(powerOf2, power, power)
	VMOVUPS(c.one, u)
	VDIVPS(power, u, u)
	VMINPS(u, power, u)
	VXORPS(zero, zero, zero)
	VMAXPS(x, zero, x)
	l := polynomial256(u, c.log1p)
	VFMADD213PS(x, u, l)
	return l
}

func polynomial256(x VecVirtual, terms []Mem) VecVirtual {
	return polynomial(x, terms, YMM, func(term Mem, v VecVirtual) { VMOVUPS(term, v) }, VFMADD213PS)
}

// sumParts adds the parts of scores.
func sumParts() {
	function("sumPartsKernel", sumPartsSignature,
		"sumPartsKernel sets n ≥ 1 rows of out to the sums of those of parts ≥ 1 parts of scores, which",
		"are stride bytes apart.")
	out, scores, stride, n := param("out"), param("scores"), param("stride"), param("n")
	Label("row")
	sums, at, left := ymms(2), GP64(), param("parts")
	for half, x := range sums {
		VMOVUPS(Mem{Base: scores, Disp: 32 * half}, x)
	}
	MOVQ(scores, at)
	Label("part")
	DECQ(left)
	JZ(LabelRef("summed"))
	ADDQ(stride, at)
	for half, x := range sums {
		VADDPS(Mem{Base: at, Disp: 32 * half}, x, x)
	}
	JMP(LabelRef("part"))
	Label("summed")
	for half, x := range sums {
		VMOVUPS(x, Mem{Base: out, Disp: 32 * half})
	}
	ADDQ(Imm(64), scores)
	ADDQ(Imm(64), out)
	DECQ(n)
	JNZ(LabelRef("row"))
	VZEROUPPER()
	RET()
}
