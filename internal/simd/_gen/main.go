// Command _gen writes the assembly of the kernels for amd64. Run it through
// go generate in the folder above.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

func main() {
	ConstraintExpr("amd64,!purego") // the files' names say nothing about where they belong
	c, m := newConstants(), newMasks256()
	halves256, halves512 := newHalves()
	avx2Dots(m)
	avx2Transpose(m)
	avx2Scores()
	avx2Errors(c)
	avx2Losses(c)
	avx2ErrorsOfFew(c, m)
	avx2AddRows(m)
	avx2UpdateRows(m)
	avx2Gather(m)
	avx2Scatter(m)
	avx2ScatterWeighted(m)
	halves256.gather("gatherHalvesAVX2")
	halves256.scatter("scatterHalvesAVX2")
	avx2Multiply(m)
	avx2Windows(m)
	avx2Pairs(m)
	avx2Peaks()
	avx2Eights()
	avx512Dots()
	avx512Transpose()
	avx512Scores()
	avx512Errors(c)
	avx512Losses(c)
	avx512AddRows()
	avx512UpdateRows()
	avx512Gather()
	avx512Scatter()
	avx512ScatterWeighted()
	halves512.gather("gatherHalvesAVX512")
	halves512.scatter("scatterHalvesAVX512")
	avx512Multiply()
	avx512Windows()
	avx512Pairs()
	sumParts()
	prefetch()
	Generate()
}

// The functions that are generated, for each set of instructions.
const (
	dotsSignature            = "func(out *float32, outStride int, h *float32, hStride, nh int, data *float32, stride, n, cols int)"
	transposeSignature       = "func(dst, h *float32, stride, n, cols int)"
	errorsSignature          = "func(scores *float32, with, kept *uint16, weights *float32, n int, threshold float32, seed, sign uint32)"
	lossesSignature          = "func(scores *float32, with *uint16, weights *float32, n int, sign uint32) float32"
	sumPartsSignature        = "func(out, scores *float32, stride, parts, n int)"
	fewSignature             = "func(out, h *float32, hStride int, data *float32, stride int, rows *uint32, with *uint16, weights *float32, n, cols int, sign uint32, raw int)"
	scoresSignature          = "func(out, transposed, data *float32, stride int, rows *uint32, n, cols int)"
	addRowsSignature         = "func(dst *float32, dstStride int, dstRows *uint32, src *float32, srcStride int, srcRows *uint32, w *float32, kept *uint16, n, cols int)"
	updateRowsSignature      = "func(dst *float32, dstStride int, dstRows *uint32, src *float32, srcStride int, srcRows *uint32, w *float32, kept *uint16, n, sources, cols int)"
	gatherSignature          = "func(dst *float32, dstStride int, data *float32, stride int, starts *uint64, rows *uint32, weights *float32, ids *uint32, n, cols int)"
	scatterSignature         = "func(data *float32, stride int, starts *uint64, rows, ids *uint32, delta *float32, deltaStride, n, cols int)"
	scatterWeightedSignature = "func(data *float32, stride int, starts *uint64, rows *uint32, weights *float32, ids *uint32, delta *float32, deltaStride, n, cols int)"
	gatherHalvesSignature    = "func(dst *float32, dstStride int, data *uint16, stride int, starts *uint64, rows *uint32, weights *float32, ids *uint32, n, groups int)"
	scatterHalvesSignature   = "func(data *uint16, stride int, starts *uint64, rows, ids *uint32, delta *float32, deltaStride, n, groups int, seed uint32)"
	multiplySignature        = "func(dst *float32, dstStride int, dstRows *uint32, a *float32, aStride int, aRows *uint32, b *float32, bStride int, bRows, triples *uint32, n, cols int)"
	windowsSignature         = "func(dst *float32, dstStride int, dstRows *uint32, src *float32, srcStride int, srcRows *uint32, weights *float32, windows *int32, n, cols, set int)"
	pairsSignature           = "func(out, a *float32, aStride int, aRows *uint32, data *float32, stride int, rows *uint32, n, cols int)"
	prefetchSignature        = "func(data *float32, stride int, rows *uint32, n, cols int)"
	peaksSignature           = "func(dst, a, b, peaks *float32, n int)"
	differenceSignature      = "func(dst, a, b *float32, n int) (ofA, ofDst float32)"
	toEightsSignature        = "func(dst *byte, x *float32, scale float32, n int)"
	addEightsSignature       = "func(x *float32, bits *byte, step float32, n int) float32"
	moveEightsSignature      = "func(x, y *float32, a, b *byte, stepA, stepB float32, n int)"
)

// function begins a function.
func function(name, signature string, doc ...string) {
	TEXT(name, NOSPLIT, signature)
	Pragma("noescape")
	Doc(doc...)
}

// local is 8 bytes of the stack frame.
func local() Mem { return AllocLocal(8) }

// param loads a parameter into a new register.
func param(name string) GPVirtual { return Load(Param(name), GP64()).(GPVirtual) }

// paramAt is where a parameter is in memory.
func paramAt(name string) Mem {
	p, err := Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	return p.Addr
}

// spill keeps a parameter in the frame and returns where.
func spill(name string) Mem {
	m := local()
	r := param(name)
	MOVQ(r, m)
	return m
}

// rowAddress sets to to base + rows[i]·stride, all in bytes.
func rowAddress(to GPVirtual, id Mem, stride, base Op) {
	MOVL(id, to.As32())
	IMULQ(stride, to)
	ADDQ(base, to)
}

// advance adds step to the number in the frame at m and returns the sum.
func advance(m Mem, step int) GPVirtual {
	next := GP64()
	MOVQ(m, next)
	ADDQ(U32(uint32(step)), next)
	MOVQ(next, m)
	return next
}

// minimax polynomials, of the constant term first.
var (
	// 2ʳ for |r| ≤ ½, to 8e-8.
	exp2Terms = []float64{1.0000000716552204, 0.6931469670632637, 0.24022119721166413, 0.055507132746527015, 0.009675541479860772, 0.0013276472027771956}
	// log(1+e)/e for 0 ≤ e ≤ 1, to 4e-7.
	log1pTerms = []float64{0.9999998102178478, -0.4999744938483535, 0.33276176571511895, -0.24499611724553416, 0.17757023992339624, -0.10785367917260759, 0.04421419233882469, -0.008574676205025243}
)

func prefetch() {
	function("prefetchKernel", prefetchSignature,
		"prefetchKernel asks for n ≥ 1 rows of cols ≥ 1 numbers to be brought near; stride is in bytes.")
	data, stride, rows := param("data"), param("stride"), param("rows")
	n, cols := param("n"), param("cols")
	fromEnd(n, rows)
	Label("row")
	p, end := GP64(), GP64()
	rowAddress(p, Mem{Base: rows, Index: n, Scale: 4}, stride, data)
	LEAQ(Mem{Base: p, Index: cols, Scale: 4}, end)
	Label("line")
	PREFETCHT1(Mem{Base: p})
	ADDQ(Imm(64), p)
	CMPQ(p, end)
	JLT(LabelRef("line"))
	INCQ(n)
	JNZ(LabelRef("row"))
	RET()
}
