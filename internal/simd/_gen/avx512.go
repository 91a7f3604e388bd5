package main

import (
	"fmt"

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
		pair := func(a, b VecVirtual) VecVirtual {
			hi := ZMM()
			VUNPCKHPS(b, a, hi)
			VUNPCKLPS(b, a, a)
			VADDPS(hi, a, a)
			return a
		}
		a, b := pair(acc[i], acc[i+1]), pair(acc[i+2], acc[i+3])
		hi := ZMM()
		VUNPCKHPD(b, a, hi)
		VUNPCKLPD(b, a, a)
		VADDPS(hi, a, a)
		fours = append(fours, a)
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

// lanes4 and lanes16 are the masks of a tile's columns and of its pairs.
func lanes4(t tile) OpmaskVirtual {
	mask := K()
	KMOVW(ones(upTo4(t.colsLeft())).As32(), mask)
	return mask
}

func lanes16(t tile) OpmaskVirtual {
	cols, rows := ones(upTo4(t.colsLeft())), upTo4(t.rowsLeft())
	IMUL3Q(U32(0x1111), cols, cols) // in each of four rows
	SHLQ(Imm(2), rows)
	bits := ones(rows)
	ANDQ(cols, bits)
	mask := K()
	KMOVW(bits.As32(), mask)
	return mask
}

func avx512Dots() {
	function("dotsAVX512", dotsSignature,
		"dotsAVX512 is Dots for nh ≥ 1 rows of h and n ≥ 1 of data; strides are in bytes.")
	tiles(4, consecutive(), sums512(), func(sums VecVirtual, t tile) { storeTile(sums, lanes4(t), t.out) })
	VZEROUPPER()
	RET()
}

func avx512Errors(c constants) {
	function("errorsAVX512", errorsSignature,
		"errorsAVX512 is Errors for nh ≥ 1 rows of h and n ≥ 1 of the matrix. Strides are in",
		"bytes; sign is the sign bit if the pairs are positive, else 0.")
	flip, loss := ZMM(), ZMM()
	VPBROADCASTD(Load(Param("sign"), GP32()), flip)
	VPXORD(loss, loss, loss)
	tiles(4, listed(), sums512(),
		func(t VecVirtual, tile tile) {
			lanes4, lanes16 := lanes4(tile), lanes16(tile)
			// t is the score, negated for positive pairs: the error is w·σ(t), the
			// loss w·log(1+eᵗ), with e = exp(−|t|).
			VXORPS(flip, t, t)
			x := ZMM()
			VORPS_BCST(c.sign, t, x)
			least := ZMM()
			VBROADCASTSS(c.least, least)
			VMAXPS(x, least, x)
			whole := ZMM()
			VMULPS_BCST(c.log2e, x, whole)
			VRNDSCALEPS(Imm(8), whole, whole)
			VFNMADD231PS_BCST(c.ln2Hi, whole, x)
			VFNMADD231PS_BCST(c.ln2Lo, whole, x)
			e := polynomial512(x, c.exp)
			VSCALEFPS(whole, e, e)
			y := ZMM()
			VADDPS_BCST(c.one, e, y)
			sigma := ZMM()
			VRCP14PS(y, sigma)
			two := ZMM()
			VBROADCASTSS(c.two, two)
			VFNMADD231PS(sigma, y, two)
			VMULPS(two, sigma, sigma) // a step of Newton's: σ = σ(2 − yσ)
			zero := ZMM()
			VPXORD(zero, zero, zero)
			negative := K()
			VCMPPS(Imm(1), zero, t, negative) // t < 0
			VMULPS(e, sigma, negative, sigma)
			l := polynomial512(e, c.log1p)
			VMULPS(e, l, l)
			positive := ZMM()
			VMAXPS(t, zero, positive) // NaN stays
			VADDPS(positive, l, l)

			w := ZMM()
			VPXORD(w, w, w)
			for k := range 4 {
				row := XMM()
				VMOVUPS_Z(tile.out(k), lanes4, row)
				VINSERTF32X4(Imm(uint64(k)), row, w, w)
			}
			weighed := K()
			VCMPPS(Imm(4), zero, w, lanes16, weighed) // w ≠ 0
			VFMADD231PS(w, l, weighed, loss)
			error := ZMM()
			VMULPS_Z(w, sigma, weighed, error)
			// Negative pairs push away.
			away := ZMM()
			VXORPS_BCST(c.sign, flip, away)
			VXORPS(away, error, error)
			storeTile(error, lanes4, tile.out)
		})

	half, quarter := YMM(), XMM()
	VEXTRACTF64X4(Imm(1), loss, half)
	VADDPS(half, loss.AsY(), half)
	VEXTRACTF128(Imm(1), half, quarter)
	VADDPS(quarter, half.AsX(), quarter)
	VHADDPS(quarter, quarter, quarter)
	VHADDPS(quarter, quarter, quarter)
	VZEROUPPER() // before the store, which avo makes an SSE instruction
	Store(quarter, ReturnIndex(0))
	RET()
}

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

func avx512RankUpdate() {
	function("rankUpdateAVX512", rankUpdateSignature,
		"rankUpdateAVX512 adds to each of nd ≥ 1 rows of dst the ns ≥ 1 rows of src, row j times",
		"the number at w + i·wDst + j·wSrc for row i. Strides are in bytes. Rows of dst that",
		"are updated together, four from a multiple of four on, must differ.")
	tail := tailMask(paramAt("cols"))
	groups(func(prefix string, dp []GPVirtual, weights Mem) {
		left, off := wholeVectors(paramAt("cols")), GP64()
		XORQ(off, off)
		strips512(prefix+"strip", left, off, 4, tail, func(label string, vectors int, last OpmaskVirtual) {
			acc := make([][]VecVirtual, len(dp))
			for k := range acc {
				acc[k] = zmms(vectors)
				loadStrip512(dp[k], off, acc[k], last)
			}
			sources(label, weights, func(sp GPVirtual, w []Mem) {
				v := zmms(vectors)
				loadStrip512(sp, off, v, last)
				for k := range acc {
					weight := ZMM()
					VBROADCASTSS(w[k], weight)
					for c := range v {
						VFMADD231PS(v[c], weight, acc[k][c])
					}
				}
			})
			for k := range acc {
				storeStrip512(dp[k], off, acc[k], last)
			}
		})
	})
	VZEROUPPER()
	RET()
}

// mostOfRow512 is how many vectors of a row gather and scatter keep in registers.
const mostOfRow512 = 8

func avx512Gather() {
	function("gatherAVX512", gatherSignature,
		"gatherAVX512 is Gather for n ≥ 1 rows of cols ≥ 1 numbers; stride is in bytes.")
	dst, data, stride := param("dst"), param("data"), param("stride")
	rows, weights, n := param("rows"), param("weights"), param("n")
	cols := param("cols")
	tail := tailMask(cols)
	fromEnd(n, rows, weights)
	left, off := wholeVectors(cols), GP64()
	XORQ(off, off)
	strips512("strip", left, off, mostOfRow512, tail, func(label string, vectors int, last OpmaskVirtual) {
		acc := zmms(vectors)
		for k := range acc {
			VPXORD(acc[k], acc[k], acc[k])
		}
		eachRow(label, rows, n, stride, data, func(p, i GPVirtual) {
			w := ZMM()
			VBROADCASTSS(Mem{Base: weights, Index: i, Scale: 4}, w)
			v := zmms(vectors)
			loadStrip512(p, off, v, last)
			for k := range acc {
				VFMADD231PS(v[k], w, acc[k])
			}
		})
		storeStrip512(dst, off, acc, last)
	})
	VZEROUPPER()
	RET()
}

func avx512Scatter() {
	function("scatterAVX512", scatterSignature,
		"scatterAVX512 is Scatter for n ≥ 1 rows of cols ≥ 1 numbers; stride is in bytes.")
	data, stride, rows, delta := param("data"), param("stride"), param("rows"), param("delta")
	n, cols := param("n"), param("cols")
	tail := tailMask(cols)
	fromEnd(n, rows)
	left, off := wholeVectors(cols), GP64()
	XORQ(off, off)
	strips512("strip", left, off, mostOfRow512, tail, func(label string, vectors int, last OpmaskVirtual) {
		d := zmms(vectors)
		loadStrip512(delta, off, d, last)
		eachRow(label, rows, n, stride, data, func(p, _ GPVirtual) {
			v := zmms(vectors)
			loadStrip512(p, off, v, last)
			for k := range v {
				VADDPS(d[k], v[k], v[k])
			}
			storeStrip512(p, off, v, last)
		})
	})
	VZEROUPPER()
	RET()
}
