package main

// rowWeyl is what the bits that round a number grow by from row to row, as weyl is from column to
// column: see ../../halves.go.
const rowWeyl = multiplier

// halvesOfGroup is how many halves a group has, in two registers.
const halvesOfGroup = 16

// fcvtl makes float32 of the lower four halves in n, fcvtl2 of the upper four.
func (a *asm) fcvtl(d, n vec)  { a.two("fcvtl.4s.4h", 0x0e217800, d, n) }
func (a *asm) fcvtl2(d, n vec) { a.two("fcvtl2.4s.8h", 0x4e217800, d, n) }

// fcvtn sets the lower four halves of d to the float32 in n, fcvtn2 the upper four.
func (a *asm) fcvtn(d, n vec)  { a.two("fcvtn.4h.4s", 0x0e216800, d, n) }
func (a *asm) fcvtn2(d, n vec) { a.two("fcvtn2.8h.4s", 0x4e216800, d, n) }

// halfLists lays out code that goes through n lists of rows of halves, by strips of two groups of a row
// and one of what is left. own is the matrix of which each list has a row. body is called for each size
// of strip, with where the strip is in that row, and moves that on. Its each goes through the rows of
// the list.
func (a *asm) halfLists(own string, strip func(groups int), body func(label string, groups int, own gpr, each func(func(row, p, weight gpr)))) {
	p := a.params(own + " " + own + "Stride starts rows ids n data stride")
	ownRow, ownStride, starts, rows, ids, n, data, stride := p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7]
	at, from, left, first, last := a.reg(), a.reg(), a.reg(), a.reg(), a.reg()
	number, row, weight, list, count := a.reg(), a.reg(), a.reg(), a.reg(), a.reg()
	_, weighed := a.offsets["weights"]
	a.label("list")
	a.op("MOVWU.P", "4(%v), %v", ids, first)
	a.op("ADD", "%v<<3, %v, %v", first, starts, first)
	a.op("LDP", "(%v), (%v, %v)", first, first, last)
	a.op("SUB", "%v, %v, %v", first, last, last)
	a.op("MOVD", "%v, %v", ownRow, at)
	a.op("ADD", "%v, %v", ownStride, ownRow)
	a.op("MOVD", "%v, %v", data, from)
	a.param("groups", left)
	strip(0)
	for groups := 2; groups > 0; groups-- {
		label := map[int]string{2: "two", 1: "one"}[groups]
		a.label(label)
		a.op("CMP", "$%d, %v", groups, left)
		a.op("BLT", "%send", label)
		body(label, groups, at, func(body func(row, p, weight gpr)) {
			a.op("CBZ", "%v, %srowend", last, label)
			a.op("ADD", "%v<<2, %v, %v", first, rows, list)
			if weighed {
				a.param("weights", weight)
				a.op("ADD", "%v<<2, %v, %v", first, weight, weight)
			}
			a.op("MOVD", "%v, %v", last, count)
			a.label(label + "row")
			a.op("MOVWU.P", "4(%v), %v", list, number)
			a.op("MADD", "%v, %v, %v, %v", stride, from, number, row)
			body(number, row, weight)
			a.op("SUB", "$1, %v", count)
			a.op("CBNZ", "%v, %srow", count, label)
			a.label(label + "rowend")
		})
		strip(groups)
		a.op("ADD", "$%d, %v", 2*halvesOfGroup*groups, from)
		a.op("SUB", "$%d, %v", groups, left)
		a.op("JMP", "%s", label)
		a.label(label + "end")
	}
	a.op("SUB", "$1, %v", n)
	a.op("CBNZ", "%v, list", n)
	a.op("RET", "")
}

// loadGroup sets the four registers from v on to a group of halves at p. It uses two registers from
// work on.
func (a *asm) loadGroup(p gpr, v, work vec) {
	a.op("VLD1", "(%v), [%v.H8, %v.H8]", p, work, work+1)
	for k := range vec(2) {
		a.fcvtl(v+2*k, work+k)
		a.fcvtl2(v+2*k+1, work+k)
	}
}

func (a *asm) gatherHalves() {
	a.function("gatherHalvesKernel", "dst dstStride data stride starts rows weights ids n groups")
	a.halfLists("dst", func(int) {}, func(_ string, groups int, own gpr, each func(func(row, p, weight gpr))) {
		for k := range vec(4 * groups) {
			a.zero(k)
		}
		each(func(_, p, weight gpr) {
			const w = vec(24)
			a.op("FMOVS.P", "4(%v), F%d", weight, int(w))
			for g := range vec(groups) {
				const x = vec(16)
				a.loadGroup(p, x, x+4)
				a.op("ADD", "$%d, %v", 2*halvesOfGroup, p)
				for k := range vec(4) {
					a.fmlaLane(4*g+k, x+k, lane{w, 0})
				}
			}
		})
		a.storeNext(own, 0, halvesOfGroup*groups)
	})
}

func (a *asm) scatterHalves() {
	a.function("scatterHalvesKernel", "data stride starts rows ids delta deltaStride n groups seed:4")
	const cut, columns, step = vec(25), vec(26), vec(27)
	c := a.constants("halves", cut)
	c.bits(1<<32 - 1<<13)
	c.lanes(0, weyl, 2*weyl&(1<<32-1), 3*weyl&(1<<32-1))
	c.bits(4 * weyl & (1<<32 - 1))
	c.end()
	perRow, begin, bits := a.reg(), a.reg(), a.reg()
	a.op("MOVD", "$%d, %v", rowWeyl, perRow)
	strip := func(groups int) {
		if groups == 0 {
			a.op("MOVWU", "%s, %v", a.at("seed"), begin)
			return
		}
		a.op("MOVD", "$%d, %v", halvesOfGroup*groups*weyl&(1<<32-1), bits)
		a.op("ADD", "%v, %v", bits, begin)
	}
	a.halfLists("delta", strip, func(_ string, groups int, own gpr, each func(func(row, p, weight gpr))) {
		a.loadNext(own, 0, halvesOfGroup*groups)
		each(func(row, p, _ gpr) {
			const random = vec(28)
			a.op("MADD", "%v, %v, %v, %v", perRow, begin, row, bits)
			a.op("VDUP", "%v, %v.S4", bits, random)
			a.op("VADD", "%v.S4, %v.S4, %v.S4", columns, random, random)
			for g := range vec(groups) {
				const x, work, add = vec(16), vec(20), vec(24)
				a.loadGroup(p, x, work)
				for k := range vec(4) {
					a.op("VUSHR", "$19, %v.S4, %v.S4", random, add)
					a.op("VADD", "%v.S4, %v.S4, %v.S4", step, random, random)
					a.fadd(x+k, x+k, 4*g+k)
					a.op("VADD", "%v.S4, %v.S4, %v.S4", add, x+k, x+k)
					a.and(x+k, x+k, cut)
				}
				for k := range vec(2) {
					a.fcvtn(work+k, x+2*k)
					a.fcvtn2(work+k, x+2*k+1)
				}
				a.op("VST1.P", "[%v.H8, %v.H8], %d(%v)", work, work+1, 2*halvesOfGroup, p)
			}
		})
	})
}
