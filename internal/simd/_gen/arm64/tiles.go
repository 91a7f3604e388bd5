package main

import "fmt"

// tiles lays out the code of a function over all pairs of a row of h and a row of
// another matrix, by tiles of four of each.
type tiles struct {
	a *asm

	// Parameters of the function. out, h and nh move on with the rows of h.
	out, outStride, h, hStride, nh, n, cols gpr

	// first goes to the first row of the other matrix. addresses returns those of
	// its next four rows; where fewer are left, the last one's more than once.
	first     func()
	addresses func(to [4]gpr, left gpr)

	// use does what is to be done with a tile's sums: that of rows i and j is lane
	// j of sums[i]. It may change all of the registers it is given.
	use func(sums, scratch [4]vec, free [4][4]vec)

	left, at gpr // rows left of the other matrix; where the tile starts in out
	p, q     gpr // free in use
}

// emit writes the code. The registers up to V23 are its own. A pair's products are
// added in the same order wherever in a tile it is, so its sum has the same bits.
func (t *tiles) emit() {
	a := t.a
	vectors, bytes, count := a.reg(), a.reg(), a.reg()
	t.left, t.at = a.reg(), a.reg()
	var hp, bp [4]gpr
	for k := range hp {
		hp[k] = a.reg()
	}
	for k := range bp {
		bp[k] = a.reg()
	}
	t.p, t.q = bp[0], bp[1]
	a.op("LSR", "$2, %v, %v", t.cols, vectors)
	a.op("LSL", "$2, %v, %v", t.cols, bytes)

	a.label("centres")
	a.note("A row behind the last one is the last one again.")
	a.op("MOVD", "%v, %v", t.h, hp[0])
	for k := 1; k < 4; k++ {
		a.op("CMP", "$%d, %v", k, t.nh)
		a.op("CSEL", "GT, %v, ZR, %v", t.hStride, count)
		a.op("ADD", "%v, %v, %v", count, hp[k-1], hp[k])
	}
	t.first()
	a.op("MOVD", "%v, %v", t.n, t.left)
	a.op("MOVD", "%v, %v", t.out, t.at)

	a.label("columns")
	t.addresses(bp, t.left)
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
		a.op("TBZ", "$%d, %v, without%d", bit, t.cols, 1<<bit)
		multiply(1 << bit)
		a.label(fmt.Sprintf("without%d", 1<<bit))
	}
	for k := range hp {
		a.op("SUB", "%v, %v", bytes, hp[k])
	}
	a.note("The sums of the lanes.")
	var sums, scratch [4]vec
	var free [4][4]vec
	for i := range 4 {
		a.faddp(acc(i, 0), acc(i, 0), acc(i, 1))
		a.faddp(acc(i, 2), acc(i, 2), acc(i, 3))
	}
	for i := range 4 {
		a.faddp(acc(i, 0), acc(i, 0), acc(i, 2))
		sums[i] = acc(i, 0)
		free[i] = [4]vec{acc(i, 1), acc(i, 2), acc(i, 3), vec(16 + i)}
		scratch[i] = vec(20 + i)
	}
	t.use(sums, scratch, free)

	a.op("ADD", "$16, %v", t.at)
	a.op("SUBS", "$4, %v", t.left)
	a.op("BGT", "columns")
	a.op("ADD", "%v<<2, %v", t.hStride, t.h)
	a.op("ADD", "%v<<2, %v", t.outStride, t.out)
	a.op("SUBS", "$4, %v", t.nh)
	a.op("BGT", "centres")
}

// outRows lays out code for the tile's numbers in out: four for row k of out at p,
// or one by one, and then each must move p on. Only numbers that are there are
// treated.
func (t *tiles) outRows(prefix string, four func(p gpr, k int), one func(p gpr, k, j int)) {
	a := t.a
	next := func(k int) {
		if k > 0 {
			a.op("CMP", "$%d, %v", k, t.nh)
			a.op("BLE", "%sdone", prefix)
			a.op("ADD", "%v, %v", t.outStride, t.p)
		}
	}
	a.op("MOVD", "%v, %v", t.at, t.p)
	a.op("CMP", "$4, %v", t.left)
	a.op("BLT", "%sfew", prefix)
	for k := range 4 {
		next(k)
		four(t.p, k)
	}
	a.op("B", "%sdone", prefix)
	a.label(prefix + "few")
	for k := range 4 {
		next(k)
		a.op("MOVD", "%v, %v", t.p, t.q)
		for j := range 3 {
			if j > 0 {
				a.op("CMP", "$%d, %v", j, t.left)
				a.op("BLE", "%srow%d", prefix, k)
			}
			one(t.q, k, j)
		}
		a.label(fmt.Sprintf("%srow%d", prefix, k))
	}
	a.label(prefix + "done")
}

// store stores the numbers of a tile.
func (t *tiles) store(v [4]vec) {
	t.outRows("store",
		func(p gpr, k int) { t.a.op("VST1", "[%v.S4], (%v)", v[k], p) },
		func(p gpr, k, j int) { t.a.op("VST1.P", "%v.S[%d], 4(%v)", v[k], j, p) })
}

func (a *asm) dots() {
	p := a.function("dotsKernel", 0, "out outStride h hStride nh data stride n cols")
	data, stride := p[5], p[6]
	t := tiles{a: a, out: p[0], outStride: p[1], h: p[2], hStride: p[3], nh: p[4], n: p[7], cols: p[8]}
	row, step := a.reg(), a.reg()
	t.first = func() { a.op("MOVD", "%v, %v", data, row) }
	t.addresses = func(to [4]gpr, left gpr) {
		a.op("MOVD", "%v, %v", row, to[0])
		for k := 1; k < 4; k++ {
			a.op("CMP", "$%d, %v", k, left)
			a.op("CSEL", "GT, %v, ZR, %v", stride, step)
			a.op("ADD", "%v, %v, %v", step, to[k-1], to[k])
		}
		a.op("ADD", "%v<<2, %v", stride, row)
	}
	t.use = func(sums, _ [4]vec, _ [4][4]vec) { t.store(sums) }
	t.emit()
	a.op("RET", "")
}
