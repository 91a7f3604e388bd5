package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// scoring is where things stand, in the frame: how many rows are left, and where these and their scores are.
type scoring struct{ left, rows, out Mem }

// each lays out code for as many rows at a time as the first of sizes says, or the second or third if no more
// are left. score lays out code that makes their scores: for each row, in one register or two.
func (s scoring) each(sizes [3]int, score func(size int) [][]VecVirtual) {
	upTo := func(size int) string { return fmt.Sprintf("upTo%d", size) }
	Label("rows")
	for _, size := range []int{sizes[2], sizes[1]} {
		compare(s.left, Imm(uint64(size)), JLE, LabelRef(upTo(size)))
	}
	for i, size := range sizes {
		if i > 0 {
			Label(upTo(size))
		}
		scores, to := score(size), loaded(s.out)
		for k, parts := range scores {
			storeAll(parts, Mem{Base: to, Disp: 64 * k}, 32)
			if k+1 < size {
				compare(s.left, Imm(uint64(k+1)), JE, LabelRef("done"))
			}
		}
		advance(s.rows, 4*size)
		advance(s.out, 64*size)
		SUBQ(Imm(uint64(size)), s.left)
		JNZ(LabelRef("rows"))
		JMP(LabelRef("done"))
	}
	Label("done")
}

// avx2Scores multiplies number k of a few rows by the lanes' numbers k. Six rows of 16 lanes each are the most
// that registers have room for: with the lanes' numbers and a row's they take 15 of 16.
func avx2Scores() {
	s := scores256{scoring{left: spill("n"), rows: spill("rows"), out: spill("out")}}
	s.each([3]int{6, 4, 2}, s.score)
}

type scores256 struct{ scoring }

