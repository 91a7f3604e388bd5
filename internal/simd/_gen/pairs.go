package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

func pairsDoc(name string) []string {
	return []string{name + " sets n ≥ 1 numbers of out to the dot products of row aRows[j] of a and row",
		"rows[j] of data, of cols ≥ 1 numbers; strides are in bytes."}
}

// pairs lays out code that goes through n pairs of rows, by four and then one by one: sums
// is called with their addresses, and returns the dot products in a register's first lanes.
// These are made alike, however many pairs there are.
func pairs(sums func(label string, ap, bp []GPVirtual) VecVirtual) {
	out, aRows, rows, left := spill("out"), spill("aRows"), spill("rows"), spill("n")
	body := func(size int) {
		addresses := func(stride, base string, at Mem) (p []GPVirtual) {
			first := GP64()
			MOVQ(at, first)
			for k := range size {
				row := GP64()
				rowAddress(row, Mem{Base: first, Disp: 4 * k}, paramAt(stride), paramAt(base))
				p = append(p, row)
			}
			return p
		}
		ap, bp := addresses("aStride", "a", aRows), addresses("stride", "data", rows)
		v, to := sums(fmt.Sprintf("pairs%d", size), ap, bp), GP64()
		MOVQ(out, to)
		if size == 4 {
			VMOVUPS(v.AsX(), Mem{Base: to})
		} else {
			VMOVSS(v.AsX(), Mem{Base: to})
		}
		for _, list := range []Mem{out, aRows, rows} {
			advance(list, 4*size)
		}
		SUBQ(Imm(uint64(size)), left)
	}
	Label("four")
	CMPQ(left, Imm(4))
	JLT(LabelRef("one"))
	body(4)
	JMP(LabelRef("four"))
	Label("one")
	CMPQ(left, Imm(0))
	JEQ(LabelRef("done"))
	body(1)
	JMP(LabelRef("one"))
	Label("done")
}

// fold sums up each quarter of four registers, or of one: lane i of each quarter of the
// result is the sum of that quarter of acc[i].
func fold(acc []VecVirtual, vector func() VecVirtual) VecVirtual {
	add := func(a, b VecVirtual, high, low func(...Op)) VecVirtual {
		hi := vector()
		high(b, a, hi)
		low(b, a, a)
		VADDPS(hi, a, a)
		return a
	}
	last := len(acc) - 1
	a := add(acc[0], acc[min(1, last)], VUNPCKHPS, VUNPCKLPS)
	b := a
	if last > 0 {
		b = add(acc[2], acc[3], VUNPCKHPS, VUNPCKLPS)
	}
	return add(a, b, VUNPCKHPD, VUNPCKLPD)
}

// addHalves adds the upper half of a register's 8 lanes to the lower.
func addHalves(v VecVirtual) VecVirtual {
	half := XMM()
	VEXTRACTF128(Imm(1), v.AsY(), half)
	VADDPS(half, v.AsX(), half)
	return half
}

func avx512Pairs() {
	function("pairsAVX512", pairsSignature, pairsDoc("pairsAVX512")...)
	tail := tailMask(paramAt("cols"))
	full := GP64()
	MOVQ(paramAt("cols"), full)
	DECQ(full)
	SHRQ(Imm(4), full)
	SHLQ(Imm(6), full)
	fullAt, zero := local(), ZMM()
	MOVQ(full, fullAt)
	VPXORD(zero, zero, zero)
	pairs(func(label string, ap, bp []GPVirtual) VecVirtual {
		acc, off, end := zmms(len(ap)), GP64(), GP64()
		for _, v := range acc {
			VMOVAPS(zero, v) // to avo, a VPXORD would read what it zeroes
		}
		XORQ(off, off)
		MOVQ(fullAt, end)
		JMP(LabelRef(label + "more"))
		Label(label + "vector")
		for k := range acc {
			v := ZMM()
			VMOVUPS(Mem{Base: ap[k], Index: off, Scale: 1}, v)
			VFMADD231PS(Mem{Base: bp[k], Index: off, Scale: 1}, v, acc[k])
		}
		ADDQ(Imm(64), off)
		Label(label + "more")
		CMPQ(off, end)
		JLT(LabelRef(label + "vector"))
		for k := range acc {
			v, x := ZMM(), ZMM()
			VMOVUPS_Z(Mem{Base: ap[k], Index: off, Scale: 1}, tail, v)
			VMOVUPS_Z(Mem{Base: bp[k], Index: off, Scale: 1}, tail, x)
			VFMADD231PS(x, v, acc[k])
		}
		sums, half := fold(acc, ZMM), YMM()
		VEXTRACTF64X4(Imm(1), sums, half)
		VADDPS(half, sums.AsY(), half)
		return addHalves(half)
	})
	VZEROUPPER()
	RET()
}

func avx2Pairs(m masks256) {
	function("pairsAVX2", pairsSignature, pairsDoc("pairsAVX2")...)
	row := m.splitRow()
	pairs(func(label string, ap, bp []GPVirtual) VecVirtual {
		acc, off, end := ymms(len(ap)), GP64(), GP64()
		for _, v := range acc {
			VXORPS(v, v, v)
		}
		XORQ(off, off)
		MOVQ(row.whole, end)
		JMP(LabelRef(label + "more"))
		Label(label + "vector")
		for k := range acc {
			v := YMM()
			VMOVUPS(Mem{Base: ap[k], Index: off, Scale: 1}, v)
			VFMADD231PS(Mem{Base: bp[k], Index: off, Scale: 1}, v, acc[k])
		}
		ADDQ(Imm(32), off)
		Label(label + "more")
		CMPQ(off, end)
		JLT(LabelRef(label + "vector"))
		CMPQ(row.tail.count, Imm(0))
		JEQ(LabelRef(label + "sum"))
		for k := range acc {
			v, x := YMM(), YMM()
			row.tail.load(Mem{Base: ap[k], Index: off, Scale: 1}, v)
			row.tail.load(Mem{Base: bp[k], Index: off, Scale: 1}, x)
			VFMADD231PS(x, v, acc[k])
		}
		Label(label + "sum")
		return addHalves(fold(acc, YMM))
	})
	VZEROUPPER()
	RET()
}
