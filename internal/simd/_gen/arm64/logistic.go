package main

import "math"

// logistic makes errors of scores.
func (a *asm) logistic() {
	a.freeAll()
	p := a.params("out with weights n")
	out, with, weights, n := p[0], p[1], p[2], p[3]
	mask := a.reg()
	const w = vec(20)
	flip := a.sign(0)
	c := a.constants("errors", w+blockVectors)
	power := a.newPower(c, blockVectors, flip)
	bits := c.lanes(1, 2, 4, 8)[0].vec
	c.end()
	a.load(weights, w, blockLanes)
	power.each(func(k vec) { a.eor(w+k, w+k, flip) })
	a.op("PCALIGN", "$16")
	a.label("error")
	x, errors, step, pairs := power.scratch(0), power.scratch(1), power.scratch(2), power.scratch(3)
	a.load(out, x, blockLanes)
	a.op("MOVHU.P", "2(%v), %v", with, mask)
	power.scaled(x)
	power.sum()
	// Not fdiv: some processors would spend most of their time in it.
	power.each(func(k vec) { a.frecpe(errors+k, x+k) })
	for range 2 {
		power.each(func(k vec) { a.frecps(step+k, errors+k, x+k) })
		power.each(func(k vec) { a.fmul(errors+k, errors+k, step+k) })
	}
	power.each(func(k vec) { a.fmul(errors+k, errors+k, w+k) })
	power.pairs(pairs, mask, bits)
	power.each(func(k vec) { a.and(errors+k, errors+k, pairs+k) })
	a.storeNext(out, errors, blockLanes)
	a.op("SUB", "$1, %v", n)
	a.op("CBNZ", "%v, error", n)
}

// losses returns the sum of the pairs' losses, in bits: that of x is log₂(1+2ˣ) − x.
func (a *asm) losses() {
	a.freeAll()
	p := a.params("out with weights n")
	out, with, weights, n := p[0], p[1], p[2], p[3]
	row, mask := a.reg(), a.reg()
	const (
		width = 2
		x     = vec(5 * width)
		first = x + width // of constants
	)
	c := a.constants("losses", first)
	lost, flip := c.reg(), a.sign(c.reg())
	power := a.newPower(c, width, flip)
	terms := c.terms(log1pTerms, 1/math.Ln2)
	fraction := c.bits(1<<23 - 1)
	bias := c.bits(127)
	bits := c.lanes(1, 2, 4, 8)[0].vec
	c.end()
	a.zero(lost)
	a.label("loss")
	a.op("MOVD", "%v, %v", weights, row)
	a.op("MOVHU.P", "2(%v), %v", with, mask)
	for range blockVectors / width {
		a.loadNext(out, x, width*lanes)
		power.scaled(x)
		power.each(func(k vec) { a.op("VMOV", "%v.B16, %v.B16", x+k, k) })
		power.sum()
		a.note("1+2ˣ is 2ⁿ·(1+m); n − x comes first, as it cancels.")
		m, y, z, l := power.scratch(0), power.scratch(1), power.scratch(2), power.scratch(3)
		power.each(func(k vec) { a.op("VUSHR", "$23, %v.S4, %v.S4", m+k, l+k) })
		power.each(func(k vec) { a.op("VSUB", "%v.S4, %v.S4, %v.S4", bias, l+k, l+k) })
		power.each(func(k vec) { a.scvtf(l+k, l+k) })
		power.each(func(k vec) { a.fsub(l+k, l+k, x+k) })
		power.each(func(k vec) { a.and(m+k, m+k, fraction) })
		power.each(func(k vec) { a.op("VORR", "%v.B16, %v.B16, %v.B16", power.one, m+k, m+k) })
		power.each(func(k vec) { a.fsub(m+k, m+k, power.one) })
		last := len(terms) - 1
		power.each(func(k vec) { a.dup(y+k, terms[last]) })
		for i := last - 1; i >= 0; i-- {
			power.each(func(k vec) { a.dup(z+k, terms[i]) })
			power.each(func(k vec) { a.fmla(z+k, y+k, m+k) })
			y, z = z, y
		}
		power.each(func(k vec) { a.fmla(l+k, y+k, m+k) })
		a.loadNext(row, y, width*lanes)
		power.each(func(k vec) { a.eor(y+k, y+k, flip) })
		power.each(func(k vec) { a.fmul(l+k, l+k, y+k) })
		power.pairs(z, mask, bits)
		power.each(func(k vec) { a.and(l+k, l+k, z+k) })
		power.each(func(k vec) { a.fadd(lost, lost, l+k) })
	}
	a.op("SUB", "$1, %v", n)
	a.op("CBNZ", "%v, loss", n)
	a.faddp(lost, lost, lost)
	a.faddpScalar(lost, lost)
	a.op("FMOVS", "F%d, %s", int(lost), a.at("ret"))
}

// pairs sets the lanes of pairs to ones and others to 0, for the vectors that the last
// bits of with are of; bits are those of a vector's lanes. It moves with on.
func (p power) pairs(to vec, with gpr, bits vec) {
	a := p.a
	p.each(func(k vec) {
		a.op("VDUP", "%v, %v.S4", with, to+k)
		a.op("LSR", "$%d, %v", lanes, with)
	})
	p.each(func(k vec) { a.op("VCMTST", "%v.S4, %v.S4, %v.S4", bits, to+k, to+k) })
}
