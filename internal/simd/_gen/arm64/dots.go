package main

import "fmt"

// dots goes through all pairs of rows by tiles of four of each. A pair's products are
// added in the same order wherever in a tile it is, so its sum has the same bits.
func (a *asm) dots() {
	p := a.params("out outStride h hStride nh data stride n cols")
	out, outStride, h, hStride, nh := p[0], p[1], p[2], p[3], p[4]
	data, stride, n, cols := p[5], p[6], p[7], p[8]
	row, left, at := a.reg(), a.reg(), a.reg()
	vectors, bytes, count, step := a.reg(), a.reg(), a.reg(), a.reg()
	hp, bp := a.four(), a.four()
	a.op("LSR", "$2, %v, %v", cols, vectors)
	a.op("LSL", "$2, %v, %v", cols, bytes)

	a.label("centres")
	a.addresses(hp, h, hStride, nh, step)
	a.op("MOVD", "%v, %v", data, row)
	a.op("MOVD", "%v, %v", n, left)
	a.op("MOVD", "%v, %v", out, at)

	a.label("columns")
	a.addresses(bp, row, stride, left, step)
	acc := func(i, j int) vec { return vec(4*i + j) }
	each(16*lanes, func(k vec) { a.zero(k) })
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
	a.again(count, "vector")
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
	a.branch("BGT", "columns", "SUBS", "$4, %v", left)
	a.op("ADD", "%v<<2, %v", hStride, h)
	a.op("ADD", "%v<<2, %v", outStride, out)
	a.branch("BGT", "centres", "SUBS", "$4, %v", nh)
}

// addresses sets to to those of four rows from first on, of which some are left. A row behind the last one is
// the last one again.
func (a *asm) addresses(to [4]gpr, first, stride, left, step gpr) {
	a.op("MOVD", "%v, %v", first, to[0])
	for k := 1; k < 4; k++ {
		a.op("CMP", "$%d, %v", k, left)
		a.op("CSEL", "GT, %v, ZR, %v", stride, step)
		a.op("ADD", "%v, %v, %v", step, to[k-1], to[k])
	}
}

// storeTile stores those numbers of a tile, a row in a register, that are there:
// at most rows by cols of four by four. p and q are lost.
func (a *asm) storeTile(v [4]vec, at, stride, rows, cols, p, q gpr) {
	next := func(k int) {
		if k > 0 {
			a.branch("BLE", "stored", "CMP", "$%d, %v", k, rows)
			a.op("ADD", "%v, %v", stride, p)
		}
	}
	a.op("MOVD", "%v, %v", at, p)
	a.branch("BLT", "few", "CMP", "$4, %v", cols)
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
				a.branch("BLE", fmt.Sprintf("row%d", k), "CMP", "$%d, %v", j, cols)
			}
			a.op("VST1.P", "%v.S[%d], 4(%v)", v[k], j, q)
		}
		a.label(fmt.Sprintf("row%d", k))
	}
	a.label("stored")
}

