package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// tile is what the code for a tile can ask for: how many of its rows of h and of
// its four rows of data are left, at least one, perhaps more than a tile has, and
// the place of row k's first number in out.
type tile struct {
	rowsLeft, colsLeft func() GPVirtual
	out                func(k int) Mem
}

// tiles lays out the code of a function that has parameters out, outStride, h,
// hStride, nh, n and cols: for every tile of the given number of rows of h and 4
// rows of data, use is called with what dots leaves in a register. Rows that a tile lacks are the last row again, so that all sums are
// made alike.
func tiles(rows int, dots func(hp, bp []GPVirtual) VecVirtual, use func(sums VecVirtual, t tile)) {
	outStride, hStride := spill("outStride"), spill("hStride")
	data, stride := spill("data"), spill("stride")
	n, nh, out, h := spill("n"), spill("nh"), spill("out"), spill("h")
	var outAt []Mem
	for range rows {
		outAt = append(outAt, local())
	}
	i, j := local(), local() // rows of h and of data done
	left := func(of, done Mem) GPVirtual {
		r := GP64()
		MOVQ(of, r)
		SUBQ(done, r)
		return r
	}
	// number returns done + k, or the last number if that is less.
	number := func(k int, done Mem, left GPVirtual) GPVirtual {
		at, last := GP64(), GP64()
		MOVQ(U32(uint32(k)), at)
		LEAQ(Mem{Base: left, Disp: -1}, last)
		CMPQ(at, last)
		CMOVQGT(last, at)
		ADDQ(done, at)
		return at
	}

	MOVQ(U32(0), i)
	Label("centres")
	var hp []GPVirtual
	hLeft := left(nh, i)
	for k := range rows {
		at, p := number(k, i, hLeft), GP64()
		MOVQ(at, p)
		IMULQ(hStride, p)
		ADDQ(h, p)
		hp = append(hp, p)
		IMULQ(outStride, at)
		ADDQ(out, at)
		MOVQ(at, outAt[k])
	}
	MOVQ(U32(0), j)
	Label("columns")
	var bp []GPVirtual
	dataLeft := left(n, j)
	for k := range 4 {
		p := GP64()
		MOVQ(number(k, j, dataLeft), p)
		IMULQ(stride, p)
		ADDQ(data, p)
		bp = append(bp, p)
	}
	use(dots(hp, bp), tile{
		rowsLeft: func() GPVirtual { return left(nh, i) },
		colsLeft: func() GPVirtual { return left(n, j) },
		out: func(k int) Mem {
			p, at := GP64(), GP64()
			MOVQ(outAt[k], p)
			MOVQ(j, at)
			return Mem{Base: p, Index: at, Scale: 4}
		},
	})
	CMPQ(advance(j, 4), n)
	JLT(LabelRef("columns"))
	CMPQ(advance(i, rows), nh)
	JLT(LabelRef("centres"))
}
