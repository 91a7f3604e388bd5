package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// tile is what the code for a tile can ask for: how many of its rows of h and of its four rows of data are
// left, at least one, perhaps more than a tile has, and the place of row k's first number in out.
type tile struct {
	rowsLeft, colsLeft func() GPVirtual
	out                func(k int) Mem
}

// tiles lays out the code of a function that has parameters out, outStride, h, hStride, nh, n and cols: for
// every tile of the given number of rows of h and 4 rows of data, use is called with what dots leaves in a
// register. Rows that a tile lacks are the last row again, so that all sums are made alike.
func tiles(rows int, dots func(hp, bp []GPVirtual) VecVirtual, use func(sums VecVirtual, t tile)) {
	outStride, hStride := spill("outStride"), spill("hStride")
	data, stride := spill("data"), spill("stride")
	n, nh, out, h := spill("n"), spill("nh"), spill("out"), spill("h")
	var outAt []Mem
	for range rows {
		outAt = append(outAt, local())
	}
	i, j := local(), local() // rows of h and of data done
	left := func(of, done Mem) GPVirtual {
		r := loaded(of)
		SUBQ(done, r)
		return r
	}
	// number returns done + k, or the last number if that is less.
	number := func(k int, done Mem, left GPVirtual) GPVirtual {
		at, last := GP64(), GP64()
		MOVQ(U32(uint32(k)), at)
		LEAQ(Mem{Base: left, Disp: -1}, last)
		CMPQ(at, last)
		CMOVQGT(last, at)
		ADDQ(done, at)
		return at
	}

	MOVQ(U32(0), i)
	Label("centres")
	var hp []GPVirtual
	hLeft := left(nh, i)
	for k := range rows {
		at, p := number(k, i, hLeft), GP64()
		MOVQ(at, p)
		IMULQ(hStride, p)
		ADDQ(h, p)
		hp = append(hp, p)
		IMULQ(outStride, at)
		ADDQ(out, at)
		MOVQ(at, outAt[k])
	}
	MOVQ(U32(0), j)
	Label("columns")
	var bp []GPVirtual
	dataLeft := left(n, j)
	for k := range 4 {
		p := loaded(number(k, j, dataLeft))
		IMULQ(stride, p)
		ADDQ(data, p)
		bp = append(bp, p)
	}
	use(dots(hp, bp), tile{
		rowsLeft: func() GPVirtual { return left(nh, i) },
		colsLeft: func() GPVirtual { return left(n, j) },
		out: func(k int) Mem {
			p, at := loaded(outAt[k]), loaded(j)
			return Mem{Base: p, Index: at, Scale: 4}
		},
	})
	compare(advance(j, 4), n, JLT, LabelRef("columns"))
	compare(advance(i, rows), nh, JLT, LabelRef("centres"))
}

// avo takes YMM16 to YMM31 to be there for AVX2 as well: the code here must keep at
// most 16 vectors alive. A test reads what came out.

// lanes256 and lanes512 are how many float32 a register holds.
const (
	lanes256 = 8
	lanes512 = 16
)

// masks256 is a table of masks: that of the first n ≤ 8 lanes starts 4·n bytes before end.
type masks256 struct{ end Mem }

func newMasks256() masks256 {
	return masks256{table("masks", 2*lanes256, func(k int) Constant {
		if k < lanes256 {
			return U32(1<<32 - 1)
		}
		return U32(0)
	}).Offset(4 * lanes256)}
}

// lanes are the first count lanes of a vector. They are kept in the frame, as registers are few.
type lanes struct{ count, mask Mem }

func newLanes() lanes { return lanes{local(), AllocLocal(4 * lanes256)} }

// set makes l the first count ≤ 8 lanes.
func (m masks256) set(l lanes, count GPVirtual) {
	MOVQ(count, l.count)
	end, mask := GP64(), YMM()
	LEAQ(m.end, end)
	NEGQ(count)
	VMOVUPS(Mem{Base: end, Index: count, Scale: 4}, mask)
	VMOVUPS(mask, l.mask)
}

// load loads the lanes and sets the others to 0.
func (l lanes) load(m Mem, v VecVirtual) {
	VMOVUPS(l.mask, v)
	VMASKMOVPS(m, v, v)
}

// store stores the lanes. A tile mostly has four columns, and four are the tail of rows of 100 and of 300
// numbers: they are spared the masked store, which takes AMD processors long.
func (l lanes) store(label string, v VecVirtual, m Mem) {
	compare(l.count, Imm(4), JNE, LabelRef(label+"mask"))
	VMOVUPS(v.AsX(), m)
	JMP(LabelRef(label + "stored"))
	Label(label + "mask")
	mask := YMM()
	VMOVUPS(l.mask, mask)
	VMASKMOVPS(v, mask, m)
	Label(label + "stored")
}

func fresh(n int, vector func() VecVirtual) []VecVirtual {
	v := make([]VecVirtual, n)
	for k := range v {
		v[k] = vector()
	}
	return v
}

