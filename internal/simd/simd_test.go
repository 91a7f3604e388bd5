package simd

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestLogistic(t *testing.T) {
	for x := float32(-120); x <= 120; x += 0.0137 {
		sigma, loss := logistic(x)
		wantSigma := 1 / (1 + math.Exp(-float64(x)))
		wantLoss := math.Max(float64(x), 0) + math.Log1p(math.Exp(-math.Abs(float64(x))))
		if math.Abs(float64(sigma)-wantSigma) > 1e-6*wantSigma+1e-37 {
			t.Fatalf("σ(%v) = %v, want %v", x, sigma, wantSigma)
		}
		if math.Abs(float64(loss)-wantLoss) > 1e-6*wantLoss+2e-7 {
			t.Fatalf("log(1+exp(%v)) = %v, want %v", x, loss, wantLoss)
		}
	}
	for x, want := range map[float32][2]float32{
		0:                             {0.5, math.Ln2},
		float32(math.Inf(1)):          {1, float32(math.Inf(1))},
		math.MaxFloat32:               {1, math.MaxFloat32},
		-math.MaxFloat32:              {float32(math.Exp(-87)), 0},
		float32(math.Inf(-1)):         {float32(math.Exp(-87)), 0},
		float32(math.Copysign(0, -1)): {0.5, math.Ln2},
	} {
		if sigma, loss := logistic(x); relative(sigma, want[0]) > 2e-6 || relative(loss, want[1]) > 1e-6 {
			t.Errorf("logistic(%v) = %v, %v, want %v", x, sigma, loss, want)
		}
	}
	if sigma, loss := logistic(float32(math.NaN())); sigma == sigma || loss == loss {
		t.Errorf("logistic(NaN) = %v, %v", sigma, loss)
	}
}

func relative(got, want float32) float64 {
	if got == want {
		return 0
	}
	return math.Abs(float64(got)-float64(want)) / max(math.Abs(float64(want)), 1e-30)
}

// fixture is a worker's rows, a matrix and rows of it, one of them listed twice.
type fixture struct {
	cols, stride int
	h, g         Block
	data         []float32
	rows         []uint32
}

func newFixture(r *rand.Rand, cols int) fixture {
	random := func(n int) []float32 {
		x := make([]float32, n)
		for i := range x {
			x[i] = float32(r.NormFloat64())
		}
		return x
	}
	f := fixture{cols: cols, stride: (cols + 15) / 16 * 16}
	nh := 1 + r.IntN(5)
	for range 1 + r.IntN(9) {
		f.rows = append(f.rows, uint32(r.IntN(20)))
	}
	f.rows = append(f.rows, f.rows[0])
	f.h = Block{Data: random(nh * f.stride), Rows: nh, Cols: cols, Stride: f.stride}
	f.g = Block{Data: random(nh * 16), Rows: nh, Cols: len(f.rows), Stride: 16}
	f.g.Data[0] = 0
	f.data = random(20 * f.stride)
	return f
}

func (f fixture) row(data []float32, r int) []float32 { return data[r*f.stride:][:f.cols] }

func each(t *testing.T, test func(t *testing.T, f fixture)) {
	r := rand.New(rand.NewPCG(1, 1))
	for cols := 1; cols <= 130; cols++ {
		test(t, newFixture(r, cols))
		if t.Failed() {
			t.Fatalf("with %d columns", cols)
		}
	}
}

// near fails the test unless got is want but for rounding, and untouched is what
// it was in before beyond each row's columns.
func (f fixture) near(t *testing.T, got, before []float32, want func(r, k int) float64) {
	t.Helper()
	for i := range got {
		r, k := i/f.stride, i%f.stride
		if k >= f.cols {
			if got[i] != before[i] {
				t.Errorf("row %d: number %d behind the columns changed", r, k)
			}
			continue
		}
		if w := want(r, k); math.Abs(float64(got[i])-w) > 1e-4 {
			t.Errorf("row %d, number %d: %v, want %v", r, k, got[i], w)
		}
	}
}

func TestGather(t *testing.T) {
	each(t, func(t *testing.T, f fixture) {
		got := make([]float32, f.stride)
		weights := make([]float32, len(f.rows))
		for i := range weights {
			weights[i] = float32(i) - 1.5
		}
		Gather(got[:f.cols], f.data, f.stride, f.rows, weights)
		f.near(t, got, make([]float32, f.stride), func(_, k int) (sum float64) {
			for i, r := range f.rows {
				sum += float64(weights[i]) * float64(f.row(f.data, int(r))[k])
			}
			return sum
		})
	})
}

func TestScatter(t *testing.T) {
	each(t, func(t *testing.T, f fixture) {
		got := append([]float32(nil), f.data...)
		Scatter(got, f.stride, f.rows, f.h.Row(0))
		f.near(t, got, f.data, func(r, k int) float64 {
			sum := float64(f.row(f.data, r)[k])
			for _, other := range f.rows {
				if int(other) == r {
					sum += float64(f.h.Row(0)[k])
				}
			}
			return sum
		})
	})
}

