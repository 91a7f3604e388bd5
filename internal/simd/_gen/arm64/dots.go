package main

import "fmt"

// dots goes through all pairs of rows by tiles of four of each. A pair's products are
// added in the same order wherever in a tile it is, so its sum has the same bits.
func (a *asm) dots() {
	a.function("dotsKernel", "out outStride h hStride nh data stride n cols")
	p := a.params("out outStride h hStride nh data stride n cols")
	out, outStride, h, hStride, nh := p[0], p[1], p[2], p[3], p[4]
	data, stride, n, cols := p[5], p[6], p[7], p[8]
	row, left, at := a.reg(), a.reg(), a.reg()
	vectors, bytes, count, step := a.reg(), a.reg(), a.reg(), a.reg()
	var hp, bp [4]gpr
	for k := range hp {
		hp[k] = a.reg()
	}
	for k := range bp {
		bp[k] = a.reg()
	}
	// addresses sets to to those of four rows from first on, of which some are left.
	// A row behind the last one is the last one again.
	addresses := func(to [4]gpr, first, stride, left gpr) {
		a.op("MOVD", "%v, %v", first, to[0])
		for k := 1; k < 4; k++ {
			a.op("CMP", "$%d, %v", k, left)
			a.op("CSEL", "GT, %v, ZR, %v", stride, step)
			a.op("ADD", "%v, %v, %v", step, to[k-1], to[k])
		}
	}
	a.op("LSR", "$2, %v, %v", cols, vectors)
	a.op("LSL", "$2, %v, %v", cols, bytes)

	a.label("centres")
	addresses(hp, h, hStride, nh)
	a.op("MOVD", "%v, %v", data, row)
	a.op("MOVD", "%v, %v", n, left)
	a.op("MOVD", "%v, %v", out, at)

	a.label("columns")
	addresses(bp, row, stride, left)
	acc := func(i, j int) vec { return vec(4*i + j) }
	for k := range vec(16) {
		a.zero(k)
	}
	multiply := func(floats int) {
		h, b := vec(16), vec(20)
		for k := range 4 {
			a.loadNext(hp[k], h+vec(k), floats)
		}
		for k := range 4 {
			a.loadNext(bp[k], b+vec(k), floats)
		}
		for j := range 4 {
			for i := range 4 {
				a.fmla(acc(i, j), h+vec(i), b+vec(j))
			}
		}
	}
	a.op("MOVD", "%v, %v", vectors, count)
	a.op("CBZ", "%v, whole", count)
	a.op("PCALIGN", "$16")
	a.label("vector")
	multiply(lanes)
	a.op("SUB", "$1, %v", count)
	a.op("CBNZ", "%v, vector", count)
	a.label("whole")
	// The last one to three numbers, with zeros in the other lanes.
	for bit := 1; bit >= 0; bit-- {
		a.op("TBZ", "$%d, %v, without%d", bit, cols, 1<<bit)
		multiply(1 << bit)
		a.label(fmt.Sprintf("without%d", 1<<bit))
	}
	for k := range hp {
		a.op("SUB", "%v, %v", bytes, hp[k])
	}
	a.note("The sums of the lanes.")
	for i := range 4 {
		a.faddp(acc(i, 0), acc(i, 0), acc(i, 1))
		a.faddp(acc(i, 2), acc(i, 2), acc(i, 3))
	}
	var sums [4]vec
	for i := range sums {
		sums[i] = acc(i, 0)
		a.faddp(sums[i], sums[i], acc(i, 2))
	}
	a.storeTile(sums, at, outStride, nh, left, bp[0], bp[1])

	a.op("ADD", "%v<<2, %v", stride, row)
	a.op("ADD", "$16, %v", at)
	a.op("SUBS", "$4, %v", left)
	a.op("BGT", "columns")
	a.op("ADD", "%v<<2, %v", hStride, h)
	a.op("ADD", "%v<<2, %v", outStride, out)
	a.op("SUBS", "$4, %v", nh)
	a.op("BGT", "centres")
	a.op("RET", "")
}

// storeTile stores those numbers of a tile, a row in a register, that are there:
// at most rows by cols of four by four. p and q are lost.
func (a *asm) storeTile(v [4]vec, at, stride, rows, cols, p, q gpr) {
	next := func(k int) {
		if k > 0 {
			a.op("CMP", "$%d, %v", k, rows)
			a.op("BLE", "stored")
			a.op("ADD", "%v, %v", stride, p)
		}
	}
	a.op("MOVD", "%v, %v", at, p)
	a.op("CMP", "$4, %v", cols)
	a.op("BLT", "few")
	for k := range 4 {
		next(k)
		a.op("VST1", "[%v.S4], (%v)", v[k], p)
	}
	a.op("B", "stored")
	a.label("few")
	for k := range 4 {
		next(k)
		a.op("MOVD", "%v, %v", p, q)
		for j := range 3 {
			if j > 0 {
				a.op("CMP", "$%d, %v", j, cols)
				a.op("BLE", "row%d", k)
			}
			a.op("VST1.P", "%v.S[%d], 4(%v)", v[k], j, q)
		}
		a.label(fmt.Sprintf("row%d", k))
	}
	a.label("stored")
}
