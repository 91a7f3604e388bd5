package simd

import "math"

// PeakPart is how many numbers have one peak in MultiplyPeaks and SubtractPeaks.
const PeakPart = 64

// MultiplyPeaks sets dst[i] to a[i]·b[i], and peaks[k] to the largest of the numbers of dst from
// k·PeakPart on, as many as PeakPart or as there are. A and b have at least as many numbers as dst,
// which may be a or b. NaN is not taken for the largest; the peak of NaNs alone is −Inf.
func MultiplyPeaks(dst, a, b, peaks []float32) {
	done := multiplyPeaks(dst, a, b, peaks)
	dst, a, b, peaks = rest(dst, done), rest(a, done), rest(b, done), peaks[done:]
	for k := 0; len(dst) > 0; k++ {
		n := min(PeakPart, len(dst))
		for i, x := range a[:n] {
			dst[i] = x * b[i]
		}
		peaks[k] = peak(dst[:n])
		dst, a, b = dst[n:], a[n:], b[n:]
	}
}

// SubtractPeaks is MultiplyPeaks for a[i] − b[i].
func SubtractPeaks(dst, a, b, peaks []float32) {
	done := subtractPeaks(dst, a, b, peaks)
	dst, a, b, peaks = rest(dst, done), rest(a, done), rest(b, done), peaks[done:]
	for k := 0; len(dst) > 0; k++ {
		n := min(PeakPart, len(dst))
		for i, x := range a[:n] {
			dst[i] = x - b[i]
		}
		peaks[k] = peak(dst[:n])
		dst, a, b = dst[n:], a[n:], b[n:]
	}
}

// rest returns what follows so many parts.
func rest(row []float32, parts int) []float32 { return row[parts*PeakPart:] }

// peak returns the largest number that is not NaN.
func peak(row []float32) float32 {
	most := float32(math.Inf(-1))
	for _, x := range row {
		if x > most {
			most = x
		}
	}
	return most
}
