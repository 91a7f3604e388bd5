package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// avx2Transpose takes four numbers of 8 rows at a time, first of the rows 0 to 7, then
// of the others: each register has those of rows q and q+4, so that what is left to
// transpose are the four numbers in each half.
func avx2Transpose(m masks256) {
	function("transposeAVX2", transposeSignature,
		"transposeAVX2 is Transpose for n ≥ 1 rows of cols ≥ 1 numbers; stride is in bytes.")
	m.transposeHalf(0)
	CMPQ(paramAt("n"), Imm(lanes256))
	JLE(LabelRef("done"))
	m.transposeHalf(1)
	Label("done")
	VZEROUPPER()
	RET()
}

// transposeHalf transposes the rows of one half of the lanes, of which there is one at
// least.
func (m masks256) transposeHalf(half int) {
	name := func(s string) string { return fmt.Sprintf("%s%d", s, half) }
	// Rows that lack are the last one again.
	var rows []GPVirtual
	{
		n, stride, p := param("n"), param("stride"), param("h")
		if half > 0 {
			skip := GP64()
			MOVQ(stride, skip)
			SHLQ(Imm(3), skip)
			ADDQ(skip, p)
			SUBQ(Imm(lanes256), n)
		}
		for k := range lanes256 {
			row, next := GP64(), GP64()
			MOVQ(p, row)
			rows = append(rows, row)
			LEAQ(Mem{Base: p, Index: stride, Scale: 1}, next)
			CMPQ(n, U8(k+1))
			CMOVQGT(next, p)
		}
	}
	dst, left, off := param("dst"), param("cols"), GP64()
	XORQ(off, off)
	// columns transposes four, which load and insert bring, and calls stored after each.
	columns := func(load, insert func(m Mem, v VecVirtual), stored func()) {
		v := ymms(4)
		for q := range v {
			load(Mem{Base: rows[q], Index: off, Scale: 1}, v[q])
			insert(Mem{Base: rows[q+4], Index: off, Scale: 1}, v[q])
		}
		ab, AB, cd, CD := YMM(), YMM(), YMM(), YMM()
		VUNPCKLPS(v[1], v[0], ab)
		VUNPCKHPS(v[1], v[0], AB)
		VUNPCKLPS(v[3], v[2], cd)
		VUNPCKHPS(v[3], v[2], CD)
		column := func(k int, unpack func(...Op), a, b VecVirtual) {
			out := YMM()
			unpack(b, a, out)
			VMOVUPS(out, Mem{Base: dst, Disp: 64*k + 32*half})
			stored()
		}
		column(0, VUNPCKLPD, ab, cd)
		column(1, VUNPCKHPD, ab, cd)
		column(2, VUNPCKLPD, AB, CD)
		column(3, VUNPCKHPD, AB, CD)
	}
	Label(name("four"))
	SUBQ(Imm(4), left)
	JLT(LabelRef(name("rest")))
	columns(
		func(m Mem, v VecVirtual) { VBROADCASTF128(m, v) }, // to avo, loading half of v would keep the other
		func(m Mem, v VecVirtual) { VINSERTF128(Imm(1), m, v, v) },
		func() {})
	ADDQ(Imm(16), off)
	ADDQ(U32(256), dst)
	JMP(LabelRef(name("four")))
	Label(name("rest"))
	ADDQ(Imm(4), left)
	JZ(LabelRef(name("done")))
	mask := YMM()
	{
		end, count := GP64(), GP64()
		LEAQ(m.end, end)
		MOVQ(left, count)
		NEGQ(count)
		VMOVUPS(Mem{Base: end, Index: count, Scale: 4}, mask)
	}
	columns(
		func(m Mem, v VecVirtual) { VMASKMOVPS(m, mask, v) },
		func(m Mem, v VecVirtual) {
			part := YMM()
			VMASKMOVPS(m, mask, part)
			VINSERTF128(Imm(1), part.AsX(), v, v)
		},
		func() {
			DECQ(left)
			JZ(LabelRef(name("done")))
		})
	Label(name("done"))
}

// mostScored256 is of how many rows the scores are kept in registers, for 16 lanes
// each: with the lanes' numbers and a row's they take 15 of 16.
const mostScored256 = 6

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

