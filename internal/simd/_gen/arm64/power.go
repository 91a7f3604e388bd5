package main

import "math"

// power holds what 2ˣ of scores is computed with.
type power struct {
	a                              *asm
	width                          int // how many vectors are computed side by side
	scale, most, least, round, one vec
	terms                          []lane
}

// newPower loads its constants.
func (a *asm) newPower(c *constants, width int) power {
	// Scores beyond are as good as these: of 2 to a higher power than 126, float32 has
	// no inverse that is normal.
	const most = 126 * math.Ln2
	return power{
		a: a, width: width,
		scale: c.number(math.Log2E),
		most:  c.number(most),
		least: c.number(-most),
		round: c.number(1.5 * (1 << 23)), // to add it rounds to a whole number
		one:   c.number(1),
		terms: c.terms(exp2Terms),
	}
}

// scratch is the first of width registers; those of the first five kinds are for exp.
func (p power) scratch(kind int) vec { return vec(kind * p.width) }

// each writes an instruction for each vector, so that chains of instructions are run
// side by side.
func (p power) each(op func(k vec)) {
	for k := range vec(p.width) {
		op(k)
	}
}

// exp makes, in scratch 1, 2ˣ of s in scratch 0 with x = s·scale. NaN stays.
func (p power) exp() {
	a := p.a
	s, power, square, r, y := p.scratch(0), p.scratch(1), p.scratch(2), p.scratch(3), p.scratch(4)
	p.each(func(k vec) { a.fmin(s+k, s+k, p.most) })
	p.each(func(k vec) { a.fmax(s+k, s+k, p.least) })
	a.note("x = n + r, of which r is made from s: in 2ʳ the rounding of x would show. The last")
	a.note("bits of n, when rounded by addition, are n as an integer.")
	p.each(func(k vec) { a.mov(power+k, p.round) })
	p.each(func(k vec) { a.fmla(power+k, s+k, p.scale) })
	p.each(func(k vec) { a.fsub(r+k, p.round, power+k) })
	p.each(func(k vec) { a.fmla(r+k, s+k, p.scale) })
	p.each(func(k vec) { a.op("VSHL", "$23, %v.S4, %v.S4", power+k, power+k) })
	p.each(func(k vec) { a.op("VADD", "%v.S4, %v.S4, %v.S4", p.one, power+k, power+k) })
	a.note("2ʳ, by pairs of terms.")
	pair := func(to vec, i int) {
		p.each(func(k vec) { a.dup(to+k, p.terms[i]) })
		p.each(func(k vec) { a.fmlaLane(to+k, r+k, p.terms[i+1]) })
	}
	z := s
	p.each(func(k vec) { a.fmul(square+k, r+k, r+k) })
	pair(y, 4)
	pair(z, 2)
	p.each(func(k vec) { a.fmla(z+k, y+k, square+k) })
	pair(y, 0)
	p.each(func(k vec) { a.fmla(y+k, z+k, square+k) })
	p.each(func(k vec) { a.fmul(power+k, y+k, power+k) })
}
