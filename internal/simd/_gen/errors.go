package main

import (
	"fmt"
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// constants are in memory, each eight times: AVX2 has no operand that is broadcast.
type constants struct {
	exp2, log1p                        []Mem
	log2e, most, least, one, two, sign Mem
	round                              Mem    // added, rounds to a whole number, and leaves it with an exponent's bias
	bits                               [2]Mem // 1<<i for lane i, by halves of the lanes
	// Of rounding, as in ../rounding.go: how many uniform numbers there are, and the generator's numbers.
	uniforms, multiplier, weyl Mem
	hash, seeds                [2]Mem
}

// The generator of uniform numbers.
const (
	weyl       = 0x9e3779b9
	multiplier = 0x93d765dd
	hash1      = 0x7feb352d
	hash2      = 0x846ca68b
)

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

		uniforms:   eight("uniforms", F32(1<<24)),
		multiplier: eight("multiplier", U32(multiplier)),
		weyl:       eight("weyl", U32(weyl)),
		hash:       [2]Mem{eight("hash1", U32(hash1)), eight("hash2", U32(hash2))},
	}
	for half := range c.bits {
		c.bits[half] = GLOBL(fmt.Sprintf("bits%d", half), RODATA|NOPTR)
		for k := range 8 {
			DATA(4*k, U32(1<<(8*half+k)))
		}
	}
	seeds := GLOBL("seeds", RODATA|NOPTR)
	for k := range lanes512 {
		DATA(4*k, U32(uint32((k+1)*weyl)))
	}
	c.seeds = [2]Mem{seeds, seeds.Offset(32)}
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

func errorsDoc(name string) []string {
	return []string{name + " makes of the scores of n ≥ 1 rows their errors, in place, and sets kept. Sign is",
		"the sign bit if the pairs are negative, else 0."}
}

func lossesDoc(name string) []string {
	return []string{name + " returns the loss of the scores of n ≥ 1 rows, with the sign that errors have."}
}

func fewDoc(name string) []string {
	return []string{name + " is Errors without rounding for n ≥ 1 rows of cols ≥ 1 numbers, and computes",
		"nothing for what is no pair. Strides are in bytes; sign is the sign bit if the pairs",
		"are negative, else 0. If raw is not 0, it writes scores and no errors."}
}
