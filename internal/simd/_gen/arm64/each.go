package main

// each keeps up to 32 numbers of each of two rows in registers.
func (a *asm) each() {
	a.function("addEachKernel", "dst dstStride dstRows src srcStride srcRows w n cols")
	p := a.params("dst dstStride dstRows src srcStride srcRows w n")
	weights, n := p[6], p[7]
	dst, src, to, left := a.reg(), a.reg(), a.reg(), a.reg()
	const (
		most = 32
		sum  = vec(0)
		x    = sum + most/lanes
		w    = x + most/lanes
	)
	a.label("pair")
	a.row(p[2], p[1], p[0], dst)
	a.row(p[5], p[4], p[3], src)
	a.op("FMOVS", "(%v), F%d", weights, int(w))
	a.op("ADD", "$%d, %v", 4*(16+1), weights) // the next row's weight for the next
	a.op("MOVD", "%v, %v", dst, to)
	a.param("cols", left)
	a.strips("", left, most, func(_ string, floats int) {
		a.loadNext(dst, sum, floats)
		a.loadNext(src, x, floats)
		for c := range registers(floats) {
			a.fmlaLane(sum+c, x+c, lane{w, 0})
		}
		a.storeNext(to, sum, floats)
	})
	a.op("SUB", "$1, %v", n)
	a.op("CBNZ", "%v, pair", n)
	a.op("RET", "")
}
