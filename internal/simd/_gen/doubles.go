package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// weightedMean lays out WeightedMean for vectors of so many doubles. Products are rounded before they are added.
func weightedMean(lanes int, double func() VecVirtual, half func(VecVirtual) Op) {
	const most = 8 // vectors that are kept in registers
	group := lanesOfGroup / lanes
	data, stride, rows, weights, n := param("data"), param("stride"), param("rows"), param("weights"), param("n")
	off, left := zeroed(), loaded(paramAt("groups"))
	LEAQ(Mem{Base: rows, Index: n, Scale: 4}, rows)
	LEAQ(Mem{Base: weights, Index: n, Scale: 8}, weights)
	NEGQ(n)
	strip := func(label string, groups int, otherwise LabelRef) {
		Label(label)
		CMPQ(left, Imm(uint64(groups)))
		JLT(otherwise)
		sums := make([]VecVirtual, groups*group)
		for k := range sums {
			sums[k] = double()
			VXORPD(sums[k], sums[k], sums[k])
		}
		i, p := GP64(), GP64()
		MOVQ(n, i)
		Label(label + "row")
		rowAddress(p, Mem{Base: rows, Index: i, Scale: 4}, stride, data)
		w := double()
		VBROADCASTSD(Mem{Base: weights, Index: i, Scale: 8}, w)
		for k, sum := range sums {
			x := double()
			VCVTPS2PD(Mem{Base: p, Index: off, Scale: 1, Disp: 4 * lanes * k}, x)
			VMULPD(x, w, x)
			VADDPD(x, sum, sum)
		}
		INCQ(i)
		JNZ(LabelRef(label + "row"))
		count, dst := double(), param("dst")
		VBROADCASTSD(paramAt("count"), count)
		for k, sum := range sums {
			VDIVPD(count, sum, sum)
			to := half(sum)
			if lanes == 4 {
				VCVTPD2PSY(sum, to)
			} else {
				VCVTPD2PS(sum, to)
			}
			VMOVUPS(to, Mem{Base: dst, Index: off, Scale: 1, Disp: 4 * lanes * k})
		}
		ADDQ(U32(uint32(4*lanesOfGroup*groups)), off)
		SUBQ(Imm(uint64(groups)), left)
		JMP(LabelRef(label))
	}
	strip("strip", most/group, "few")
	strip("few", 1, "done")
	Label("done")
}
