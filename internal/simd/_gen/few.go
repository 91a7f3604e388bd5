package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

const (
	// inRegisters256 is of how many whole vectors of a row are kept in registers, beside its tail.
	inRegisters256 = 12
	// inPart256 is of how many where there is no tail.
	inPart256 = 13
	// fewPairs is how many pairs wait for their errors to be made together. More begin only with a row.
	fewPairs = 64
)

// few256 is where things stand in the frame: what was found out about pairs that wait, how many vectors the
// last part of a row has, and where it begins.
type few256 struct {
	sums                    Mem // for each pair, a vector whose sum is the score
	weights, errors, places Mem // a number for each pair; places are in bytes from out
	tail, start             Mem
	whole                   GPVirtual // vectors of the last part, without the tail
	g, with, rows, left     GPVirtual
	count                   GPVirtual // 4 times the number of pairs that wait
	bits, row               GPVirtual
}

// avx2ErrorsOfFew computes only the scores of pairs. A row stays in registers, and rows of h are
// multiplied by it from memory.
func avx2ErrorsOfFew() {
	f := few256{
		sums: AllocLocal(32 * fewPairs), weights: AllocLocal(4 * fewPairs), errors: AllocLocal(4 * fewPairs),
		places: AllocLocal(4 * fewPairs), tail: AllocLocal(32), start: local(),
	}
	f.split(m)
	f.g, f.with, f.rows, f.left = param("out"), param("with"), param("rows"), param("n")
	f.count = GP64()
	XORQ(f.count, f.count)
	Label("row")
	compare(f.count, Imm(4*(fewPairs-lanes512)), JG, LabelRef("errors"))
	Label("next")
	zero := YMM()
	VXORPS(zero, zero, zero)
	VMOVUPS(zero, Mem{Base: f.g})
	VMOVUPS(zero, Mem{Base: f.g, Disp: 32})
	f.bits = GP64()
	MOVWLZX(Mem{Base: f.with}, f.bits.As32())
	TESTL(f.bits.As32(), f.bits.As32())
	JZ(LabelRef("done"))
	f.scores()
	Label("done")
	ADDQ(Imm(2), f.with)
	ADDQ(Imm(4), f.rows)
	ADDQ(Imm(64), f.g)
	again(f.left, LabelRef("row"))
	test(f.count, JZ, LabelRef("end"))
	Label("errors")
	f.makeErrors()
	test(f.left, JNZ, LabelRef("next"))
	Label("end")
}

// split splits rows in parts of whole vectors that registers have room for, and a last one that also has a
// tail of 1 to 8 numbers.
func (f *few256) split(m masks256) {
	f.whole = param("cols")
	DECQ(f.whole)
	count, end, mask := GP64(), GP64(), YMM()
	MOVQ(f.whole, count)
	ANDQ(Imm(lanes256-1), count)
	INCQ(count)
	NEGQ(count)
	LEAQ(m.end, end)
	VMOVUPS(Mem{Base: end, Index: count, Scale: 4}, mask)
	VMOVUPS(mask, f.tail)
	SHRQ(Imm(3), f.whole)
	start := zeroed()
	Label("part")
	compare(f.whole, Imm(inRegisters256), JLE, LabelRef("split"))
	SUBQ(Imm(inPart256), f.whole)
	ADDQ(U32(32*inPart256), start)
	JMP(LabelRef("part"))
	Label("split")
	MOVQ(start, f.start)
}

// scores lays out code that makes the sums of a row's pairs: first of its last part, whose size it branches
// by, then of the others.
func (f *few256) scores() {
	f.row = GP64()
	rowAddress(f.row, Mem{Base: f.rows}, paramAt("stride"), paramAt("data"))
	var branch func(from, to int)
	branch = func(from, to int) {
		middle := (from + to) / 2
		label := func(from, to int) string { return fmt.Sprintf("last%dto%d", from, to) }
		if from == to {
			JMP(LabelRef(fmt.Sprintf("last%d", from)))
			return
		}
		compare(f.whole, Imm(uint64(middle)), JLE, LabelRef(label(from, middle)))
		branch(middle+1, to)
		Label(label(from, middle))
		branch(from, middle)
	}
	branch(0, inRegisters256)
	for size := inRegisters256; size >= 0; size-- {
		Label(fmt.Sprintf("last%d", size))
		f.last(size)
		JMP(LabelRef("parts"))
	}
	Label("parts")
	off := loaded(f.start)
	test(off, JZ, LabelRef("done"))
	Label("wider")
	SUBQ(U32(32*inPart256), off)
	f.part(off)
	JNZ(LabelRef("wider"))
}