func ymms(n int) []VecVirtual { return fresh(n, YMM) }
func zmms(n int) []VecVirtual { return fresh(n, ZMM) }

// loadAll loads vectors that stand step bytes apart, the first one at from. storeAll stores likewise.
func loadAll(v []VecVirtual, from Mem, step int) {
	for k, x := range v {
		VMOVUPS(from.Offset(step*k), x)
	}
}

func storeAll(v []VecVirtual, to Mem, step int) {
	for k, x := range v {
		VMOVUPS(x, to.Offset(step*k))
	}
}

// eachVector lays out a loop over vectors of so many bytes, as many as whole says, and returns where they end.
func eachVector(label string, whole Mem, bytes uint64, body func(off GPVirtual)) (off GPVirtual) {
	off, end := zeroed(), loaded(whole)
	JMP(LabelRef(label + "more"))
	Label(label + "vector")
	body(off)
	ADDQ(Imm(bytes), off)
	Label(label + "more")
	compare(off, end, JLT, LabelRef(label+"vector"))
	return off
}

func wholeVector(m Mem, v VecVirtual) { VMOVUPS(m, v) }

// A factor lays out code for rows whose products are added up: body is called for a vector that is whole, and
// for the tail, with what loads one.
type factor struct {
	vector func() VecVirtual
	clear  func(v VecVirtual)
	each   func(label string, body func(off GPVirtual, whole bool, load func(Mem, VecVirtual)))
}

func newFactor256() factor {
	row := m.splitRow()
	return factor{YMM, func(v VecVirtual) { VXORPS(v, v, v) }, func(label string, body func(GPVirtual, bool, func(Mem, VecVirtual))) {
		off := eachVector(label, row.whole, 32, func(off GPVirtual) { body(off, true, wholeVector) })
		compare(row.tail.count, Imm(0), JEQ, LabelRef(label+"sum"))
		body(off, false, row.tail.load)
		Label(label + "sum")
	}}
}

// newFactor512 is given the mask of the last, perhaps partial, vector, and where the bytes before it are.
func newFactor512(tail OpmaskVirtual, full Mem, clear func(v VecVirtual)) factor {
	return factor{ZMM, clear, func(label string, body func(GPVirtual, bool, func(Mem, VecVirtual))) {
		off := eachVector(label, full, 64, func(off GPVirtual) { body(off, true, wholeVector) })
		body(off, false, func(m Mem, v VecVirtual) { VMOVUPS_Z(m, tail, v) })
	}}
}

// sums returns what makes the dot products of a tile of as many rows of h and 4 of data. at is the register
// of rows i and j.
func (f factor) sums(rows int, at func(i, j int) int, reduce func(acc []VecVirtual) VecVirtual) func(hp, bp []GPVirtual) VecVirtual {
	return func(hp, bp []GPVirtual) VecVirtual {
		acc := fresh(4*rows, f.vector)
		for _, v := range acc {
			f.clear(v)
		}
		f.each("", func(off GPVirtual, _ bool, load func(Mem, VecVirtual)) {
			hv := fresh(rows, f.vector)
			for k := range hv {
				load(Mem{Base: hp[k], Index: off, Scale: 1}, hv[k])
			}
			for b := range bp {
				bv := f.vector()
				load(Mem{Base: bp[b], Index: off, Scale: 1}, bv)
				for k := range hv {
					VFMADD231PS(bv, hv[k], acc[at(k, b)])
				}
			}
		})
		return reduce(acc)
	}
}

// reduce256 sums each of 8 registers: lane 4·i+j of the result is the sum of acc[2·j+i].
func reduce256(acc []VecVirtual) VecVirtual {
	// The halves of pairs[j] are for the two rows of h.
	var pairs []VecVirtual
	for j := 0; j < 8; j += 2 {
		a, b, crossed := acc[j], acc[j+1], YMM()
		VPERM2F128(Imm(0x21), b, a, crossed) // high half of a, low half of b
		VBLENDPS(Imm(0xf0), b, a, a)
		VADDPS(crossed, a, a)
		pairs = append(pairs, a)
	}
	return fold(pairs, YMM)
}

func avx2Dots() {
	cols := newLanes()
	dots := newFactor256().sums(2, func(i, j int) int { return 2*j + i }, reduce256)
	tiles(2, dots, func(sums VecVirtual, t tile) {
		m.set(cols, upTo4(t.colsLeft()))
		cols.store("first", sums, t.out(0))
		compare(t.rowsLeft(), Imm(1), JEQ, LabelRef("storedsecond"))
		second := YMM()
		VEXTRACTF128(Imm(1), sums, second.AsX())
		cols.store("second", second, t.out(1))
		Label("storedsecond")
	})
}

// tailMask returns the mask of the last, perhaps partial, vector of cols numbers.
func tailMask(cols Op) OpmaskVirtual {
	n := loaded(cols)
	DECQ(n)
	ANDQ(Imm(lanes512-1), n) // numbers in the last vector, less one
	bits := loaded(U32(0xffff))
	shift := loaded(U32(lanes512 - 1))
	SUBQ(n, shift)
	mask := K()
	SHRXQ(shift, bits, bits)
	KMOVW(bits.As32(), mask)
	return mask
}