// score lays out code that makes the scores of a number of rows, by halves of the lanes.
func (s scores256) score(size int) [][]VecVirtual {
	name := func(s string) string { return fmt.Sprintf("%s%d", s, size) }
	// Rows that lack are the last one again.
	var p []GPVirtual
	{
		ids, last := loaded(s.rows), loaded(s.left)
		DECQ(last)
		for k := range size {
			at, i := GP64(), loaded(U32(uint32(k)))
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
		loadAll(hv, Mem{Base: h, Disp: 64 * u}, 32)
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
	again(left, LabelRef(name("one")))
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

// scores512 also has the last row, and how many numbers are taken four at a time and one at a time.
type scores512 struct {
	scoring
	last, colsFour, colsRest, fours Mem
	zero                            VecVirtual
}

func avx512Scores() {
	zero := ZMM()
	VPXORD(zero, zero, zero)
	s := scores512{
		scoring: scoring{left: spill("n"), rows: spill("rows")}, last: local(),
		colsFour: local(), colsRest: local(), fours: local(), zero: zero,
	}
	cols, rest := param("cols"), GP64()
	MOVQ(cols, rest)
	ANDQ(Imm(3), rest)
	MOVQ(rest, s.colsRest)
	SHRQ(Imm(2), cols)
	MOVQ(cols, s.colsFour)
	s.out = spill("out")
	s.each([3]int{12, 8, 4}, s.score)
}

// score lays out code that makes the scores of a number of rows: number k of each row is
// multiplied by the lanes' numbers k.
func (s scores512) score(size int) (scores [][]VecVirtual) {
	name := func(s string) string { return fmt.Sprintf("%s%d", s, size) }
	{
		n := loaded(s.left)
		DECQ(n)
		MOVQ(n, s.last)
	}
	// Rows that lack are the last one again.
	var p []GPVirtual
	for k := range size {
		at, i := GP64(), loaded(U32(uint32(k)))
		CMPQ(i, s.last)
		CMOVQGT(s.last, i)
		MOVQ(s.rows, at)
		rowAddress(at, Mem{Base: at, Index: i, Scale: 4}, paramAt("stride"), paramAt("data"))
		p = append(p, at)
	}
	h, off := param("transposed"), zeroed()
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
		n := loaded(s.colsFour)
		MOVQ(n, s.fours)
		test(n, JZ, LabelRef(name("rest")))
	}
	Label(name("four"))
	for u := range 4 {
		step(u)
	}
	ADDQ(Imm(16), off)
	ADDQ(U32(256), h)
	again(s.fours, LabelRef(name("four")))
	Label(name("rest"))
	n := loaded(s.colsRest)
	test(n, JZ, LabelRef(name("scores")))
	Label(name("one"))
	step(0)
	ADDQ(Imm(4), off)
	ADDQ(Imm(64), h)
	again(n, LabelRef(name("one")))
	Label(name("scores"))
	for u := 1; u < sums; u++ {
		for k := range p {
			VADDPS(acc[u][k], acc[0][k], acc[0][k])
		}
	}
	for _, sum := range acc[0] {
		scores = append(scores, []VecVirtual{sum})
	}
	return scores
}

// avx2Transpose takes four numbers of 8 rows at a time, first of the rows 0 to 7, then of the others: each
// register has those of rows q and q+4, so that what is left to transpose are the four numbers in each half.
func avx2Transpose() {
	m.transposeHalf(0)
	compare(paramAt("n"), Imm(lanes256), JLE, LabelRef("done"))
	m.transposeHalf(1)
	Label("done")
}

// storeColumns transposes the four numbers in each part of four vectors, stores the columns, and calls stored
// after each.
func storeColumns(v []VecVirtual, vector func() VecVirtual, to Mem, stored func()) {
	ab, AB, cd, CD := vector(), vector(), vector(), vector()
	VUNPCKLPS(v[1], v[0], ab)
	VUNPCKHPS(v[1], v[0], AB)
	VUNPCKLPS(v[3], v[2], cd)
	VUNPCKHPS(v[3], v[2], CD)
	for k, half := range [][2]VecVirtual{{ab, cd}, {ab, cd}, {AB, CD}, {AB, CD}} {
		out := vector()
		[]func(...Op){VUNPCKLPD, VUNPCKHPD}[k%2](half[1], half[0], out)
		VMOVUPS(out, to.Offset(64*k))
		stored()
	}
}

// transposeHalf transposes the rows of one half of the lanes, of which there is one at least.
func (m masks256) transposeHalf(half int) {
	name := func(s string) string { return fmt.Sprintf("%s%d", s, half) }
	// Rows that lack are the last one again.
	var rows []GPVirtual
	{
		n, stride, p := param("n"), param("stride"), param("h")
		if half > 0 {
			skip := loaded(stride)
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
	dst, left, off := param("dst"), param("cols"), zeroed()
	// columns transposes four, which load and insert bring, and calls stored after each.
	columns := func(load, insert func(m Mem, v VecVirtual), stored func()) {
		v := ymms(4)
		for q := range v {
			load(Mem{Base: rows[q], Index: off, Scale: 1}, v[q])
			insert(Mem{Base: rows[q+4], Index: off, Scale: 1}, v[q])
		}
		storeColumns(v, YMM, Mem{Base: dst, Disp: 32 * half}, stored)
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

// avx512Transpose takes four numbers of 16 rows at a time: each register has those of rows q, q+4, q+8 and
// q+12, so that what is left to transpose are the four numbers in each quarter.
func avx512Transpose() {
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
	off := zeroed()
	// columns transposes up to four, which load and insert bring.
	columns := func(load func(m Mem, v VecVirtual), insert func(quarter int, m Mem, v VecVirtual)) {
		v := zmms(4)
		for q := range v {
			for quarter := range 4 {
				row := loaded(at[q+4*quarter])
				m := Mem{Base: row, Index: off, Scale: 1}
				if quarter == 0 {
					load(m, v[q])
				} else {
					insert(quarter, m, v[q])
				}
			}
		}
		storeColumns(v, ZMM, Mem{Base: dst}, func() {
			DECQ(left)
			JZ(LabelRef("done"))
		})
	}
	Label("four")
	compare(left, Imm(4), JLT, LabelRef("rest"))
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
}
