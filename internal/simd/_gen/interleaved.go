package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// avx2Interleaved takes four blocks of eight rows at a time, so that their sums do not wait for each other, and then two and
// one. With AVX-512 a block would have to be twice as wide.
func avx2Interleaved() {
	out, h, blocks, n, cols := param("out"), param("h"), param("blocks"), param("n"), param("cols")
	size := loaded(cols) // of a block, in bytes
	SHLQ(Imm(5), size)
	for _, together := range []int{4, 2, 1} {
		name := fmt.Sprintf("blocks%d", together)
		Label(name)
		compare(n, Imm(uint64(together)), JLT, LabelRef(name+"end"))
		from, sums := []GPVirtual{loaded(blocks)}, []VecVirtual{YMM()}
		for range together - 1 {
			next := loaded(from[len(from)-1])
			ADDQ(size, next)
			from, sums = append(from, next), append(sums, YMM())
		}
		for _, sum := range sums {
			VXORPS(sum, sum, sum)
		}
		k, at := zeroed(), zeroed()
		Label(name + "number")
		x := YMM()
		VBROADCASTSS(Mem{Base: h, Index: k, Scale: 4}, x)
		for i, p := range from { // a product and a sum are rounded each by itself
			product := YMM()
			VMULPS(Mem{Base: p, Index: at, Scale: 1}, x, product)
			VADDPS(product, sums[i], sums[i])
		}
		ADDQ(Imm(32), at)
		INCQ(k)
		compare(k, cols, JLT, LabelRef(name+"number"))
		for i, sum := range sums {
			VMOVUPS(sum, Mem{Base: out, Disp: 32 * i})
		}
		ADDQ(Imm(uint64(32*together)), out)
		MOVQ(from[together-1], blocks)
		ADDQ(size, blocks)
		SUBQ(Imm(uint64(together)), n)
		JMP(LabelRef(name))
		Label(name + "end")
	}
}
