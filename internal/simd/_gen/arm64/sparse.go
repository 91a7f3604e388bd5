package main

// updateRows and addRows go through rows of dst, of which each receives the rows of src that the
// bits of its mask name.

func (a *asm) updateRows() {
	a.function("updateRowsKernel", "dst dstStride dstRows src srcStride srcRows w kept n sources cols")
	a.sparse("MOVHU.P", 2, 2, 6)
}

func (a *asm) addRows() {
	a.function("addRowsColumns", "dst dstStride dstRows src srcStride srcRows w columns n cols")
	a.sparse("MOVD.P", 8, 6, 2)
}

// sparse lays out code for n rows with masks of so many bytes. A row's weight of a source stands
// 1<<bySource bytes behind that of the source before it, and 1<<byRow behind that of the row
// before.
func (a *asm) sparse(load string, bytes, bySource, byRow int) {
	names := "dstRows src srcStride srcRows w kept n"
	if _, ok := a.offsets["columns"]; ok {
		names = "dstRows src srcStride srcRows w columns n"
	}
	p := a.params(names)
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
			for c := range registers(floats) {
				a.fmlaLane(of+c, into+c, lane{w, 0})
			}
		})
		a.op("SUB", "$1, %v, %v", bits, below)
		a.op("ANDS", "%v, %v, %v", below, bits, bits)
		a.op("BNE", "%ssource", label)
		a.storeNext(to, 0, floats)
		a.op("ADD", "$%d, %v", 4*floats, strip)
	})
	a.label("next")
	a.op("ADD", "$4, %v", dstRows)
	a.op("ADD", "$%d, %v", 1<<byRow, weights)
	a.op("SUB", "$1, %v", n)
	a.op("CBNZ", "%v, row", n)
	a.op("RET", "")
}
