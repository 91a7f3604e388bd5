package decimal

import (
	"math"
	"math/rand/v2"
	"strconv"
	"testing"
)

// A float32 is printed as package strconv prints it, also in the middle between two roundings and beside powers of ten.
func TestAppendDigits(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	check := func(x float32) {
		for _, digits := range []int{4, 5, 6, 7} {
			want := strconv.FormatFloat(float64(x), 'g', digits, 64)
			if got := string(AppendDigits(nil, float64(x), digits)); got != want {
				t.Fatalf("%v with %d digits: %s, want %s", x, digits, got, want)
			}
		}
	}
	for range 200_000 {
		check(float32(random.NormFloat64()) * float32(math.Pow(10, float64(random.IntN(12)-6))))
		check(float32(random.IntN(1<<20)) / float32(int(1)<<random.IntN(20)))
	}
	for _, power := range powers {
		for x, n := math.Nextafter32(float32(power), 0), 0; n < 3; x, n = math.Nextafter32(x, 2*x), n+1 {
			check(x)
			check(-x)
		}
		check(float32(power) * 9.99995)
	}
	for _, x := range []float32{0, float32(math.Copysign(0, -1)), 2.5, 0.5, 1.5, 9999.5, 9999.95, 99999.5, 0.99999994, 0.000099999994, 1e-45, math.MaxFloat32} {
		check(x)
	}
}

func BenchmarkAppendDigits(b *testing.B) {
	random, v := rand.New(rand.NewPCG(1, 2)), make([]float32, 100)
	for i := range v {
		v[i] = float32(random.NormFloat64())
	}
	var text []byte
	for b.Loop() {
		text = text[:0]
		for _, x := range v {
			text = append(AppendDigits(text, float64(x), 5), ' ')
		}
	}
}
