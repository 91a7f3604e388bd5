package main

import "fmt"

// windows keeps, strip by strip, the sum of a window's rows in registers. For the next window
// the rows that it has no more are taken from it, and those that are new are added; where a window
// does not go on like that, it begins anew.
func (a *asm) windows() {
	a.function("windowsKernel", "dst dstStride dstRows src srcStride srcRows weights windows n cols set")
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
			for c := range registers(floats) {
				a.zero(sums + c)
			}
		}
		// change adds row i to the sum, or takes it, and goes on to the next, up to row last-1.
		change := func(name string, i, last gpr, take bool) {
			a.op("PCALIGN", "$16")
			a.label(label + name)
			find(i, take)
			parts(floats, func(of, into vec, floats int) {
				a.loadNext(row, into, floats)
				for c := range registers(floats) {
					a.fmlaLane(sums+of+c, into+c, lane{w, 0})
				}
			})
			a.op("ADD", "$1, %v", i)
			a.op("CMP", "%v, %v", last, i)
			a.op("BLT", "%s%s", label, name)
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
		a.op("CMP", "%v, %v", end, from)
		a.op("BGE", "%sanew", label)
		a.op("CMP", "%v, %v", end, to)
		a.op("BLT", "%sanew", label)
		a.op("CMP", "%v, %v", from, first)
		a.op("BEQ", "%staken", label)
		a.op("BGT", "%sanew", label)
		change("take", first, from, true)
		a.op("B", "%staken", label)
		a.label(label + "anew")
		clear()
		a.op("MOVD", "%v, %v", from, first)
		a.op("MOVD", "%v, %v", from, end)
		a.label(label + "taken")
		a.op("CMP", "%v, %v", to, end)
		a.op("BGE", "%sadded", label)
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
			for c := range registers(n) {
				a.mov(out+c, sums+vec(done/lanes)+c)
			}
			whole := fmt.Sprintf("%swhole%d", label, done)
			a.op("TBNZ", "$63, %v, %s", except, whole)
			a.loadNext(row, part, n)
			for c := range registers(n) {
				a.fmlaLane(out+c, part+c, lane{w, 0})
			}
			a.label(whole)
			for c := range registers(n) {
				a.zero(part + c)
			}
			skip := fmt.Sprintf("%sset%d", label, done)
			a.op("CBNZ", "%v, %s", set, skip)
			a.op("MOVD", "%v, %v", own, at)
			a.loadNext(at, part, n)
			a.label(skip)
			for c := range registers(n) {
				a.fmlaLane(part+c, out+c, lane{w + 1, 0})
			}
			a.storeNext(own, part, n)
		}
		a.label(label + "next")
		a.op("SUB", "$1, %v", count)
		a.op("CBNZ", "%v, %swindow", count, label)
		a.op("ADD", "$%d, %v", 4*floats, src)
		a.op("ADD", "$%d, %v", 4*floats, dst)
	})
	a.op("RET", "")
}
