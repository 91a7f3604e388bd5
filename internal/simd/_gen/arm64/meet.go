package main

// agree and meet are the halves of Meet, between which its part is computed.
func (a *asm) agree() {
	p := a.params("own began row n")
	const mine, was, others, together, square = vec(0), vec(4), vec(8), vec(16), vec(17)
	a.zero(together)
	a.zero(square)
	a.strips("", p[3], 16, func(_ string, floats int) {
		a.loadNext(p[0], mine, floats)
		a.loadNext(p[1], was, floats)
		a.loadNext(p[2], others, floats)
		for k := range registers(floats) {
			a.fsub(mine+k, mine+k, was+k)
			a.fsub(others+k, others+k, was+k)
			a.fmla(together, mine+k, others+k)
			a.fmla(square, others+k, others+k)
		}
	})
	for _, sum := range []struct {
		of vec
		to string
	}{{together, "together"}, {square, "others"}} {
		a.faddp(sum.of, sum.of, sum.of)
		a.faddpScalar(sum.of, sum.of)
		a.op("FMOVS", "F%d, %s", int(sum.of), a.at(sum.to))
	}
}

func (a *asm) meet() {
	p := a.params("own began row n")
	toOwn, toBegan, toRow := a.reg(), a.reg(), a.reg()
	const mine, was, is, part = vec(0), vec(4), vec(8), vec(16)
	a.everywhere(part, "part")
	a.strips("", p[3], 16, func(_ string, floats int) {
		for i, to := range []gpr{toOwn, toBegan, toRow} {
			a.op("MOVD", "%v, %v", p[i], to)
			a.loadNext(p[i], []vec{mine, was, is}[i], floats)
		}
		for k := range registers(floats) {
			a.fsub(mine+k, mine+k, was+k)
			a.fadd(mine+k, mine+k, is+k)
			a.fsub(is+k, is+k, was+k)
			a.fmul(is+k, is+k, part)
			a.fsub(mine+k, mine+k, is+k)
		}
		for _, to := range []gpr{toOwn, toBegan, toRow} {
			a.storeNext(to, mine, floats)
		}
	})
}
