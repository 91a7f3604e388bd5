package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// sources are the rows that others receive: their addresses stand in the frame, by number. The
// weight of row i stands i<<shift bytes behind that of the first.
type sources struct {
	addresses Mem
	shift     uint64
}

// newSources lays out code that finds the addresses of n ≥ 1 rows of src, at most most.
func newSources(n Op, most int, shift uint64) sources {
	s := sources{AllocLocal(8 * most), shift}
	ids, base, stride, left := param("srcRows"), param("src"), param("srcStride"), loaded(n)
	Label("address")
	p := GP64()
	rowAddress(p, Mem{Base: ids, Index: left, Scale: 4, Disp: -4}, stride, base)
	MOVQ(p, s.addresses.Offset(-8).Idx(left, 8))
	again(left, LabelRef("address"))
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

// A receiver lays out code for a strip of a row: what it receives of the rows that the bits of mask name.
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
		dstRows, w, i := param("dstRows"), param("w"), zeroed()
		Label(label + "row")
		mask, dst := GP64(), GP64()
		MOVQ(masks.Idx(i, 8), mask)
		test(mask, JZ, LabelRef(label+"next"))
		rowAddress(dst, Mem{Base: dstRows, Index: i, Scale: 4}, paramAt("dstStride"), paramAt("dst"))
		receive(label, dst, mask, w, from)
		Label(label + "next")
		ADDQ(Imm(1<<weightShift), w)
		INCQ(i)
		compare(i, Imm(16), JNE, LabelRef(label+"row"))
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

// How many vectors of the row that is changed are kept in registers. AVX2 has one register more, for the weight.
// With AVX-512, addRows reads up to 64 rows again for each of 16, and strips of 640 bytes of 48 rows fit in the
// nearest cache.
const (
	mostOfSparse256 = 13
	mostOfAdd512    = 10
	mostOfUpdate512 = 19
)

// sparse lays out code that goes through rows, strip by strip, so that what is read and changed meanwhile
// stays in the nearest cache.
func sparse(r rows, most int, rows func(label string, receive receiver)) {
	r.strips("strip", most, func(s strip) {
		rows(s.name(), func(label string, dst, mask, weights GPVirtual, from sources) {
			acc := s.registers()
			s.load(dst, acc)
			from.each(label, mask, weights, func(p GPVirtual, weight Mem) {
				s.multiplyAdd(VFMADD231PS, p, r.broadcast(weight), acc, nil)
			})
			s.store("", dst, acc)
		})
	})
}

// sparse256 is the row of these kernels with AVX2.
func sparse256() row256 {
	r := m.splitRow()
	r.fours = true
	return r
}

func avx512AddRows() {
	rows := addRows()
	sparse(splitRow512(), mostOfAdd512, rows)
}

func avx512UpdateRows() {
	rows := updateRows()
	sparse(splitRow512(), mostOfUpdate512, rows)
}

// windows lays out code for windows, of which it sums up most vectors of a row at a time. There is a sum of
// some rows in a row: from a window to the next, those that it has no more are taken from it, and those that
// are new are added. It begins anew where a window does not go on like that.
func windows(r rows, most int) {
	r.strips("strip", most, func(s strip) {
		label := func(name string) { Label(s.name() + name) }
		ref := func(name string) LabelRef { return LabelRef(s.name() + name) }
		sums, out := s.registers(), s.registers()
		clear := func() {
			for _, sum := range sums {
				r.clear(sum)
			}
		}
		at, ids, weights := param("windows"), param("srcRows"), param("weights")
		left := spill("n")
		first, end := GP64(), GP64() // the sum is that of the rows first … end-1
		XORQ(first, first)
		XORQ(end, end)
		clear()
		row := func(i GPVirtual) (GPVirtual, Mem) {
			p := GP64()
			rowAddress(p, Mem{Base: ids, Index: i, Scale: 4}, paramAt("srcStride"), paramAt("src"))
			return p, Mem{Base: weights, Index: i, Scale: 4}
		}
		// change changes the sum by row i, and goes on to the next, up to row last-1.
		change := func(name string, i, last GPVirtual, op func(...Op)) {
			label(name)
			p, weight := row(i)
			v := s.scratch()
			s.multiplyAdd(op, p, r.broadcast(weight), sums, v)
			INCQ(i)
			compare(i, last, JLT, ref(name))
		}
		label("window")
		from, to := GP64(), GP64()
		MOVLQSX(Mem{Base: at, Disp: 4}, from)
		MOVLQSX(Mem{Base: at, Disp: 8}, to)
		compare(from, end, JGE, ref("anew"))
		compare(to, end, JLT, ref("anew"))
		compare(first, from, JEQ, ref("taken"))
		JGT(ref("anew"))
		change("take", first, from, VFNMADD231PS)
		JMP(ref("taken"))
		label("anew")
		clear()
		MOVQ(from, first)
		MOVQ(from, end)
		label("taken")
		compare(end, to, JGE, ref("added"))
		change("more", end, to, VFMADD231PS)
		label("added")
		dst := GP64()
		MOVLQSX(Mem{Base: at}, dst)
		test(dst, JLT, ref("next"))
		except := GP64()
		MOVLQSX(Mem{Base: at, Disp: 12}, except)
		test(except, JLT, ref("whole"))
		p, weight := row(except)
		w := r.broadcast(weight)
		s.load(p, out)
		for k, sum := range sums {
			VFNMADD213PS(sum, w, out[k])
		}
		JMP(ref("give"))
		label("whole")
		for k, sum := range sums {
			VMOVAPS(sum, out[k])
		}
		label("give")
		rows := param("dstRows")
		rowAddress(dst, Mem{Base: rows, Index: dst, Scale: 4}, paramAt("dstStride"), paramAt("dst"))
		w = r.broadcast(Mem{Base: at, Disp: 16})
		compare(paramAt("set"), Imm(0), JEQ, ref("add"))
		for _, v := range out {
			VMULPS(w, v, v)
		}
		JMP(ref("summed"))
		label("add")
		s.multiplyAdd(VFMADD213PS, dst, w, out, s.scratch())
		label("summed")
		s.store("", dst, out)
		label("next")
		ADDQ(Imm(20), at)
		again(left, ref("window"))
	})
}

func avx512Windows() {
	row := splitRow512()
	row.late = true
	windows(row, 8)
}
