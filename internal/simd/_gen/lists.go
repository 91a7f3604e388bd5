package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

func scatterWeightedDoc(name string) []string {
	return []string{name + " is ScatterWeighted for n ≥ 1 lists and cols ≥ 1 numbers; strides are in",
		"bytes."}
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
