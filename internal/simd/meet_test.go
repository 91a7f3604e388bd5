package simd

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// What both have changed is taken once; what is at right angles is added; what is opposed is added too.
func TestMeet(t *testing.T) {
	for _, test := range []struct{ own, began, row, want []float32 }{
		{[]float32{1, 0}, []float32{0, 0}, []float32{0, 0}, []float32{1, 0}},
		{[]float32{0, 0}, []float32{0, 0}, []float32{1, 0}, []float32{1, 0}},
		{[]float32{1, 0}, []float32{0, 0}, []float32{1, 0}, []float32{1, 0}},
		{[]float32{1, 2}, []float32{0, 0}, []float32{2, 0}, []float32{2, 2}},
		{[]float32{4, 1}, []float32{1, 1}, []float32{1, 3}, []float32{4, 3}},
		{[]float32{-1, 0}, []float32{0, 0}, []float32{1, 0}, []float32{0, 0}},
	} {
		Meet(test.own, test.began, test.row)
		for _, got := range [][]float32{test.own, test.began, test.row} {
			if fmt.Sprint(got) != fmt.Sprint(test.want) {
				t.Errorf("%v, want %v", got, test.want)
			}
		}
	}
}

// Rows of all lengths meet as float64 has it.
func TestMeetAgainstFloat64(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	random := func(n int) []float32 {
		x := make([]float32, n)
		for i := range x {
			x[i] = r.Float32() - 0.3
		}
		return x
	}
	for n := range 70 {
		own, began, row := random(n), random(n), random(n)
		var together, others float64
		for k, was := range began {
			together += float64(own[k]-was) * float64(row[k]-was)
			others += float64(row[k]-was) * float64(row[k]-was)
		}
		want := make([]float64, n)
		for k, was := range began {
			want[k] = float64(row[k]) + float64(own[k]-was) - max(0, together)/max(others, 1e-30)*float64(row[k]-was)
		}
		Meet(own, began, row)
		for k := range want {
			if math.Abs(float64(own[k])-want[k]) > 1e-5 || began[k] != own[k] || row[k] != own[k] {
				t.Fatalf("%d numbers: number %d is %v, %v and %v, want %v", n, k, own[k], began[k], row[k], want[k])
			}
		}
	}
}

func BenchmarkMeet(b *testing.B) {
	own, began, row := make([]float32, 112), make([]float32, 112), make([]float32, 112)
	for b.Loop() {
		Meet(own, began, row)
	}
}
