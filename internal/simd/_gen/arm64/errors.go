package main

import "fmt"

// blockLanes is how many rows of a block have their errors computed together, and
// blockVectors is how many registers they take.
const (
	blockLanes   = 16
	blockVectors = blockLanes / lanes
)

// storedScores leaves it at scores.
func (a *asm) storedScores() {
	a.function("scoresKernel", "out transposed data stride rows n cols")
	a.scores()
	a.op("RET", "")
}

// sumParts adds the parts of scores.
func (a *asm) sumParts() {
	a.function("sumPartsKernel", "out scores stride parts n")
	p := a.params("out scores stride parts n")
	out, scores, stride, parts, left := p[0], p[1], p[2], p[3], p[4]
	at, count := a.reg(), a.reg()
	a.label("row")
	a.op("MOVD", "%v, %v", scores, at)
	a.load(at, 0, blockLanes)
	a.op("SUBS", "$1, %v, %v", parts, count)
	a.op("BEQ", "summed")
	a.label("part")
	a.op("ADD", "%v, %v", stride, at)
	a.load(at, blockVectors, blockLanes)
	for v := range vec(blockVectors) {
		a.fadd(v, v, blockVectors+v)
	}
	a.op("SUBS", "$1, %v", count)
	a.op("BNE", "part")
	a.label("summed")
	a.storeNext(out, 0, blockLanes)
	a.op("ADD", "$%d, %v", 4*blockLanes, scores)
	a.op("SUBS", "$1, %v", left)
	a.op("BNE", "row")
	a.op("RET", "")
}

// errors goes over its rows twice, so that each time all registers are free for one thing.
func (a *asm) errors() {
	a.function("errorsKernel", "scores with kept weights n threshold:4 seed:4 sign:4")
	a.powers()
	a.quotients()
	a.op("RET", "")
}

// scores keeps those of four or two rows with all lanes in registers: number k of each
// row is multiplied by the lanes' numbers k.
func (a *asm) scores() {
	a.freeAll()
	p := a.params("out transposed data stride rows n cols")
	out, transposed, data, stride, rows, left, cols := p[0], p[1], p[2], p[3], p[4], p[5], p[6]
	h, count, number, id := a.reg(), a.reg(), a.reg(), a.reg()
	var row [4]gpr
	for k := range row {
		row[k] = a.reg()
	}
	body := func(size int) {
		name := func(s string) string { return fmt.Sprintf("%s%d", s, size) }
		sums := 4 / size // sums for each row, so that there are 16 registers of them
		acc := func(sum, row, v int) vec { return vec((sum*size+row)*blockVectors + v) }
		a.note("A row behind the last one is the last one again.")
		a.op("MOVD", "$0, %v", number)
		for k := range size {
			if k > 0 {
				a.op("CMP", "$%d, %v", k, left)
				a.op("CINC", "GT, %v, %v", number, number)
			}
			a.op("MOVWU", "(%v)(%v<<2), %v", rows, number, id)
			a.op("MADD", "%v, %v, %v, %v", stride, data, id, row[k])
		}
		for k := range vec(16) {
			a.zero(k)
		}
		const numbers = vec(24)
		hv := func(u int) vec { return vec(16 + u%2*blockVectors) }
		multiply := func(u int) {
			for k := range size {
				for v := range blockVectors {
					a.fmlaLane(acc(u%sums, k, v), hv(u)+vec(v), lane{numbers + vec(k), u})
				}
			}
		}
		a.op("MOVD", "%v, %v", transposed, h)
		a.op("LSR", "$2, %v, %v", cols, count)
		a.op("CBZ", "%v, %s", count, name("rest"))
		a.op("PCALIGN", "$16")
		a.label(name("four"))
		for k := range size {
			a.loadNext(row[k], numbers+vec(k), lanes)
		}
		a.loadNext(h, hv(0), blockLanes)
		for u := range 4 {
			if u < 3 {
				a.loadNext(h, hv(u+1), blockLanes)
			}
			multiply(u)
		}
		a.op("SUB", "$1, %v", count)
		a.op("CBNZ", "%v, %s", count, name("four"))
		a.label(name("rest"))
		a.op("ANDS", "$3, %v, %v", cols, count)
		a.op("BEQ", "%s", name("scored"))
		a.label(name("one"))
		for k := range size {
			a.loadNext(row[k], numbers+vec(k), 1)
		}
		a.loadNext(h, hv(0), blockLanes)
		multiply(0)
		a.op("SUB", "$1, %v", count)
		a.op("CBNZ", "%v, %s", count, name("one"))
		a.label(name("scored"))
		for k := range size {
			for v := range blockVectors {
				for s := 1; s < sums; s++ {
					a.fadd(acc(0, k, v), acc(0, k, v), acc(s, k, v))
				}
			}
		}
		for k := range size {
			if k > 0 {
				a.op("CMP", "$%d, %v", k, left)
				a.op("BLE", "scores")
			}
			a.storeNext(out, acc(0, k, 0), blockLanes)
		}
	}
	a.label("rows")
	a.op("CMP", "$2, %v", left)
	a.op("BLE", "upTo2")
	body(4)
	a.op("ADD", "$16, %v", rows)
	a.op("SUBS", "$4, %v", left)
	a.op("BGT", "rows")
	a.op("B", "scores")
	a.label("upTo2")
	body(2)
	a.label("scores")
}
