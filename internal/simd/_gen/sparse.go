package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

func addRowsDoc(name string) []string {
	return []string{name + " is AddRows for n rows of src, from 1 to 64, and cols ≥ 1 numbers. kept has 64 masks.",
		"Strides are in bytes."}
}

func updateRowsDoc(name string) []string {
	return []string{name + " is UpdateRows for n ≥ 1 rows of dst, sources rows of src, from 1 to 16, and",
		"cols ≥ 1 numbers. Strides are in bytes."}
}

// sources are the rows that others receive: their addresses stand in the frame, by number. The
// weight of row i stands i<<shift bytes behind that of the first.
type sources struct {
	addresses Mem
	shift     uint64
}

// newSources lays out code that finds the addresses of n ≥ 1 rows of src, at most most.
func newSources(n Op, most int, shift uint64) sources {
	s := sources{AllocLocal(8 * most), shift}
	ids, base, stride, left := param("srcRows"), param("src"), param("srcStride"), GP64()
	MOVQ(n, left)
	Label("address")
	p := GP64()
	rowAddress(p, Mem{Base: ids, Index: left, Scale: 4, Disp: -4}, stride, base)
	MOVQ(p, s.addresses.Offset(-8).Idx(left, 8))
	DECQ(left)
	JNZ(LabelRef("address"))
	return s
}

// each lays out the loop over the rows that the bits of mask name, which is not 0 and is lost:
// body is called with a row's address and where its weight is, given that of the first.
func (s sources) each(label string, mask, weights GPVirtual, body func(p GPVirtual, weight Mem)) {
	Label(label + "source")
	i, p := GP64(), GP64()
	TZCNTQ(mask, i)
	MOVQ(s.addresses.Idx(i, 8), p)
	weight := Mem{Base: weights, Index: i, Scale: 1}
	if s.shift <= 3 {
		weight.Scale = 1 << s.shift
	} else {
		SHLQ(Imm(s.shift), i)
	}
	body(p, weight)
	BLSRQ(mask, mask)
	JNZ(LabelRef(label + "source"))
}

const (
	weightShift = 2 // a weight is 1<<2 bytes
	lineShift   = 6 // and so is a row of weights 1<<6
)

// A receiver lays out code for a strip of a row: what it receives of the rows that the bits of
// mask name.
type receiver func(label string, dst, mask, weights GPVirtual, s sources)

// updateRows returns what lays out code for a strip of all rows of dst.
func updateRows() func(label string, receive receiver) {
	from := newSources(paramAt("sources"), 16, weightShift)
	return func(label string, receive receiver) {
		dstRows, kept, w, n := param("dstRows"), param("kept"), param("w"), param("n")
		LEAQ(Mem{Base: kept, Index: n, Scale: 2}, kept)
		fromEnd(n, dstRows)
		Label(label + "row")
		mask, dst := GP64(), GP64()
		MOVWLZX(Mem{Base: kept, Index: n, Scale: 2}, mask.As32())
		TESTL(mask.As32(), mask.As32())
		JZ(LabelRef(label + "next"))
		rowAddress(dst, Mem{Base: dstRows, Index: n, Scale: 4}, paramAt("dstStride"), paramAt("dst"))
		receive(label, dst, mask, w, from)
		Label(label + "next")
		ADDQ(Imm(1<<lineShift), w)
		INCQ(n)
		JNZ(LabelRef(label + "row"))
	}
}

// addRows is updateRows for rows of dst whose masks are columns of those that are given.
func addRows() func(label string, receive receiver) {
	masks := transposeMasks()
	from := newSources(paramAt("n"), 64, lineShift)
	return func(label string, receive receiver) {
		dstRows, w, i := param("dstRows"), param("w"), GP64()
		XORQ(i, i)
		Label(label + "row")
		mask, dst := GP64(), GP64()
		MOVQ(masks.Idx(i, 8), mask)
		TESTQ(mask, mask)
		JZ(LabelRef(label + "next"))
		rowAddress(dst, Mem{Base: dstRows, Index: i, Scale: 4}, paramAt("dstStride"), paramAt("dst"))
		receive(label, dst, mask, w, from)
		Label(label + "next")
		ADDQ(Imm(1<<weightShift), w)
		INCQ(i)
		CMPQ(i, Imm(16))
		JNE(LabelRef(label + "row"))
	}
}

