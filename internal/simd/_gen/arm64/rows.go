package main

import "fmt"

// strips lays out code for rows of left numbers, in strips: of most numbers, a
// power of two, while there are as many, then one of each smaller power of two
// that the rest is the sum of. body is called for each of these and moves on its
// pointers into rows. left is lost.
func (a *asm) strips(prefix string, left gpr, most int, body func(label string, floats int)) {
	name := func(floats int) string { return fmt.Sprintf("%sstrip%d", prefix, floats) }
	a.op("CMP", "$%d, %v", most, left)
	a.op("BLT", "%srest", prefix)
	a.label(name(most))
	body(name(most), most)
	a.op("SUB", "$%d, %v", most, left)
	a.op("CMP", "$%d, %v", most, left)
	a.op("BGE", "%s", name(most))
	a.label(prefix + "rest")
	bit := 0
	for 2<<bit < most {
		bit++
	}
	for ; bit >= 0; bit-- {
		floats := 1 << bit
		a.op("TBZ", "$%d, %v, %sdone", bit, left, name(floats))
		body(name(floats), floats)
		a.label(name(floats) + "done")
	}
}

// registers is how many registers floats numbers take.
func registers(floats int) vec { return vec(max(1, floats/lanes)) }

// row sets p to the address of the next row of ids, whose first is at data.
func (a *asm) row(ids, stride, data, p gpr) {
	a.op("MOVWU.P", "4(%v), %v", ids, p)
	a.op("MADD", "%v, %v, %v, %v", stride, data, p, p)
}

func (a *asm) rankUpdate() {
	p := a.function("rankUpdateKernel", 0, "dst dstStride dstRows nd src srcStride srcRows ns w wDst wSrc cols")
	dst, dstStride, dstRows, nd := p[0], p[1], p[2], p[3]
	src, srcStride, srcRows, ns := p[4], p[5], p[6], p[7]
	w, wDst, wSrc, cols := p[8], p[9], p[10], p[11]
	var dp [4]gpr
	for k := range dp {
		dp[k] = a.reg()
	}
	wDst2, wDst3 := a.reg(), a.reg()
	strip, left, ids, count, wp, sp := a.reg(), a.reg(), a.reg(), a.reg(), a.reg(), a.reg()
	a.op("LSL", "$1, %v, %v", wDst, wDst2)
	a.op("ADD", "%v, %v, %v", wDst, wDst2, wDst3)
	for _, rows := range []int{4, 2, 1} {
		prefix := fmt.Sprintf("rows%d", rows)
		a.op("CMP", "$%d, %v", rows, nd)
		a.op("BLT", "%sdone", prefix)
		a.label(prefix)
		for k := range rows {
			a.row(dstRows, dstStride, dst, dp[k])
		}
		a.op("MOVD", "%v, %v", src, strip)
		a.op("MOVD", "%v, %v", cols, left)
		a.strips(prefix, left, 16, func(label string, floats int) {
			n := registers(floats)
			const from, weights = vec(16), vec(20)
			for k := range rows {
				a.load(dp[k], vec(k)*n, floats)
			}
			a.op("MOVD", "%v, %v", srcRows, ids)
			a.op("MOVD", "%v, %v", ns, count)
			a.op("MOVD", "%v, %v", w, wp)
			a.op("PCALIGN", "$16")
			a.label(label + "source")
			a.row(ids, srcStride, strip, sp)
			a.load(sp, from, floats)
			a.op("FMOVS", "(%v), F%d", wp, int(weights))
			for k, offset := range []gpr{wDst, wDst2, wDst3}[:rows-1] {
				a.op("FMOVS", "(%v)(%v), F%d", wp, offset, int(weights)+1+k)
			}
			a.op("ADD", "%v, %v", wSrc, wp)
			for k := range vec(rows) {
				for c := range n {
					a.fmlaLane(k*n+c, from+c, lane{weights + k, 0})
				}
			}
			a.op("SUB", "$1, %v", count)
			a.op("CBNZ", "%v, %ssource", count, label)
			for k := range rows {
				a.storeNext(dp[k], vec(k)*n, floats)
			}
			a.op("ADD", "$%d, %v", 4*floats, strip)
		})
		for range rows {
			a.op("ADD", "%v, %v", wDst, w)
		}
		a.op("SUB", "$%d, %v", rows, nd)
		a.op("CMP", "$%d, %v", rows, nd)
		a.op("BGE", "%s", prefix)
		a.label(prefix + "done")
	}
	a.op("RET", "")
}

