package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

func eachDoc(name string) []string {
	return []string{name + " is AddEach for n ≥ 1 rows of cols ≥ 1 numbers; strides are in bytes."}
}

// each lays out code that goes through n rows of dst, each with its row of src: body is called
// with their addresses and where the weight is.
func each(body func(dst, src GPVirtual, weight Mem)) {
	dstRows, srcRows, w, n := param("dstRows"), param("srcRows"), param("w"), param("n")
	fromEnd(n, dstRows, srcRows)
	Label("pair")
	dst, src := GP64(), GP64()
	rowAddress(dst, Mem{Base: dstRows, Index: n, Scale: 4}, paramAt("dstStride"), paramAt("dst"))
	rowAddress(src, Mem{Base: srcRows, Index: n, Scale: 4}, paramAt("srcStride"), paramAt("src"))
	body(dst, src, Mem{Base: w})
	ADDQ(U32(4*(lanes512+1)), w) // the next row's weight for the next
	INCQ(n)
	JNZ(LabelRef("pair"))
}

func avx512Each() {
	function("addEachAVX512", eachSignature, eachDoc("addEachAVX512")...)
	tail := tailMask(paramAt("cols"))
	each(func(dst, src GPVirtual, weight Mem) {
		w := ZMM()
		VBROADCASTSS(weight, w)
		left, off := wholeVectors(paramAt("cols")), GP64()
		XORQ(off, off)
		strips512("strip", left, off, mostOfRow512, tail, func(_ string, vectors int, last OpmaskVirtual) {
			x, sum := zmms(vectors), zmms(vectors)
			loadStrip512(src, off, x, last)
			loadStrip512(dst, off, sum, last)
			for k := range sum {
				VFMADD231PS(x[k], w, sum[k])
			}
			storeStrip512(dst, off, sum, last)
		})
	})
	VZEROUPPER()
	RET()
}

// mostOfEach256 is how many vectors of both rows are kept in registers.
const mostOfEach256 = 6

func avx2Each(m masks256) {
	function("addEachAVX2", eachSignature, eachDoc("addEachAVX2")...)
	row := m.splitRow()
	each(func(dst, src GPVirtual, weight Mem) {
		w := YMM()
		VBROADCASTSS(weight, w)
		row.strips("strip", mostOfEach256, func(s strip256) {
			x, sum := ymms(s.vectors()), ymms(s.vectors())
			s.load(src, x)
			s.load(dst, sum)
			for k := range sum {
				VFMADD231PS(x[k], w, sum[k])
			}
			s.store("", dst, sum)
		})
	})
	VZEROUPPER()
	RET()
}
