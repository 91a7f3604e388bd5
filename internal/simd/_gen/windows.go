package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

func windowsDoc(name string) []string {
	return []string{name + " is AddWindows for n ≥ 1 windows over sources ≥ 1 rows of cols ≥ 1 numbers, or",
		"SetWindows if set is not 0. Strides are in bytes."}
}

// windowScratch is how many bytes of scratch there are for each row, and logWindowScratch
// its logarithm. They hold the vectors of a strip.
const (
	logWindowScratch = 8
	windowScratch    = 1 << logWindowScratch
)

// prefixSums lays out the loop of a strip over the rows of src: body is called with a row's
// address, where its weight is, and where the sum of the rows up to it is to be kept. Before
// the loop first is called for the sum of no rows.
func prefixSums(label string, first func(to GPVirtual), body func(row GPVirtual, weight Mem, to GPVirtual)) {
	ids, weights, n, to := param("srcRows"), param("weights"), param("sources"), param("scratch")
	fromEnd(n, ids, weights)
	first(to)
	Label(label + "source")
	row := GP64()
	rowAddress(row, Mem{Base: ids, Index: n, Scale: 4}, paramAt("srcStride"), paramAt("src"))
	ADDQ(U32(windowScratch), to)
	body(row, Mem{Base: weights, Index: n, Scale: 4}, to)
	INCQ(n)
	JNZ(LabelRef(label + "source"))
}

// keep keeps vectors of size bytes in scratch.
func keep(sums []VecVirtual, to GPVirtual, size int) {
	for k, sum := range sums {
		VMOVUPS(sum, Mem{Base: to, Disp: size * k})
	}
}

// window is where, in scratch, the sums of the rows before some row are: before the first row
// of a window and behind its last, before and behind the one that is left out. The last two
// are one if there is none.
type window struct {
	scratch, from, to, except, behind GPVirtual
}

func (w window) sum(place GPVirtual, offset int) Mem {
	return Mem{Base: w.scratch, Index: place, Scale: 1, Disp: offset}
}

// difference sets v to the sum of a window's rows: vectors of size bytes, of which that number
// first comes first. others are lost.
func (w window) difference(v, others []VecVirtual, first, size int) {
	for k := range v {
		VMOVUPS(w.sum(w.except, size*(first+k)), v[k])
		VMOVUPS(w.sum(w.to, size*(first+k)), others[k])
	}
	for k := range v {
		VSUBPS(w.sum(w.from, size*(first+k)), v[k], v[k])
		VSUBPS(w.sum(w.behind, size*(first+k)), others[k], others[k])
	}
	for k := range v {
		VADDPS(others[k], v[k], v[k])
	}
}

// windows lays out the loop of a strip over the windows: body is called with a window, the
// address of its row of dst and where its weight is.
func windows(label string, body func(w window, dst GPVirtual, weight Mem)) {
	at, n := param("windows"), param("n")
	Label(label + "window")
	w := window{param("scratch"), GP64(), GP64(), GP64(), GP64()}
	MOVLQSX(Mem{Base: at, Disp: 4}, w.from)
	MOVLQSX(Mem{Base: at, Disp: 8}, w.to)
	MOVLQSX(Mem{Base: at, Disp: 12}, w.except)
	LEAQ(Mem{Base: w.except, Disp: 1}, w.behind)
	TESTQ(w.except, w.except)
	CMOVQLT(w.from, w.except)
	CMOVQLT(w.from, w.behind)
	for _, place := range []GPVirtual{w.from, w.to, w.except, w.behind} {
		SHLQ(Imm(logWindowScratch), place)
	}
	ids, number, row := param("dstRows"), GP64(), GP64()
	MOVLQSX(Mem{Base: at}, number)
	rowAddress(row, Mem{Base: ids, Index: number, Scale: 4}, paramAt("dstStride"), paramAt("dst"))
	body(w, row, Mem{Base: at, Disp: 16})
	ADDQ(Imm(20), at)
	DECQ(n)
	JNZ(LabelRef(label + "window"))
}

