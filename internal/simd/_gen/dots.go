package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// tile is what the code for a tile can ask for: how many of its rows of h and of
// its four rows of data are left, at least one, perhaps more than a tile has, and
// the place of row k's first number in out.
type tile struct {
	rowsLeft, colsLeft func() GPVirtual
	out                func(k int) Mem
}

// tiles lays out the code of a function that has parameters out, outStride, h,
// hStride, nh, n and cols: for every tile of the given number of rows of h and 4
// rows of data, use is called with what dots leaves in a register. Rows that a tile lacks are the last row again, so that all sums are
// made alike.
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
		r := GP64()
		MOVQ(of, r)
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
		p := GP64()
		MOVQ(number(k, j, dataLeft), p)
		IMULQ(stride, p)
		ADDQ(data, p)
		bp = append(bp, p)
	}
	use(dots(hp, bp), tile{
		rowsLeft: func() GPVirtual { return left(nh, i) },
		colsLeft: func() GPVirtual { return left(n, j) },
		out: func(k int) Mem {
			p, at := GP64(), GP64()
			MOVQ(outAt[k], p)
			MOVQ(j, at)
			return Mem{Base: p, Index: at, Scale: 4}
		},
	})
	CMPQ(advance(j, 4), n)
	JLT(LabelRef("columns"))
	CMPQ(advance(i, rows), nh)
	JLT(LabelRef("centres"))
}

// avo takes YMM16 to YMM31 to be there for AVX2 as well: the code here must keep at
// most 16 vectors alive. A test reads what came out.

// lanes256 is how many float32 a YMM register holds.
const lanes256 = 8

// masks256 is a table of masks: that of the first n ≤ 8 lanes starts 4·n bytes
// before end.
type masks256 struct{ end Mem }

func newMasks256() masks256 {
	table := GLOBL("masks", RODATA|NOPTR)
	for k := range 2 * lanes256 {
		bits := U32(0)
		if k < lanes256 {
			bits = 1<<32 - 1
		}
		DATA(4*k, bits)
	}
	return masks256{table.Offset(4 * lanes256)}
}

// lanes are the first count lanes of a vector. They are kept in the frame, as
// registers are few.
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

// store stores the lanes. A tile mostly has four columns, and four are the tail of
// rows of 100 and of 300 numbers: they are spared the masked store, which takes AMD
// processors long.
func (l lanes) store(label string, v VecVirtual, m Mem) {
	CMPQ(l.count, Imm(4))
	JNE(LabelRef(label + "mask"))
	VMOVUPS(v.AsX(), m)
	JMP(LabelRef(label + "stored"))
	Label(label + "mask")
	mask := YMM()
	VMOVUPS(l.mask, mask)
	VMASKMOVPS(v, mask, m)
	Label(label + "stored")
}

func ymms(n int) []VecVirtual {
	v := make([]VecVirtual, n)
	for k := range v {
		v[k] = YMM()
	}
	return v
}

// row256 is what a row is made of: the bytes of its whole vectors, in the frame, and
// the lanes of its tail, which may be none.
type row256 struct {
	whole Mem
	tail  lanes
}

// splitRow splits rows of cols numbers.
func (m masks256) splitRow() row256 {
	r := row256{local(), newLanes()}
	whole, count := param("cols"), GP64()
	MOVQ(whole, count)
	ANDQ(Imm(lanes256-1), count)
	m.set(r.tail, count)
	SHRQ(Imm(3), whole)
	SHLQ(Imm(5), whole)
	MOVQ(whole, r.whole)
	return r
}

// eachVector lays out a loop over vectors of so many bytes, as many as whole says, and returns where they end.
func eachVector(label string, whole Mem, bytes uint64, body func(off GPVirtual)) (off GPVirtual) {
	off, end := GP64(), GP64()
	XORQ(off, off)
	MOVQ(whole, end)
	JMP(LabelRef(label + "more"))
	Label(label + "vector")
	body(off)
	ADDQ(Imm(bytes), off)
	Label(label + "more")
	CMPQ(off, end)
	JLT(LabelRef(label + "vector"))
	return off
}

