//go:build arm64 && !purego

package simd

import "unsafe"

const neon isa = "neon"

// available lists the instruction sets that this machine has, the best one last. All arm64 machines on
// which Go runs have NEON.
func available() []isa { return []isa{portable, neon} }

// gatherKernel is GatherLists for n ≥ 1 lists and cols ≥ 1 numbers; strides are in
// bytes.
//
//go:noescape
func gatherKernel(dst *float32, dstStride int, data *float32, stride int, starts *uint64, rows *uint32, weights *float32, ids *uint32, n, cols int)

// scatterKernel is ScatterLists for n ≥ 1 lists and cols ≥ 1 numbers; strides are in
// bytes.
//
//go:noescape
func scatterKernel(data *float32, stride int, starts *uint64, rows, ids *uint32, delta *float32, deltaStride, n, cols int)

// scatterWeightedKernel is ScatterWeighted for n ≥ 1 lists and cols ≥ 1 numbers; strides are in
// bytes.
//
//go:noescape
func scatterWeightedKernel(data *float32, stride int, starts *uint64, rows *uint32, weights *float32, ids *uint32, delta *float32, deltaStride, n, cols int)

// gatherHalvesKernel is GatherHalves for n ≥ 1 lists and groups ≥ 1 of 16 numbers; strides are in
// bytes.
//
//go:noescape
func gatherHalvesKernel(dst *float32, dstStride int, data *uint16, stride int, starts *uint64, rows *uint32, weights *float32, ids *uint32, n, groups int)

// scatterHalvesKernel is ScatterHalves for n ≥ 1 lists and groups ≥ 1 of 16 numbers; strides are in
// bytes.
//
//go:noescape
func scatterHalvesKernel(data *uint16, stride int, starts *uint64, rows, ids *uint32, delta *float32, deltaStride, n, groups int, seed uint32)

// multiplyKernel is MultiplyRows for n ≥ 1 triples and cols ≥ 1 numbers; strides are in bytes.
//
//go:noescape
func multiplyKernel(dst *float32, dstStride int, dstRows *uint32, a *float32, aStride int, aRows *uint32, b *float32, bStride int, bRows, triples *uint32, n, cols int)

// windowsKernel is AddWindows for n ≥ 1 windows and cols ≥ 1 numbers, or SetWindows if set is
// not 0. Strides are in bytes.
//
//go:noescape
func windowsKernel(dst *float32, dstStride int, dstRows *uint32, src *float32, srcStride int, srcRows *uint32, weights *float32, windows *int32, n, cols, set int)

// pairsKernel sets n ≥ 1 numbers of out to the dot products of row aRows[j] of a and row
// rows[j] of data, of cols ≥ 1 numbers; strides are in bytes.
//
//go:noescape
func pairsKernel(out, a *float32, aStride int, aRows *uint32, data *float32, stride int, rows *uint32, n, cols int)

// prefetchKernel asks for n ≥ 1 rows of cols ≥ 1 numbers to be brought near; stride
// is in bytes.
//
//go:noescape
func prefetchKernel(data *float32, stride int, rows *uint32, n, cols int)

// transposeKernel is Transpose for n ≥ 1 rows of cols ≥ 1 numbers; stride is in bytes.
//
//go:noescape
func transposeKernel(dst, h *float32, stride, n, cols int)

// scoresKernel is Scores for n ≥ 1 rows of cols ≥ 1 numbers; stride is in bytes.
//
//go:noescape
func scoresKernel(out, transposed, data *float32, stride int, rows *uint32, n, cols int)

// errorsKernel makes of the scores of n ≥ 1 rows their errors, in place, and sets kept.
// Sign is the sign bit if the pairs are negative, else 0.
//
//go:noescape
func errorsKernel(scores *float32, with, kept *uint16, weights *float32, n int, threshold float32, seed, sign uint32)

// lossesKernel returns the loss of the scores of n ≥ 1 rows, with the sign that errors
// have.
//
//go:noescape
func lossesKernel(scores *float32, with *uint16, weights *float32, n int, sign uint32) float32

// sumPartsKernel sets n ≥ 1 rows of out to the sums of those of parts ≥ 1 parts of
// scores, which are stride bytes apart.
//
//go:noescape
func sumPartsKernel(out, scores *float32, stride, parts, n int)

// addRowsKernel is AddRows for n rows of src, from 1 to 64, and cols ≥ 1 numbers. kept has 64 masks.
// Strides are in bytes.
func addRowsKernel(dst *float32, dstStride int, dstRows *uint32, src *float32, srcStride int, srcRows *uint32, w *float32, kept *uint16, _, cols int) {
	columns := maskColumns(unsafe.Slice(kept, masksAtOnce))
	addRowsColumns(dst, dstStride, dstRows, src, srcStride, srcRows, w, &columns[0], Lanes, cols)
}