// pairs makes the dot products of four pairs of rows side by side, then of one at a time; they are made alike.
func (a *asm) pairs() {
	p := a.params("out a aStride aRows data stride rows n cols")
	out, base, aStride, aRows, data, stride, rows, left, cols := p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8]
	count := a.reg()
	var ap, bp [4]gpr
	for k := range ap {
		ap[k], bp[k] = a.reg(), a.reg()
	}
	body := func(size int) {
		name := func(s string) string { return fmt.Sprintf("%s%d", s, size) }
		// Two sums for each pair, of every other vector.
		acc := func(k, sum int) vec { return vec(2*k + sum) }
		for k := range size {
			a.row(aRows, aStride, base, ap[k])
			a.row(rows, stride, data, bp[k])
			a.zero(acc(k, 0))
			a.zero(acc(k, 1))
		}
		multiply := func(floats int) {
			x, y := func(k int) vec { return vec(8 + 2*k) }, func(k int) vec { return vec(16 + 2*k) }
			for k := range size {
				a.loadNext(ap[k], x(k), floats)
				a.loadNext(bp[k], y(k), floats)
			}
			for k := range size {
				each(floats, func(c vec) { a.fmla(acc(k, int(c)), x(k)+c, y(k)+c) })
			}
		}
		a.op("LSR", "$3, %v, %v", cols, count)
		a.op("CBZ", "%v, %s", count, name("rest"))
		a.op("PCALIGN", "$16")
		a.label(name("eight"))
		multiply(2 * lanes)
		a.again(count, name("eight"))
		a.label(name("rest"))
		for bit := 2; bit >= 0; bit-- {
			without := fmt.Sprintf("without%d_%d", 1<<bit, size)
			a.op("TBZ", "$%d, %v, %s", bit, cols, without)
			multiply(1 << bit)
			a.label(without)
		}
		for k := range size {
			a.fadd(acc(k, 0), acc(k, 0), acc(k, 1))
		}
		last := size - 1
		a.faddp(acc(0, 0), acc(0, 0), acc(min(1, last), 0))
		a.faddp(acc(1, 0), acc(min(2, last), 0), acc(min(3, last), 0))
		a.faddp(acc(0, 0), acc(0, 0), acc(1, 0))
		a.storeNext(out, acc(0, 0), size)
	}
	a.label("four")
	a.branch("BLT", "few", "SUBS", "$4, %v", left)
	body(4)
	a.op("B", "four")
	a.label("few")
	a.branch("BEQ", "done", "ADDS", "$4, %v", left)
	a.label("one")
	body(1)
	a.again(left, "one")
	a.label("done")
}

// transpose takes four rows at a time, and so a quarter of what is written for each column.
func (a *asm) transpose() {
	p := a.params("dst h stride n cols")
	dst, h, stride, n, cols := p[0], p[1], p[2], p[3], p[4]
	at, left, step := a.reg(), a.reg(), a.reg()
	rows := a.four()
	a.label("rows")
	a.note("A row behind the last one is the last one again.")
	a.addresses(rows, h, stride, n, step)
	a.op("MOVD", "%v, %v", dst, at)
	a.branch("BLT", "few", "SUBS", "$4, %v, %v", cols, left)
	a.op("MOVD", "$%d, %v", 4*blockLanes, step)
	a.op("PCALIGN", "$16")
	a.label("four")
	for k, row := range rows {
		a.loadNext(row, vec(k), lanes)
	}
	// Columns 0 and 1, then 2 and 3, of two rows each, then columns of four.
	zip := func(which, arrangement string, d, n, m vec) {
		a.op("VZIP"+which, "%v.%s, %v.%s, %v.%s", m, arrangement, n, arrangement, d, arrangement)
	}
	zip("1", "S4", 4, 0, 1)
	zip("2", "S4", 5, 0, 1)
	zip("1", "S4", 6, 2, 3)
	zip("2", "S4", 7, 2, 3)
	for k := range vec(4) {
		zip([]string{"1", "2"}[k%2], "D2", 16+k, 4+k/2, 6+k/2)
		a.op("VST1.P", "[%v.S4], (%v)(%v)", 16+k, at, step)
	}
	a.branch("BGE", "four", "SUBS", "$4, %v", left)
	a.label("few")
	a.branch("BEQ", "done", "ADDS", "$4, %v", left)
	a.label("one")
	for k, row := range rows {
		a.op("VLD1.P", "4(%v), V0.S[%d]", row, k)
	}
	a.op("VST1", "[V0.S4], (%v)", at)
	a.op("ADD", "$%d, %v", 4*blockLanes, at)
	a.again(left, "one")
	a.label("done")
	a.op("ADD", "$16, %v", dst)
	a.op("ADD", "%v<<2, %v", stride, h)
	a.branch("BGT", "rows", "SUBS", "$4, %v", n)
}
