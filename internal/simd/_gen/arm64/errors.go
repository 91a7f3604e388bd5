package main

import (
	"fmt"
	"math"
)

// blockLanes is how many rows of a block have their errors computed together, and
// blockVectors is how many registers they take.
const (
	blockLanes   = 16
	blockVectors = blockLanes / lanes
)

func (a *asm) sumParts() {
	p := a.params("out scores stride parts n")
	out, scores, stride, parts, left := p[0], p[1], p[2], p[3], p[4]
	at, count := a.reg(), a.reg()
	a.label("row")
	a.op("MOVD", "%v, %v", scores, at)
	a.load(at, 0, blockLanes)
	a.branch("BEQ", "summed", "SUBS", "$1, %v, %v", parts, count)
	a.label("part")
	a.op("ADD", "%v, %v", stride, at)
	a.load(at, blockVectors, blockLanes)
	each(blockLanes, func(v vec) { a.fadd(v, v, blockVectors+v) })
	a.branch("BNE", "part", "SUBS", "$1, %v", count)
	a.label("summed")
	a.storeNext(out, 0, blockLanes)
	a.op("ADD", "$%d, %v", 4*blockLanes, scores)
	a.branch("BNE", "row", "SUBS", "$1, %v", left)
}

// scores keeps those of four or two rows with all lanes in registers: number k of each
// row is multiplied by the lanes' numbers k.
func (a *asm) scores() {
	a.freeAll()
	p := a.params("out transposed data stride rows n cols")
	out, transposed, data, stride, rows, left, cols := p[0], p[1], p[2], p[3], p[4], p[5], p[6]
	h, count, number, id := a.reg(), a.reg(), a.reg(), a.reg()
	row := a.four()
	body := func(size int) {
		name := func(s string) string { return fmt.Sprintf("%s%d", s, size) }
		sums := 4 / size // sums for each row, so that there are 16 registers of them
		acc := func(sum, row, v int) vec { return vec((sum*size+row)*blockVectors + v) }
		a.note("A row behind the last one is the last one again.")
		a.op("MOVD", "$0, %v", number)
		for k := range size {
			if k > 0 {
				a.op("CMP", "$%d, %v", k, left)
				a.op("CINC", "GT, %v, %v", number, number)
			}
			a.op("MOVWU", "(%v)(%v<<2), %v", rows, number, id)
			a.op("MADD", "%v, %v, %v, %v", stride, data, id, row[k])
		}
		each(16*lanes, func(k vec) { a.zero(k) })
		const numbers = vec(24)
		hv := func(u int) vec { return vec(16 + u%2*blockVectors) }
		multiply := func(u int) {
			for k := range size {
				for v := range blockVectors {
					a.fmlaLane(acc(u%sums, k, v), hv(u)+vec(v), lane{numbers + vec(k), u})
				}
			}
		}
		a.op("MOVD", "%v, %v", transposed, h)
		a.op("LSR", "$2, %v, %v", cols, count)
		a.op("CBZ", "%v, %s", count, name("rest"))
		a.op("PCALIGN", "$16")
		a.label(name("four"))
		for k := range size {
			a.loadNext(row[k], numbers+vec(k), lanes)
		}
		a.loadNext(h, hv(0), blockLanes)
		for u := range 4 {
			if u < 3 {
				a.loadNext(h, hv(u+1), blockLanes)
			}
			multiply(u)
		}
		a.again(count, name("four"))
		a.label(name("rest"))
		a.branch("BEQ", name("scored"), "ANDS", "$3, %v, %v", cols, count)
		a.label(name("one"))
		for k := range size {
			a.loadNext(row[k], numbers+vec(k), 1)
		}
		a.loadNext(h, hv(0), blockLanes)
		multiply(0)
		a.again(count, name("one"))
		a.label(name("scored"))
		for k := range size {
			for v := range blockVectors {
				for s := 1; s < sums; s++ {
					a.fadd(acc(0, k, v), acc(0, k, v), acc(s, k, v))
				}
			}
		}
		for k := range size {
			if k > 0 {
				a.branch("BLE", "scores", "CMP", "$%d, %v", k, left)
			}
			a.storeNext(out, acc(0, k, 0), blockLanes)
		}
	}
	a.label("rows")
	a.branch("BLE", "upTo2", "CMP", "$2, %v", left)
	body(4)
	a.op("ADD", "$16, %v", rows)
	a.branch("BGT", "rows", "SUBS", "$4, %v", left)
	a.op("B", "scores")
	a.label("upTo2")
	body(2)
	a.label("scores")
}

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
	a.again(n, "power")
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
	// Without rounding, what uniform numbers are compared with is not a number, and nothing is at least that.
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
	a.again(n, "error")
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
	a.again(n, "loss")
	a.faddp(lost, lost, lost)
	a.faddpScalar(lost, lost)
	a.op("FMOVS", "F%d, %s", int(lost), a.at("ret"))
}

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

