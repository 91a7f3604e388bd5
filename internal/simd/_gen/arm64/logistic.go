package main

// powers makes of scores 1+eᵗ, with t the score, for negative pairs negated.
func (a *asm) powers() {
	a.freeAll()
	p := a.params("scores n")
	scores, n := p[0], p[1]
	c := a.constants("powers", 5*blockVectors)
	power := a.newPower(c, blockVectors)
	c.end()
	a.eor(power.scale, power.scale, a.sign(0))
	a.op("PCALIGN", "$16")
	a.label("power")
	a.load(scores, power.scratch(0), blockLanes)
	power.exp()
	sum, of := power.scratch(0), power.scratch(1)
	power.each(func(k vec) { a.fadd(sum+k, of+k, power.one) })
	a.storeNext(scores, sum, blockLanes)
	a.op("SUB", "$1, %v", n)
	a.op("CBNZ", "%v, power", n)
}

// The generator of uniform numbers, as in ../../rounding.go.
const (
	weyl       = 0x9e3779b9
	multiplier = 0x93d765dd
	hash1      = 0x7feb352d
	hash2      = 0x846ca68b
)

// quotients makes of 1+eᵗ errors, the weight divided by it, which it rounds.
func (a *asm) quotients() {
	a.freeAll()
	p := a.params("scores with kept weights n")
	scores, with, kept, weights, n := p[0], p[1], p[2], p[3], p[4]
	mask := a.reg()
	const (
		y, quotient, step, pairs = vec(0), vec(blockVectors), vec(2 * blockVectors), vec(3 * blockVectors)
		state, w                 = vec(4 * blockVectors), vec(5 * blockVectors)
	)
	each := power{a: a, width: blockVectors}.each
	c := a.constants("quotients", state)
	var seeds []uint32
	for i := range uint32(blockLanes) {
		seeds = append(seeds, (i+1)*weyl)
	}
	c.lanes(seeds...)
	c.next = w + blockVectors
	limit, inverse, factor, step1, bits := c.reg(), c.reg(), c.bits(multiplier), c.bits(weyl), c.lanes(1, 2, 4, 8)[0].vec
	first, second, one, uniforms := c.bits(hash1), c.bits(hash2), c.number(1), y
	c.end()
	a.start(each, state, step, first, second)
	// Without rounding, what uniform numbers are compared with is not a number, and nothing is at
	// least that.
	a.op("FMOVS", "%s, F%d", a.at("threshold"), int(inverse))
	a.op("FMOVS", "$16777216.0, F%d", int(uniforms))
	a.op("FMULS", "F%d, F%d, F%d", int(inverse), int(uniforms), int(uniforms))
	a.op("FMULS", "F%d, F%d, F%d", int(inverse), int(inverse), int(limit))
	a.op("FDIVS", "F%d, F%d, F%d", int(limit), int(uniforms), int(limit))
	a.op("FDIVS", "F%d, F%d, F%d", int(inverse), int(one), int(inverse))
	a.dup(limit, lane{limit, 0})
	a.dup(inverse, lane{inverse, 0})
	flip := a.sign(step)
	a.load(weights, w, blockLanes)
	each(func(k vec) { a.eor(w+k, w+k, flip) })
	a.op("PCALIGN", "$16")
	a.label("error")
	a.load(scores, y, blockLanes)
	a.op("MOVHU.P", "2(%v), %v", with, mask)
	power{a: a, width: blockVectors}.pairs(pairs, mask, bits)
	each(func(k vec) { a.op("VUSHR", "$8, %v.S4, %v.S4", state+k, step+k) })
	each(func(k vec) { a.ucvtf(step+k, step+k) })
	each(func(k vec) { a.mul(state+k, state+k, factor) })
	each(func(k vec) { a.op("VADD", "%v.S4, %v.S4, %v.S4", step1, state+k, state+k) })
	each(func(k vec) { a.fmul(step+k, step+k, y+k) })
	each(func(k vec) { a.fcmge(step+k, step+k, limit) })
	each(func(k vec) { a.bic(pairs+k, pairs+k, step+k) })
	each(func(k vec) { a.fmin(y+k, y+k, inverse) })
	// Not fdiv: some processors would spend most of their time in it.
	each(func(k vec) { a.frecpe(quotient+k, y+k) })
	for range 2 {
		each(func(k vec) { a.frecps(step+k, quotient+k, y+k) })
		each(func(k vec) { a.fmul(quotient+k, quotient+k, step+k) })
	}
	each(func(k vec) { a.fmul(quotient+k, quotient+k, w+k) })
	each(func(k vec) { a.and(quotient+k, quotient+k, pairs+k) })
	a.storeNext(scores, quotient, blockLanes)
	each(func(k vec) { a.and(pairs+k, pairs+k, bits) })
	for k := vec(1); k < blockVectors; k++ {
		a.op("VSHL", "$%d, %v.S4, %v.S4", int(lanes*k), pairs+k, pairs+k)
		a.orr(pairs, pairs, pairs+k)
	}
	a.op("VADDV", "%v.S4, %v", pairs, pairs)
	a.op("VMOV", "%v.S[0], %v", pairs, mask)
	a.op("MOVH.P", "%v, 2(%v)", mask, kept)
	a.op("SUB", "$1, %v", n)
	a.op("CBNZ", "%v, error", n)
}

// start makes the generator's states of the first row of what the lanes' seeds begin with.
func (a *asm) start(each func(func(vec)), state, scratch, first, second vec) {
	seed := a.reg()
	a.op("MOVWU", "%s, %v", a.at("seed"), seed)
	a.op("VDUP", "%v, %v.S4", seed, scratch)
	each(func(k vec) { a.op("VADD", "%v.S4, %v.S4, %v.S4", scratch, state+k, state+k) })
	shift := func(n int) {
		each(func(k vec) { a.op("VUSHR", "$%d, %v.S4, %v.S4", n, state+k, scratch+k) })
		each(func(k vec) { a.eor(state+k, state+k, scratch+k) })
	}
	shift(16)
	each(func(k vec) { a.mul(state+k, state+k, first) })
	shift(15)
	each(func(k vec) { a.mul(state+k, state+k, second) })
	shift(16)
}

// losses returns the sum of the pairs' losses, w·log(1+e⁻ᵗ) with t as in powers. That is w·(log(1+u) + max(−t, 0)) with u = exp(−|t|).
func (a *asm) losses() {
	a.function("lossesKernel", "scores with weights n sign:4 ret:4")
	p := a.params("scores with weights n")
	scores, with, weights, n := p[0], p[1], p[2], p[3]
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
		a.loadNext(scores, x, width*lanes)
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
	a.op("RET", "")
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
