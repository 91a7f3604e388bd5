//go:build amd64 && !purego

package simd

import "golang.org/x/sys/cpu"

const (
	avx2   isa = "avx2"
	avx512 isa = "avx512"
)

// available lists the instruction sets that this machine has, the best one last.
func available() []isa {
	list := []isa{portable}
	if cpu.X86.HasAVX2 && cpu.X86.HasFMA && cpu.X86.HasF16C && cpu.X86.HasBMI1 && cpu.X86.HasBMI2 && cpu.X86.HasPOPCNT {
		list = append(list, avx2)
		if cpu.X86.HasAVX512F && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512VL {
			list = append(list, avx512)
		}
	}
	return list
}

func gatherKernel(dst *float32, dstStride int, data *float32, stride int, starts *uint64, rows *uint32, weights *float32, ids *uint32, n, cols int) {
	if chosen == avx512 {
		gatherAVX512(dst, dstStride, data, stride, starts, rows, weights, ids, n, cols)
		return
	}
	gatherAVX2(dst, dstStride, data, stride, starts, rows, weights, ids, n, cols)
}

func scatterKernel(data *float32, stride int, starts *uint64, rows, ids *uint32, delta *float32, deltaStride, n, cols int) {
	if chosen == avx512 {
		scatterAVX512(data, stride, starts, rows, ids, delta, deltaStride, n, cols)
		return
	}
	scatterAVX2(data, stride, starts, rows, ids, delta, deltaStride, n, cols)
}

func scatterWeightedKernel(data *float32, stride int, starts *uint64, rows *uint32, weights *float32, ids *uint32, delta *float32, deltaStride, n, cols int) {
	if chosen == avx512 {
		scatterWeightedAVX512(data, stride, starts, rows, weights, ids, delta, deltaStride, n, cols)
		return
	}
	scatterWeightedAVX2(data, stride, starts, rows, weights, ids, delta, deltaStride, n, cols)
}

func gatherHalvesKernel(dst *float32, dstStride int, data *uint16, stride int, starts *uint64, rows *uint32, weights *float32, ids *uint32, n, groups int) {
	if chosen == avx512 {
		gatherHalvesAVX512(dst, dstStride, data, stride, starts, rows, weights, ids, n, groups)
		return
	}
	gatherHalvesAVX2(dst, dstStride, data, stride, starts, rows, weights, ids, n, groups)
}

func scatterHalvesKernel(data *uint16, stride int, starts *uint64, rows, ids *uint32, delta *float32, deltaStride, n, groups int, seed uint32) {
	if chosen == avx512 {
		scatterHalvesAVX512(data, stride, starts, rows, ids, delta, deltaStride, n, groups, seed)
		return
	}
	scatterHalvesAVX2(data, stride, starts, rows, ids, delta, deltaStride, n, groups, seed)
}

func multiplyKernel(dst *float32, dstStride int, dstRows *uint32, a *float32, aStride int, aRows *uint32, b *float32, bStride int, bRows, triples *uint32, n, cols int) {
	if chosen == avx512 {
		multiplyAVX512(dst, dstStride, dstRows, a, aStride, aRows, b, bStride, bRows, triples, n, cols)
		return
	}
	multiplyAVX2(dst, dstStride, dstRows, a, aStride, aRows, b, bStride, bRows, triples, n, cols)
}

func windowsKernel(dst *float32, dstStride int, dstRows *uint32, src *float32, srcStride int, srcRows *uint32, weights *float32, windows *int32, n, cols, set int) {
	if chosen == avx512 {
		windowsAVX512(dst, dstStride, dstRows, src, srcStride, srcRows, weights, windows, n, cols, set)
		return
	}
	windowsAVX2(dst, dstStride, dstRows, src, srcStride, srcRows, weights, windows, n, cols, set)
}

func pairsKernel(out, a *float32, aStride int, aRows *uint32, data *float32, stride int, rows *uint32, n, cols int) {
	if chosen == avx512 {
		pairsAVX512(out, a, aStride, aRows, data, stride, rows, n, cols)
		return
	}
	pairsAVX2(out, a, aStride, aRows, data, stride, rows, n, cols)
}

func transposeKernel(dst, h *float32, stride, n, cols int) {
	if chosen == avx512 {
		transposeAVX512(dst, h, stride, n, cols)
		return
	}
	transposeAVX2(dst, h, stride, n, cols)
}

func scoresKernel(out, transposed, data *float32, stride int, rows *uint32, n, cols int) {
	if chosen == avx512 {
		scoresAVX512(out, transposed, data, stride, rows, n, cols)
		return
	}
	scoresAVX2(out, transposed, data, stride, rows, n, cols)
}

func errorsKernel(scores *float32, with, kept *uint16, weights *float32, n int, threshold float32, seed, sign uint32) {
	if chosen == avx512 {
		errorsAVX512(scores, with, kept, weights, n, threshold, seed, sign)
		return
	}
	errorsAVX2(scores, with, kept, weights, n, threshold, seed, sign)
}

func lossesKernel(scores *float32, with *uint16, weights *float32, n int, sign uint32) float32 {
	if chosen == avx512 {
		return lossesAVX512(scores, with, weights, n, sign)
	}
	return lossesAVX2(scores, with, weights, n, sign)
}

