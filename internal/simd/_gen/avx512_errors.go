package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// avx512Transpose takes four numbers of 16 rows at a time: each register has
// those of rows q, q+4, q+8 and q+12, so that what is left to transpose are the four
// numbers in each quarter.
func avx512Transpose() {
	function("transposeAVX512", transposeSignature,
		"transposeAVX512 is Transpose for n ≥ 1 rows of cols ≥ 1 numbers; stride is in bytes.")
	dst, left := param("dst"), param("cols")
	// The places of rows, in the frame: the last one again for rows that lack.
	n, stride, p := param("n"), param("stride"), param("h")
	var at []Mem
	for i := range 16 {
		m := local()
		MOVQ(p, m)
		at = append(at, m)
		next := GP64()
		LEAQ(Mem{Base: p, Index: stride, Scale: 1}, next)
		CMPQ(n, U8(i+1))
		CMOVQGT(next, p)
	}
	off := GP64()
	XORQ(off, off)
	// columns transposes up to four, which load and insert bring.
	columns := func(load func(m Mem, v VecVirtual), insert func(quarter int, m Mem, v VecVirtual)) {
		v := zmms(4)
		for q := range v {
			for quarter := range 4 {
				row := GP64()
				MOVQ(at[q+4*quarter], row)
				m := Mem{Base: row, Index: off, Scale: 1}
				if quarter == 0 {
					load(m, v[q])
				} else {
					insert(quarter, m, v[q])
				}
			}
		}
		ab, AB, cd, CD := ZMM(), ZMM(), ZMM(), ZMM()
		VUNPCKLPS(v[1], v[0], ab)
		VUNPCKHPS(v[1], v[0], AB)
		VUNPCKLPS(v[3], v[2], cd)
		VUNPCKHPS(v[3], v[2], CD)
		column := func(k int, unpack func(...Op), a, b VecVirtual) {
			out := ZMM()
			unpack(b, a, out)
			VMOVUPS(out, Mem{Base: dst, Disp: 64 * k})
			DECQ(left)
			JZ(LabelRef("done"))
		}
		column(0, VUNPCKLPD, ab, cd)
		column(1, VUNPCKHPD, ab, cd)
		column(2, VUNPCKLPD, AB, CD)
		column(3, VUNPCKHPD, AB, CD)
	}
	Label("four")
	CMPQ(left, Imm(4))
	JLT(LabelRef("rest"))
	columns(
		func(m Mem, v VecVirtual) { VMOVUPS(m, v.AsX()) },
		func(quarter int, m Mem, v VecVirtual) { VINSERTF32X4(Imm(uint64(quarter)), m, v, v) })
	ADDQ(Imm(16), off)
	ADDQ(U32(256), dst)
	JMP(LabelRef("four"))
	Label("rest")
	mask := K()
	KMOVW(ones(left).As32(), mask)
	columns(
		func(m Mem, v VecVirtual) { VMOVUPS_Z(m, mask, v.AsX()) },
		func(quarter int, m Mem, v VecVirtual) {
			part := XMM()
			VMOVUPS_Z(m, mask, part)
			VINSERTF32X4(Imm(uint64(quarter)), part, v, v)
		})
	Label("done")
	VZEROUPPER()
	RET()
}

// scores512 is where things stand, in the frame: how many rows are left and which, and
// how many numbers of theirs are taken four at a time and one at a time.
type scores512 struct {
	left, rows, last          Mem
	colsFour, colsRest, fours Mem
	zero                      VecVirtual
}

func newScores512(zero VecVirtual) scores512 {
	s := scores512{
		left: spill("n"), rows: spill("rows"), last: local(),
		colsFour: local(), colsRest: local(), fours: local(), zero: zero,
	}
	cols, rest := param("cols"), GP64()
	MOVQ(cols, rest)
	ANDQ(Imm(3), rest)
	MOVQ(rest, s.colsRest)
	SHRQ(Imm(2), cols)
	MOVQ(cols, s.colsFour)
	return s
}