// avx2Scores stores the scores that avx2Errors makes errors of.
func avx2Scores() {
	function("scoresAVX2", scoresSignature,
		"scoresAVX2 is Scores for n ≥ 1 rows of cols ≥ 1 numbers; stride is in bytes.")
	s := scores256{left: spill("n"), rows: spill("rows"), g: spill("out")}
	s.each(func(size int, scores [][]VecVirtual) {
		to := GP64()
		MOVQ(s.g, to)
		for k, halves := range scores {
			for half, x := range halves {
				VMOVUPS(x, Mem{Base: to, Disp: 64*k + 32*half})
			}
			if k+1 < size {
				CMPQ(s.left, Imm(uint64(k+1)))
				JE(LabelRef("done"))
			}
		}
		advance(s.rows, 4*size)
		advance(s.g, 64*size)
		SUBQ(Imm(uint64(size)), s.left)
		JNZ(LabelRef("rows"))
		JMP(LabelRef("done"))
	})
	Label("done")
	VZEROUPPER()
	RET()
}

// scores256 is where things stand, in the frame: how many rows are left and what
// belongs to them, how many of these were taken and their scores, the loss of all
// before.
type scores256 struct {
	c                   constants
	left, g, with, rows Mem
	taken, scores, lost Mem
}

// each lays out code for six, four or two rows, as many as are left: body, for each of
// these, begins with their scores and must go on elsewhere.
func (s scores256) each(body func(size int, scores [][]VecVirtual)) {
	Label("rows")
	CMPQ(s.left, Imm(2))
	JLE(LabelRef("upTo2"))
	CMPQ(s.left, Imm(4))
	JLE(LabelRef("upTo4"))
	body(mostScored256, s.score(mostScored256))
	Label("upTo4")
	body(4, s.score(4))
	Label("upTo2")
	body(2, s.score(2))
}

// score lays out code that makes the scores of a number of rows, by halves of the lanes.
func (s scores256) score(size int) [][]VecVirtual {
	name := func(s string) string { return fmt.Sprintf("%s%d", s, size) }
	// Rows that lack are the last one again.
	var p []GPVirtual
	{
		ids, last := GP64(), GP64()
		MOVQ(s.rows, ids)
		MOVQ(s.left, last)
		DECQ(last)
		for k := range size {
			at, i := GP64(), GP64()
			MOVQ(U32(uint32(k)), i)
			CMPQ(i, last)
			CMOVQGT(last, i)
			rowAddress(at, Mem{Base: ids, Index: i, Scale: 4}, paramAt("stride"), paramAt("data"))
			p = append(p, at)
		}
	}
	sums := max(1, 4/size) // sums for each score, so that there are eight vectors at least
	acc := make([][][]VecVirtual, sums)
	for u := range acc {
		for range p {
			halves := ymms(2)
			acc[u] = append(acc[u], halves)
			for _, a := range halves {
				VXORPS(a, a, a)
			}
		}
	}
	h, off, left := param("transposed"), GP64(), param("cols")
	XORQ(off, off)
	step := func(u int) {
		hv := ymms(2)
		for half := range hv {
			VMOVUPS(Mem{Base: h, Disp: 64*u + 32*half}, hv[half])
		}
		for k := range p {
			x := YMM()
			VBROADCASTSS(Mem{Base: p[k], Index: off, Scale: 1, Disp: 4 * u}, x)
			for half := range hv {
				VFMADD231PS(hv[half], x, acc[u%sums][k][half])
			}
		}
	}
	const unrolled = 4
	Label(name("four"))
	SUBQ(Imm(unrolled), left)
	JLT(LabelRef(name("rest")))
	for u := range unrolled {
		step(u)
	}
	ADDQ(Imm(4*unrolled), off)
	ADDQ(U32(64*unrolled), h)
	JMP(LabelRef(name("four")))
	Label(name("rest"))
	ADDQ(Imm(unrolled), left)
	JZ(LabelRef(name("store")))
	Label(name("one"))
	step(0)
	ADDQ(Imm(4), off)
	ADDQ(Imm(64), h)
	DECQ(left)
	JNZ(LabelRef(name("one")))
	Label(name("store"))
	for k := range p {
		for half := range 2 {
			for u := 1; u < sums; u++ {
				VADDPS(acc[u][k][half], acc[0][k][half], acc[0][k][half])
			}
		}
	}
	return acc[0]
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
