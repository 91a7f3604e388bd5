package main

// transpose takes four rows at a time, and so a quarter of what is written for each
// column.
func (a *asm) transpose() {
	a.function("transposeKernel", "dst h stride n cols")
	p := a.params("dst h stride n cols")
	dst, h, stride, n, cols := p[0], p[1], p[2], p[3], p[4]
	at, left, step := a.reg(), a.reg(), a.reg()
	var rows [4]gpr
	for k := range rows {
		rows[k] = a.reg()
	}
	a.label("rows")
	a.note("A row behind the last one is the last one again.")
	a.op("MOVD", "%v, %v", h, rows[0])
	for k := 1; k < 4; k++ {
		a.op("CMP", "$%d, %v", k, n)
		a.op("CSEL", "GT, %v, ZR, %v", stride, step)
		a.op("ADD", "%v, %v, %v", step, rows[k-1], rows[k])
	}
	a.op("MOVD", "%v, %v", dst, at)
	a.op("SUBS", "$4, %v, %v", cols, left)
	a.op("BLT", "few")
	a.op("MOVD", "$%d, %v", 4*blockLanes, step)
	a.op("PCALIGN", "$16")
	a.label("four")
	for k, row := range rows {
		a.loadNext(row, vec(k), lanes)
	}
	// Columns 0 and 1, then 2 and 3, of two rows each, then columns of four.
	zip := func(which, arrangement string, d, n, m vec) {
		a.op("VZIP"+which, "%v.%s, %v.%s, %v.%s", m, arrangement, n, arrangement, d, arrangement)
	}
	zip("1", "S4", 4, 0, 1)
	zip("2", "S4", 5, 0, 1)
	zip("1", "S4", 6, 2, 3)
	zip("2", "S4", 7, 2, 3)
	for k := range vec(4) {
		zip([]string{"1", "2"}[k%2], "D2", 16+k, 4+k/2, 6+k/2)
		a.op("VST1.P", "[%v.S4], (%v)(%v)", 16+k, at, step)
	}
	a.op("SUBS", "$4, %v", left)
	a.op("BGE", "four")
	a.label("few")
	a.op("ADDS", "$4, %v", left)
	a.op("BEQ", "done")
	a.label("one")
	for k, row := range rows {
		a.op("VLD1.P", "4(%v), V0.S[%d]", row, k)
	}
	a.op("VST1", "[V0.S4], (%v)", at)
	a.op("ADD", "$%d, %v", 4*blockLanes, at)
	a.op("SUB", "$1, %v", left)
	a.op("CBNZ", "%v, one", left)
	a.label("done")
	a.op("ADD", "$16, %v", dst)
	a.op("ADD", "%v<<2, %v", stride, h)
	a.op("SUBS", "$4, %v", n)
	a.op("BGT", "rows")
	a.op("RET", "")
}
