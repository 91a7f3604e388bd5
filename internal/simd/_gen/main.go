// Command _gen writes the assembly of the kernels for amd64. Run it through
// go generate in the folder above.
package main

import (
	. "github.com/mmcloughlin/avo/build"
)

func main() {
	ConstraintExpr("amd64,!purego") // the files' names say nothing about where they belong
	c, m := newConstants(), newMasks256()
	halves256, halves512 := newHalves()
	avx2Dots(m)
	avx2Transpose(m)
	avx2Scores()
	avx2Errors(c)
	avx2Losses(c)
	avx2ErrorsOfFew(c, m)
	avx2AddRows(m)
	avx2UpdateRows(m)
	avx2Gather(m)
	avx2Scatter(m)
	avx2ScatterWeighted(m)
	halves256.gather("gatherHalvesAVX2")
	halves256.scatter("scatterHalvesAVX2")
	avx2Multiply(m)
	avx2Windows(m)
	avx2Pairs(m)
	avx2Peaks()
	avx2Eights()
	avx512Dots()
	avx512Transpose()
	avx512Scores()
	avx512Errors(c)
	avx512Losses(c)
	avx512AddRows()
	avx512UpdateRows()
	avx512Gather()
	avx512Scatter()
	avx512ScatterWeighted()
	halves512.gather("gatherHalvesAVX512")
	halves512.scatter("scatterHalvesAVX512")
	avx512Multiply()
	avx512Windows()
	avx512Pairs()
	sumParts()
	prefetch()
	Generate()
}
