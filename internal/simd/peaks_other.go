//go:build !amd64 || purego

package simd

// Other processors have no kernels for peaks: scanning for analogies alone needs them.

func multiplyPeaks(_, _, _, _ []float32) (parts int) { return 0 }
func subtractPeaks(_, _, _, _ []float32) (parts int) { return 0 }