// score lays out code that makes the scores of a number of rows: number k of each row is
// multiplied by the lanes' numbers k.
func (s scores512) score(size int) []VecVirtual {
	name := func(s string) string { return fmt.Sprintf("%s%d", s, size) }
	{
		n := GP64()
		MOVQ(s.left, n)
		DECQ(n)
		MOVQ(n, s.last)
	}
	// Rows that lack are the last one again.
	var p []GPVirtual
	for k := range size {
		at, i := GP64(), GP64()
		MOVQ(U32(uint32(k)), i)
		CMPQ(i, s.last)
		CMOVQGT(s.last, i)
		MOVQ(s.rows, at)
		rowAddress(at, Mem{Base: at, Index: i, Scale: 4}, paramAt("stride"), paramAt("data"))
		p = append(p, at)
	}
	h, off := param("transposed"), GP64()
	XORQ(off, off)
	sums := max(1, 8/size) // sums for each row, so that there are eight at least
	acc := make([][]VecVirtual, sums)
	for u := range acc {
		acc[u] = zmms(size)
		for _, a := range acc[u] {
			VMOVAPS(s.zero, a) // to avo, a VPXORD would read what it zeroes
		}
	}
	step := func(u int) {
		hv := ZMM()
		VMOVUPS(Mem{Base: h, Disp: 64 * u}, hv)
		for k := range p {
			VFMADD231PS_BCST(Mem{Base: p[k], Index: off, Scale: 1, Disp: 4 * u}, hv, acc[u%sums][k])
		}
	}
	{
		n := GP64()
		MOVQ(s.colsFour, n)
		MOVQ(n, s.fours)
		TESTQ(n, n)
		JZ(LabelRef(name("rest")))
	}
	Label(name("four"))
	for u := range 4 {
		step(u)
	}
	ADDQ(Imm(16), off)
	ADDQ(U32(256), h)
	DECQ(s.fours)
	JNZ(LabelRef(name("four")))
	Label(name("rest"))
	n := GP64()
	MOVQ(s.colsRest, n)
	TESTQ(n, n)
	JZ(LabelRef(name("scores")))
	Label(name("one"))
	step(0)
	ADDQ(Imm(4), off)
	ADDQ(Imm(64), h)
	DECQ(n)
	JNZ(LabelRef(name("one")))
	Label(name("scores"))
	for u := 1; u < sums; u++ {
		for k := range p {
			VADDPS(acc[u][k], acc[0][k], acc[0][k])
		}
	}
	return acc[0]
}

// each lays out code for twelve, eight or four rows at a time, until none are left:
// body lays it out for each of these. When none are left, it goes to "done".
func (s scores512) each(body func(size int)) {
	Label("rows")
	CMPQ(s.left, Imm(4))
	JLE(LabelRef("upTo4"))
	CMPQ(s.left, Imm(8))
	JLE(LabelRef("upTo8"))
	body(12)
	Label("upTo8")
	body(8)
	Label("upTo4")
	body(4)
	Label("done")
}

// avx512Scores stores the scores that avx512Errors makes errors of.
func avx512Scores() {
	function("scoresAVX512", scoresSignature,
		"scoresAVX512 is Scores for n ≥ 1 rows of cols ≥ 1 numbers; stride is in bytes.")
	zero := ZMM()
	VPXORD(zero, zero, zero)
	s := newScores512(zero)
	out := spill("out")
	s.each(func(size int) {
		scores, to := s.score(size), GP64()
		MOVQ(out, to)
		for k, x := range scores {
			VMOVUPS(x, Mem{Base: to, Disp: 64 * k})
			if k+1 < size {
				CMPQ(s.left, Imm(uint64(k+1)))
				JE(LabelRef("done"))
			}
		}
		advance(s.rows, 4*size)
		advance(out, 64*size)
		SUBQ(Imm(uint64(size)), s.left)
		JNZ(LabelRef("rows"))
		JMP(LabelRef("done"))
	})
	VZEROUPPER()
	RET()
}

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
