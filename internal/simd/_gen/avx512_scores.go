package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

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
