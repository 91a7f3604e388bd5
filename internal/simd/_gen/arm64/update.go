package main

import "fmt"

func (a *asm) update() {
	a.function("updateKernel", "dst dstStride dstRows src srcStride srcRows w wDst wSrc groups n cols set")
	p := a.params("src srcStride wDst wSrc groups n")
	src, srcStride, wDst, wSrc, groups, n := p[0], p[1], p[2], p[3], p[4], p[5]
	wDst2, wDst3 := a.reg(), a.reg()
	a.op("LSL", "$1, %v, %v", wDst, wDst2)
	a.op("ADD", "%v, %v, %v", wDst, wDst2, wDst3)
	// Of a group: its rows, and the list, its length and first weight of what they
	// receive.
	list, sources, weights := a.reg(), a.reg(), a.reg()
	var dp [4]gpr
	for k := range dp {
		dp[k] = a.reg()
	}
	// Of a strip of a group.
	strip, left := a.reg(), a.reg()
	ids, count, wp, sp, tp := a.reg(), a.reg(), a.reg(), a.reg(), a.reg()

	a.label("group")
	size, dst, dstStride, dstRows := left, wp, sp, ids // until there are strips
	{
		first, from := count, tp
		a.op("MOVW.P", "16(%v), %v", groups, first)
		a.op("MOVW", "-12(%v), %v", groups, size)
		a.op("MOVW", "-8(%v), %v", groups, from)
		a.op("MOVW", "-4(%v), %v", groups, sources)
		a.op("SUBS", "%v, %v", from, sources)
		a.op("BLE", "next")
		a.param("srcRows", list)
		a.op("ADD", "%v<<2, %v", from, list)
		a.param("w", weights)
		a.op("MADD", "%v, %v, %v, %v", wSrc, weights, from, weights)
		a.op("MADD", "%v, %v, %v, %v", wDst, weights, first, weights)
		a.param("dst", dst)
		a.param("dstStride", dstStride)
		a.param("dstRows", dstRows)
		a.op("ADD", "%v<<2, %v", first, dstRows)
	}
	a.op("CMP", "$3, %v", size)
	a.op("BGT", "rows4")
	a.op("BEQ", "rows3")
	a.op("CMP", "$1, %v", size)
	a.op("BGT", "rows2")
	a.op("BLT", "next")
	for _, rows := range []int{1, 2, 3, 4} {
		prefix := fmt.Sprintf("rows%d", rows)
		a.label(prefix)
		for k := range rows {
			a.row(dstRows, dstStride, dst, dp[k])
		}
		a.op("MOVD", "%v, %v", src, strip)
		a.param("cols", left)
		most := maxStrip
		for most*rows > maxStrip {
			most /= 2
		}
		a.strips(prefix, left, most, func(label string, floats int) {
			const w = vec(24)
			acc := func(k int) vec { return vec(k) * registers(floats) }
			a.param("set", count)
			a.op("CBNZ", "%v, %sset", count, label)
			for k := range rows {
				a.op("MOVD", "%v, %v", dp[k], tp)
				a.loadNext(tp, acc(k), floats)
			}
			a.op("B", "%sbegun", label)
			a.label(label + "set")
			for v := range acc(rows) {
				a.zero(v)
			}
			a.label(label + "begun")
			a.op("MOVD", "%v, %v", list, ids)
			a.op("MOVD", "%v, %v", sources, count)
			a.op("MOVD", "%v, %v", weights, wp)
			a.op("PCALIGN", "$16")
			a.label(label + "source")
			a.row(ids, srcStride, strip, sp)
			a.op("FMOVS", "(%v), F%d", wp, int(w))
			for k, offset := range []gpr{wDst, wDst2, wDst3}[:rows-1] {
				a.op("FMOVS", "(%v)(%v), F%d", wp, offset, int(w)+1+k)
			}
			a.op("ADD", "%v, %v", wSrc, wp)
			parts(floats, func(of, into vec, floats int) {
				a.loadNext(sp, into, floats)
				for k := range rows {
					for c := range registers(floats) {
						a.fmlaLane(acc(k)+of+c, into+c, lane{w + vec(k), 0})
					}
				}
			})
			a.op("SUB", "$1, %v", count)
			a.op("CBNZ", "%v, %ssource", count, label)
			for k := range rows {
				a.storeNext(dp[k], acc(k), floats)
			}
			a.op("ADD", "$%d, %v", 4*floats, strip)
		})
		if rows < 4 {
			a.op("B", "next")
		}
	}
	a.label("next")
	a.op("SUB", "$1, %v", n)
	a.op("CBNZ", "%v, group", n)
	a.op("RET", "")
}
