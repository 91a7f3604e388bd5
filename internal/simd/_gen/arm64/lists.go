package main

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
	a.op("SUB", "$1, %v", n)
	a.op("CBNZ", "%v, list", n)
	a.op("RET", "")
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
	a.op("SUB", "$1, %v", l.count)
	a.op("CBNZ", "%v, %srow", l.count, label)
	a.label(label + "rowend")
}

func (a *asm) gather() {
	a.function("gatherKernel", "dst dstStride data stride starts rows weights ids n cols")
	a.lists("dst", func(label string, floats int, own gpr, l rowList) {
		for k := range registers(floats) {
			a.zero(k)
		}
		l.each(label, func(p gpr) {
			const w = vec(24)
			a.op("FMOVS.P", "4(%v), F%d", l.weight, int(w))
			parts(floats, func(of, into vec, floats int) {
				a.loadNext(p, into, floats)
				for c := range registers(floats) {
					a.fmlaLane(of+c, into+c, lane{w, 0})
				}
			})
		})
		a.storeNext(own, 0, floats)
	})
}

func (a *asm) scatter() {
	a.function("scatterKernel", "data stride starts rows ids delta deltaStride n cols")
	a.scatterLists()
}

func (a *asm) scatterWeighted() {
	a.function("scatterWeightedKernel", "data stride starts rows weights ids delta deltaStride n cols")
	a.scatterLists()
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
	a.function("prefetchKernel", "data stride rows n cols")
	p := a.params("data stride rows n cols")
	data, stride, rows, n, cols := p[0], p[1], p[2], p[3], p[4]
	row, end := a.reg(), a.reg()
	a.label("row")
	a.row(rows, stride, data, row)
	a.op("ADD", "%v<<2, %v, %v", cols, row, end)
	a.label("line")
	a.op("PRFM", "(%v), PLDL2KEEP", row)
	a.op("ADD", "$64, %v", row)
	a.op("CMP", "%v, %v", end, row)
	a.op("BLO", "line")
	a.op("SUB", "$1, %v", n)
	a.op("CBNZ", "%v, row", n)
	a.op("RET", "")
}