func addRowsKernel(dst *float32, dstStride int, dstRows *uint32, src *float32, srcStride int, srcRows *uint32, w *float32, kept *uint16, n, cols int) {
	if chosen == avx512 {
		addRowsAVX512(dst, dstStride, dstRows, src, srcStride, srcRows, w, kept, n, cols)
		return
	}
	addRowsAVX2(dst, dstStride, dstRows, src, srcStride, srcRows, w, kept, n, cols)
}

func updateRowsKernel(dst *float32, dstStride int, dstRows *uint32, src *float32, srcStride int, srcRows *uint32, w *float32, kept *uint16, n, sources, cols int) {
	if chosen == avx512 {
		updateRowsAVX512(dst, dstStride, dstRows, src, srcStride, srcRows, w, kept, n, sources, cols)
		return
	}
	updateRowsAVX2(dst, dstStride, dstRows, src, srcStride, srcRows, w, kept, n, sources, cols)
}

func dotsKernel(out *float32, outStride int, h *float32, hStride, nh int, data *float32, stride, n, cols int) {
	if chosen == avx512 {
		dotsAVX512(out, outStride, h, hStride, nh, data, stride, n, cols)
		return
	}
	dotsAVX2(out, outStride, h, hStride, nh, data, stride, n, cols)
}

// mostOfFew returns up to how many pairs a row has where errorsOfFew is faster than all scores.
func mostOfFew() int {
	if chosen == avx512 {
		return 3
	}
	return 7
}

// errorsOfFew is Errors without rounding and computes only the scores of pairs. It leaves scores in g if raw
// is set.
func errorsOfFew(g []float32, h Block, data []float32, stride int, p Pairs, raw bool) {
	if chosen == avx512 {
		errorsOfGathered(g, h, data, stride, p, raw)
		return
	}
	errorsOfFewAVX2(&g[0], &h.Data[0], h.Stride*float, &data[0], stride*float,
		&p.Rows[0], &p.With[0], &p.Weights[0], len(p.Rows), h.Cols, p.sign(), number(raw))
}

// The kernels of Eights are those of AVX2 with AVX-512, too: rows come from too far away for wider
// registers to matter.

func differenceKernel(dst, a, b *float32, n int) (ofA, ofDst float32) {
	return differenceAVX2(dst, a, b, n)
}

func agreeKernel(own, began, row *float32, n int) (together, others float32) {
	return agreeAVX2(own, began, row, n)
}

func meetKernel(own, began, row *float32, part float32, n int) {
	meetAVX2(own, began, row, part, n)
}

func toEightsKernel(dst *byte, x *float32, scale float32, n int) { toEightsAVX2(dst, x, scale, n) }

func addEightsKernel(x *float32, bits *byte, step float32, n int) float32 {
	return addEightsAVX2(x, bits, step, n)
}

func moveEightsKernel(x, y *float32, a, b *byte, stepA, stepB float32, n int) {
	moveEightsAVX2(x, y, a, b, stepA, stepB, n)
}

// multiplyPeaks does the whole parts of MultiplyPeaks, and returns how many it did.
func multiplyPeaks(dst, a, b, peaks []float32) (parts int) {
	n := len(dst) / PeakPart
	if n == 0 || chosen == portable {
		return 0
	}
	_, _, _ = a[len(dst)-1], b[len(dst)-1], peaks[n-1]
	multiplyPeaksAVX2(&dst[0], &a[0], &b[0], &peaks[0], n)
	return n
}

// subtractPeaks does the whole parts of SubtractPeaks, and returns how many it did.
func subtractPeaks(dst, a, b, peaks []float32) (parts int) {
	n := len(dst) / PeakPart
	if n == 0 || chosen == portable {
		return 0
	}
	_, _, _ = a[len(dst)-1], b[len(dst)-1], peaks[n-1]
	subtractPeaksAVX2(&dst[0], &a[0], &b[0], &peaks[0], n)
	return n
}

// extremes is Extremes with infinities where no number counts. It returns whether there is a kernel for it.
func extremes(most, least []float32, atMost, atLeast []uint32, data []float32, stride int, rows []uint32) bool {
	if chosen == portable || len(rows) == 0 || len(most) == 0 {
		return false
	}
	extremesAVX2(&most[0], &least[0], &atMost[0], &atLeast[0], &data[0], stride*float, &rows[0], len(rows), len(most))
	return true
}

// multiplyInterleaved is MultiplyInterleaved. It returns whether there is a kernel for it.
func multiplyInterleaved(out, h, rows []float32) bool {
	if chosen == portable {
		return false
	}
	interleavedAVX2(&out[0], &h[0], &rows[0], len(out)/Interleaved, len(h))
	return true
}

func weightedMeanKernel(dst, data *float32, stride int, rows *uint32, weights *float64, n, groups int, count float64) bool {
	if chosen == avx512 {
		weightedMeanAVX512(dst, data, stride, rows, weights, n, groups, count)
	} else {
		weightedMeanAVX2(dst, data, stride, rows, weights, n, groups, count)
	}
	return true
}

// leastSquaresKernel is Squares.Train without the half. It returns whether there is a kernel for it.
func leastSquaresKernel(row, sums, bias, biasSum, data, dataSums *float32, stride int, biases, biasSums *float32, with *uint32, numbers, weights *float32, n, groups int, rate float32) (float32, bool) {
	if chosen == avx512 {
		return leastSquaresAVX512(row, sums, bias, biasSum, data, dataSums, stride, biases, biasSums, with, numbers, weights, n, groups, rate), true
	}
	return leastSquaresAVX2(row, sums, bias, biasSum, data, dataSums, stride, biases, biasSums, with, numbers, weights, n, groups, rate), true
}
