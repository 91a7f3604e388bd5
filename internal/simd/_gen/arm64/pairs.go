package main

import "fmt"

// pairs makes the dot products of four pairs of rows side by side, then of one at a time;
// they are made alike.
func (a *asm) pairs() {
	a.function("pairsKernel", "out a aStride aRows data stride rows n cols")
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
				for c := range registers(floats) {
					a.fmla(acc(k, int(c)), x(k)+c, y(k)+c)
				}
			}
		}
		a.op("LSR", "$3, %v, %v", cols, count)
		a.op("CBZ", "%v, %s", count, name("rest"))
		a.op("PCALIGN", "$16")
		a.label(name("eight"))
		multiply(2 * lanes)
		a.op("SUB", "$1, %v", count)
		a.op("CBNZ", "%v, %s", count, name("eight"))
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
	a.op("SUBS", "$4, %v", left)
	a.op("BLT", "few")
	body(4)
	a.op("B", "four")
	a.label("few")
	a.op("ADDS", "$4, %v", left)
	a.op("BEQ", "done")
	a.label("one")
	body(1)
	a.op("SUB", "$1, %v", left)
	a.op("CBNZ", "%v, one", left)
	a.label("done")
	a.op("RET", "")
}
