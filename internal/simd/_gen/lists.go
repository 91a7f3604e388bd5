package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

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