func TestErrors(t *testing.T) {
	each(t, func(t *testing.T, f fixture) {
		for _, positive := range []bool{false, true} {
			g := f.g
			g.Data = append([]float32(nil), f.g.Data...)
			var wantLoss, size float64
			loss := Errors(g, f.h, f.data, f.stride, f.rows, positive)
			for i := range f.h.Rows {
				for j, r := range f.rows {
					var s float64
					for k, x := range f.h.Row(i) {
						s += float64(x) * float64(f.row(f.data, int(r))[k])
					}
					w := float64(f.g.Row(i)[j])
					want := -w / (1 + math.Exp(-s))
					pairLoss := math.Log1p(math.Exp(s))
					if positive {
						want = w / (1 + math.Exp(s))
						pairLoss = math.Log1p(math.Exp(-s))
					}
					wantLoss += w * pairLoss
					size += math.Abs(w) * pairLoss
					if got := float64(g.Row(i)[j]); math.Abs(got-want) > 2e-5 {
						t.Errorf("error [%d,%d] is %v, want %v", i, j, got, want)
					}
				}
			}
			if math.Abs(loss-wantLoss) > 1e-5*(1+size) {
				t.Errorf("loss %v, want %v", loss, wantLoss)
			}
		}
	})
}

func TestErrorsOfWeightZero(t *testing.T) {
	nan := float32(math.NaN())
	g := Block{Data: []float32{0, 0}, Rows: 1, Cols: 2, Stride: 2}
	h := Block{Data: []float32{nan, nan}, Rows: 1, Cols: 2, Stride: 2}
	if loss := Errors(g, h, []float32{1, 2}, 2, []uint32{0, 0}, true); loss != 0 || g.Data[0] != 0 || g.Data[1] != 0 {
		t.Errorf("loss %v, errors %v", loss, g.Data)
	}
}

func TestAddRows(t *testing.T) {
	each(t, func(t *testing.T, f fixture) {
		got := f.h
		got.Data = append([]float32(nil), f.h.Data...)
		AddRows(got, f.g, f.data, f.stride, f.rows)
		f.near(t, got.Data, f.h.Data, func(i, k int) float64 {
			sum := float64(f.h.Row(i)[k])
			for j, r := range f.rows {
				sum += float64(f.g.Row(i)[j]) * float64(f.row(f.data, int(r))[k])
			}
			return sum
		})
	})
}

func TestUpdateRows(t *testing.T) {
	each(t, func(t *testing.T, f fixture) {
		got := append([]float32(nil), f.data...)
		UpdateRows(got, f.stride, f.rows, f.g, f.h)
		f.near(t, got, f.data, func(r, k int) float64 {
			sum := float64(f.row(f.data, r)[k])
			for j, other := range f.rows {
				if int(other) != r {
					continue
				}
				for i := range f.h.Rows {
					sum += float64(f.g.Row(i)[j]) * float64(f.h.Row(i)[k])
				}
			}
			return sum
		})
	})
}

func TestDots(t *testing.T) {
	each(t, func(t *testing.T, f fixture) {
		const rows = 7
		got := make([]float32, f.h.Rows*rows)
		Dots(got, rows, f.h.Data, f.stride, f.h.Rows, f.data, f.stride, rows, f.cols)
		for i := range f.h.Rows {
			for j := range rows {
				var want float64
				for k, x := range f.h.Row(i) {
					want += float64(x) * float64(f.row(f.data, j)[k])
				}
				if math.Abs(float64(got[i*rows+j])-want) > 1e-4 {
					t.Errorf("[%d,%d] is %v, want %v", i, j, got[i*rows+j], want)
				}
			}
		}
	})
}

func BenchmarkErrors(b *testing.B) {
	h := Block{Data: make([]float32, 16*112), Rows: 16, Cols: 100, Stride: 112}
	g := Block{Data: make([]float32, 16*32), Rows: 16, Cols: 24, Stride: 32}
	data := make([]float32, 1000*112)
	rows := make([]uint32, 24)
	for i := range rows {
		rows[i] = uint32(i * 40)
	}
	for b.Loop() {
		for i := range g.Data {
			g.Data[i] = 0.1
		}
		Errors(g, h, data, 112, rows, false)
	}
}

func BenchmarkUpdateRows(b *testing.B) {
	h := Block{Data: make([]float32, 16*112), Rows: 16, Cols: 100, Stride: 112}
	g := Block{Data: make([]float32, 16*32), Rows: 16, Cols: 24, Stride: 32}
	for i := range g.Data {
		g.Data[i] = 0.1
	}
	data := make([]float32, 1000*112)
	rows := make([]uint32, 24)
	for i := range rows {
		rows[i] = uint32(i * 40)
	}
	for b.Loop() {
		UpdateRows(data, 112, rows, g, h)
	}
}
