package main

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
		for k := range registers(floats) {
			a.fsub(x+k, x+k, y+k)
		}
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
		for k := range registers(floats) {
			a.fadd(sum+k, sum+k, by+k)
		}
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
		for k := range registers(floats) {
			a.fadd(row+k, row+k, by+k)
		}
		a.storeNext(to, row, floats)
	}
	a.strips("", p[4], mostEights, func(_ string, floats int) {
		a.loadEights(p[2], by, floats, stepA, work, number)
		a.loadEights(p[3], less, floats, stepB, work, number)
		add(p[0], floats)
		for k := range registers(floats) {
			a.fsub(by+k, by+k, less+k)
		}
		add(p[1], floats)
	})
}