// power holds what 2ˣ of scores is computed with.
type power struct {
	a                              *asm
	width                          int // how many vectors are computed side by side
	scale, most, least, round, one vec
	terms                          []lane
}

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

// each lets chains of instructions be run side by side.
func (p power) each(op func(k vec)) { each(p.width*lanes, op) }

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

// mostEights is how many numbers of 8 bits a register holds. Strips are of as many numbers.
const mostEights = 16

// Instructions for these kernels that Go's assembler lacks.

func (a *asm) two(name string, encoding uint32, d, n vec) {
	a.word(encoding|uint32(n)<<5|uint32(d), "%s v%d, v%d", name, int(d), int(n))
}

// wider makes of the lower half of n twice as wide integers with a sign, widerHigh of the upper half.
// bits are those of a lane of n.
func (a *asm) wider(d, n vec, bits uint32)     { a.two("sxtl", 0x0f00a400|bits<<16, d, n) }
func (a *asm) widerHigh(d, n vec, bits uint32) { a.two("sxtl2", 0x4f00a400|bits<<16, d, n) }

// narrower sets the lower half of d to the lower halves of the integers in n, narrowerHigh the upper half.
// bits are those of a lane of d.
func (a *asm) narrower(d, n vec, bits uint32)     { a.two("xtn", 0x0e212800|bits/16<<22, d, n) }
func (a *asm) narrowerHigh(d, n vec, bits uint32) { a.two("xtn2", 0x4e212800|bits/16<<22, d, n) }

func (a *asm) scvtf(d, n vec) { a.two("scvtf.4s", 0x4e21d800, d, n) }
func (a *asm) fabs(d, n vec)  { a.two("fabs.4s", 0x4ea0f800, d, n) }

// fcvtns rounds to the nearest integers, and to the even ones of two.
func (a *asm) fcvtns(d, n vec) { a.two("fcvtns.4s", 0x4e21a800, d, n) }

// fminnm and fmaxnm are n if m is NaN, and m if n is.
func (a *asm) fminnm(d, n, m vec) { a.three("fminnm", 0x4ea0c400, d, n, m) }
func (a *asm) fmaxnm(d, n, m vec) { a.three("fmaxnm", 0x4e20c400, d, n, m) }

func (a *asm) umax(d, n, m vec) { a.three("umax", 0x6ea06400, d, n, m) }

// umaxv sets the first lane of d to the largest one of n.
func (a *asm) umaxv(d, n vec) { a.two("umaxv.4s", 0x6eb0a800, d, n) }

// loadEights loads numbers of 8 bits, moves p behind them, and sets registers from v on to the numbers
// times step. It uses registers from work on.
func (a *asm) loadEights(p gpr, v vec, floats int, step, work vec, bits gpr) {
	switch floats {
	case 16:
		a.op("VLD1.P", "16(%v), [%v.B16]", p, work)
	case 8:
		a.op("VLD1.P", "8(%v), [%v.B8]", p, work)
	case 4:
		a.op("FMOVS.P", "4(%v), F%d", p, int(work))
	default:
		a.op(map[int]string{2: "MOVHU.P", 1: "MOVBU.P"}[floats], "%d(%v), %v", floats, p, bits)
		a.zero(work)
		a.op("VMOV", "%v, %v.S[0]", bits, work)
	}
	low, high := work+1, work+2
	a.wider(low, work, 8)
	a.wider(v, low, 16)
	if floats >= 8 {
		a.widerHigh(v+1, low, 16)
	}
	if floats == 16 {
		a.widerHigh(high, work, 8)
		a.wider(v+2, high, 16)
		a.widerHigh(v+3, high, 16)
	}
	for k := range registers(floats) {
		a.scvtf(v+k, v+k)
		a.fmul(v+k, v+k, step)
	}
}

// larger makes each lane of most the larger one of its magnitude and that of floats numbers from v on, of
// which the last register has no others but 0.
func (a *asm) larger(most, v vec, floats int, work vec) {
	for k := range registers(floats) {
		a.fabs(work, v+k)
		a.umax(most, most, work)
	}
}

// everywhere sets all lanes of v to a parameter.
func (a *asm) everywhere(v vec, parameter string) {
	a.op("FMOVS", "%s, F%d", a.at(parameter), int(v))
	a.dup(v, lane{v, 0})
}

