package main

// logistic makes errors of scores: w/(1+eᵗ), with t the score, for negative pairs
// negated as w is.
func (a *asm) logistic() {
	a.freeAll()
	p := a.params("out with weights n")
	out, with, weights, n := p[0], p[1], p[2], p[3]
	mask := a.reg()
	const w = vec(20)
	c := a.constants("errors", w+blockVectors)
	power := a.newPower(c, blockVectors)
	bits := c.lanes(1, 2, 4, 8)[0].vec
	c.end()
	flip := a.sign(0)
	a.eor(power.scale, power.scale, flip)
	a.load(weights, w, blockLanes)
	power.each(func(k vec) { a.eor(w+k, w+k, flip) })
	a.op("PCALIGN", "$16")
	a.label("error")
	a.load(out, power.scratch(0), blockLanes)
	a.op("MOVHU.P", "2(%v), %v", with, mask)
	power.exp()
	sum, errors, step, pairs := power.scratch(0), power.scratch(1), power.scratch(2), power.scratch(3)
	power.each(func(k vec) { a.fadd(sum+k, errors+k, power.one) })
	// Not fdiv: some processors would spend most of their time in it.
	power.each(func(k vec) { a.frecpe(errors+k, sum+k) })
	for range 2 {
		power.each(func(k vec) { a.frecps(step+k, errors+k, sum+k) })
		power.each(func(k vec) { a.fmul(errors+k, errors+k, step+k) })
	}
	power.each(func(k vec) { a.fmul(errors+k, errors+k, w+k) })
	power.pairs(pairs, mask, bits)
	power.each(func(k vec) { a.and(errors+k, errors+k, pairs+k) })
	a.storeNext(out, errors, blockLanes)
	a.op("SUB", "$1, %v", n)
	a.op("CBNZ", "%v, error", n)
}

// losses returns the sum of the pairs' losses, w·log(1+e⁻ᵗ) with w and t as in
// logistic. That is w·(log(1+u) + max(−t, 0)) with u = exp(−|t|).
func (a *asm) losses() {
	a.freeAll()
	p := a.params("out with weights n")
	out, with, weights, n := p[0], p[1], p[2], p[3]
	row, mask := a.reg(), a.reg()
	const (
		width     = 2
		x         = vec(5 * width) // behind the scratch of exp
		registers = x + width      // for constants
	)
	c := a.constants("losses", registers)
	power := a.newPower(c, width)
	terms := c.terms(log1pTerms)
	minus := c.bits(1 << 31)
	bits := c.lanes(1, 2, 4, 8)[0].vec
	flip, away, lost := c.reg(), c.reg(), c.reg()
	c.end()
	a.sign(flip)
	a.eor(away, flip, minus)
	a.zero(lost)
	a.label("loss")
	a.op("MOVD", "%v, %v", weights, row)
	a.op("MOVHU.P", "2(%v), %v", with, mask)
	for range blockVectors / width {
		s, u, y, z, zero := power.scratch(0), power.scratch(1), power.scratch(2), power.scratch(3), power.scratch(4)
		a.loadNext(out, x, width*lanes)
		power.each(func(k vec) { a.orr(s+k, x+k, minus) })
		power.exp()
		a.zero(zero)
		power.each(func(k vec) { a.eor(x+k, x+k, away) })
		power.each(func(k vec) { a.fmax(x+k, x+k, zero) })
		last := len(terms) - 1
		power.each(func(k vec) { a.dup(y+k, terms[last]) })
		for i := last - 1; i >= 0; i-- {
			power.each(func(k vec) { a.dup(z+k, terms[i]) })
			power.each(func(k vec) { a.fmla(z+k, y+k, u+k) })
			y, z = z, y
		}
		power.each(func(k vec) { a.fmla(x+k, y+k, u+k) })
		a.loadNext(row, y, width*lanes)
		power.each(func(k vec) { a.eor(y+k, y+k, flip) })
		power.each(func(k vec) { a.fmul(x+k, x+k, y+k) })
		power.pairs(z, mask, bits)
		power.each(func(k vec) { a.and(x+k, x+k, z+k) })
		power.each(func(k vec) { a.fadd(lost, lost, x+k) })
	}
	a.op("SUB", "$1, %v", n)
	a.op("CBNZ", "%v, loss", n)
	a.faddp(lost, lost, lost)
	a.faddpScalar(lost, lost)
	a.op("FMOVS", "F%d, %s", int(lost), a.at("ret"))
}

// sign sets all lanes of v to the parameter.
func (a *asm) sign(v vec) vec {
	r := a.reg()
	a.op("MOVWU", "%s, %v", a.at("sign"), r)
	a.op("VDUP", "%v, %v.S4", r, v)
	return v
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