// sums256 returns what makes the 8 dot products of a tile of 2 rows of h and 4 of
// data, of cols numbers: lane 4·i+j is that of rows i and j.
func sums256() func(hp, bp []GPVirtual) VecVirtual {
	row := m.splitRow()
	return func(hp, bp []GPVirtual) VecVirtual {
		var acc [4][]VecVirtual
		for b := range acc {
			acc[b] = ymms(2)
			for _, v := range acc[b] {
				VXORPS(v, v, v)
			}
		}
		multiply := func(off GPVirtual, load func(m Mem, v VecVirtual)) {
			hv := ymms(2)
			for k := range hv {
				load(Mem{Base: hp[k], Index: off, Scale: 1}, hv[k])
			}
			for b := range bp {
				bv := YMM()
				load(Mem{Base: bp[b], Index: off, Scale: 1}, bv)
				for k := range hv {
					VFMADD231PS(bv, hv[k], acc[b][k])
				}
			}
		}
		off := eachVector("", row.whole, 32, func(off GPVirtual) {
			multiply(off, func(m Mem, v VecVirtual) { VMOVUPS(m, v) })
		})
		CMPQ(row.tail.count, Imm(0))
		JEQ(LabelRef("sum"))
		multiply(off, row.tail.load)
		Label("sum")
		return reduce256(acc)
	}
}

// reduce256 sums each of 8 registers: lane 4·i+j of the result is the sum of
// acc[j][i].
func reduce256(acc [4][]VecVirtual) VecVirtual {
	// The halves of pairs[j] are for the two rows of h.
	var pairs [4]VecVirtual
	for j, a := range acc {
		crossed := YMM()
		VPERM2F128(Imm(0x21), a[1], a[0], crossed) // high half of a[0], low half of a[1]
		VBLENDPS(Imm(0xf0), a[1], a[0], a[0])
		VADDPS(crossed, a[0], a[0])
		pairs[j] = a[0]
	}
	add := func(a, b VecVirtual, high, low func(...Op)) VecVirtual {
		hi := YMM()
		high(b, a, hi)
		low(b, a, a)
		VADDPS(hi, a, a)
		return a
	}
	a := add(pairs[0], pairs[1], VUNPCKHPS, VUNPCKLPS)
	b := add(pairs[2], pairs[3], VUNPCKHPS, VUNPCKLPS)
	return add(a, b, VUNPCKHPD, VUNPCKLPD)
}

// setColumns makes l the columns that a tile has.
func (m masks256) setColumns(l lanes, t tile) {
	count, four := t.colsLeft(), GP64()
	MOVQ(U32(4), four)
	CMPQ(count, four)
	CMOVQGT(four, count)
	m.set(l, count)
}

// ifSecond lays out code for a tile that has two rows.
func ifSecond(t tile, label string, body func()) {
	CMPQ(t.rowsLeft(), Imm(1))
	JEQ(LabelRef(label))
	body()
	Label(label)
}

// storeTile256 stores lane 4·i+j of v at column j of row i.
func storeTile256(v VecVirtual, cols lanes, t tile) {
	cols.store("first", v, t.out(0))
	ifSecond(t, "storedsecond", func() {
		second := YMM()
		VEXTRACTF128(Imm(1), v, second.AsX())
		cols.store("second", second, t.out(1))
	})
}

func avx2Dots() {
	cols := newLanes()
	tiles(2, sums256(), func(sums VecVirtual, t tile) {
		m.setColumns(cols, t)
		storeTile256(sums, cols, t)
	})
}

// lanes512 is how many float32 a ZMM register holds.
const lanes512 = 16

// tailMask returns the mask of the last, perhaps partial, vector of cols numbers.
func tailMask(cols Op) OpmaskVirtual {
	n := GP64()
	MOVQ(cols, n)
	DECQ(n)
	ANDQ(Imm(lanes512-1), n) // numbers in the last vector, less one
	bits := GP64()
	MOVQ(U32(0xffff), bits)
	shift := GP64()
	MOVQ(U32(lanes512-1), shift)
	SUBQ(n, shift)
	mask := K()
	SHRXQ(shift, bits, bits)
	KMOVW(bits.As32(), mask)
	return mask
}