// eachPair lays out code that goes through the pairs of a row. Body is given the address of the row of h and
// its number.
func (f *few256) eachPair(label string, off Op, body func(h, i GPVirtual)) {
	bits := GP64()
	MOVL(f.bits.As32(), bits.As32())
	at := loaded(off)
	ADDQ(paramAt("h"), at)
	Label(label)
	i, h := GP64(), GP64()
	TZCNTL(bits.As32(), i.As32())
	MOVQ(paramAt("hStride"), h)
	IMULQ(i, h)
	ADDQ(at, h)
	body(h, i)
	BLSRL(bits.As32(), bits.As32())
	JNZ(LabelRef(label))
}

func (f *few256) last(size int) {
	off, tail, rowTail := GP64(), YMM(), YMM()
	MOVQ(f.start, off)
	ADDQ(off, f.row)
	VMOVUPS(f.tail, tail)
	VMASKMOVPS(Mem{Base: f.row, Disp: 32 * size}, tail, rowTail)
	row := ymms(size)
	loadAll(row, Mem{Base: f.row}, 32)
	SUBQ(off, f.row)
	weights, place := param("weights"), loaded(f.g)
	SUBQ(paramAt("out"), place)
	f.eachPair(fmt.Sprintf("pair%d", size), off, func(h, i GPVirtual) {
		sums, w := ymms(2), GP64()
		VMASKMOVPS(Mem{Base: h, Disp: 32 * size}, tail, sums[0])
		VMULPS(rowTail, sums[0], sums[0])
		for k, v := range row {
			if k == 0 {
				VMULPS(Mem{Base: h}, v, sums[1])
				continue
			}
			VFMADD231PS(Mem{Base: h, Disp: 32 * k}, v, sums[k%2^1])
		}
		if size > 0 {
			VADDPS(sums[1], sums[0], sums[0])
		}
		VMOVUPS(sums[0], f.sums.Idx(f.count, 8))
		MOVL(Mem{Base: weights, Index: i, Scale: 4}, w.As32())
		MOVL(w.As32(), f.weights.Idx(f.count, 1))
		LEAQ(Mem{Base: place, Index: i, Scale: 4}, w)
		MOVL(w.As32(), f.places.Idx(f.count, 1))
		ADDQ(Imm(4), f.count)
	})
}

// part adds what an earlier part of a row has to the sums of its pairs. The flags then say whether it was
// the first.
func (f *few256) part(off GPVirtual) {
	row := ymms(inPart256)
	loadAll(row, Mem{Base: f.row, Index: off, Scale: 1}, 32)
	at := GP64() // of the row's pairs
	POPCNTL(f.bits.As32(), at.As32())
	SHLQ(Imm(2), at)
	NEGQ(at)
	ADDQ(f.count, at)
	f.eachPair("pairOfPart", off, func(h, i GPVirtual) {
		sums := ymms(2)
		VMOVUPS(f.sums.Idx(at, 8), sums[0])
		VMULPS(Mem{Base: h}, row[0], sums[1])
		for k := 1; k < len(row); k++ {
			VFMADD231PS(Mem{Base: h, Disp: 32 * k}, row[k], sums[k%2^1])
		}
		VADDPS(sums[1], sums[0], sums[0])
		VMOVUPS(sums[0], f.sums.Idx(at, 8))
		ADDQ(Imm(4), at)
	})
	TESTQ(off, off)
}

// makeErrors lays out code that makes errors of the sums of pairs that wait, and puts them where they belong.
func (f *few256) makeErrors() {
	at := zeroed()
	Label("eight")
	sum := func(first int) VecVirtual {
		acc := ymms(4)
		loadAll(acc, f.sums.Offset(32*first).Idx(at, 8), 32)
		return fold(acc, YMM)
	}
	a, b, r := sum(0), sum(4), YMM()
	VPERM2F128(Imm(0x31), b, a, r)
	VPERM2F128(Imm(0x20), b, a, a)
	VADDPS(a, r, r)
	compare(paramAt("raw"), Imm(0), JNE, LabelRef("made"))
	flip, scale, most, least, weights := YMM(), YMM(), YMM(), YMM(), YMM()
	VBROADCASTSS(paramAt("sign"), flip)
	VXORPS(c.log2e, flip, scale)
	VMOVUPS(c.most, most)
	VMOVUPS(c.least, least)
	VXORPS(f.weights.Idx(at, 1), flip, weights)
	power, powersOf2 := c.power256([]VecVirtual{r}, scale, most, least)
	VFMADD213PS(c.one, powersOf2[0], power[0])
	VDIVPS(power[0], weights, r)
	Label("made")
	VMOVUPS(r, f.errors.Idx(at, 1))
	ADDQ(Imm(32), at)
	compare(at, f.count, JLT, LabelRef("eight"))
	Label("place")
	place, error := GP64(), GP64()
	MOVL(f.places.Offset(-4).Idx(f.count, 1), place.As32())
	MOVL(f.errors.Offset(-4).Idx(f.count, 1), error.As32())
	ADDQ(paramAt("out"), place)
	MOVL(error.As32(), Mem{Base: place})
	SUBQ(Imm(4), f.count)
	JNZ(LabelRef("place"))
}