// transposeMasks returns where, in the frame, the 16 columns of 64 masks of 16 bits are.
func transposeMasks() Mem {
	columns, kept, bytes := AllocLocal(16*8), param("kept"), YMM()
	VPCMPEQW(bytes, bytes, bytes)
	VPSRLW(Imm(8), bytes, bytes)
	// Of 32 masks, in their order, the lower bytes and the upper.
	split := func(disp int) (halves [2]VecVirtual) {
		var masks [2]VecVirtual
		for k := range masks {
			masks[k], halves[k] = YMM(), YMM()
			VMOVDQU(Mem{Base: kept, Disp: disp + 32*k}, masks[k])
		}
		lower := [2]VecVirtual{YMM(), YMM()}
		for k, m := range masks {
			VPAND(bytes, m, lower[k])
			VPSRLW(Imm(8), m, m)
		}
		VPACKUSWB(lower[1], lower[0], halves[0])
		VPACKUSWB(masks[1], masks[0], halves[1])
		for _, h := range halves {
			VPERMQ(Imm(0xd8), h, h)
		}
		return halves
	}
	first, second := split(0), split(64)
	for k := range first {
		for bit := 7; bit >= 0; bit-- {
			low, high := GP64(), GP64()
			VPMOVMSKB(first[k], low.As32())
			VPMOVMSKB(second[k], high.As32())
			SHLQ(Imm(32), high)
			ORQ(high, low)
			MOVQ(low, columns.Offset(8*(8*k+bit)))
			if bit > 0 {
				VPADDB(first[k], first[k], first[k])
				VPADDB(second[k], second[k], second[k])
			}
		}
	}
	return columns
}

// mostOfSparse256 is how many vectors of the row that is changed are kept in registers. One of the
// others is for the weight.
const mostOfSparse256 = 13

// sparse lays out code that goes through rows, strip by strip, so that what is read and
// changed meanwhile stays in the nearest cache.
func (r row256) sparse(rows func(label string, receive receiver)) {
	r.stripsByTail("strip", mostOfSparse256, func(s strip256) {
		rows(s.label, func(label string, dst, mask, weights GPVirtual, from sources) {
			acc := ymms(s.vectors())
			s.load(dst, acc)
			from.each(label, mask, weights, func(p GPVirtual, weight Mem) {
				w := YMM()
				VBROADCASTSS(weight, w)
				s.multiplyAdd(p, w, acc)
			})
			s.store("", dst, acc)
		})
	})
	VZEROUPPER()
	RET()
}

func avx2AddRows(m masks256) {
	function("addRowsAVX2", addRowsSignature, addRowsDoc("addRowsAVX2")...)
	m.splitRow().sparse(addRows())
}

func avx2UpdateRows(m masks256) {
	function("updateRowsAVX2", updateRowsSignature, updateRowsDoc("updateRowsAVX2")...)
	m.splitRow().sparse(updateRows())
}

// How many vectors of the row that is changed are kept in registers: addRows reads up to 64 rows again
// for each of 16, and strips of 640 bytes of 48 rows fit in the nearest cache.
const (
	mostOfAdd512    = 10
	mostOfUpdate512 = 19
)

// sparse512 is sparse for vectors of 16 numbers, of which it keeps most in registers.
func sparse512(most int, rows func(label string, receive receiver)) {
	tail := tailMask(paramAt("cols"))
	left, off := wholeVectors(paramAt("cols")), GP64()
	XORQ(off, off)
	strips512("strip", left, off, most, tail, func(label string, vectors int, last OpmaskVirtual) {
		rows(label, func(label string, dst, mask, weights GPVirtual, from sources) {
			acc := zmms(vectors)
			loadStrip512(dst, off, acc, last)
			from.each(label, mask, weights, func(p GPVirtual, weight Mem) {
				w := ZMM()
				VBROADCASTSS(weight, w)
				for k := range acc[:vectors-1] {
					VFMADD231PS(Mem{Base: p, Index: off, Scale: 1, Disp: 64 * k}, w, acc[k])
				}
				VFMADD231PS(Mem{Base: p, Index: off, Scale: 1, Disp: 64 * (vectors - 1)}, w, last, acc[vectors-1])
			})
			storeStrip512(dst, off, acc, last)
		})
	})
	VZEROUPPER()
	RET()
}

func avx512AddRows() {
	function("addRowsAVX512", addRowsSignature, addRowsDoc("addRowsAVX512")...)
	sparse512(mostOfAdd512, addRows())
}

func avx512UpdateRows() {
	function("updateRowsAVX512", updateRowsSignature, updateRowsDoc("updateRowsAVX512")...)
	sparse512(mostOfUpdate512, updateRows())
}