// ifSet lays out what is run if set is not 0, and what else.
func ifSet(label string, set, add func()) {
	CMPQ(paramAt("set"), Imm(0))
	JEQ(LabelRef(label + "add"))
	set()
	JMP(LabelRef(label + "sum"))
	Label(label + "add")
	add()
	Label(label + "sum")
}

func avx512Windows() {
	const size = 4 * lanes512
	function("windowsAVX512", windowsSignature, windowsDoc("windowsAVX512")...)
	tail := tailMask(paramAt("cols"))
	left, off := wholeVectors(paramAt("cols")), GP64()
	XORQ(off, off)
	strips512("strip", left, off, windowScratch/size, tail, func(label string, vectors int, last OpmaskVirtual) {
		sums := zmms(vectors)
		prefixSums(label, func(to GPVirtual) {
			for _, sum := range sums {
				VXORPS(sum.AsX(), sum.AsX(), sum.AsX())
			}
			keep(sums, to, size)
		}, func(row GPVirtual, weight Mem, to GPVirtual) {
			w, v := ZMM(), zmms(vectors)
			VBROADCASTSS(weight, w)
			loadStrip512(row, off, v, last)
			for k := range v {
				VFMADD231PS(v[k], w, sums[k])
			}
			keep(sums, to, size)
		})
		windows(label, func(window window, dst GPVirtual, weight Mem) {
			w, v := ZMM(), zmms(vectors)
			VBROADCASTSS(weight, w)
			window.difference(v, zmms(vectors), 0, size)
			ifSet(label, func() {
				for k := range v {
					VMULPS(w, v[k], v[k])
				}
			}, func() {
				d := zmms(vectors)
				loadStrip512(dst, off, d, last)
				for k := range v {
					VFMADD213PS(d[k], w, v[k])
				}
			})
			storeStrip512(dst, off, v, last)
		})
	})
	VZEROUPPER()
	RET()
}

// mostOfWindow256 is how many vectors of a window are in registers at the same time.
const mostOfWindow256 = 4

func avx2Windows(m masks256) {
	const size = 4 * lanes256
	function("windowsAVX2", windowsSignature, windowsDoc("windowsAVX2")...)
	row := m.splitRow()
	row.strips("strip", windowScratch/size, func(s strip256) {
		sums := ymms(s.vectors())
		prefixSums(s.label, func(to GPVirtual) {
			for _, sum := range sums {
				VXORPS(sum, sum, sum)
			}
			keep(sums, to, size)
		}, func(row GPVirtual, weight Mem, to GPVirtual) {
			w := YMM()
			VBROADCASTSS(weight, w)
			for k := range s.whole {
				VFMADD231PS(s.at(row, k), w, sums[k])
			}
			if s.tail != nil {
				v := YMM()
				s.tail.load(s.at(row, s.whole), v)
				VFMADD231PS(v, w, sums[s.whole])
			}
			keep(sums, to, size)
		})
		windows(s.label, func(window window, dst GPVirtual, weight Mem) {
			w := YMM()
			VBROADCASTSS(weight, w)
			for first := 0; first < s.vectors(); first += mostOfWindow256 {
				n := min(mostOfWindow256, s.vectors()-first)
				v := ymms(n)
				window.difference(v, ymms(n), first, size)
				whole := min(n, s.whole-first)
				label := fmt.Sprintf("%spart%d", s.label, first)
				ifSet(label, func() {
					for k := range v {
						VMULPS(w, v[k], v[k])
					}
				}, func() {
					for k := range whole {
						VFMADD213PS(s.at(dst, first+k), w, v[k])
					}
					if whole < n {
						d := YMM()
						s.tail.load(s.at(dst, s.whole), d)
						VFMADD213PS(d, w, v[whole])
					}
				})
				for k := range whole {
					VMOVUPS(v[k], s.at(dst, first+k))
				}
				if whole < n {
					s.tail.store(label, v[whole], s.at(dst, s.whole))
				}
			}
		})
	})
	VZEROUPPER()
	RET()
}
