package main

import "fmt"

// lists lays out code that goes through n lists of rows, by strips of cols numbers.
// own is the matrix of which each list has a row. body is called for each size of
// strip, with where the strip is in that row, and moves that on.
func (a *asm) lists(own string, body func(label string, floats int, own gpr, l rowList)) {
	p := a.params(own + " " + own + "Stride starts rows ids n data stride")
	ownRow, ownStride, starts, rows, ids, n, data := p[0], p[1], p[2], p[3], p[4], p[5], p[6]
	at, left, first, last := a.reg(), a.reg(), a.reg(), a.reg()
	l := rowList{a: a, stride: p[7]}
	for _, r := range []*gpr{&l.rows, &l.n, &l.strip, &l.weights, &l.ids, &l.count, &l.row, &l.weight, &l.scratch} {
		*r = a.reg()
	}
	var weights gpr
	if _, l.weighed = a.offsets["weights"]; l.weighed {
		weights = a.params("weights")[0]
	}
	a.label("list")
	a.op("MOVWU.P", "4(%v), %v", ids, first)
	a.op("ADD", "%v<<3, %v, %v", first, starts, first)
	a.op("LDP", "(%v), (%v, %v)", first, first, last)
	a.op("SUB", "%v, %v, %v", first, last, l.n)
	a.op("ADD", "%v<<2, %v, %v", first, rows, l.rows)
	if l.weighed {
		a.op("ADD", "%v<<2, %v, %v", first, weights, l.weights)
	}
	a.op("MOVD", "%v, %v", ownRow, at)
	a.op("ADD", "%v, %v", ownStride, ownRow)
	a.op("MOVD", "%v, %v", data, l.strip)
	a.param("cols", left)
	a.strips("", left, maxStrip, func(label string, floats int) {
		body(label, floats, at, l)
		a.op("ADD", "$%d, %v", 4*floats, l.strip)
	})
	a.again(n, "list")
}

// rowList is a list and where a strip of its rows is.
type rowList struct {
	a                               *asm
	rows, n, strip, stride, weights gpr
	weighed                         bool
	ids, count, row, weight         gpr // while it is gone through
	scratch                         gpr
}

// each lays out a loop over the rows of the list, which may have none: body is called
// with where the strip is in a row.
func (l rowList) each(label string, body func(p gpr)) {
	a := l.a
	a.op("CBZ", "%v, %srowend", l.n, label)
	a.op("MOVD", "%v, %v", l.rows, l.ids)
	if l.weighed {
		a.op("MOVD", "%v, %v", l.weights, l.weight)
	}
	a.op("MOVD", "%v, %v", l.n, l.count)
	a.op("PCALIGN", "$16")
	a.label(label + "row")
	a.row(l.ids, l.stride, l.strip, l.row)
	body(l.row)
	a.again(l.count, label+"row")
	a.label(label + "rowend")
}

func (a *asm) gather() {
	a.lists("dst", func(label string, floats int, own gpr, l rowList) {
		each(floats, func(k vec) { a.zero(k) })
		l.each(label, func(p gpr) {
			const w = vec(24)
			a.op("FMOVS.P", "4(%v), F%d", l.weight, int(w))
			parts(floats, func(of, into vec, floats int) {
				a.loadNext(p, into, floats)
				each(floats, func(c vec) { a.fmlaLane(of+c, into+c, lane{w, 0}) })
			})
		})
		a.storeNext(own, 0, floats)
	})
}

// scatterLists adds rows with their weights if the function has such a parameter.
func (a *asm) scatterLists() {
	a.lists("delta", func(label string, floats int, own gpr, l rowList) {
		a.loadNext(own, 0, floats)
		l.each(label, func(p gpr) {
			const w = vec(24)
			if l.weighed {
				a.op("FMOVS.P", "4(%v), F%d", l.weight, int(w))
			}
			to := l.scratch
			a.op("MOVD", "%v, %v", p, to)
			parts(floats, func(of, into vec, floats int) {
				a.loadNext(p, into, floats)
				for c := range registers(floats) {
					if l.weighed {
						a.fmlaLane(into+c, of+c, lane{w, 0})
					} else {
						a.fadd(into+c, into+c, of+c)
					}
				}
				a.storeNext(to, into, floats)
			})
		})
	})
}

func (a *asm) prefetch() {
	p := a.params("data stride rows n cols")
	data, stride, rows, n, cols := p[0], p[1], p[2], p[3], p[4]
	row, end := a.reg(), a.reg()
	a.label("row")
	a.row(rows, stride, data, row)
	a.op("ADD", "%v<<2, %v, %v", cols, row, end)
	a.label("line")
	a.op("PRFM", "(%v), PLDL2KEEP", row)
	a.op("ADD", "$64, %v", row)
	a.branch("BLO", "line", "CMP", "%v, %v", end, row)
	a.again(n, "row")
}

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

