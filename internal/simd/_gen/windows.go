package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

func windowsDoc(name string) []string {
	return []string{name + " is AddWindows for n ≥ 1 windows and cols ≥ 1 numbers, or SetWindows if set is",
		"not 0. Strides are in bytes."}
}

// mostOfWindows512 and mostOfWindows256 are how many vectors of a row are summed up at a time.
const (
	mostOfWindows512 = 8
	mostOfWindows256 = 7
)

// A slide is the code for a strip of windows. There is a sum of some rows in a row: from a window
// to the next, those that it has no more are taken from it, and those that are new are added. It
// begins anew where a window does not go on like that.
type slide struct {
	clear     func()                          // makes it the sum of no rows
	add, take func(row GPVirtual, weight Mem) // change it by a row
	except    func(row GPVirtual, weight Mem) // makes what a window has of it: all but a row
	whole     func()                          // makes what a window has of it: all
	give      func(dst GPVirtual, weight Mem) // gives a row of dst what was made
}

// windows lays out the loop over the windows.
func (s slide) windows(label string) {
	ref := func(name string) LabelRef { return LabelRef(label + name) }
	at, ids, weights := param("windows"), param("srcRows"), param("weights")
	left := spill("n")
	first, end := GP64(), GP64() // the sum is that of the rows first … end-1
	XORQ(first, first)
	XORQ(end, end)
	s.clear()
	row := func(i GPVirtual) (GPVirtual, Mem) {
		p := GP64()
		rowAddress(p, Mem{Base: ids, Index: i, Scale: 4}, paramAt("srcStride"), paramAt("src"))
		return p, Mem{Base: weights, Index: i, Scale: 4}
	}
	Label(label + "window")
	from, to := GP64(), GP64()
	MOVLQSX(Mem{Base: at, Disp: 4}, from)
	MOVLQSX(Mem{Base: at, Disp: 8}, to)
	CMPQ(from, end)
	JGE(ref("anew"))
	CMPQ(to, end)
	JLT(ref("anew"))
	CMPQ(first, from)
	JEQ(ref("taken"))
	JGT(ref("anew"))
	Label(label + "take")
	s.take(row(first))
	INCQ(first)
	CMPQ(first, from)
	JLT(ref("take"))
	JMP(ref("taken"))
	Label(label + "anew")
	s.clear()
	MOVQ(from, first)
	MOVQ(from, end)
	Label(label + "taken")
	CMPQ(end, to)
	JGE(ref("added"))
	Label(label + "more")
	s.add(row(end))
	INCQ(end)
	CMPQ(end, to)
	JLT(ref("more"))
	Label(label + "added")
	dst := GP64()
	MOVLQSX(Mem{Base: at}, dst)
	TESTQ(dst, dst)
	JLT(ref("next"))
	except := GP64()
	MOVLQSX(Mem{Base: at, Disp: 12}, except)
	TESTQ(except, except)
	JLT(ref("whole"))
	s.except(row(except))
	JMP(ref("give"))
	Label(label + "whole")
	s.whole()
	Label(label + "give")
	rows := param("dstRows")
	rowAddress(dst, Mem{Base: rows, Index: dst, Scale: 4}, paramAt("dstStride"), paramAt("dst"))
	s.give(dst, Mem{Base: at, Disp: 16})
	Label(label + "next")
	ADDQ(Imm(20), at)
	DECQ(left)
	JNZ(ref("window"))
}

// ifSet lays out what is run if set is not 0, and what else.
func ifSet(label string, set, add func()) {
	CMPQ(paramAt("set"), Imm(0))
	JEQ(LabelRef(label + "add"))
	set()
	JMP(LabelRef(label + "summed"))
	Label(label + "add")
	add()
	Label(label + "summed")
}

