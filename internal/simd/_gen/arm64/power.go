package main

import "math"

// power holds what 2ˣ of scores is computed with.
type power struct {
	a                              *asm
	width                          int // how many vectors are computed side by side
	scale, most, least, round, one vec
	terms                          []lane
}

// newPower loads its constants; flip is what changes the sign of scores.
func (a *asm) newPower(c *constants, width int, flip vec) power {
	p := power{
		a: a, width: width,
		scale: c.number(math.Log2E),
		most:  c.number(126),
		least: c.number(-126),
		round: c.number(1.5 * (1 << 23)), // to add it rounds to a whole number
		one:   c.number(1),
		terms: c.terms(exp2Terms, 1),
	}
	a.eor(p.scale, p.scale, flip)
	return p
}

// sign sets all lanes of v to the parameter.
func (a *asm) sign(v vec) vec {
	r := a.reg()
	a.op("MOVWU", "%s, %v", a.at("sign"), r)
	a.op("VDUP", "%v, %v.S4", r, v)
	return v
}

// scratch is the first of width registers; those of the first five kinds are for sum.
func (p power) scratch(kind int) vec { return vec(kind * p.width) }

// each writes an instruction for each vector, so that chains of instructions are run
// side by side.
func (p power) each(op func(k vec)) {
	for k := range vec(p.width) {
		op(k)
	}
}

// scaled makes of scores the x of which errors are w/(1+2ˣ): log₂ of e to the power of
// the score, negated for negative pairs. NaN stays.
func (p power) scaled(x vec) {
	p.each(func(k vec) { p.a.fmul(x+k, x+k, p.scale) })
	p.each(func(k vec) { p.a.fmin(x+k, x+k, p.most) })
}

// sum makes 1+2ˣ of x in scratch 0.
func (p power) sum() {
	a := p.a
	r, power, square, y, z := p.scratch(0), p.scratch(1), p.scratch(2), p.scratch(3), p.scratch(4)
	a.note("x = n + r. The last bits of n, when rounded by addition, are n as an integer.")
	p.each(func(k vec) { a.fmax(r+k, r+k, p.least) })
	p.each(func(k vec) { a.fadd(power+k, r+k, p.round) })
	p.each(func(k vec) { a.fsub(y+k, power+k, p.round) })
	p.each(func(k vec) { a.fsub(r+k, r+k, y+k) })
	p.each(func(k vec) { a.op("VSHL", "$23, %v.S4, %v.S4", power+k, power+k) })
	p.each(func(k vec) { a.op("VADD", "%v.S4, %v.S4, %v.S4", p.one, power+k, power+k) })
	a.note("2ʳ, by pairs of terms.")
	pair := func(to vec, i int) {
		p.each(func(k vec) { a.dup(to+k, p.terms[i]) })
		p.each(func(k vec) { a.fmlaLane(to+k, r+k, p.terms[i+1]) })
	}
	p.each(func(k vec) { a.fmul(square+k, r+k, r+k) })
	pair(y, 4)
	pair(z, 2)
	p.each(func(k vec) { a.fmla(z+k, y+k, square+k) })
	pair(y, 0)
	p.each(func(k vec) { a.fmla(y+k, z+k, square+k) })
	p.each(func(k vec) { a.fmul(y+k, y+k, power+k) })
	p.each(func(k vec) { a.fadd(r+k, y+k, p.one) })
}
