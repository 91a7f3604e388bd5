package simd

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestPeaks(t *testing.T) {
	kernels := map[string]struct {
		run func(dst, a, b, peaks []float32)
		of  func(a, b float32) float32
	}{
		"MultiplyPeaks": {MultiplyPeaks, func(a, b float32) float32 { return a * b }},
		"SubtractPeaks": {SubtractPeaks, func(a, b float32) float32 { return a - b }},
	}
	nan := float32(math.NaN())
	eachISA(t, func(t *testing.T) {
		for name, kernel := range kernels {
			for n := range 3*PeakPart + 2 {
				r := rand.New(rand.NewPCG(1, uint64(n)))
				a, b := make([]float32, n), make([]float32, n)
				for i := range n {
					a[i], b[i] = float32(r.NormFloat64()), float32(r.NormFloat64())
					if r.IntN(10) == 0 || i >= 2*PeakPart { // the last part has nothing else
						b[i] = nan
					}
				}
				parts := (n + PeakPart - 1) / PeakPart
				dst, peaks := make([]float32, n+1), make([]float32, parts+1)
				dst[n], peaks[parts] = 7, 7
				kernel.run(dst[:n], a, b, peaks)
				for k := range parts {
					want := float32(math.Inf(-1))
					for i := k * PeakPart; i < min(n, (k+1)*PeakPart); i++ {
						x := kernel.of(a[i], b[i])
						if math.Float32bits(dst[i]) != math.Float32bits(x) && !(x != x && dst[i] != dst[i]) {
							t.Fatalf("%s of %d numbers: number %d is %v, want %v", name, n, i, dst[i], x)
						}
						if x > want {
							want = x
						}
					}
					if peaks[k] != want {
						t.Fatalf("%s of %d numbers: peak %d is %v, want %v", name, n, k, peaks[k], want)
					}
				}
				if dst[n] != 7 || peaks[parts] != 7 {
					t.Fatalf("%s of %d numbers wrote behind its results", name, n)
				}
			}
		}
	})
}