func (a *asm) difference() {
	p := a.params("dst a b n")
	const x, y, work, ofA, ofDst = vec(0), vec(4), vec(8), vec(16), vec(17)
	a.zero(ofA)
	a.zero(ofDst)
	a.strips("", p[3], mostEights, func(_ string, floats int) {
		a.loadNext(p[1], x, floats)
		a.loadNext(p[2], y, floats)
		a.larger(ofA, x, floats, work)
		each(floats, func(k vec) { a.fsub(x+k, x+k, y+k) })
		a.storeNext(p[0], x, floats)
		a.larger(ofDst, x, floats, work)
	})
	a.umaxv(ofA, ofA)
	a.umaxv(ofDst, ofDst)
	a.op("FMOVS", "F%d, %s", int(ofA), a.at("ofA"))
	a.op("FMOVS", "F%d, %s", int(ofDst), a.at("ofDst"))
}

func (a *asm) toEights() {
	p := a.params("dst x n")
	bits := a.reg()
	const v, low, high, out, scale, most, least = vec(0), vec(8), vec(9), vec(10), vec(16), vec(17), vec(18)
	a.everywhere(scale, "scale")
	for _, limit := range []struct {
		of    vec
		float uint32
	}{{most, 0x42fe0000}, {least, 0xc2fe0000}} { // ±127
		a.op("MOVD", "$0x%x, %v", limit.float, bits)
		a.op("VDUP", "%v, %v.S4", bits, limit.of)
	}
	a.strips("", p[2], mostEights, func(_ string, floats int) {
		a.loadNext(p[1], v, floats)
		for k := range registers(floats) {
			a.fmul(v+k, v+k, scale)
			a.fminnm(v+k, v+k, most)
			a.fmaxnm(v+k, v+k, least)
			a.fcvtns(v+k, v+k)
		}
		a.narrower(low, v, 16)
		if floats >= 8 {
			a.narrowerHigh(low, v+1, 16)
		}
		a.narrower(out, low, 8)
		if floats == 16 {
			a.narrower(high, v+2, 16)
			a.narrowerHigh(high, v+3, 16)
			a.narrowerHigh(out, high, 8)
		}
		switch floats {
		case 16:
			a.op("VST1.P", "[%v.B16], 16(%v)", out, p[0])
		case 8:
			a.op("VST1.P", "[%v.B8], 8(%v)", out, p[0])
		case 4:
			a.op("FMOVS.P", "F%d, 4(%v)", int(out), p[0])
		default:
			a.op("VMOV", "%v.S[0], %v", out, bits)
			a.op(map[int]string{2: "MOVH.P", 1: "MOVB.P"}[floats], "%v, %d(%v)", bits, floats, p[0])
		}
	})
}

func (a *asm) addEights() {
	p := a.params("x bits n")
	to, number := a.reg(), a.reg()
	const sum, by, work, step, most = vec(0), vec(4), vec(8), vec(16), vec(17)
	a.everywhere(step, "step")
	a.zero(most)
	a.strips("", p[2], mostEights, func(_ string, floats int) {
		a.op("MOVD", "%v, %v", p[0], to)
		a.loadNext(p[0], sum, floats)
		a.loadEights(p[1], by, floats, step, work, number)
		each(floats, func(k vec) { a.fadd(sum+k, sum+k, by+k) })
		a.storeNext(to, sum, floats)
		switch floats { // the other lanes may be NaN, of a step that is no number
		case 2:
			a.op("VMOV", "%v.B8, %v.B8", sum, sum)
		case 1:
			a.op("FMOVS", "F%d, F%d", int(sum), int(sum))
		}
		a.larger(most, sum, floats, work)
	})
	a.umaxv(most, most)
	a.op("FMOVS", "F%d, %s", int(most), a.at("ret"))
}

func (a *asm) moveEights() {
	p := a.params("x y a b n")
	to, number := a.reg(), a.reg()
	const row, by, less, work, stepA, stepB = vec(0), vec(4), vec(20), vec(8), vec(16), vec(17)
	a.everywhere(stepA, "stepA")
	a.everywhere(stepB, "stepB")
	add := func(p gpr, floats int) {
		a.op("MOVD", "%v, %v", p, to)
		a.loadNext(p, row, floats)
		each(floats, func(k vec) { a.fadd(row+k, row+k, by+k) })
		a.storeNext(to, row, floats)
	}
	a.strips("", p[4], mostEights, func(_ string, floats int) {
		a.loadEights(p[2], by, floats, stepA, work, number)
		a.loadEights(p[3], less, floats, stepB, work, number)
		add(p[0], floats)
		each(floats, func(k vec) { a.fsub(by+k, by+k, less+k) })
		add(p[1], floats)
	})
}
