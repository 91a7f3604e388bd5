package main

import (
	"fmt"
	"math"
)

// Minimax polynomials, of the constant term first; the kernels for amd64 have the
// same.
var (
	// eʳ for |r| ≤ ln 2 / 2, to 1e-7.
	expTerms = []float64{0.9999999999594526, 1.000000037731637, 0.5000000107761163, 0.1666641545863597, 0.04166621824148131, 0.008375130439167414, 0.0013948583018885598}
	// log(1+e)/e for 0 ≤ e ≤ 1, to 4e-7.
	log1pTerms = []float64{0.9999998102178478, -0.4999744938483535, 0.33276176571511895, -0.24499611724553416, 0.17757023992339624, -0.10785367917260759, 0.04421419233882469, -0.008574676205025243}
)

// The constants of the function of a score, kept one in a lane in the six
// registers from firstConstant on: by lane they can be multiplied by, or copied to
// all lanes of another register.
const firstConstant = vec(24)

// constantsAt is where they are in memory.
const constantsAt = "constants<>"

var (
	table      []float64
	log2e      = constant(math.Log2E)
	ln2Hi      = constant(0.693359375) // few bits, so that n·ln2Hi is exact
	ln2Lo      = constant(-2.12194440e-4)
	least      = constant(-87) // e to less is no normal number
	one        = constant(1)
	minus0     = constant(math.Copysign(0, -1)) // the sign bit
	expLanes   = constants(expTerms)
	log1pLanes = constants(log1pTerms)
)

func constant(x float64) lane {
	k := len(table)
	table = append(table, x)
	return lane{firstConstant + vec(k/lanes), k % lanes}
}

func constants(x []float64) (l []lane) {
	for _, x := range x {
		l = append(l, constant(x))
	}
	return l
}

func (a *asm) constants() {
	fmt.Fprintln(&a.text)
	for k, x := range table {
		fmt.Fprintf(&a.text, "DATA %s+%d(SB)/4, $0x%08x // %v\n", constantsAt, 4*k, math.Float32bits(float32(x)), float32(x))
	}
	fmt.Fprintf(&a.text, "GLOBL %s(SB), RODATA|NOPTR, $%d\n", constantsAt, 6*4*lanes)
}

