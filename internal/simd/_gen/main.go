// Command _gen writes the assembly of the kernels for amd64. Run it through go generate in the folder above.
package main

import (
	"strings"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// The tables that kernels read.
var (
	c                    constants
	m                    masks256
	halves256, halves512 halves
)

func main() {
	ConstraintExpr("amd64,!purego") // the files' names say nothing about where they belong
	c, m = newConstants(), newMasks256()
	halves256, halves512 = newHalves()
	// A kernel is a function for each set of instructions: what it is, and what lays out its code.
	kernels := []struct {
		name, signature, doc string
		avx2, avx512         func()
	}{
		{"dots", "func(out *float32, outStride int, h *float32, hStride, nh int, data *float32, stride, n, cols int)",
			"is Dots for nh ≥ 1 rows of h and n ≥ 1 of data; strides are in bytes.", avx2Dots, avx512Dots},
		{"transpose", "func(dst, h *float32, stride, n, cols int)",
			"is Transpose for n ≥ 1 rows of cols ≥ 1 numbers; stride is in bytes.", avx2Transpose, avx512Transpose},
		{"scores", "func(out, transposed, data *float32, stride int, rows *uint32, n, cols int)",
			"is Scores for n ≥ 1 rows of cols ≥ 1 numbers; stride is in bytes.", avx2Scores, avx512Scores},
		{"errors", "func(scores *float32, with, kept *uint16, weights *float32, n int, threshold float32, seed, sign uint32)",
			"makes of the scores of n ≥ 1 rows their errors, in place, and sets kept. Sign is\nthe sign bit if the pairs are negative, else 0.", avx2Errors, avx512Errors},
		{"losses", "func(scores *float32, with *uint16, weights *float32, n int, sign uint32) float32",
			"returns the loss of the scores of n ≥ 1 rows, with the sign that errors have.", avx2Losses, avx512Losses},
		{"errorsOfFew", "func(out, h *float32, hStride int, data *float32, stride int, rows *uint32, with *uint16, weights *float32, n, cols int, sign uint32, raw int)",
			"is Errors without rounding for n ≥ 1 rows of cols ≥ 1 numbers, and computes\nnothing for what is no pair. Strides are in bytes; sign is the sign bit if the pairs\nare negative, else 0. If raw is not 0, it writes scores and no errors.", avx2ErrorsOfFew, nil},
		{"addRows", "func(dst *float32, dstStride int, dstRows *uint32, src *float32, srcStride int, srcRows *uint32, w *float32, kept *uint16, n, cols int)",
			"is AddRows for n rows of src, from 1 to 64, and cols ≥ 1 numbers. kept has 64 masks.\nStrides are in bytes.", func() { sparse(sparse256(), mostOfSparse256, addRows()) }, avx512AddRows},
		{"updateRows", "func(dst *float32, dstStride int, dstRows *uint32, src *float32, srcStride int, srcRows *uint32, w *float32, kept *uint16, n, sources, cols int)",
			"is UpdateRows for n ≥ 1 rows of dst, sources rows of src, from 1 to 16, and\ncols ≥ 1 numbers. Strides are in bytes.", func() { sparse(sparse256(), mostOfSparse256, updateRows()) }, avx512UpdateRows},
		{"gather", "func(dst *float32, dstStride int, data *float32, stride int, starts *uint64, rows *uint32, weights *float32, ids *uint32, n, cols int)",
			"is GatherLists for n ≥ 1 lists and cols ≥ 1 numbers; strides are in bytes.", func() { gather(m.splitRow()) }, func() { gather(splitRow512()) }},
		{"scatter", "func(data *float32, stride int, starts *uint64, rows, ids *uint32, delta *float32, deltaStride, n, cols int)",
			"is ScatterLists for n ≥ 1 lists and cols ≥ 1 numbers; strides are in bytes.", func() { scatter256(false) }, func() { scatter512(false) }},
		{"scatterWeighted", "func(data *float32, stride int, starts *uint64, rows *uint32, weights *float32, ids *uint32, delta *float32, deltaStride, n, cols int)",
			"is ScatterWeighted for n ≥ 1 lists and cols ≥ 1 numbers; strides are in\nbytes.", func() { scatter256(true) }, func() { scatter512(true) }},
		{"gatherHalves", "func(dst *float32, dstStride int, data *uint16, stride int, starts *uint64, rows *uint32, weights *float32, ids *uint32, n, groups int)",
			"is GatherHalves for n ≥ 1 lists and groups ≥ 1 of 16 numbers; strides are in bytes.", halves256.gather, halves512.gather},
		{"scatterHalves", "func(data *uint16, stride int, starts *uint64, rows, ids *uint32, delta *float32, deltaStride, n, groups int, seed uint32)",
			"is ScatterHalves for n ≥ 1 lists and groups ≥ 1 of 16 numbers; strides are in bytes.", halves256.scatter, halves512.scatter},
		{"multiply", "func(dst *float32, dstStride int, dstRows *uint32, a *float32, aStride int, aRows *uint32, b *float32, bStride int, bRows, triples *uint32, n, cols int)",
			"is MultiplyRows for n ≥ 1 triples and cols ≥ 1 numbers; strides are in bytes.", func() { multiply(m.splitRow(), 4) }, func() { multiply(splitRow512(), mostOfRow) }},
		{"windows", "func(dst *float32, dstStride int, dstRows *uint32, src *float32, srcStride int, srcRows *uint32, weights *float32, windows *int32, n, cols, set int)",
			"is AddWindows for n ≥ 1 windows and cols ≥ 1 numbers, or SetWindows if set is\nnot 0. Strides are in bytes.", func() { windows(m.splitRow(), 7) }, avx512Windows},
		{"pairs", "func(out, a *float32, aStride int, aRows *uint32, data *float32, stride int, rows *uint32, n, cols int)",
			"sets n ≥ 1 numbers of out to the dot products of row aRows[j] of a and row\nrows[j] of data, of cols ≥ 1 numbers; strides are in bytes.", avx2Pairs, avx512Pairs},
		{"weightedMean", "func(dst, data *float32, stride int, rows *uint32, weights *float64, n, groups int, count float64)",
			"is WeightedMean for n ≥ 1 rows of groups ≥ 1 of 16 numbers; stride is in bytes.",
			func() {
				weightedMean(4, func() VecVirtual { return YMM() }, func(v VecVirtual) Op { return v.AsX() })
			},
			func() {
				weightedMean(8, func() VecVirtual { return ZMM() }, func(v VecVirtual) Op { return v.AsY() })
			}},
		{"multiplyPeaks", "func(dst, a, b, peaks *float32, n int)",
			"is MultiplyPeaks for n ≥ 1 parts of 64 numbers.", func() { peaks(VMULPS) }, nil},
		{"subtractPeaks", "func(dst, a, b, peaks *float32, n int)",
			"is SubtractPeaks for n ≥ 1 parts of 64 numbers.", func() { peaks(VSUBPS) }, nil},
		{"difference", "func(dst, a, b *float32, n int) (ofA, ofDst float32)",
			"is Difference for n ≥ 1 numbers.", avx2Difference, nil},
		{"toEights", "func(dst *byte, x *float32, scale float32, n int)",
			"is ToEights for n ≥ 1 numbers.", avx2ToEights, nil},
		{"addEights", "func(x *float32, bits *byte, step float32, n int) float32",
			"is AddEights for n ≥ 1 numbers.", avx2AddEights, nil},
		{"moveEights", "func(x, y *float32, a, b *byte, stepA, stepB float32, n int)",
			"is MoveEights for n ≥ 1 numbers.", avx2MoveEights, nil},
		{"extremes", "func(most, least *float32, atMost, atLeast *uint32, data *float32, stride int, rows *uint32, n, cols int)",
			"is Extremes for n ≥ 1 rows of cols ≥ 1 numbers, with infinities where no number counts;\nstride is in bytes.", avx2Extremes, nil},
		{"interleaved", "func(out, h, blocks *float32, n, cols int)",
			"is MultiplyInterleaved for n ≥ 1 blocks of cols ≥ 1 numbers of each row.", avx2Interleaved, nil},
		{"agree", "func(own, began, row *float32, n int) (together, others float32)",
			"sets together to the dot product of own − began and row − began, and others to\nthat of row − began with itself, for n ≥ 1 numbers.", avx2Agree, nil},
		{"meet", "func(own, began, row *float32, part float32, n int)",
			"is the rest of Meet for n ≥ 1 numbers.", avx2Meet, nil},
		{"leastSquares", "func(row, sums, bias, biasSum, data, dataSums *float32, stride int, biases, biasSums *float32, with *uint32, logs, weights *float32, n, groups int, rate float32) float32",
			"is Squares.Train for n ≥ 1 pairs and groups ≥ 1 of 16 numbers; stride is in bytes, and\nwith has two more rows than pairs.", avx2LeastSquares, avx512LeastSquares},
	}
	for _, k := range kernels {
		function(k.name+"AVX2", k.signature, k.doc, k.avx2)
	}
	for _, k := range kernels {
		if k.avx512 != nil {
			function(k.name+"AVX512", k.signature, k.doc, k.avx512)
		}
	}
	function("sumPartsKernel", "func(out, scores *float32, stride, parts, n int)",
		"sets n ≥ 1 rows of out to the sums of those of parts ≥ 1 parts of scores, which\nare stride bytes apart.", sumParts)
	function("prefetchKernel", "func(data *float32, stride int, rows *uint32, n, cols int)",
		"asks for n ≥ 1 rows of cols ≥ 1 numbers to be brought near; stride is in bytes.", prefetch)
	Generate()
}

func function(name, signature, doc string, body func()) {
	attributes := NOSPLIT
	if name == "errorsOfFewAVX2" { // whose frame is too large
		attributes = 0
	}
	TEXT(name, attributes, signature)
	Pragma("noescape")
	Doc(strings.Split(name+" "+doc, "\n")...)
	vectors, atEnd = true, nil
	body()
	if vectors {
		VZEROUPPER()
	}
	if atEnd != nil { // behind VZEROUPPER: avo makes it an SSE instruction
		atEnd()
	}
	RET()
}

// A function may say that it uses no vectors, and what it does at its end.
var (
	vectors bool
	atEnd   func()
)

func local() Mem { return AllocLocal(8) }

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

// zeroed is a new register that is 0, loaded one of a number.
func zeroed() GPVirtual {
	r := GP64()
	XORQ(r, r)
	return r
}

func loaded(from Op) GPVirtual {
	r := GP64()
	MOVQ(from, r)
	return r
}

// compare goes on at a label if a and b are as jump says, test if a is, and again unless n was the last.
func compare(a, b Op, jump func(Op), label Op) {
	CMPQ(a, b)
	jump(label)
}

func test(a Op, jump func(Op), label Op) {
	TESTQ(a, a)
	jump(label)
}

func again(n, label Op) {
	DECQ(n)
	JNZ(label)
}

// rowAddress sets to to base + rows[i]·stride, all in bytes.
func rowAddress(to GPVirtual, id Mem, stride, base Op) {
	MOVL(id, to.As32())
	IMULQ(stride, to)
	ADDQ(base, to)
}

// advance adds step to the number in the frame at m and returns the sum.
func advance(m Mem, step int) GPVirtual {
	next := loaded(m)
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
	vectors = false
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
	compare(p, end, JLT, LabelRef("line"))
	INCQ(n)
	JNZ(LabelRef("row"))
}
