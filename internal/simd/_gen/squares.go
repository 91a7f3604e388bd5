package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// aheadOfSquares is how many rows ahead are asked for.
const aheadOfSquares = 2

// leastSquares lays out the training of a row with others, one after the other, in vectors of so many numbers.
func leastSquares(lanes int, vector func() VecVirtual, fold func(VecVirtual) Op, root func(...Op)) {
	const group = 4 * lanesOfGroup // bytes of a group of numbers
	row, sums := param("row"), param("sums")
	end := loaded(paramAt("groups"))
	SHLQ(Imm(6), end) // bytes of a row
	with := param("with")
	left := loaded(paramAt("n"))
	one := vector()
	unit := GP32()
	bits := local()
	MOVL(U32(0x3f800000), unit)
	MOVL(unit, bits)
	VBROADCASTSS(bits, one)
	total := XMM()
	VXORPS(total, total, total)
	at := zeroed() // of the pair
	p, q := GP64(), GP64()
	Label("pair")
	// Rows of a pair that comes soon.
	MOVL(Mem{Base: with, Index: at, Scale: 4, Disp: 4 * aheadOfSquares}, p.As32())
	IMULQ(paramAt("stride"), p)
	MOVQ(p, q)
	ADDQ(paramAt("data"), p)
	ADDQ(paramAt("dataSums"), q)
	off := zeroed()
	Label("fetch")
	PREFETCHT0(Mem{Base: p, Index: off, Scale: 1})
	PREFETCHT0(Mem{Base: q, Index: off, Scale: 1})
	ADDQ(Imm(group), off)
	compare(off, end, JLT, LabelRef("fetch"))

	word := GP64()
	MOVL(Mem{Base: with, Index: at, Scale: 4}, word.As32())
	MOVQ(word, p)
	IMULQ(paramAt("stride"), p)
	MOVQ(p, q)
	ADDQ(paramAt("data"), p)
	ADDQ(paramAt("dataSums"), q)
	// The dot product.
	parts := make([]VecVirtual, lanesOfGroup/lanes)
	for k := range parts {
		parts[k] = vector()
		VXORPS(parts[k], parts[k], parts[k])
	}
	XORQ(off, off)
	Label("dot")
	for k, part := range parts {
		x := vector()
		VMOVUPS(Mem{Base: row, Index: off, Scale: 1, Disp: 4 * lanes * k}, x)
		VFMADD231PS(Mem{Base: p, Index: off, Scale: 1, Disp: 4 * lanes * k}, x, part)
	}
	ADDQ(Imm(group), off)
	compare(off, end, JLT, LabelRef("dot"))
	for _, part := range parts[1:] {
		VADDPS(part, parts[0], parts[0])
	}
	score := fold(parts[0]).(VecVirtual).AsX()
	other := XMM()
	VEXTRACTF128(Imm(1), score.(VecVirtual).AsY(), other)
	VADDPS(other, score, score)
	VHADDPS(score, score, score)
	VHADDPS(score, score, score)

	// The error.
	bias, biasSum, biases, biasSums := param("bias"), param("biasSum"), param("biases"), param("biasSums")
	VADDSS(Mem{Base: bias}, score, score)
	VADDSS(Mem{Base: biases, Index: word, Scale: 4}, score, score)
	logs := param("logs")
	VSUBSS(Mem{Base: logs, Index: at, Scale: 4}, score, score)
	weights := param("weights")
	e := XMM()
	VMULSS(Mem{Base: weights, Index: at, Scale: 4}, score, e)
	VFMADD231SS(score, e, total)
	for _, of := range []struct{ at, sum Mem }{
		{Mem{Base: bias}, Mem{Base: biasSum}},
		{Mem{Base: biases, Index: word, Scale: 4}, Mem{Base: biasSums, Index: word, Scale: 4}},
	} {
		sum, r, x := XMM(), XMM(), XMM()
		VMOVSS(of.sum, sum)
		VADDSS(one.AsX(), sum, r)
		VRSQRTSS(r, r, r)
		VMULSS(e, r, r)
		VMOVSS(of.at, x)
		VSUBSS(r, x, x)
		VMOVSS(x, of.at)
		VFMADD231SS(e, e, sum)
		VMOVSS(sum, of.sum)
	}
	VMULSS(paramAt("rate"), e, e)
	step := vector()
	VBROADCASTSS(e, step)

	XORQ(off, off)
	Label("update")
	for k := range parts {
		place := func(base GPVirtual) Mem { return Mem{Base: base, Index: off, Scale: 1, Disp: 4 * lanes * k} }
		a, b := vector(), vector()
		VMOVUPS(place(row), a)
		VMOVUPS(place(p), b)
		ofA, ofB := vector(), vector()
		VMULPS(b, step, ofA)
		VMULPS(a, step, ofB)
		for _, side := range []struct {
			x, by VecVirtual
			base  GPVirtual
			sums  GPVirtual
		}{{a, ofA, row, sums}, {b, ofB, p, q}} {
			sum, r := vector(), vector()
			VMOVUPS(place(side.sums), sum)
			VADDPS(one, sum, r)
			root(r, r)
			VFNMADD231PS(r, side.by, side.x)
			VFMADD231PS(side.by, side.by, sum)
			VMOVUPS(side.x, place(side.base))
			VMOVUPS(sum, place(side.sums))
		}
	}
	ADDQ(Imm(group), off)
	compare(off, end, JLT, LabelRef("update"))
	INCQ(at)
	compare(at, left, JLT, LabelRef("pair"))
	Store(total, ReturnIndex(0))
}

func avx2LeastSquares() {
	leastSquares(8, func() VecVirtual { return YMM() }, func(v VecVirtual) Op { return v }, func(ops ...Op) { VRSQRTPS(ops[0], ops[1]) })
}

func avx512LeastSquares() {
	leastSquares(16, func() VecVirtual { return ZMM() }, func(v VecVirtual) Op {
		high := YMM()
		VEXTRACTF64X4(Imm(1), v, high)
		VADDPS(high, v.AsY(), high)
		return high
	}, VRSQRT14PS)
}
