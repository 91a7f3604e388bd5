package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// mostScored256 is of how many rows the scores are kept in registers, for 16 lanes
// each: with the lanes' numbers and a row's they take 15 of 16.
const mostScored256 = 6

// avx2Scores multiplies number k of a few rows by the lanes' numbers k.
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

// scores256 is where things stand, in the frame: how many rows are left, and where these and their scores
// are.
type scores256 struct{ left, g, rows Mem }

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
