package simd

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// Every kernel gives the bits of the definition.
func TestWeightedMean(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for groups := range 11 {
		n := groups * Lanes
		stride := n + Lanes
		data := make([]float32, 40*stride)
		for i := range data {
			data[i] = float32(random.NormFloat64() * math.Exp(10*random.NormFloat64()))
		}
		for count := range 20 {
			rows, weights := make([]uint32, count), make([]float64, count)
			for i := range rows {
				rows[i], weights[i] = random.Uint32N(40), random.Float64()
			}
			want := make([]float32, n)
			for k := range want {
				sum := 0.
				for i, r := range rows {
					sum += float64(weights[i] * float64(data[int(r)*stride+k]))
				}
				want[k] = float32(sum / float64(max(1, count)))
			}
			eachISA(t, func(t *testing.T) {
				got := make([]float32, n+1)
				got[n] = 7
				WeightedMean(got[:n], make([]float64, n), data, stride, rows, weights, float64(max(1, count)))
				if !slices.Equal(got[:n], want) || got[n] != 7 {
					t.Fatalf("%d rows of %d numbers: %v, want %v", count, n, got, want)
				}
			})
		}
	}
}

func BenchmarkWeightedMean(b *testing.B) {
	const n, stride, rows = 256, 272, 40
	data, dst, sum := make([]float32, 1000*stride), make([]float32, n), make([]float64, n)
	list, weights := make([]uint32, rows), make([]float64, rows)
	for i := range list {
		list[i], weights[i] = uint32(i*24), 1
	}
	for b.Loop() {
		WeightedMean(dst, sum, data, stride, list, weights, rows)
	}
}
