//go:build !purego

package simd

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
