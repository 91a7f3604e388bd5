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
	for x, want := range map[float64]string{math.Inf(1): "inf", math.Inf(-1): "-inf", math.NaN(): "nan", math.Copysign(math.NaN(), -1): "-nan"} {
		if got := string(AppendDigits(nil, x, 5)); got != want {
			t.Errorf("%v: %s, want %s", x, got, want)
		}
	}
	for _, x := range []float32{0, float32(math.Copysign(0, -1)), 2.5, 0.5, 1.5, 9999.5, 9999.95, 99999.5, 0.99999994, 0.000099999994, 1e-45, math.MaxFloat32} {
		check(x)
	}
}

// A row is printed as its numbers are, usual ones and others in any order.
func TestAppendRow(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	others := []float32{0, 1e-5, -1e-30, 12345, 1e30, float32(math.NaN()), float32(math.Inf(-1))}
	for n := range 200 {
		row, want := make([]float32, n%20), []byte("word ")
		digits := 4 + n%4
		for i := range row {
			if row[i] = float32(random.NormFloat64()); random.IntN(4) == 0 {
				row[i] = others[random.IntN(len(others))]
			}
			want = append(AppendDigits(want, float64(row[i]), digits), ' ')
		}
		if got := AppendRow([]byte("word "), row, digits); string(got) != string(want) {
			t.Fatalf("%v with %d digits: %s, want %s", row, digits, got, want)
		}
	}
}

func BenchmarkAppendRow(b *testing.B) {
	random, v := rand.New(rand.NewPCG(1, 2)), make([]float32, 100)
	for i := range v {
		v[i] = float32(random.NormFloat64())
	}
	var text []byte
	for b.Loop() {
		text = AppendRow(text[:0], v, 5)
	}
}
