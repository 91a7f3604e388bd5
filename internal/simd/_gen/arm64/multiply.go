package main

// multiply keeps up to 32 numbers of each of a triple's rows in registers.
func (a *asm) multiply() {
	a.function("multiplyKernel", "dst dstStride dstRows a aStride aRows b bStride bRows triples n cols")
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
	a.op("SUB", "$1, %v", n)
	a.op("CBNZ", "%v, triple", n)
	a.op("RET", "")
}
