package simd

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// squaresOf returns random squares of so many rows, and the length of a row in memory.
func squaresOf(rows, cols int) (s Squares, r *rand.Rand) {
	r = rand.New(rand.NewPCG(uint64(rows), uint64(cols)))
	stride := (cols + Lanes - 1) / Lanes * Lanes
	s = Squares{Data: make([]float32, rows*stride), Sums: make([]float32, rows*stride), Stride: stride, Cols: cols, Biases: make([]float32, rows), BiasSums: make([]float32, rows)}
	for i := range rows {
		for k := range cols {
			s.Data[i*stride+k], s.Sums[i*stride+k] = float32(r.NormFloat64()), r.Float32()
		}
		s.Biases[i], s.BiasSums[i] = float32(r.NormFloat64()), r.Float32()
	}
	return s, r
}

// A step follows the gradient of the loss, which float64 has by differences, and AdaGrad's sums. Numbers behind rows stay 0.
func TestSquaresFollowTheGradient(t *testing.T) {
	const rows, n = 5, 4
	for cols := range lengths(50) {
		s, r := squaresOf(rows, cols)
		of, _ := squaresOf(1, cols)
		with := append(slices.Repeat([]uint32{3}, 1), make([]uint32, n-1+SquaresAhead)...)
		for j := range n - 1 {
			with[j+1] = uint32(r.IntN(rows))
		}
		numbers, weights := make([]float32, n), make([]float32, n)
		for j := range n {
			numbers[j], weights[j] = float32(r.NormFloat64()), r.Float32()
		}
		const rate = 0.05
		// All parameters and their sums, as float64: of the row and its bias, then of the matrix and its biases.
		parameters := func(q Squares, own Squares, sums bool) (all []float64) {
			lists := [][]float32{own.Data, own.Biases, q.Data, q.Biases}
			if sums {
				lists = [][]float32{own.Sums, own.BiasSums, q.Sums, q.BiasSums}
			}
			for _, list := range lists {
				for _, x := range list {
					all = append(all, float64(x))
				}
			}
			return all
		}
		x, sums := parameters(s, of, false), parameters(s, of, true)
		stride := s.Stride
		loss := func(j int) float64 {
			row, other := x[:cols], x[stride+1+int(with[j])*stride:][:cols]
			off := x[stride] + x[stride+1+rows*stride+int(with[j])] - float64(numbers[j])
			for k := range row {
				off += row[k] * other[k]
			}
			return float64(weights[j]) * off * off / 2
		}
		var want float64
		for j := range n {
			want += loss(j)
			gradient := make([]float64, len(x))
			for i := range x {
				const h = 1e-5
				is := x[i]
				x[i] = is + h
				up := loss(j)
				x[i] = is - h
				gradient[i] = (up - loss(j)) / (2 * h)
				x[i] = is
			}
			for i, g := range gradient {
				if bias := i == stride || i > stride+rows*stride; !bias {
					g *= rate
				}
				if k := i; k >= cols && k < stride || k > stride && k <= stride+rows*stride && (k-stride-1)%stride >= cols {
					g = 0
				}
				x[i] -= g / math.Sqrt(1+sums[i])
				sums[i] += g * g
			}
		}
		got := s.Train(of.Data, of.Sums, &of.Biases[0], &of.BiasSums[0], with, numbers, weights, rate)
		if math.Abs(got-want) > 1e-3*(1+want) {
			t.Fatalf("%d columns: loss %v, want %v", cols, got, want)
		}
		for _, of := range []struct{ got, want []float64 }{{parameters(s, of, false), x}, {parameters(s, of, true), sums}} {
			for i, x := range of.got {
				if math.Abs(x-of.want[i]) > 2e-3*(1+math.Abs(of.want[i])) {
					t.Fatalf("%d columns: number %d is %v, want %v", cols, i, x, of.want[i])
				}
			}
		}
	}
}

func BenchmarkSquares(b *testing.B) {
	const rows, n = 1000, 32
	s, r := squaresOf(rows, 100)
	of, _ := squaresOf(1, 100)
	for i := range s.Data {
		s.Data[i] /= 100
	}
	with, numbers := make([]uint32, n+SquaresAhead), make([]float32, n)
	for j := range with {
		with[j] = uint32(r.IntN(rows))
	}
	weights := slices.Repeat([]float32{0.5}, n)
	for b.Loop() {
		s.Train(of.Data, of.Sums, &of.Biases[0], &of.BiasSums[0], with, numbers, weights, 0.05)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/pair")
}