func polynomial512(x VecVirtual, terms []Mem) VecVirtual {
	return polynomial(x, terms, ZMM, func(term Mem, v VecVirtual) { VBROADCASTSS(term, v) }, VFMADD213PS_BCST)
}

// reduce512 sums each of 16 registers: lane 4·i+j of the result is the sum of
// acc[4·i+j].
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

// storeTile stores lane 4·i+j of v at column j of out(i). The row that stands for
// missing ones comes last, so that what is stored there is its own.
func storeTile(v VecVirtual, lanes4 OpmaskVirtual, out func(k int) Mem) {
	for k := 3; k >= 0; k-- {
		row := XMM()
		VEXTRACTF32X4(Imm(uint64(k)), v, row)
		VMOVUPS(row, lanes4, out(k))
	}
}

// sums512 returns what makes the 16 dot products of a tile of 4 rows of h and 4 of
// data, of cols numbers: lane 4·i+j is that of rows i and j.
func sums512() func(hp, bp []GPVirtual) VecVirtual {
	cols := param("cols")
	tail := tailMask(cols)
	// Bytes of all but the last vector of a row.
	full, fullAt := GP64(), local()
	LEAQ(Mem{Base: cols, Disp: -1}, full)
	SHRQ(Imm(4), full)
	SHLQ(Imm(6), full)
	MOVQ(full, fullAt)

	return func(hp, bp []GPVirtual) VecVirtual {
		acc := zmms(16)
		for a := range acc {
			VPXORD(acc[a], acc[a], acc[a])
		}
		multiply := func(off GPVirtual, load func(m Mem, v VecVirtual)) {
			hv := zmms(4)
			for k := range hv {
				load(Mem{Base: hp[k], Index: off, Scale: 1}, hv[k])
			}
			for b := range bp {
				bv := ZMM()
				load(Mem{Base: bp[b], Index: off, Scale: 1}, bv)
				for k := range hv {
					VFMADD231PS(bv, hv[k], acc[4*k+b])
				}
			}
		}
		off := eachVector("", fullAt, 64, func(off GPVirtual) {
			multiply(off, func(m Mem, v VecVirtual) { VMOVUPS(m, v) })
		})
		multiply(off, func(m Mem, v VecVirtual) { VMOVUPS_Z(m, tail, v) })
		return reduce512(acc)
	}
}

// upTo4 returns n, or 4 if that is less.
func upTo4(n GPVirtual) GPVirtual {
	four := GP64()
	MOVQ(U32(4), four)
	CMPQ(n, four)
	CMOVQGT(four, n)
	return n
}

// ones returns a number of n bits that are set.
func ones(n GPVirtual) GPVirtual {
	bits := GP64()
	MOVQ(U32(1), bits)
	SHLXQ(n, bits, bits)
	DECQ(bits)
	return bits
}

// lanes4 is the mask of a tile's columns.
func lanes4(t tile) OpmaskVirtual {
	mask := K()
	KMOVW(ones(upTo4(t.colsLeft())).As32(), mask)
	return mask
}

func avx512Dots() {
	tiles(4, sums512(), func(sums VecVirtual, t tile) { storeTile(sums, lanes4(t), t.out) })
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
		acc := zmms(len(ap))
		for _, v := range acc {
			VMOVAPS(zero, v) // to avo, a VPXORD would read what it zeroes
		}
		off := eachVector(label, fullAt, 64, func(off GPVirtual) {
			for k := range acc {
				v := ZMM()
				VMOVUPS(Mem{Base: ap[k], Index: off, Scale: 1}, v)
				VFMADD231PS(Mem{Base: bp[k], Index: off, Scale: 1}, v, acc[k])
			}
		})
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
}

func avx2Pairs() {
	row := m.splitRow()
	pairs(func(label string, ap, bp []GPVirtual) VecVirtual {
		acc := ymms(len(ap))
		for _, v := range acc {
			VXORPS(v, v, v)
		}
		off := eachVector(label, row.whole, 32, func(off GPVirtual) {
			for k := range acc {
				v := YMM()
				VMOVUPS(Mem{Base: ap[k], Index: off, Scale: 1}, v)
				VFMADD231PS(Mem{Base: bp[k], Index: off, Scale: 1}, v, acc[k])
			}
		})
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
}