// maxStrip is how many numbers of a row gather and scatter keep in registers.
const maxStrip = 64

func (a *asm) gather() {
	p := a.function("gatherKernel", 0, "dst data stride rows weights n cols")
	dst, data, stride, rows, weights, n, cols := p[0], p[1], p[2], p[3], p[4], p[5], p[6]
	ids, wp, count, row := a.reg(), a.reg(), a.reg(), a.reg()
	a.strips("", cols, maxStrip, func(label string, floats int) {
		const from, w = vec(16), vec(24)
		for k := range registers(floats) {
			a.zero(k)
		}
		a.op("MOVD", "%v, %v", rows, ids)
		a.op("MOVD", "%v, %v", weights, wp)
		a.op("MOVD", "%v, %v", n, count)
		a.op("PCALIGN", "$16")
		a.label(label + "row")
		a.row(ids, stride, data, row)
		a.op("FMOVS.P", "4(%v), F%d", wp, int(w))
		for done := 0; done < floats; done += 16 {
			// Two halves of these registers take turns.
			v, part := from+vec(done/16%2*4), min(floats, 16)
			a.loadNext(row, v, part)
			for c := range registers(part) {
				a.fmlaLane(vec(done/4)+c, v+c, lane{w, 0})
			}
		}
		a.op("SUB", "$1, %v", count)
		a.op("CBNZ", "%v, %srow", count, label)
		a.storeNext(dst, 0, floats)
		a.op("ADD", "$%d, %v", 4*floats, data)
	})
	a.op("RET", "")
}

func (a *asm) scatter() {
	p := a.function("scatterKernel", 0, "data stride rows delta n cols")
	data, stride, rows, delta, n, cols := p[0], p[1], p[2], p[3], p[4], p[5]
	ids, count, row, to := a.reg(), a.reg(), a.reg(), a.reg()
	a.strips("", cols, maxStrip, func(label string, floats int) {
		const from = vec(16)
		a.loadNext(delta, 0, floats)
		a.op("MOVD", "%v, %v", rows, ids)
		a.op("MOVD", "%v, %v", n, count)
		a.op("PCALIGN", "$16")
		a.label(label + "row")
		a.row(ids, stride, data, row)
		a.op("MOVD", "%v, %v", row, to)
		for done := 0; done < floats; done += 16 {
			v, part := from+vec(done/16%2*4), min(floats, 16)
			a.loadNext(row, v, part)
			for c := range registers(part) {
				a.fadd(v+c, v+c, vec(done/4)+c)
			}
			a.storeNext(to, v, part)
		}
		a.op("SUB", "$1, %v", count)
		a.op("CBNZ", "%v, %srow", count, label)
		a.op("ADD", "$%d, %v", 4*floats, data)
	})
	a.op("RET", "")
}

func (a *asm) prefetch() {
	p := a.function("prefetchKernel", 0, "data stride rows n cols")
	data, stride, rows, n, cols := p[0], p[1], p[2], p[3], p[4]
	row, end := a.reg(), a.reg()
	a.label("row")
	a.row(rows, stride, data, row)
	a.op("ADD", "%v<<2, %v, %v", cols, row, end)
	a.label("line")
	a.op("PRFM", "(%v), PLDL1KEEP", row)
	a.op("ADD", "$64, %v", row)
	a.op("CMP", "%v, %v", end, row)
	a.op("BLO", "line")
	a.op("SUB", "$1, %v", n)
	a.op("CBNZ", "%v, row", n)
	a.op("RET", "")
}