// addRowsColumns is addRowsKernel, given for each of n rows of dst which rows of src it receives.
//
//go:noescape
func addRowsColumns(dst *float32, dstStride int, dstRows *uint32, src *float32, srcStride int, srcRows *uint32, w *float32, columns *uint64, n, cols int)

// updateRowsKernel is UpdateRows for n ≥ 1 rows of dst, sources rows of src, from 1 to 16, and
// cols ≥ 1 numbers. Strides are in bytes.
//
//go:noescape
func updateRowsKernel(dst *float32, dstStride int, dstRows *uint32, src *float32, srcStride int, srcRows *uint32, w *float32, kept *uint16, n, sources, cols int)

// dotsKernel is Dots for nh ≥ 1 rows of h and n ≥ 1 of data; strides are in bytes.
//
//go:noescape
func dotsKernel(out *float32, outStride int, h *float32, hStride, nh int, data *float32, stride, n, cols int)

// mostOfFew returns up to how many pairs a row has where errorsOfFew is faster than all scores.
func mostOfFew() int { return 3 }

// errorsOfFew is Errors without rounding and computes only the scores of pairs. It leaves scores in g if raw
// is set.
func errorsOfFew(g []float32, h Block, data []float32, stride int, p Pairs, raw bool) {
	errorsOfGathered(g, h, data, stride, p, raw)
}

// differenceKernel is Difference for n ≥ 1 numbers.
//
//go:noescape
func differenceKernel(dst, a, b *float32, n int) (ofA, ofDst float32)

// toEightsKernel is ToEights for n ≥ 1 numbers.
//
//go:noescape
func toEightsKernel(dst *byte, x *float32, scale float32, n int)

// addEightsKernel is AddEights for n ≥ 1 numbers.
//
//go:noescape
func addEightsKernel(x *float32, bits *byte, step float32, n int) float32

// moveEightsKernel is MoveEights for n ≥ 1 numbers.
//
//go:noescape
func moveEightsKernel(x, y *float32, a, b *byte, stepA, stepB float32, n int)

// This processor has no kernels for peaks: scanning for analogies alone needs them.
func multiplyPeaks(_, _, _, _ []float32) (parts int) { return 0 }
func subtractPeaks(_, _, _, _ []float32) (parts int) { return 0 }

// maskColumns returns the columns of 64 masks: bit j of column i is bit i of mask j.
func maskColumns(masks []uint16) (columns [Lanes]uint64) {
	for first := 0; first < masksAtOnce; first += 8 {
		var low, high uint64
		for j, mask := range masks[first : first+8] {
			low |= uint64(mask&0xff) << (8 * j)
			high |= uint64(mask>>8) << (8 * j)
		}
		low, high = transposeBits(low), transposeBits(high)
		for i := range 8 {
			columns[i] |= low >> (8 * i) & 0xff << first
			columns[8+i] |= high >> (8 * i) & 0xff << first
		}
	}
	return columns
}

// transposeBits transposes 8 rows of 8 bits: bit j of byte i becomes bit i of byte j. It swaps blocks of
// one, two and four bits across the diagonal.
func transposeBits(x uint64) uint64 {
	for _, swap := range []struct {
		by   int
		mask uint64
	}{{7, 0x00aa00aa00aa00aa}, {14, 0x0000cccc0000cccc}, {28, 0x00000000f0f0f0f0}} {
		t := (x ^ x>>swap.by) & swap.mask
		x ^= t ^ t<<swap.by
	}
	return x
}

// agreeKernel sets together to the dot product of own − began and row − began, and others to that of
// row − began with itself, for n ≥ 1 numbers.
//
//go:noescape
func agreeKernel(own, began, row *float32, n int) (together, others float32)

// meetKernel is the rest of Meet for n ≥ 1 numbers.
//
//go:noescape
func meetKernel(own, began, row *float32, part float32, n int)

// There is no kernel for rows that lie side by side: the portable code is used.
func multiplyInterleaved(_, _, _ []float32) bool { return false }

// There is no kernel for extremes, which only one kind of pooling needs.
func extremes(_, _ []float32, _, _ []uint32, _ []float32, _ int, _ []uint32) bool { return false }

// There is no kernel for weighted means: the portable code is used.
func weightedMeanKernel(_, _ *float32, _ int, _ *uint32, _ *float64, _, _ int, _ float64) bool {
	return false
}

// There is no kernel for least squares: the portable code is used.
func leastSquaresKernel(_, _, _, _, _, _ *float32, _ int, _, _ *float32, _ *uint32, _, _ *float32, _, _ int, _ float32) (float32, bool) {
	return 0, false
}
