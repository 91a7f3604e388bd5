package main

import (
	"fmt"
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// The functions that are generated, for each set of instructions.
const (
	dotsSignature            = "func(out *float32, outStride int, h *float32, hStride, nh int, data *float32, stride, n, cols int)"
	transposeSignature       = "func(dst, h *float32, stride, n, cols int)"
	errorsSignature          = "func(out, transposed, data *float32, stride int, rows *uint32, with *uint16, weights *float32, n, cols int, sign uint32, loss int) float32"
	errorsOfScoresSignature  = "func(out, scores *float32, stride, parts int, with *uint16, weights *float32, n int, sign uint32, loss int) float32"
	scoresSignature          = "func(out, transposed, data *float32, stride int, rows *uint32, n, cols int)"
	updateSignature          = "func(dst *float32, dstStride int, dstRows *uint32, src *float32, srcStride int, srcRows *uint32, w *float32, wDst, wSrc int, groups *int32, n, cols, set int)"
	gatherSignature          = "func(dst *float32, dstStride int, data *float32, stride int, starts *uint64, rows *uint32, weights *float32, ids *uint32, n, cols int)"
	scatterSignature         = "func(data *float32, stride int, starts *uint64, rows, ids *uint32, delta *float32, deltaStride, n, cols int)"
	scatterWeightedSignature = "func(data *float32, stride int, starts *uint64, rows *uint32, weights *float32, ids *uint32, delta *float32, deltaStride, n, cols int)"
	multiplySignature        = "func(dst *float32, dstStride int, dstRows *uint32, a *float32, aStride int, aRows *uint32, b *float32, bStride int, bRows, triples *uint32, n, cols int)"
	windowsSignature         = "func(dst *float32, dstStride int, dstRows *uint32, src *float32, srcStride int, srcRows *uint32, weights *float32, sources int, windows *int32, n, cols int, scratch *float32, set int)"
	eachSignature            = "func(dst *float32, dstStride int, dstRows *uint32, src *float32, srcStride int, srcRows *uint32, w *float32, n, cols int)"
	pairsSignature           = "func(out, a *float32, aStride int, aRows *uint32, data *float32, stride int, rows *uint32, n, cols int)"
	prefetchSignature        = "func(data *float32, stride int, rows *uint32, n, cols int)"
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

// constants are in memory, each eight times: AVX2 has no operand that is broadcast.
type constants struct {
	exp2, log1p                        []Mem
	log2e, most, least, one, two, sign Mem
	round                              Mem    // added, rounds to a whole number, and leaves it with an exponent's bias
	bits                               [2]Mem // 1<<i for lane i, by halves of the lanes
}

func newConstants() constants {
	// Scores beyond are as good as these: of 2 to a higher power than 126, float32 has
	// no inverse that is normal.
	const most = 126 * math.Ln2
	c := constants{
		log2e: eight("log2e", F32(math.Log2E)),
		most:  eight("most", F32(most)),
		least: eight("least", F32(-most)),
		one:   eight("one", F32(1)),
		two:   eight("two", F32(2)),
		sign:  eight("signbit", U32(1<<31)),
		round: eight("round", F32(1.5*(1<<23)+127)),
	}
	for half := range c.bits {
		c.bits[half] = GLOBL(fmt.Sprintf("bits%d", half), RODATA|NOPTR)
		for k := range 8 {
			DATA(4*k, U32(1<<(8*half+k)))
		}
	}
	for i, x := range exp2Terms {
		c.exp2 = append(c.exp2, eight(fmt.Sprintf("exp2_%d", i), F32(x)))
	}
	for i, x := range log1pTerms {
		c.log1p = append(c.log1p, eight(fmt.Sprintf("log1p%d", i), F32(x)))
	}
	return c
}

func eight(name string, x Constant) Mem {
	m := GLOBL(name, RODATA|NOPTR)
	for k := range 8 {
		DATA(4*k, x)
	}
	return m
}

// polynomial evaluates a polynomial of x, even and odd terms apart: what comes after the
// scores is one long chain, which processors hide behind other rows only in part. load sets
// a vector to a term, multiplyAdd is FMA of a term, a factor and what is multiplied
// by it.
func polynomial(x VecVirtual, terms []Mem, vector func() VecVirtual, load func(Mem, VecVirtual), multiplyAdd func(...Op)) VecVirtual {
	square := vector()
	VMULPS(x, x, square)
	alternate := func(last int) VecVirtual {
		p := vector()
		load(terms[last], p)
		for i := last - 2; i >= 0; i -= 2 {
			multiplyAdd(terms[i], square, p)
		}
		return p
	}
	a, b := alternate(len(terms)-1), alternate(len(terms)-2)
	if len(terms)%2 == 0 { // a is the odd terms
		a, b = b, a
	}
	VFMADD231PS(b, x, a)
	return a
}

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

func errorsDoc(name string) []string {
	return []string{name + " is Errors for n ≥ 1 rows of cols ≥ 1 numbers. The stride is in bytes;",
		"sign is the sign bit if the pairs are negative, else 0, and so is the sign of the",
		"loss."}
}

func errorsOfScoresDoc(name string) []string {
	return []string{name + " is ErrorsOfScores for n ≥ 1 rows and parts ≥ 1, which are stride bytes",
		"apart. Sign and loss are as for Errors."}
}

func scatterWeightedDoc(name string) []string {
	return []string{name + " is ScatterWeighted for n ≥ 1 lists and cols ≥ 1 numbers; strides are in",
		"bytes."}
}

func updateDoc(name string) []string {
	return []string{name + " is AddRows and UpdateRows for n ≥ 1 groups of rows of cols ≥ 1 numbers:",
		"row j is added to row i times the number at w + i·wDst + j·wSrc, or, as SetRows, if set is not",
		"0, to nothing. Strides are in bytes."}
}

// groups lays out code that goes through the groups of rows of dst: body is called
// for every size that is made of one piece, four, two and one, with the addresses of
// a piece's rows.
func groups(body func(prefix string, dp []GPVirtual, s sourceList)) {
	s := sourceList{first: local(), n: local(), weights: local()}
	group, end := local(), local()
	row, rowsLeft := local(), local()
	{
		p, n := param("groups"), param("n")
		MOVQ(p, group)
		SHLQ(Imm(4), n)
		ADDQ(p, n)
		MOVQ(n, end)
	}
	Label("group")
	{
		p, r, n, from, to := GP64(), GP64(), GP64(), GP64(), GP64()
		MOVQ(group, p)
		MOVLQSX(Mem{Base: p}, r)
		MOVLQSX(Mem{Base: p, Disp: 4}, n)
		MOVLQSX(Mem{Base: p, Disp: 8}, from)
		MOVLQSX(Mem{Base: p, Disp: 12}, to)
		MOVQ(r, row)
		MOVQ(n, rowsLeft)
		SUBQ(from, to)
		JLE(LabelRef("groupend"))
		MOVQ(to, s.n)
		MOVQ(from, s.first)
	}
	Label("piece")
	n := GP64()
	MOVQ(rowsLeft, n)
	CMPQ(n, Imm(4))
	JGE(LabelRef("rows4"))
	CMPQ(n, Imm(2))
	JGE(LabelRef("rows2"))
	CMPQ(n, Imm(1))
	JGE(LabelRef("rows1"))
	Label("groupend")
	CMPQ(advance(group, 16), end)
	JLT(LabelRef("group"))
	JMP(LabelRef("groupsdone"))
	for _, rows := range []int{4, 2, 1} {
		prefix := fmt.Sprintf("rows%d", rows)
		Label(prefix)
		ids, base, stride, i := param("dstRows"), param("dst"), param("dstStride"), GP64()
		MOVQ(row, i)
		var dp []GPVirtual
		for k := range rows {
			p := GP64()
			rowAddress(p, Mem{Base: ids, Index: i, Scale: 4, Disp: 4 * k}, stride, base)
			dp = append(dp, p)
		}
		IMULQ(paramAt("wDst"), i)
		ADDQ(paramAt("w"), i)
		from := GP64()
		MOVQ(s.first, from)
		IMULQ(paramAt("wSrc"), from)
		ADDQ(from, i)
		MOVQ(i, s.weights)
		body(prefix, dp, s)
		advance(row, rows)
		SUBQ(Imm(uint64(rows)), rowsLeft)
		JMP(LabelRef("piece"))
	}
	Label("groupsdone")
}

// startGroup lays out what a strip of a group begins with: what zero makes of it if rows are set,
// and else what load does.
func startGroup(label string, zero, load func()) {
	CMPQ(paramAt("set"), Imm(0))
	JEQ(LabelRef(label + "load"))
	zero()
	JMP(LabelRef(label + "begun"))
	Label(label + "load")
	load()
	Label(label + "begun")
}

// sourceList is, in the frame, what a group of rows receives: the first row of src, how
// many, and where the first weight is.
type sourceList struct{ first, n, weights Mem }

// each lays out the loop of a strip of a rank update over the rows of src: body
// is called with a row's address and where its weights for the group's rows are.
func (s sourceList) each(label string, body func(sp GPVirtual, w []Mem)) {
	ids, n, step, at := param("srcRows"), GP64(), param("wDst"), GP64()
	first := GP64()
	MOVQ(s.first, first)
	LEAQ(Mem{Base: ids, Index: first, Scale: 4}, ids)
	MOVQ(s.n, n)
	MOVQ(s.weights, at)
	step3 := GP64()
	LEAQ(Mem{Base: step, Index: step, Scale: 2}, step3)
	fromEnd(n, ids)
	Label(label + "source")
	sp := GP64()
	rowAddress(sp, Mem{Base: ids, Index: n, Scale: 4}, paramAt("srcStride"), paramAt("src"))
	body(sp, []Mem{
		{Base: at},
		{Base: at, Index: step, Scale: 1},
		{Base: at, Index: step, Scale: 2},
		{Base: at, Index: step3, Scale: 1},
	})
	ADDQ(paramAt("wSrc"), at)
	INCQ(n)
	JNZ(LabelRef(label + "source"))
}

// lists lays out code that goes through n lists of rows: body is called with the
// address of the row of own that belongs to a list.
func lists(own, ownStride string, body func(p GPVirtual, l rowList)) {
	l := rowList{first: local(), n: local()}
	at, ids, left := spill(own), spill("ids"), spill("n")
	Label("list")
	{
		p, starts, id, first, n := GP64(), param("starts"), GP64(), GP64(), GP64()
		MOVQ(ids, p)
		MOVL(Mem{Base: p}, id.As32())
		MOVQ(Mem{Base: starts, Index: id, Scale: 8}, first)
		MOVQ(Mem{Base: starts, Index: id, Scale: 8, Disp: 8}, n)
		SUBQ(first, n)
		MOVQ(n, l.n)
		MOVQ(first, l.first)
	}
	p := GP64()
	MOVQ(at, p)
	body(p, l)
	advance(ids, 4)
	next := GP64()
	MOVQ(at, next)
	ADDQ(paramAt(ownStride), next)
	MOVQ(next, at)
	DECQ(left)
	JNZ(LabelRef("list"))
}

// rowList is, in the frame, the first entry of a list and how many it has.
type rowList struct{ first, n Mem }

// each lays out a loop over the rows of the list: body is called with a row's address
// and where its weight is.
func (l rowList) each(label string, body func(p GPVirtual, weight Mem)) {
	rows, n, first, data, stride := param("rows"), GP64(), GP64(), param("data"), param("stride")
	MOVQ(l.first, first)
	MOVQ(l.n, n)
	LEAQ(Mem{Base: rows, Index: first, Scale: 4}, rows)
	weights := rows
	if _, err := Param("weights").Resolve(); err == nil {
		weights = param("weights")
		LEAQ(Mem{Base: weights, Index: first, Scale: 4}, weights)
		fromEnd(n, rows, weights)
	} else {
		fromEnd(n, rows)
	}
	TESTQ(n, n)
	JZ(LabelRef(label + "rowend"))
	Label(label + "row")
	p := GP64()
	rowAddress(p, Mem{Base: rows, Index: n, Scale: 4}, stride, data)
	body(p, Mem{Base: weights, Index: n, Scale: 4})
	INCQ(n)
	JNZ(LabelRef(label + "row"))
	Label(label + "rowend")
}

// fromEnd makes lists of n numbers be indexed by -n, …, -1.
func fromEnd(n GPVirtual, lists ...GPVirtual) {
	for _, list := range lists {
		LEAQ(Mem{Base: list, Index: n, Scale: 4}, list)
	}
	NEGQ(n)
}

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