// halfLists lays out code that goes through n lists of rows of halves, by strips of two groups of a row and one
// of what is left. own is the matrix of which each list has a row. body is called for each size of strip, with
// where the strip is in that row, and moves that on. Its each goes through the rows of the list.
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
		a.branch("BLT", label+"end", "CMP", "$%d, %v", groups, left)
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
			a.again(count, label+"row")
			a.label(label + "rowend")
		})
		strip(groups)
		a.op("ADD", "$%d, %v", 2*halvesOfGroup*groups, from)
		a.op("SUB", "$%d, %v", groups, left)
		a.op("JMP", "%s", label)
		a.label(label + "end")
	}
	a.again(n, "list")
}

// loadGroup sets the four registers from v on to a group of halves at p. It uses two registers from work on.
func (a *asm) loadGroup(p gpr, v, work vec) {
	a.op("VLD1", "(%v), [%v.H8, %v.H8]", p, work, work+1)
	for k := range vec(2) {
		a.fcvtl(v+2*k, work+k)
		a.fcvtl2(v+2*k+1, work+k)
	}
}

func (a *asm) gatherHalves() {
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

func (a *asm) multiply() {
	p := a.params("dst dstStride dstRows a aStride aRows b bStride bRows triples n")
	triples, n := p[9], p[10]
	to, left := a.reg(), a.reg()
	var rows [3]gpr
	for k := range rows {
		rows[k] = a.reg()
	}
	const (
		most = 32
		sum  = vec(0)
		x    = sum + most/lanes
		y    = x + most/lanes
		w    = y + most/lanes
	)
	a.label("triple")
	for k, row := range rows {
		base, stride, ids := p[3*k], p[3*k+1], p[3*k+2]
		a.op("MOVWU.P", "4(%v), %v", triples, row)
		a.op("MOVWU", "(%v)(%v<<2), %v", ids, row, row)
		a.op("MADD", "%v, %v, %v, %v", stride, base, row, row)
	}
	a.op("VLD1R.P", "4(%v), [%v.S4]", triples, w)
	a.op("MOVD", "%v, %v", rows[0], to)
	a.param("cols", left)
	a.strips("", left, most, func(_ string, floats int) {
		a.loadNext(rows[0], sum, floats)
		a.loadNext(rows[1], x, floats)
		a.loadNext(rows[2], y, floats)
		for c := range registers(floats) {
			a.fmul(x+c, x+c, w)
			a.fmla(sum+c, x+c, y+c)
		}
		a.storeNext(to, sum, floats)
	})
	a.again(n, "triple")
}

// updateRows and addRows go through rows of dst, of which each receives the rows of src that the
// bits of its mask name.

// sparse lays out code for n rows with masks of so many bytes. A row's weight of a source stands 1<<bySource
// bytes behind that of the source before it, and 1<<byRow behind that of the row before.
func (a *asm) sparse(masksOf, load string, bytes, bySource, byRow int) {
	p := a.params("dstRows src srcStride srcRows w " + masksOf + " n")
	dstRows, src, stride, ids, weights, masks, n := p[0], p[1], p[2], p[3], p[4], p[5], p[6]
	mask, dst, to, strip, left := a.reg(), a.reg(), a.reg(), a.reg(), a.reg()
	bits, i, sp, below := a.reg(), a.reg(), a.reg(), a.reg()
	const w = vec(24)

	a.label("row")
	a.op(load, "%d(%v), %v", bytes, masks, mask)
	a.op("CBZ", "%v, next", mask)
	a.op("MOVWU", "(%v), %v", dstRows, dst)
	a.param("dstStride", sp)
	a.param("dst", to)
	a.op("MADD", "%v, %v, %v, %v", sp, to, dst, dst)
	a.op("MOVD", "%v, %v", src, strip)
	a.param("cols", left)
	a.strips("", left, maxStrip, func(label string, floats int) {
		a.op("MOVD", "%v, %v", dst, to)
		a.loadNext(dst, 0, floats)
		a.op("MOVD", "%v, %v", mask, bits)
		a.op("PCALIGN", "$16")
		a.label(label + "source")
		a.op("RBIT", "%v, %v", bits, i)
		a.op("CLZ", "%v, %v", i, i)
		a.op("ADD", "%v<<2, %v, %v", i, ids, sp)
		a.op("MOVWU", "(%v), %v", sp, sp)
		a.op("MADD", "%v, %v, %v, %v", stride, strip, sp, sp)
		a.op("ADD", "%v<<%d, %v, %v", i, bySource, weights, i)
		a.op("FMOVS", "(%v), F%d", i, int(w))
		parts(floats, func(of, into vec, floats int) {
			a.loadNext(sp, into, floats)
			each(floats, func(c vec) { a.fmlaLane(of+c, into+c, lane{w, 0}) })
		})
		a.op("SUB", "$1, %v, %v", bits, below)
		a.branch("BNE", label+"source", "ANDS", "%v, %v, %v", below, bits, bits)
		a.storeNext(to, 0, floats)
		a.op("ADD", "$%d, %v", 4*floats, strip)
	})
	a.label("next")
	a.op("ADD", "$4, %v", dstRows)
	a.op("ADD", "$%d, %v", 1<<byRow, weights)
	a.again(n, "row")
}

// windows keeps, strip by strip, the sum of a window's rows in registers. For the next window
// the rows that it has no more are taken from it, and those that are new are added; where a window
// does not go on like that, it begins anew.
func (a *asm) windows() {
	p := a.params("dst dstStride dstRows src srcStride srcRows weights set cols")
	dst, dstStride, dstRows, src, srcStride, srcRows, weights, set, left := p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8]
	list, count := a.reg(), a.reg()
	first, end := a.reg(), a.reg()                              // the sum is that of the rows first … end-1
	from, to, except, row := a.reg(), a.reg(), a.reg(), a.reg() // of a window
	own, at := a.reg(), a.reg()                                 // its row of dst
	const (
		sums = vec(0)
		part = vec(16) // of a row
		out  = vec(20) // of what a window has of the sum
		w    = vec(24)
	)
	// find finds a row of src, and the negative of its weight, if that is to be.
	find := func(i gpr, negative bool) {
		a.op("MOVWU", "(%v)(%v<<2), %v", srcRows, i, row)
		a.op("MADD", "%v, %v, %v, %v", srcStride, src, row, row)
		a.op("FMOVS", "(%v)(%v<<2), F%d", weights, i, int(w))
		if negative {
			a.op("FNEGS", "F%d, F%d", int(w), int(w))
		}
	}
	a.strips("", left, maxStrip, func(label string, floats int) {
		clear := func() {
			each(floats, func(c vec) { a.zero(sums + c) })
		}
		// change adds row i to the sum, or takes it, and goes on to the next, up to row last-1.
		change := func(name string, i, last gpr, take bool) {
			a.op("PCALIGN", "$16")
			a.label(label + name)
			find(i, take)
			parts(floats, func(of, into vec, floats int) {
				a.loadNext(row, into, floats)
				each(floats, func(c vec) { a.fmlaLane(sums+of+c, into+c, lane{w, 0}) })
			})
			a.op("ADD", "$1, %v", i)
			a.branch("BLT", label+name, "CMP", "%v, %v", last, i)
		}
		a.param("windows", list)
		a.param("n", count)
		a.op("MOVD", "$0, %v", first)
		a.op("MOVD", "$0, %v", end)
		a.label(label + "window")
		a.op("MOVW.P", "4(%v), %v", list, own)
		for _, place := range []gpr{from, to, except} {
			a.op("MOVW.P", "4(%v), %v", list, place)
		}
		a.branch("BGE", label+"anew", "CMP", "%v, %v", end, from)
		a.branch("BLT", label+"anew", "CMP", "%v, %v", end, to)
		a.branch("BEQ", label+"taken", "CMP", "%v, %v", from, first)
		a.op("BGT", "%sanew", label)
		change("take", first, from, true)
		a.op("B", "%staken", label)
		a.label(label + "anew")
		clear()
		a.op("MOVD", "%v, %v", from, first)
		a.op("MOVD", "%v, %v", from, end)
		a.label(label + "taken")
		a.branch("BGE", label+"added", "CMP", "%v, %v", to, end)
		change("more", end, to, false)
		a.label(label + "added")
		a.op("ADD", "$4, %v", list)
		a.op("TBNZ", "$63, %v, %snext", own, label)
		a.op("MOVWU", "(%v)(%v<<2), %v", dstRows, own, own)
		a.op("MADD", "%v, %v, %v, %v", dstStride, dst, own, own)
		a.op("FMOVS", "-4(%v), F%d", list, int(w)+1)
		a.op("TBNZ", "$63, %v, %swhole", except, label)
		find(except, true)
		a.label(label + "whole")
		for done := 0; done < floats; done += 16 {
			n := min(floats, 16)
			each(n, func(c vec) { a.mov(out+c, sums+vec(done/lanes)+c) })
			whole := fmt.Sprintf("%swhole%d", label, done)
			a.op("TBNZ", "$63, %v, %s", except, whole)
			a.loadNext(row, part, n)
			each(n, func(c vec) { a.fmlaLane(out+c, part+c, lane{w, 0}) })
			a.label(whole)
			each(n, func(c vec) { a.zero(part + c) })
			skip := fmt.Sprintf("%sset%d", label, done)
			a.op("CBNZ", "%v, %s", set, skip)
			a.op("MOVD", "%v, %v", own, at)
			a.loadNext(at, part, n)
			a.label(skip)
			each(n, func(c vec) { a.fmlaLane(part+c, out+c, lane{w + 1, 0}) })
			a.storeNext(own, part, n)
		}
		a.label(label + "next")
		a.again(count, label+"window")
		a.op("ADD", "$%d, %v", 4*floats, src)
		a.op("ADD", "$%d, %v", 4*floats, dst)
	})
}
