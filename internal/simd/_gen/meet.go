package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// avx2Agree and avx2Meet are the halves of Meet, between which its part is computed.
func avx2Agree() {
	own, began, row, n := param("own"), param("began"), param("row"), param("n")
	sums := []VecVirtual{zero256(), zero256()}
	some(n, func(s some256) {
		mine, others, was := s.load(own), s.load(row), s.load(began)
		VSUBPS(was, mine, mine)
		VSUBPS(was, others, others)
		VFMADD231PS(others, mine, sums[0])
		VFMADD231PS(others, others, sums[1])
	})
	for i, sum := range sums {
		other := XMM()
		VEXTRACTF128(Imm(1), sum, other)
		VADDPS(sum.AsX(), other, other)
		VHADDPS(other, other, other)
		VHADDPS(other, other, other)
		Store(other, ReturnIndex(i))
	}
}

func avx2Meet() {
	own, began, row, n := param("own"), param("began"), param("row"), param("n")
	part := broadcast256("part")
	some(n, func(s some256) {
		mine, is, was := s.load(own), s.load(row), s.load(began)
		VSUBPS(was, mine, mine)
		VADDPS(is, mine, mine)
		VSUBPS(was, is, is)
		VMULPS(part, is, is)
		VSUBPS(is, mine, mine)
		s.store(mine, own)
		s.store(mine, began)
		s.store(mine, row)
	})
}
