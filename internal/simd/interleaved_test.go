package simd

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Kernels round as the definition does, and write nothing else.
func TestMultiplyInterleaved(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for blocks := range 10 {
		for cols := range lengths(40) {
			h, rows := guards(cols), guards(blocks*Interleaved*cols)
			for _, of := range [][]float32{h, rows} {
				for i := range of {
					of[i] = float32(r.NormFloat64())
				}
			}
			out := guards(blocks*Interleaved + Interleaved)
			MultiplyInterleaved(out[:blocks*Interleaved], h, rows)
			for i, got := range out {
				if i >= blocks*Interleaved {
					if !isGuard(got) {
						t.Fatalf("%d blocks of %d numbers: number %d behind them is %v", blocks, cols, i, got)
					}
					continue
				}
				want := float32(0)
				for k, x := range h {
					want += float32(x * rows[(i/Interleaved*cols+k)*Interleaved+i%Interleaved])
				}
				if math.Float32bits(got) != math.Float32bits(want) {
					t.Fatalf("%d blocks of %d numbers: product %d is %v, want %v", blocks, cols, i, got, want)
				}
			}
		}
	}
}

func BenchmarkMultiplyInterleaved(b *testing.B) {
	h, out := make([]float32, 32), make([]float32, 100_000)
	rows := make([]float32, len(out)*len(h))
	for b.Loop() {
		MultiplyInterleaved(out, h, rows)
	}
}
