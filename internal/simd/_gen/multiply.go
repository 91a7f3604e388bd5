package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

func multiplyDoc(name string) []string {
	return []string{name + " is MultiplyRows for n ≥ 1 triples and cols ≥ 1 numbers; strides are in bytes."}
}

// triples lays out code that goes through n triples: body is called with the addresses of
// one's rows and where its weight is.
func triples(body func(dst, a, b GPVirtual, weight Mem)) {
	at, left := spill("triples"), spill("n")
	Label("triple")
	p := GP64()
	MOVQ(at, p)
	var rows []GPVirtual
	for k, name := range []string{"dst", "a", "b"} {
		row, ids, number := GP64(), param(name+"Rows"), GP64()
		MOVL(Mem{Base: p, Disp: 4 * k}, number.As32())
		rowAddress(row, Mem{Base: ids, Index: number, Scale: 4}, paramAt(name+"Stride"), paramAt(name))
		rows = append(rows, row)
	}
	body(rows[0], rows[1], rows[2], Mem{Base: p, Disp: 12})
	advance(at, 16)
	DECQ(left)
	JNZ(LabelRef("triple"))
}

func avx512Multiply() {
	function("multiplyAVX512", multiplySignature, multiplyDoc("multiplyAVX512")...)
	tail := tailMask(paramAt("cols"))
	triples(func(dst, a, b GPVirtual, weight Mem) {
		w := ZMM()
		VBROADCASTSS(weight, w)
		left, off := wholeVectors(paramAt("cols")), GP64()
		XORQ(off, off)
		strips512("strip", left, off, mostOfRow512, tail, func(_ string, vectors int, last OpmaskVirtual) {
			x, y, sum := zmms(vectors), zmms(vectors), zmms(vectors)
			loadStrip512(a, off, x, last)
			loadStrip512(b, off, y, last)
			loadStrip512(dst, off, sum, last)
			for k := range sum {
				VMULPS(w, x[k], x[k])
				VFMADD231PS(y[k], x[k], sum[k])
			}
			storeStrip512(dst, off, sum, last)
		})
	})
	VZEROUPPER()
	RET()
}

// mostOfTriple256 is how many vectors of each of three rows are kept in registers.
const mostOfTriple256 = 4

func avx2Multiply(m masks256) {
	function("multiplyAVX2", multiplySignature, multiplyDoc("multiplyAVX2")...)
	row := m.splitRow()
	triples(func(dst, a, b GPVirtual, weight Mem) {
		w := YMM()
		VBROADCASTSS(weight, w)
		row.strips("strip", mostOfTriple256, func(s strip256) {
			x, y, sum := ymms(s.vectors()), ymms(s.vectors()), ymms(s.vectors())
			s.load(a, x)
			s.load(b, y)
			s.load(dst, sum)
			for k := range sum {
				VMULPS(w, x[k], x[k])
				VFMADD231PS(y[k], x[k], sum[k])
			}
			s.store("", dst, sum)
		})
	})
	VZEROUPPER()
	RET()
}
