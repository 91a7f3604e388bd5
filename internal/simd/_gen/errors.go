package main

import (
	"fmt"
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// constants are in memory, each eight times: AVX2 has no operand that is broadcast.
type constants struct {
	exp2, log1p                        []Mem
	log2e, most, least, one, two, sign Mem
	round                              Mem    // added, rounds to a whole number, and leaves it with an exponent's bias
	bits                               [2]Mem // 1<<i for lane i, by halves of the lanes
	// Of rounding, as in ../rounding.go: how many uniform numbers there are, and the generator's numbers.
	uniforms, multiplier, weyl Mem
	hash, seeds                [2]Mem
}

// The generator of uniform numbers.
const (
	weyl       = 0x9e3779b9
	multiplier = 0x93d765dd
	hash1      = 0x7feb352d
	hash2      = 0x846ca68b
)

func newConstants() constants {
	// Scores beyond are as good as these: of 2 to a higher power than 126, float32 has
	// no inverse that is normal.
	const most = 126 * math.Ln2
	c := constants{
		log2e: eight("log2e", F32(math.Log2E)),
		most:  eight("most", F32(most)),
		least: eight("least", F32(-most)),
		one:   eight("one", F32(1)),
		two:   eight("two", F32(2)),
		sign:  eight("signbit", U32(1<<31)),
		round: eight("round", F32(1.5*(1<<23)+127)),

		uniforms:   eight("uniforms", F32(1<<24)),
		multiplier: eight("multiplier", U32(multiplier)),
		weyl:       eight("weyl", U32(weyl)),
		hash:       [2]Mem{eight("hash1", U32(hash1)), eight("hash2", U32(hash2))},
	}
	for half := range c.bits {
		c.bits[half] = table(fmt.Sprintf("bits%d", half), 8, func(k int) Constant { return U32(1 << (8*half + k)) })
	}
	seeds := table("seeds", lanes512, func(k int) Constant { return U32(uint32((k + 1) * weyl)) })
	c.seeds = [2]Mem{seeds, seeds.Offset(32)}
	for i, x := range exp2Terms {
		c.exp2 = append(c.exp2, eight(fmt.Sprintf("exp2_%d", i), F32(x)))
	}
	for i, x := range log1pTerms {
		c.log1p = append(c.log1p, eight(fmt.Sprintf("log1p%d", i), F32(x)))
	}
	return c
}

func eight(name string, x Constant) Mem { return table(name, 8, func(int) Constant { return x }) }

func table(name string, n int, at func(k int) Constant) Mem {
	m := GLOBL(name, RODATA|NOPTR)
	for k := range n {
		DATA(4*k, at(k))
	}
	return m
}

// polynomial evaluates a polynomial of x, even and odd terms apart: what comes after the scores is one long
// chain, which processors hide behind other rows only in part. load sets a vector to a term, multiplyAdd is FMA
// of a term, a factor and what is multiplied by it.
func polynomial(x VecVirtual, terms []Mem, vector func() VecVirtual, load func(Mem, VecVirtual), multiplyAdd func(...Op)) VecVirtual {
	square := vector()
	VMULPS(x, x, square)
	alternate := func(last int) VecVirtual {
		p := vector()
		load(terms[last], p)
		for i := last - 2; i >= 0; i -= 2 {
			multiplyAdd(terms[i], square, p)
		}
		return p
	}
	a, b := alternate(len(terms)-1), alternate(len(terms)-2)
	if len(terms)%2 == 0 { // a is the odd terms
		a, b = b, a
	}
	VFMADD231PS(b, x, a)
	return a
}

// notGreaterOrEqual compares numbers. It holds of what is not a number, too.
const notGreaterOrEqual = 0x19

type scored struct{ scores, with, left GPVirtual }

func newScored() scored { return scored{param("scores"), param("with"), param("n")} }

func (s scored) next() {
	ADDQ(Imm(64), s.scores)
	ADDQ(Imm(2), s.with)
	again(s.left, LabelRef("row"))
}

// scored256 has weights with the sign of errors.
type scored256 struct {
	scored
	weights     [2]Mem
	flip        VecVirtual // the sign of errors
	scale       VecVirtual // log₂e with the sign
	most, least VecVirtual
}

func newScored256() *scored256 {
	s := &scored256{
		scored: newScored(), weights: [2]Mem{AllocLocal(32), AllocLocal(32)}, flip: YMM(), scale: YMM(), most: YMM(), least: YMM(),
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

// pairs returns all ones where row k is paired.
func (s *scored256) pairs(k int) []VecVirtual {
	with, pairs := YMM(), ymms(2)
	VPBROADCASTW(Mem{Base: s.with, Disp: 2 * k}, with)
	for half, p := range pairs {
		VPAND(c.bits[half], with, p)
		VPCMPEQD(c.bits[half], p, p)
	}
	return pairs
}

// together256 is of how many rows errors are made together: they are long chains, of which processors only
// look ahead to a few.
const together256 = 3

func avx2Errors() {
	s := newScored256()
	rounding, kept, powersOf2 := newRounding256(), param("kept"), AllocLocal(2*32*together256)
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
	compare(s.left, Imm(together256), JGE, LabelRef("rows"))
	Label("last")
	test(s.left, JZ, LabelRef("done"))
	body(1)
	JMP(LabelRef("last"))
	Label("done")
}

// onePlusPowers computes 1+eᵗ for so many rows, with t as in power256, by halves of the lanes. Registers are
// too few for the powers of 2, which are kept in the frame.
func (s *scored256) onePlusPowers(rows int, powersOf2 Mem) [][]VecVirtual {
	scale, most, least := YMM(), YMM(), YMM()
	VXORPS(c.log2e, s.flip, scale)
	VMOVUPS(c.most, most)
	VMOVUPS(c.least, least)
	r := ymms(2 * rows)
	for k, r := range r {
		n, whole := YMM(), YMM()
		powerOf2(Mem{Base: s.scores, Disp: 32 * k}, r, n, whole, scale, most, least)
		VMOVUPS(n, powersOf2.Offset(32*k))
	}
	power := c.exp2256(r)
	one, y := YMM(), make([][]VecVirtual, rows)
	VMOVUPS(c.one, one)
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
	limit, inverse Mem
	states         []VecVirtual // of the generator, by halves of the lanes
}

// newRounding256 makes of the seed the states of the first row.
func newRounding256() rounding256 {
	r := rounding256{AllocLocal(32), AllocLocal(32), ymms(2)}
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
		mix(x, YMM, func(y VecVirtual) { VPXOR(y, x, x) }, func(by Mem) { VPMULLD(by, x, x) })
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
		VPMULLD(c.multiplier, state, state)
		VPADDD(c.weyl, state, state)
		VMULPS(y[half], uniform, uniform)
		VCMPPS(Imm(notGreaterOrEqual), r.limit, uniform, uniform)
		VANDPS(uniform, pairs[half], pairs[half])
		VMINPS(y[half], inverse, y[half]) // NaN stays
	}
}

func avx2Losses() {
	s := newScored256()
	lost := YMM()
	VXORPS(lost, lost, lost)
	Label("row")
	scores, minus := ymms(2), ymms(2)
	loadAll(scores, Mem{Base: s.scores}, 32)
	for half, x := range minus {
		VXORPS(scores[half], s.flip, x)
		VXORPS(c.sign, x, x)
	}
	power, powersOf2 := c.power256(scores, s.scale, s.most, s.least)
	pairs := s.pairs(0)
	for half, p := range power {
		l := c.loss256(p, powersOf2[half], minus[half])
		VMULPS(s.weights[half], l, l)
		VANDPS(pairs[half], l, l)
		VADDPS(lost, l, lost)
	}
	s.next()
	returnSum(lost)
}

func returnSum(v VecVirtual) {
	sum := addHalves(v).AsX()
	VHADDPS(sum, sum, sum)
	VHADDPS(sum, sum, sum)
	atEnd = func() { Store(sum, ReturnIndex(0)) }
}

// power256 computes e to the power of t, the scores r times the sign of scale, which is log₂e: each as a factor
// from √½ to √2, and a power of 2. The error of a pair is its weight over 1+eᵗ, with the sign that scale has.
func (c constants) power256(r []VecVirtual, scale, most, least VecVirtual) (power, powersOf2 []VecVirtual) {
	powersOf2 = ymms(len(r))
	for k, n := range powersOf2 {
		powerOf2(r[k], r[k], n, YMM(), scale, most, least)
	}
	return c.exp2256(r), powersOf2
}

// powerOf2 makes n the power of 2 of a score, and r the exponent of the factor.
func powerOf2(score Op, r, n, whole, scale, most, least VecVirtual) {
	VMINPS(score, most, r) // NaN stays
	VMAXPS(r, least, r)
	// The last bits of n become the whole part of t·log₂e and an exponent's bias: shifted, they are 2 to the
	// power of it.
	VMOVUPS(c.round, n)
	VFMADD231PS(scale, r, n)
	VSUBPS(c.round, n, whole)
	VFMSUB213PS(whole, scale, r)
	VPSLLD(Imm(23), n, n)
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

func polynomial512(x VecVirtual, terms []Mem) VecVirtual {
	return polynomial(x, terms, ZMM, func(term Mem, v VecVirtual) { VBROADCASTSS(term, v) }, VFMADD213PS_BCST)
}

func polynomial256(x VecVirtual, terms []Mem) VecVirtual {
	return polynomial(x, terms, YMM, func(term Mem, v VecVirtual) { VMOVUPS(term, v) }, VFMADD213PS)
}

func sumParts() {
	out, scores, stride, n := param("out"), param("scores"), param("stride"), param("n")
	Label("row")
	sums, at, left := ymms(2), GP64(), param("parts")
	loadAll(sums, Mem{Base: scores}, 32)
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
	storeAll(sums, Mem{Base: out}, 32)
	ADDQ(Imm(64), scores)
	ADDQ(Imm(64), out)
	again(n, LabelRef("row"))
}

// scored512 has weights with the sign of errors.
type scored512 struct {
	scored
	flip, weights           VecVirtual // flip is the sign of errors
	scale, one, most, least VecVirtual // scale is log₂e with the sign
}

func newScored512() *scored512 {
	s := &scored512{
		scored: newScored(),
		flip:   ZMM(), weights: ZMM(), scale: ZMM(), one: ZMM(), most: ZMM(), least: ZMM(),
	}
	VPBROADCASTD(Load(Param("sign"), GP32()), s.flip)
	VXORPS(Mem{Base: param("weights")}, s.flip, s.weights)
	VXORPS_BCST(c.log2e, s.flip, s.scale)
	VBROADCASTSS(c.one, s.one)
	VBROADCASTSS(c.most, s.most)
	VBROADCASTSS(c.least, s.least)
	return s
}

func (s *scored512) row() VecVirtual {
	scores := ZMM()
	VMOVUPS(Mem{Base: s.scores}, scores)
	return scores
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
	last := len(c.exp2) - 1
	VBROADCASTSS(c.exp2[last], power)
	for i := last - 1; i >= 0; i-- {
		VFMADD213PS_BCST(c.exp2[i], r, power)
	}
	VSCALEFPS(whole, power, power)
	return power
}

func avx512Errors() {
	s := newScored512()
	rounding, two, kept := newRounding512(), ZMM(), param("kept")
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
}

// rounding512 rounds errors: limit is what uniform numbers are compared with, inverse is 1/threshold.
type rounding512 struct {
	limit, inverse, state VecVirtual // state is the generator's
}

// newRounding512 makes of the seed the state of the first row.
func newRounding512() rounding512 {
	r := rounding512{ZMM(), ZMM(), ZMM()}
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
	x := r.state
	mix(x, ZMM, func(y VecVirtual) { VPXORD(y, x, x) }, func(by Mem) { VPMULLD_BCST(by, x, x) })
	return r
}

// mix makes states of seeds, as ../rounding.go does.
func mix(x VecVirtual, vector func() VecVirtual, xor func(y VecVirtual), multiply func(by Mem)) {
	for i, n := range []uint64{16, 15, 16} {
		y := vector()
		VPSRLD(Imm(n), x, y)
		xor(y)
		if i < 2 {
			multiply(c.hash[i])
		}
	}
}

// round rounds errors that are a weight divided by y: it returns the pairs whose error does not become 0, and
// makes those y smaller whose error becomes the threshold.
func (r rounding512) round(y VecVirtual, pairs OpmaskVirtual) (kept OpmaskVirtual) {
	uniform := ZMM()
	kept = K()
	VPSRLD(Imm(8), r.state, uniform)
	VCVTDQ2PS(uniform, uniform)
	VPMULLD_BCST(c.multiplier, r.state, r.state)
	VPADDD_BCST(c.weyl, r.state, r.state)
	VMULPS(y, uniform, uniform)
	VCMPPS(Imm(notGreaterOrEqual), r.limit, uniform, pairs, kept)
	VMINPS(y, r.inverse, y) // NaN stays
	return kept
}

func avx512Losses() {
	s := newScored512()
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
	returnSum(addHalves512(lost))
}
