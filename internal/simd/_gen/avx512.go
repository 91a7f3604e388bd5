package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

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
		off, end := GP64(), GP64()
		multiply := func(load func(m Mem, v VecVirtual)) {
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
		XORQ(off, off)
		MOVQ(fullAt, end)
		JMP(LabelRef("more"))
		Label("vector")
		multiply(func(m Mem, v VecVirtual) { VMOVUPS(m, v) })
		ADDQ(Imm(64), off)
		Label("more")
		CMPQ(off, end)
		JLT(LabelRef("vector"))
		multiply(func(m Mem, v VecVirtual) { VMOVUPS_Z(m, tail, v) })
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
	function("dotsAVX512", dotsSignature,
		"dotsAVX512 is Dots for nh ≥ 1 rows of h and n ≥ 1 of data; strides are in bytes.")
	tiles(4, sums512(), func(sums VecVirtual, t tile) { storeTile(sums, lanes4(t), t.out) })
	VZEROUPPER()
	RET()
}
