package main

import "fmt"

// Scratch has 64 numbers for each row, as many as a strip.
const (
	windowScratch    = 4 * maxStrip
	logWindowScratch = 8
)

// windows keeps in scratch, strip by strip, the sums of the rows before each row; those of
// windows are their differences.
func (a *asm) windows() {
	a.function("windowsKernel", "dst dstStride dstRows src srcStride srcRows weights sources windows n cols scratch set")
	p := a.params("dst dstStride dstRows src srcStride scratch set cols")
	dst, dstStride, dstRows, src, srcStride, scratch, set, left := p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7]
	list, count := a.reg(), a.reg()
	// Of a row, its weight and where the sum up to it is kept.
	weights, row, kept, at := a.reg(), a.reg(), a.reg(), a.reg()
	// Of a window: its row, and the sums before its rows, before and behind the one that is
	// left out, and behind its rows.
	to, from, last, except, behind := row, a.reg(), a.reg(), a.reg(), a.reg()
	const w = vec(24)
	a.strips("", left, maxStrip, func(label string, floats int) {
		const sums = vec(0)
		for c := range registers(floats) {
			a.zero(sums + c)
		}
		a.op("MOVD", "%v, %v", scratch, at)
		a.storeNext(at, sums, floats)
		a.op("MOVD", "%v, %v", scratch, kept)
		a.param("srcRows", list)
		a.param("weights", weights)
		a.param("sources", count)
		a.op("PCALIGN", "$16")
		a.label(label + "source")
		a.row(list, srcStride, src, row)
		a.op("FMOVS.P", "4(%v), F%d", weights, int(w))
		parts(floats, func(of, into vec, floats int) {
			a.loadNext(row, into, floats)
			for c := range registers(floats) {
				a.fmlaLane(sums+of+c, into+c, lane{w, 0})
			}
		})
		a.op("ADD", "$%d, %v", windowScratch, kept)
		a.op("MOVD", "%v, %v", kept, at)
		a.storeNext(at, sums, floats)
		a.op("SUB", "$1, %v", count)
		a.op("CBNZ", "%v, %ssource", count, label)

		a.param("windows", list)
		a.param("n", count)
		a.label(label + "window")
		a.op("MOVW.P", "4(%v), %v", list, to)
		a.op("MOVWU", "(%v)(%v<<2), %v", dstRows, to, to)
		a.op("MADD", "%v, %v, %v, %v", dstStride, dst, to, to)
		for _, place := range []gpr{from, last, except} {
			a.op("MOVW.P", "4(%v), %v", list, place)
		}
		a.op("FMOVS.P", "4(%v), F%d", list, int(w))
		a.op("ADD", "$1, %v, %v", except, behind)
		a.op("CMP", "$0, %v", except)
		a.op("CSEL", "LT, %v, %v, %v", from, except, except)
		a.op("CSEL", "LT, %v, %v, %v", from, behind, behind)
		for _, place := range []gpr{from, last, except, behind} {
			a.op("ADD", "%v<<%d, %v, %v", place, logWindowScratch, scratch, place)
		}
		for done := 0; done < floats; done += 16 {
			n := min(floats, 16)
			own, before, b, c, d := vec(0), vec(4), vec(8), vec(12), vec(16)
			a.loadNext(except, b, n)
			a.loadNext(from, before, n)
			a.loadNext(last, d, n)
			a.loadNext(behind, c, n)
			for k := range registers(n) {
				a.zero(own + k)
			}
			skip := fmt.Sprintf("%sset%d", label, done)
			a.op("CBNZ", "%v, %s", set, skip)
			a.op("MOVD", "%v, %v", to, at)
			a.loadNext(at, own, n)
			a.label(skip)
			for k := range registers(n) {
				a.fsub(b+k, b+k, before+k)
				a.fsub(d+k, d+k, c+k)
				a.fadd(b+k, b+k, d+k)
				a.fmlaLane(own+k, b+k, lane{w, 0})
			}
			a.storeNext(to, own, n)
		}
		a.op("SUB", "$1, %v", count)
		a.op("CBNZ", "%v, %swindow", count, label)
		a.op("ADD", "$%d, %v", 4*floats, src)
		a.op("ADD", "$%d, %v", 4*floats, dst)
	})
	a.op("RET", "")
}
