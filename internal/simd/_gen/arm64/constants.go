package main

import (
	"fmt"
	"math"
)

// Minimax polynomials, of the constant term first; the kernels for amd64 have the
// same.
var (
	// 2ʳ for |r| ≤ ½, to 8e-8.
	exp2Terms = []float64{1.0000000716552204, 0.6931469670632637, 0.24022119721166413, 0.055507132746527015, 0.009675541479860772, 0.0013276472027771956}
	// log(1+e)/e for 0 ≤ e ≤ 1, to 4e-7.
	log1pTerms = []float64{0.9999998102178478, -0.4999744938483535, 0.33276176571511895, -0.24499611724553416, 0.17757023992339624, -0.10785367917260759, 0.04421419233882469, -0.008574676205025243}
)

// constants is a table in memory, and the registers that it is loaded into.
type constants struct {
	a     *asm
	table string
	again bool // it is in memory, for another function that has the same
	size  int
	p     gpr // where the rest of the table is
	next  vec
}

// constants starts a table, for the registers from first on.
func (a *asm) constants(table string, first vec) *constants {
	c := &constants{a: a, table: table, again: a.tables[table], p: a.reg(), next: first}
	a.tables[table] = true
	a.op("MOVD", "$%s<>(SB), %v", table, c.p)
	return c
}

func (c *constants) add(bits uint32) {
	if !c.again {
		fmt.Fprintf(&c.a.data, "DATA %s<>+%d(SB)/4, $0x%08x // %v\n", c.table, c.size, bits, math.Float32frombits(bits))
	}
	c.size += 4
}

func (c *constants) reg() vec {
	if c.next > 31 {
		panic("no vector register left")
	}
	c.next++
	return c.next - 1
}

// bits loads a number that all lanes of a register are set to, and so does number.
func (c *constants) bits(x uint32) vec {
	v := c.reg()
	c.add(x)
	c.a.op("VLD1R.P", "4(%v), [%v.S4]", c.p, v)
	return v
}

func (c *constants) number(x float64) vec { return c.bits(math.Float32bits(float32(x))) }

// lanes loads numbers one into a lane.
func (c *constants) lanes(x ...uint32) (l []lane) {
	for len(x)%lanes != 0 {
		x = append(x, 0)
	}
	for k, bits := range x {
		if k%lanes == 0 {
			c.a.loadNext(c.p, c.reg(), lanes)
		}
		c.add(bits)
		l = append(l, lane{c.next - 1, k % lanes})
	}
	return l
}

// terms loads a polynomial's.
func (c *constants) terms(p []float64) []lane {
	var bits []uint32
	for _, x := range p {
		bits = append(bits, math.Float32bits(float32(x)))
	}
	return c.lanes(bits...)[:len(p)]
}

// end ends the table.
func (c *constants) end() {
	if !c.again {
		fmt.Fprintf(&c.a.data, "GLOBL %s<>(SB), RODATA|NOPTR, $%d\n", c.table, c.size)
	}
}