func avx512Windows() {
	const most = mostOfWindows512
	function("windowsAVX512", windowsSignature, windowsDoc("windowsAVX512")...)
	tail := tailMask(paramAt("cols"))
	left, off := wholeVectors(paramAt("cols")), GP64()
	XORQ(off, off)
	zero := ZMM()
	VPXORD(zero, zero, zero)
	strips512("strip", left, off, most, tail, func(label string, vectors int, last OpmaskVirtual) {
		sums, out := zmms(vectors), zmms(vectors)
		load := func(row GPVirtual, weight Mem, v []VecVirtual) (w VecVirtual) {
			w = ZMM()
			VBROADCASTSS(weight, w)
			loadStrip512(row, off, v, last)
			return w
		}
		slide{
			clear: func() {
				for _, sum := range sums {
					VMOVAPS(zero, sum)
				}
			},
			add: func(row GPVirtual, weight Mem) {
				v := zmms(vectors)
				w := load(row, weight, v)
				for k, sum := range sums {
					VFMADD231PS(v[k], w, sum)
				}
			},
			take: func(row GPVirtual, weight Mem) {
				v := zmms(vectors)
				w := load(row, weight, v)
				for k, sum := range sums {
					VFNMADD231PS(v[k], w, sum)
				}
			},
			except: func(row GPVirtual, weight Mem) {
				w := load(row, weight, out)
				for k, sum := range sums {
					VFNMADD213PS(sum, w, out[k])
				}
			},
			whole: func() {
				for k, sum := range sums {
					VMOVAPS(sum, out[k])
				}
			},
			give: func(dst GPVirtual, weight Mem) {
				w := ZMM()
				VBROADCASTSS(weight, w)
				ifSet(label, func() {
					for _, v := range out {
						VMULPS(w, v, v)
					}
				}, func() {
					d := zmms(vectors)
					loadStrip512(dst, off, d, last)
					for k, v := range out {
						VFMADD213PS(d[k], w, v)
					}
				})
				storeStrip512(dst, off, out, last)
			},
		}.windows(label)
	})
	VZEROUPPER()
	RET()
}

func avx2Windows(m masks256) {
	function("windowsAVX2", windowsSignature, windowsDoc("windowsAVX2")...)
	row := m.splitRow()
	row.strips("strip", mostOfWindows256, func(s strip256) {
		sums, out := ymms(s.vectors()), ymms(s.vectors())
		// change changes the sum by a row.
		change := func(row GPVirtual, weight Mem, multiplyAdd func(...Op)) {
			w := YMM()
			VBROADCASTSS(weight, w)
			for k := range s.whole {
				multiplyAdd(s.at(row, k), w, sums[k])
			}
			if s.tail != nil {
				v := YMM()
				s.tail.load(s.at(row, s.whole), v)
				multiplyAdd(v, w, sums[s.whole])
			}
		}
		slide{
			clear: func() {
				for _, sum := range sums {
					VXORPS(sum, sum, sum)
				}
			},
			add:  func(row GPVirtual, weight Mem) { change(row, weight, VFMADD231PS) },
			take: func(row GPVirtual, weight Mem) { change(row, weight, VFNMADD231PS) },
			except: func(row GPVirtual, weight Mem) {
				w := YMM()
				VBROADCASTSS(weight, w)
				s.load(row, out)
				for k, sum := range sums {
					VFNMADD213PS(sum, w, out[k])
				}
			},
			whole: func() {
				for k, sum := range sums {
					VMOVAPS(sum, out[k])
				}
			},
			give: func(dst GPVirtual, weight Mem) {
				w := YMM()
				VBROADCASTSS(weight, w)
				ifSet(s.label, func() {
					for _, v := range out {
						VMULPS(w, v, v)
					}
				}, func() {
					for k := range s.whole {
						VFMADD213PS(s.at(dst, k), w, out[k])
					}
					if s.tail != nil {
						d := YMM()
						s.tail.load(s.at(dst, s.whole), d)
						VFMADD213PS(d, w, out[s.whole])
					}
				})
				s.store("", dst, out)
			},
		}.windows(s.label)
	})
	VZEROUPPER()
	RET()
}