// reduce512 sums each of 16 registers: lane 4·i+j of the result is the sum of acc[4·i+j].
func reduce512(acc []VecVirtual) VecVirtual {
	var fours []VecVirtual
	for i := 0; i < 16; i += 4 {
		fours = append(fours, fold(acc[i:i+4], ZMM))
	}
	halves := func(a, b VecVirtual, low, high uint8) VecVirtual {
		hi := ZMM()
		VSHUFF32X4(Imm(uint64(high)), b, a, hi)
		VSHUFF32X4(Imm(uint64(low)), b, a, a)
		VADDPS(hi, a, a)
		return a
	}
	a := halves(fours[0], fours[1], 0x44, 0xee)
	b := halves(fours[2], fours[3], 0x44, 0xee)
	return halves(a, b, 0x88, 0xdd)
}

func upTo4(n GPVirtual) GPVirtual {
	four := loaded(U32(4))
	CMPQ(n, four)
	CMOVQGT(four, n)
	return n
}

func ones(n GPVirtual) GPVirtual {
	bits := loaded(U32(1))
	SHLXQ(n, bits, bits)
	DECQ(bits)
	return bits
}

func avx512Dots() {
	cols := param("cols")
	tail := tailMask(cols)
	full, fullAt := GP64(), local()
	LEAQ(Mem{Base: cols, Disp: -1}, full)
	SHRQ(Imm(4), full)
	SHLQ(Imm(6), full)
	MOVQ(full, fullAt)
	f := newFactor512(tail, fullAt, func(v VecVirtual) { VPXORD(v, v, v) })
	dots := f.sums(4, func(i, j int) int { return 4*i + j }, reduce512)
	tiles(4, dots, func(sums VecVirtual, t tile) {
		mask := K()
		KMOVW(ones(upTo4(t.colsLeft())).As32(), mask)
		// The row that stands for missing ones comes last, so that what is stored there is its own.
		for k := 3; k >= 0; k-- {
			row := XMM()
			VEXTRACTF32X4(Imm(uint64(k)), sums, row)
			VMOVUPS(row, mask, t.out(k))
		}
	})
}

// pairs lays out code that goes through n pairs of rows, by four and then one by one. Their dot products are
// made alike, however many pairs there are; last folds the sums of a register's quarters.
func (f factor) pairs(last func(sums VecVirtual) VecVirtual) {
	out, aRows, rows, left := spill("out"), spill("aRows"), spill("rows"), spill("n")
	body := func(size int) {
		addresses := func(stride, base string, at Mem) (p []GPVirtual) {
			first := loaded(at)
			for k := range size {
				row := GP64()
				rowAddress(row, Mem{Base: first, Disp: 4 * k}, paramAt(stride), paramAt(base))
				p = append(p, row)
			}
			return p
		}
		ap, bp := addresses("aStride", "a", aRows), addresses("stride", "data", rows)
		acc := fresh(size, f.vector)
		for _, v := range acc {
			f.clear(v)
		}
		f.each(fmt.Sprintf("pairs%d", size), func(off GPVirtual, whole bool, load func(Mem, VecVirtual)) {
			for k := range acc {
				a, b := Mem{Base: ap[k], Index: off, Scale: 1}, Mem{Base: bp[k], Index: off, Scale: 1}
				v := f.vector()
				if whole {
					load(a, v)
					VFMADD231PS(b, v, acc[k])
					continue
				}
				x := f.vector()
				load(a, v)
				load(b, x)
				VFMADD231PS(x, v, acc[k])
			}
		})
		v, to := last(fold(acc, f.vector)), loaded(out)
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
	compare(left, Imm(4), JLT, LabelRef("one"))
	body(4)
	JMP(LabelRef("four"))
	Label("one")
	compare(left, Imm(0), JEQ, LabelRef("done"))
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

// addHalves512 adds the upper half of a register's 16 lanes to the lower.
func addHalves512(v VecVirtual) VecVirtual {
	half := YMM()
	VEXTRACTF64X4(Imm(1), v, half)
	VADDPS(half, v.AsY(), half)
	return half
}

func avx512Pairs() {
	tail := tailMask(paramAt("cols"))
	full := loaded(paramAt("cols"))
	DECQ(full)
	SHRQ(Imm(4), full)
	SHLQ(Imm(6), full)
	fullAt, zero := local(), ZMM()
	MOVQ(full, fullAt)
	VPXORD(zero, zero, zero)
	// To avo, a VPXORD would read what it zeroes.
	newFactor512(tail, fullAt, func(v VecVirtual) { VMOVAPS(zero, v) }).pairs(func(sums VecVirtual) VecVirtual {
		return addHalves(addHalves512(sums))
	})
}

func avx2Pairs() { newFactor256().pairs(addHalves) }
