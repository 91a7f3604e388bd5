//go:build !(amd64 || arm64) || purego

package simd

// available lists the kernels that this machine has.
func available() []isa { return []isa{portable} }

// The portable kernels are the only ones, so these are never called.
const none = "simd: this build has portable kernels alone"

func gatherKernel(dst *float32, dstStride int, data *float32, stride int, starts *uint64, rows *uint32, weights *float32, ids *uint32, n, cols int) {
	panic(none)
}
func scatterKernel(data *float32, stride int, starts *uint64, rows, ids *uint32, delta *float32, deltaStride, n, cols int) {
	panic(none)
}
func scatterWeightedKernel(data *float32, stride int, starts *uint64, rows *uint32, weights *float32, ids *uint32, delta *float32, deltaStride, n, cols int) {
	panic(none)
}
func gatherHalvesKernel(dst *float32, dstStride int, data *uint16, stride int, starts *uint64, rows *uint32, weights *float32, ids *uint32, n, groups int) {
	panic(none)
}
func scatterHalvesKernel(data *uint16, stride int, starts *uint64, rows, ids *uint32, delta *float32, deltaStride, n, groups int, seed uint32) {
	panic(none)
}
func multiplyKernel(dst *float32, dstStride int, dstRows *uint32, a *float32, aStride int, aRows *uint32, b *float32, bStride int, bRows, triples *uint32, n, cols int) {
	panic(none)
}
func windowsKernel(dst *float32, dstStride int, dstRows *uint32, src *float32, srcStride int, srcRows *uint32, weights *float32, windows *int32, n, cols, set int) {
	panic(none)
}
func pairsKernel(out, a *float32, aStride int, aRows *uint32, data *float32, stride int, rows *uint32, n, cols int) {
	panic(none)
}
func prefetchKernel(data *float32, stride int, rows *uint32, n, cols int)                { panic(none) }
func transposeKernel(dst, h *float32, stride, n, cols int)                               { panic(none) }
func scoresKernel(out, transposed, data *float32, stride int, rows *uint32, n, cols int) { panic(none) }
func errorsKernel(scores *float32, with, kept *uint16, weights *float32, n int, threshold float32, seed, sign uint32) {
	panic(none)
}
func lossesKernel(scores *float32, with *uint16, weights *float32, n int, sign uint32) float32 {
	panic(none)
}
func sumPartsKernel(out, scores *float32, stride, parts, n int) { panic(none) }
func updateRowsKernel(dst *float32, dstStride int, dstRows *uint32, src *float32, srcStride int, srcRows *uint32, w *float32, kept *uint16, n, sources, cols int) {
	panic(none)
}
func dotsKernel(out *float32, outStride int, h *float32, hStride, nh int, data *float32, stride, n, cols int) {
	panic(none)
}
func differenceKernel(dst, a, b *float32, n int) (ofA, ofDst float32)         { panic(none) }
func toEightsKernel(dst *byte, x *float32, scale float32, n int)              { panic(none) }
func addEightsKernel(x *float32, bits *byte, step float32, n int) float32     { panic(none) }
func moveEightsKernel(x, y *float32, a, b *byte, stepA, stepB float32, n int) { panic(none) }
func addRowsKernel(dst *float32, dstStride int, dstRows *uint32, src *float32, srcStride int, srcRows *uint32, w *float32, kept *uint16, n, cols int) {
	panic(none)
}
func errorsOfFew([]float32, Block, []float32, int, Pairs, bool) { panic(none) }
func mostOfFew() int                                            { return 0 }

// There are no kernels for peaks either: scanning for analogies alone needs them.
func multiplyPeaks(_, _, _, _ []float32) (parts int)                         { return 0 }
func subtractPeaks(_, _, _, _ []float32) (parts int)                         { return 0 }
func agreeKernel(own, began, row *float32, n int) (together, others float32) { panic(none) }
func meetKernel(own, began, row *float32, part float32, n int)               { panic(none) }

// Nor for rows that lie side by side.
func multiplyInterleaved(_, _, _ []float32) bool { return false }

// Nor for extremes.
func extremes(_, _ []float32, _, _ []uint32, _ []float32, _ int, _ []uint32) bool { return false }

// Nor for weighted means.
func weightedMeanKernel(_, _ *float32, _ int, _ *uint32, _ *float64, _, _ int, _ float64) bool {
	return false
}

// Nor for least squares.
func leastSquaresKernel(_, _, _, _, _, _ *float32, _ int, _, _ *float32, _ *uint32, _, _ *float32, _, _ int, _ float32) (float32, bool) {
	return 0, false
}