func (a *asm) errors() {
	const (
		loss = vec(30)
		flip = vec(31)
	)
	p := a.function("errorsKernel", 12, "out outStride h hStride nh data stride rows n cols")
	data, stride, rows := p[5], p[6], p[7]
	t := tiles{a: a, out: p[0], outStride: p[1], h: p[2], hStride: p[3], nh: p[4], n: p[8], cols: p[9]}
	ids, number, id := a.reg(), a.reg(), a.reg()
	a.op("MOVWU", "sign+80(FP), %v", id)
	a.op("VDUP", "%v, %v.S4", id, flip)
	a.op("MOVD", "$%s(SB), %v", constantsAt, id)
	a.loadNext(id, firstConstant, 16)
	a.load(id, firstConstant+4, 8)
	a.zero(loss)
	t.first = func() { a.op("MOVD", "%v, %v", rows, ids) }
	t.addresses = func(to [4]gpr, left gpr) {
		a.op("MOVD", "$0, %v", number)
		for k, to := range to {
			if k > 0 {
				a.op("CMP", "$%d, %v", k, left)
				a.op("CINC", "GT, %v, %v", number, number)
			}
			a.op("MOVWU", "(%v)(%v<<2), %v", ids, number, id)
			a.op("MADD", "%v, %v, %v, %v", stride, data, id, to)
		}
		a.op("ADD", "$16, %v", ids)
	}
	t.use = func(sums, scratch [4]vec, free [4][4]vec) {
		sign, bound, zero, ones := scratch[0], scratch[1], scratch[2], scratch[3]
		a.dup(sign, minus0)
		a.dup(bound, least)
		a.zero(zero)
		a.dup(ones, one)
		// each writes an instruction for each row of the tile, so that four chains
		// of instructions are run side by side.
		each := func(op func(t, x, y, e, z vec)) {
			for k, f := range free {
				op(sums[k], f[0], f[1], f[2], f[3])
			}
		}
		a.note("t is the score, negated for positive pairs: the error is w·σ(t), the loss")
		a.note("w·log(1+eᵗ). With x = −|t| = n·ln 2 + r, e = eˣ = 2ⁿ·eʳ.")
		each(func(t, _, _, _, _ vec) { a.op("VEOR", "%v.B16, %v.B16, %v.B16", flip, t, t) })
		each(func(t, x, _, _, _ vec) { a.op("VORR", "%v.B16, %v.B16, %v.B16", sign, t, x) })
		each(func(_, x, _, _, _ vec) { a.fmax(x, x, bound) })
		each(func(_, x, n, _, _ vec) { a.fmulLane(n, x, log2e) })
		each(func(_, _, n, _, _ vec) { a.fcvtns(n, n) })
		each(func(_, _, n, e, _ vec) { a.scvtf(e, n) })
		each(func(_, x, _, e, _ vec) { a.fmlsLane(x, e, ln2Hi) })
		each(func(_, x, _, e, _ vec) { a.fmlsLane(x, e, ln2Lo) })
		// horner leaves the polynomial of x in y if the number of terms is even,
		// else in z.
		horner := func(terms []lane, pick func(t, a, b, c, d vec) (x, y, z vec)) {
			last := len(terms) - 1
			for i := last - 1; i >= 0; i-- {
				each(func(t, v0, v1, v2, v3 vec) {
					x, to, from := pick(t, v0, v1, v2, v3)
					if (last-i)%2 == 0 {
						to, from = from, to
					}
					a.dup(to, terms[i])
					if i == last-1 {
						a.fmlaLane(to, x, terms[last])
					} else {
						a.fmla(to, from, x)
					}
				})
			}
		}
		horner(expLanes, func(_, x, _, e, z vec) (vec, vec, vec) { return x, z, e })
		each(func(_, _, n, _, _ vec) { a.op("VSHL", "$23, %v.S4, %v.S4", n, n) })
		each(func(_, _, n, e, _ vec) { a.op("VADD", "%v.S4, %v.S4, %v.S4", n, e, e) })
		a.note("σ(t) = 1/(1+e), times e if t < 0.")
		each(func(_, _, _, e, z vec) { a.fadd(z, e, ones) })
		each(func(t, _, y, _, _ vec) { a.fcmlt0(y, t) })
		each(func(_, _, y, e, _ vec) { a.op("VBSL", "%v.B16, %v.B16, %v.B16", ones, e, y) })
		each(func(_, _, y, _, z vec) { a.fdiv(y, y, z) })
		a.note("log(1+eᵗ) = max(t, 0) + log(1+e).")
		horner(log1pLanes, func(_, x, _, e, z vec) (vec, vec, vec) { return e, z, x })
		each(func(t, x, _, _, _ vec) { a.fmax(x, t, zero) })
		each(func(_, x, _, e, z vec) { a.fmla(x, z, e) })
		a.note("The weights; those of pairs that are not there are 0.")
		for _, w := range sums {
			a.zero(w)
		}
		t.outRows("weights",
			func(p gpr, k int) { a.load(p, sums[k], lanes) },
			func(p gpr, k, j int) { a.op("VLD1.P", "4(%v), %v.S[%d]", p, sums[k], j) })
		a.note("Weight 0 makes error and loss 0, whatever they are.")
		each(func(w, _, _, e, _ vec) { a.fcmeq0(e, w) })
		each(func(w, x, _, e, _ vec) { a.op("VBIT", "%v.B16, %v.B16, %v.B16", e, w, x) })
		each(func(w, _, y, e, _ vec) { a.op("VBIT", "%v.B16, %v.B16, %v.B16", e, w, y) })
		each(func(w, x, _, _, _ vec) { a.fmla(loss, w, x) })
		each(func(w, _, y, _, _ vec) { a.fmul(y, w, y) })
		a.note("Negative pairs push away.")
		a.op("VEOR", "%v.B16, %v.B16, %v.B16", flip, sign, sign)
		each(func(_, _, y, _, _ vec) { a.op("VEOR", "%v.B16, %v.B16, %v.B16", sign, y, y) })
		t.store([4]vec{free[0][1], free[1][1], free[2][1], free[3][1]})
	}
	t.emit()
	a.faddp(loss, loss, loss)
	a.faddpScalar(loss, loss)
	a.op("FMOVS", "F%d, ret+88(FP)", int(loss))
	a.op("RET", "")
}
