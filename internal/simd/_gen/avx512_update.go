package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// strips512 lays out code for a row in strips of at most most vectors. body is called
// for every number of vectors, with the mask of the last of them. off is the
// strip's first byte; left, which starts as a whole number of vectors, is the
// bytes from there.
func strips512(prefix string, left, off GPVirtual, most int, tail OpmaskVirtual, body func(label string, vectors int, last OpmaskVirtual)) {
	name := func(v int) string { return fmt.Sprintf("%s%d", prefix, v) }
	Label(prefix)
	for v := most; v > 1; v-- {
		CMPQ(left, U32(uint32(64*v)))
		if v == most {
			JGE(LabelRef(name(v)))
		} else {
			JEQ(LabelRef(name(v)))
		}
	}
	for v := 1; v <= most; v++ {
		Label(name(v))
		last := tail
		if v == most { // more of the row may follow
			last = K()
			KMOVW(tail, last)
			CMPQ(left, U32(uint32(64*v)))
			JEQ(LabelRef(name(v) + "end"))
			KXNORW(last, last, last)
			Label(name(v) + "end")
		}
		body(name(v), v, last)
		if v == most {
			ADDQ(U32(uint32(64*v)), off)
			SUBQ(U32(uint32(64*v)), left)
			JNZ(LabelRef(prefix))
		}
		if v < most {
			JMP(LabelRef(prefix + "done"))
		}
	}
	Label(prefix + "done")
}

// loadStrip512 and storeStrip512 move the vectors of a strip at p+off.
func loadStrip512(p, off Register, v []VecVirtual, last OpmaskVirtual) {
	for k := range v {
		m := Mem{Base: p, Index: off, Scale: 1, Disp: 64 * k}
		if k == len(v)-1 {
			VMOVUPS_Z(m, last, v[k])
		} else {
			VMOVUPS(m, v[k])
		}
	}
}

func storeStrip512(p, off Register, v []VecVirtual, last OpmaskVirtual) {
	for k := range v {
		m := Mem{Base: p, Index: off, Scale: 1, Disp: 64 * k}
		if k == len(v)-1 {
			VMOVUPS(v[k], last, m)
		} else {
			VMOVUPS(v[k], m)
		}
	}
}

func zmms(n int) []VecVirtual {
	v := make([]VecVirtual, n)
	for k := range v {
		v[k] = ZMM()
	}
	return v
}

// wholeVectors returns the bytes of a row of cols numbers, rounded up to vectors.
func wholeVectors(cols Op) GPVirtual {
	left := GP64()
	MOVQ(cols, left)
	ADDQ(Imm(lanes512-1), left)
	SHRQ(Imm(4), left)
	SHLQ(Imm(6), left)
	return left
}

// mostOfRow512 is how many vectors of a row gather and scatter keep in registers.
const mostOfRow512 = 8

func avx512Gather() {
	function("gatherAVX512", gatherSignature,
		"gatherAVX512 is GatherLists for n ≥ 1 lists and cols ≥ 1 numbers; strides are in bytes.")
	tail := tailMask(paramAt("cols"))
	zero := ZMM()
	VPXORD(zero, zero, zero)
	lists("dst", "dstStride", func(to GPVirtual, l rowList) {
		left, off := wholeVectors(paramAt("cols")), GP64()
		XORQ(off, off)
		strips512("strip", left, off, mostOfRow512, tail, func(label string, vectors int, last OpmaskVirtual) {
			acc := zmms(vectors)
			for k := range acc {
				VMOVAPS(zero, acc[k]) // to avo, a VPXORD would read what it zeroes
			}
			l.each(label, func(p GPVirtual, weight Mem) {
				w := ZMM()
				VBROADCASTSS(weight, w)
				v := zmms(vectors)
				loadStrip512(p, off, v, last)
				for k := range acc {
					VFMADD231PS(v[k], w, acc[k])
				}
			})
			storeStrip512(to, off, acc, last)
		})
	})
	VZEROUPPER()
	RET()
}

func avx512Scatter() {
	function("scatterAVX512", scatterSignature,
		"scatterAVX512 is ScatterLists for n ≥ 1 lists and cols ≥ 1 numbers; strides are in bytes.")
	scatter512(func(d, v []VecVirtual, _ Mem) {
		for k := range v {
			VADDPS(d[k], v[k], v[k])
		}
	})
}

func avx512ScatterWeighted() {
	function("scatterWeightedAVX512", scatterWeightedSignature, scatterWeightedDoc("scatterWeightedAVX512")...)
	scatter512(func(d, v []VecVirtual, weight Mem) {
		w := ZMM()
		VBROADCASTSS(weight, w)
		for k := range v {
			VFMADD231PS(d[k], w, v[k])
		}
	})
}

// scatter512 lays out code that goes through lists: add adds a strip of a list's own row to
// one of a row that it names, whose weight is in memory.
func scatter512(add func(d, v []VecVirtual, weight Mem)) {
	tail := tailMask(paramAt("cols"))
	lists("delta", "deltaStride", func(from GPVirtual, l rowList) {
		left, off := wholeVectors(paramAt("cols")), GP64()
		XORQ(off, off)
		strips512("strip", left, off, mostOfRow512, tail, func(label string, vectors int, last OpmaskVirtual) {
			d := zmms(vectors)
			loadStrip512(from, off, d, last)
			l.each(label, func(p GPVirtual, weight Mem) {
				v := zmms(vectors)
				loadStrip512(p, off, v, last)
				add(d, v, weight)
				storeStrip512(p, off, v, last)
			})
		})
	})
	VZEROUPPER()
	RET()
}
