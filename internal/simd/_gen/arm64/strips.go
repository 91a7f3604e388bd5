package main

import "fmt"

// strips lays out code for rows of left numbers, in strips: of most numbers, a
// power of two, while there are as many, then one of each smaller power of two
// that the rest is the sum of. body is called for each of these and moves on its
// pointers into rows. left is lost.
func (a *asm) strips(prefix string, left gpr, most int, body func(label string, floats int)) {
	name := func(floats int) string { return fmt.Sprintf("%sstrip%d", prefix, floats) }
	a.op("CMP", "$%d, %v", most, left)
	a.op("BLT", "%srest", prefix)
	a.label(name(most))
	body(name(most), most)
	a.op("SUB", "$%d, %v", most, left)
	a.op("CMP", "$%d, %v", most, left)
	a.op("BGE", "%s", name(most))
	a.label(prefix + "rest")
	bit := 0
	for 2<<bit < most {
		bit++
	}
	for ; bit >= 0; bit-- {
		floats := 1 << bit
		a.op("TBZ", "$%d, %v, %sdone", bit, left, name(floats))
		body(name(floats), floats)
		a.label(name(floats) + "done")
	}
}

// registers is how many registers floats numbers take.
func registers(floats int) vec { return vec(max(1, floats/lanes)) }

// maxStrip is how many numbers are kept in registers, be they of one row or more.
const maxStrip = 64

// parts calls part for each up to 16 numbers of a strip, with the first of the strip's
// registers that they belong to and those to load them into, of which two sets take
// turns.
func parts(floats int, part func(of, into vec, floats int)) {
	const from = vec(16)
	for done := 0; done < floats; done += 16 {
		part(vec(done/lanes), from+vec(done/16%2*4), min(floats, 16))
	}
}

// row sets p to the address of the next row of ids, whose first is at data.
func (a *asm) row(ids, stride, data, p gpr) {
	a.op("MOVWU.P", "4(%v), %v", ids, p)
	a.op("MADD", "%v, %v, %v, %v", stride, data, p, p)
}
