package simd

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"
)

var (
	nan = float32(math.NaN())
	inf = float32(math.Inf(1))
)

func TestLogistic(t *testing.T) {
	for x := float32(-120); x <= 120; x += 0.0137 {
		sigma, loss := logistic(x)
		wantSigma, wantLoss := logistic64(float64(x))
		if math.Abs(float64(sigma)-wantSigma) > 1e-6*wantSigma+1e-37 {
			t.Fatalf("σ(%v) = %v, want %v", x, sigma, wantSigma)
		}
		if math.Abs(float64(loss)-wantLoss) > 1e-6*wantLoss+2e-7 {
			t.Fatalf("log(1+exp(%v)) = %v, want %v", x, loss, wantLoss)
		}
	}
	for x, want := range map[float32][2]float32{
		0:                             {0.5, math.Ln2},
		inf:                           {1, inf},
		math.MaxFloat32:               {1, math.MaxFloat32},
		-math.MaxFloat32:              {float32(math.Exp(-87)), 0},
		-inf:                          {float32(math.Exp(-87)), 0},
		float32(math.Copysign(0, -1)): {0.5, math.Ln2},
	} {
		if sigma, loss := logistic(x); relative(sigma, want[0]) > 2e-6 || relative(loss, want[1]) > 1e-6 {
			t.Errorf("logistic(%v) = %v, %v, want %v", x, sigma, loss, want)
		}
	}
	if sigma, loss := logistic(nan); sigma == sigma || loss == loss {
		t.Errorf("logistic(NaN) = %v, %v", sigma, loss)
	}
}

// logistic64 is the definition of logistic.
func logistic64(x float64) (sigma, loss float64) {
	return 1 / (1 + math.Exp(-x)), math.Max(x, 0) + math.Log1p(math.Exp(-math.Abs(x)))
}

func relative(got, want float32) float64 {
	if got == want {
		return 0
	}
	return math.Abs(float64(got)-float64(want)) / max(math.Abs(float64(want)), 1e-30)
}

// shape is the size of a fixture: rows of h and of the matrix, and their columns.
type shape struct {
	nh, n, cols int
	seed        uint64
}

func (s shape) String() string {
	return fmt.Sprintf("%d rows by %d rows of %d numbers, seed %d", s.nh, s.n, s.cols, s.seed)
}

// eachShape goes through all columns from 1 to 257 with counts of rows about the
// sizes of tiles.
func eachShape(test func(s shape)) {
	counts := []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 24}
	for cols := 1; cols <= 257; cols++ {
		for i, n := range counts {
			test(shape{nh: counts[(3*i+cols)%len(counts)], n: n, cols: cols, seed: uint64(cols)})
		}
	}
}

// fixture is a worker's rows and a matrix. Behind the columns of rows, where there
// is room, stands guard.
type fixture struct {
	shape
	h, g, matrix Block
	rows         []uint32  // of the matrix: the last, the others in any order, perhaps twice
	weights      []float32 // of these rows
	dst, loss    []float32 // for results
}

// guard is a NaN that no kernel makes: it shows when it is read, too.
var guard = math.Float32frombits(0x7fdead01)

func isGuard(x float32) bool { return math.Float32bits(x) == math.Float32bits(guard) }

func newFixture(s shape) fixture {
	r := rand.New(rand.NewPCG(s.seed, uint64(s.cols<<16+s.n<<8+s.nh)))
	block := func(rows, cols int) Block {
		b := Block{Rows: rows, Cols: cols, Stride: cols + r.IntN(2)*r.IntN(17)}
		for range (rows-1)*b.Stride + cols {
			b.Data = append(b.Data, guard)
		}
		for i := range rows {
			for k := range b.Row(i) {
				b.Row(i)[k] = float32(r.NormFloat64())
			}
		}
		return b
	}
	f := fixture{
		shape:   s,
		h:       block(s.nh, s.cols),
		g:       block(s.nh, s.n),
		matrix:  block(s.n, s.cols),
		weights: block(1, s.n).Data,
		dst:     block(1, s.cols).Data,
		loss:    []float32{0},
	}
	if r.IntN(2) == 0 {
		f.g.Data[0] = 0
	}
	for _, i := range r.Perm(s.n) {
		f.rows = append(f.rows, uint32(i))
	}
	if r.IntN(2) == 0 { // some twice, and so others not at all
		for i := range f.rows {
			f.rows[i] = uint32(r.IntN(s.n))
		}
	}
	f.rows[r.IntN(s.n)] = uint32(s.n - 1)
	return f
}

// buffers are what f has numbers in.
func (f *fixture) buffers() []*[]float32 {
	return []*[]float32{&f.h.Data, &f.g.Data, &f.matrix.Data, &f.weights, &f.dst, &f.loss}
}

// memory is where numbers stand while a kernel runs, and what checks that it
// changed nothing else.
type memory interface {
	place(n int) []float32
	check(t *testing.T)
}

// in returns a copy of f in m.
func (f fixture) in(m memory) fixture {
	for _, b := range f.buffers() {
		placed := m.place(len(*b))
		copy(placed, *b)
		*b = placed
	}
	rows := m.place(len(f.rows))
	placed := unsafe.Slice((*uint32)(unsafe.Pointer(&rows[0])), len(rows))
	copy(placed, f.rows)
	f.rows = placed
	return f
}

// changed returns a copy of f with every number x but guards changed to to(x).
func (f fixture) changed(to func(x float32) float32) fixture {
	for _, b := range f.buffers() {
		*b = slices.Clone(*b)
		for i, x := range *b {
			if !isGuard(x) {
				(*b)[i] = to(x)
			}
		}
	}
	return f
}

// heap is memory between guards, not aligned but for offset 0.
type heap struct {
	offset int
	used   [][]float32
}

func (m *heap) place(n int) []float32 {
	x := make([]float32, n+2*16)
	for i := range x {
		x[i] = guard
	}
	m.used = append(m.used, x[:n+16+m.offset])
	return x[m.offset:][:n:n]
}

func (m *heap) check(t *testing.T) {
	t.Helper()
	for _, x := range m.used {
		for _, y := range append(x[:m.offset:m.offset], x[len(x)-16:]...) {
			if !isGuard(y) {
				t.Errorf("changed what is not its own to %v", y)
			}
		}
	}
	m.used = nil
}

// kernel is a kernel that is run on a fixture, and its definition.
type kernel struct {
	name          string
	run, portable func(f fixture)
	// tolerance puts in place of each number how far from it a kernel may be.
	tolerance func(k kernel, f fixture) fixture
}

var kernels = []kernel{
	{
		"Gather",
		func(f fixture) { Gather(f.dst, f.matrix.Data, f.matrix.Stride, f.rows, f.weights) },
		func(f fixture) { gatherPortable(f.dst, f.matrix.Data, f.matrix.Stride, f.rows, f.weights) },
		toleranceOfSum,
	}, {
		"Scatter",
		func(f fixture) { Scatter(f.matrix.Data, f.matrix.Stride, f.rows, f.h.Row(0)) },
		func(f fixture) { scatterPortable(f.matrix.Data, f.matrix.Stride, f.rows, f.h.Row(0)) },
		toleranceOfSum,
	}, {
		"Errors of positive pairs",
		func(f fixture) { f.loss[0] = float32(Errors(f.g, f.h, f.matrix.Data, f.matrix.Stride, f.rows, true)) },
		func(f fixture) {
			f.loss[0] = float32(errorsPortable(f.g, f.h, f.matrix.Data, f.matrix.Stride, f.rows, true))
		},
		toleranceOfErrors,
	}, {
		"Errors of negative pairs",
		func(f fixture) { f.loss[0] = float32(Errors(f.g, f.h, f.matrix.Data, f.matrix.Stride, f.rows, false)) },
		func(f fixture) {
			f.loss[0] = float32(errorsPortable(f.g, f.h, f.matrix.Data, f.matrix.Stride, f.rows, false))
		},
		toleranceOfErrors,
	}, {
		"AddRows",
		func(f fixture) { AddRows(f.h, f.g, f.matrix.Data, f.matrix.Stride, f.rows) },
		func(f fixture) { addRowsPortable(f.h, f.g, f.matrix.Data, f.matrix.Stride, f.rows) },
		toleranceOfSum,
	}, {
		"UpdateRows",
		func(f fixture) { UpdateRows(f.matrix.Data, f.matrix.Stride, f.rows, f.g, f.h) },
		func(f fixture) { updateRowsPortable(f.matrix.Data, f.matrix.Stride, f.rows, f.g, f.h) },
		toleranceOfSum,
	}, {
		"Dots",
		func(f fixture) {
			Dots(f.g.Data, f.g.Stride, f.h.Data, f.h.Stride, f.nh, f.matrix.Data, f.matrix.Stride, f.n, f.cols)
		},
		func(f fixture) {
			dotsPortable(f.g.Data, f.g.Stride, f.h.Data, f.h.Stride, f.nh, f.matrix.Data, f.matrix.Stride, f.n, f.cols)
		},
		toleranceOfSum,
	}, {
		"Prefetch",
		func(f fixture) { Prefetch(f.matrix.Data, f.matrix.Stride, f.rows, f.cols) },
		func(fixture) {},
		toleranceOfSum,
	},
}

// toleranceOfSum is 1e-5 of the sum of absolute values.
func toleranceOfSum(k kernel, f fixture) fixture {
	f = f.changed(func(x float32) float32 { return max(x, -x) })
	k.portable(f)
	return f.changed(func(x float32) float32 { return 1e-5*x + 1e-44 })
}

// toleranceOfErrors is that of the score, as σ and the loss are no steeper, and 2e-6
// for these.
func toleranceOfErrors(_ kernel, f fixture) fixture {
	f = f.changed(func(x float32) float32 { return max(x, -x) })
	loss := float32(0)
	for i := range f.nh {
		for j, r := range f.rows {
			if f.g.Row(i)[j] == 0 {
				continue
			}
			score := dot(f.h.Row(i), f.matrix.Row(int(r)))
			if score > math.MaxFloat32 {
				score = 0 // an infinite score has no rounding
			}
			w := &f.g.Row(i)[j]
			loss += *w*3e-6*(1+score) + 1e-44
			*w = *w*2e-6*(1+score) + 1e-44
		}
	}
	f.loss[0] = loss
	return f
}

// holds fails the test unless k does to f what its definition does.
func (k kernel) holds(t *testing.T, f fixture, m memory) {
	t.Helper()
	defer func() {
		if err := recover(); err != nil {
			t.Fatalf("%s of %v: %v", k.name, f.shape, err)
		}
	}()
	got, want := f.in(m), f.in(&heap{})
	k.run(got)
	k.portable(want)
	tolerance := k.tolerance(k, f)
	for b, name := range []string{"h", "g", "matrix", "weights", "dst", "loss"} {
		got, want, tolerance := *got.buffers()[b], *want.buffers()[b], *tolerance.buffers()[b]
		for i := range got {
			if !same(got[i], want[i], tolerance[i]) {
				t.Errorf("%s of %v: number %d of %s is %v, want %v ± %v", k.name, f.shape, i, name, got[i], want[i], tolerance[i])
				break
			}
		}
	}
	m.check(t)
	if t.Failed() {
		t.Fatalf("%s of %v", k.name, f.shape)
	}
}

func same(got, want, tolerance float32) bool {
	switch {
	case isGuard(want):
		return isGuard(got)
	case want != want:
		return got != got
	}
	return got == want || math.Abs(float64(got)-float64(want)) <= float64(tolerance)
}

// eachISA runs a test in all sets of instructions, eachAssembly in all but Go's.
func eachISA(t *testing.T, test func(t *testing.T)) { each(t, isas(), test) }

func eachAssembly(t *testing.T, test func(t *testing.T)) { each(t, isas()[1:], test) }

func each(t *testing.T, isas []string, test func(t *testing.T)) {
	for _, isa := range isas {
		t.Run(isa, func(t *testing.T) {
			use(t, isa)
			test(t)
		})
	}
}

func TestKernels(t *testing.T) {
	eachISA(t, func(t *testing.T) {
		eachShape(func(s shape) {
			f := newFixture(s)
			for _, k := range kernels {
				k.holds(t, f, &heap{offset: (s.cols + s.n) % 4})
			}
		})
	})
}

func TestKernelsOfNoNumbers(t *testing.T) {
	eachISA(t, func(t *testing.T) {
		for _, s := range []shape{{nh: 2, n: 3}, {nh: 2, cols: 5}, {n: 3, cols: 5}} {
			h := Block{make([]float32, s.nh*8), s.nh, s.cols, 8}
			g := Block{make([]float32, s.nh*8), s.nh, s.n, 8}
			matrix := make([]float32, s.n*8)
			rows := []uint32{0, 2, 1}[:s.n]
			dst := []float32{1, 2, 3, 4, 5}[:s.cols]
			Gather(dst, matrix, 8, rows, make([]float32, s.n))
			if slices.Max(append(dst, 0)) != 0 {
				t.Errorf("%v: Gather gives %v", s, dst)
			}
			Scatter(matrix, 8, rows, dst)
			Prefetch(matrix, 8, rows, s.cols)
			if loss := Errors(g, h, matrix, 8, rows, true); loss != 0 {
				t.Errorf("%v: loss %v", s, loss)
			}
			AddRows(h, g, matrix, 8, rows)
			UpdateRows(matrix, 8, rows, g, h)
			Dots(g.Data, 8, h.Data, 8, s.nh, matrix, 8, s.n, s.cols)
			if slices.Max(slices.Concat(matrix, h.Data, g.Data, []float32{0})) != 0 {
				t.Errorf("%v: %v, %v, %v", s, matrix, h, g)
			}
		}
	})
}

func TestKernelsOfSpecialNumbers(t *testing.T) {
	special := []float32{nan, inf, -inf, 0, float32(math.Copysign(0, -1)), 1e-40, -1e-45, 1e-38, 1e15}
	eachAssembly(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(1, 2))
		eachShape(func(s shape) {
			f := newFixture(s)
			for _, b := range []Block{f.h, f.matrix} {
				for i := range b.Rows {
					if r.IntN(2) == 0 {
						b.Row(i)[r.IntN(s.cols)] = special[r.IntN(len(special))]
					}
				}
			}
			f.weights[r.IntN(s.n)] = special[r.IntN(len(special))]
			// Not 0: the portable kernels leave rows of that weight out, be they NaN.
			f.g.Data[0] = []float32{-1e15, 1e-40, 1e15}[r.IntN(3)]
			for _, k := range kernels {
				k.holds(t, f, &heap{})
			}
		})
	})
}

func TestErrorsOfScores(t *testing.T) {
	type result struct{ sigma, loss float64 }
	scores := map[float32]result{
		nan:              {math.NaN(), math.NaN()},
		inf:              {1, math.Inf(1)},
		-inf:             {0, 0},
		math.MaxFloat32:  {1, math.MaxFloat32},
		-math.MaxFloat32: {0, 0},
		1e-45:            {0.5, math.Ln2},
	}
	for x := float32(-120); x <= 120; x += 0.0137 {
		sigma, loss := logistic64(float64(x))
		scores[x] = result{sigma, loss}
	}
	eachISA(t, func(t *testing.T) {
		for x, want := range scores {
			for _, positive := range []bool{false, true} {
				sign := float32(-1)
				if positive {
					sign = 1
				}
				// The score is such that σ(x) and log(1+eˣ) are asked for.
				g := Block{Data: []float32{0.5}, Rows: 1, Cols: 1, Stride: 1}
				h := Block{Data: []float32{-sign * x}, Rows: 1, Cols: 1, Stride: 1}
				loss := Errors(g, h, []float32{1}, 1, []uint32{0}, positive)
				sigma := sign * 2 * g.Data[0]
				if !same(sigma, float32(want.sigma), float32(2e-6*want.sigma+1e-37)) {
					t.Errorf("score %v, positive %v: σ is %v, want %v", h.Data[0], positive, sigma, want.sigma)
				}
				if !same(2*float32(loss), float32(want.loss), float32(1e-6*want.loss+2e-7)) {
					t.Errorf("score %v, positive %v: loss %v, want %v", h.Data[0], positive, 2*loss, want.loss)
				}
			}
		}
	})
}

func TestErrorsOfWeightZero(t *testing.T) {
	eachISA(t, func(t *testing.T) {
		eachShape(func(s shape) {
			f := newFixture(s)
			for i, x := range []float32{nan, inf, -inf} {
				if i < s.n {
					f.matrix.Row(i)[s.cols/2] = x
				}
			}
			special := func(j int) bool { return f.rows[j] < 3 }
			for i := range s.nh {
				for j := range s.n {
					if special(j) {
						f.g.Row(i)[j] = 0
					}
				}
			}
			for _, k := range kernels[2:4] {
				got := f.in(&heap{})
				k.run(got)
				for i := range s.nh {
					for j, x := range got.g.Row(i) {
						if x != x || special(j) && x != 0 {
							t.Fatalf("%v: error [%d,%d] is %v", s, i, j, x)
						}
					}
				}
				k.holds(t, f, &heap{})
			}
		})
	})
}

// The definitions, in float64.
func TestDefinitions(t *testing.T) {
	eachISA(t, func(t *testing.T) {
		for cols := 1; cols <= 130; cols++ {
			f := newFixture(shape{nh: 1 + cols%5, n: 1 + cols%11, cols: cols, seed: 7})
			near := func(name string, got []float32, want func(k int) float64) {
				t.Helper()
				for k, x := range got {
					if math.Abs(float64(x)-want(k)) > 1e-4 {
						t.Fatalf("%s, %d columns: number %d is %v, want %v", name, cols, k, x, want(k))
					}
				}
			}
			dot := func(i, r int) (sum float64) {
				for k, x := range f.h.Row(i) {
					sum += float64(x) * float64(f.matrix.Row(r)[k])
				}
				return sum
			}
			run := func(kernel int) fixture {
				got := f.in(&heap{})
				kernels[kernel].run(got)
				return got
			}
			near("Gather", run(0).dst, func(k int) (sum float64) {
				for i, r := range f.rows {
					sum += float64(f.weights[i]) * float64(f.matrix.Row(int(r))[k])
				}
				return sum
			})
			for r := range f.n {
				near("Scatter", run(1).matrix.Row(r), func(k int) float64 {
					sum := float64(f.matrix.Row(r)[k])
					for _, other := range f.rows {
						if int(other) == r {
							sum += float64(f.h.Row(0)[k])
						}
					}
					return sum
				})
				near("UpdateRows", run(5).matrix.Row(r), func(k int) float64 {
					sum := float64(f.matrix.Row(r)[k])
					for j, other := range f.rows {
						for i := range f.nh {
							if int(other) == r {
								sum += float64(f.g.Row(i)[j]) * float64(f.h.Row(i)[k])
							}
						}
					}
					return sum
				})
			}
			var positiveLoss, negativeLoss float64
			for i := range f.nh {
				near("Errors", run(2).g.Row(i), func(j int) float64 {
					sigma, loss := logistic64(-dot(i, int(f.rows[j])))
					w := float64(f.g.Row(i)[j])
					positiveLoss += w * loss
					return w * sigma
				})
				near("Errors", run(3).g.Row(i), func(j int) float64 {
					sigma, loss := logistic64(dot(i, int(f.rows[j])))
					w := float64(f.g.Row(i)[j])
					negativeLoss += w * loss
					return -w * sigma
				})
				near("AddRows", run(4).h.Row(i), func(k int) float64 {
					sum := float64(f.h.Row(i)[k])
					for j, r := range f.rows {
						sum += float64(f.g.Row(i)[j]) * float64(f.matrix.Row(int(r))[k])
					}
					return sum
				})
				near("Dots", run(6).g.Row(i), func(j int) float64 { return dot(i, j) })
			}
			near("loss", []float32{run(2).loss[0], run(3).loss[0]}, func(k int) float64 {
				return []float64{positiveLoss, negativeLoss}[k]
			})
		}
	})
}

// What the dot product of two rows is does not depend on the rows around them.
func TestDotsAreTheSameEverywhere(t *testing.T) {
	eachISA(t, func(t *testing.T) {
		for cols := 1; cols <= 257; cols++ {
			f := newFixture(shape{nh: 9, n: 9, cols: cols})
			for nh := 1; nh <= f.nh; nh++ {
				for n := 1; n <= f.n; n++ {
					got := make([]float32, nh*n)
					// The last rows, so that each row stands in every place.
					h, m := f.h.Slice(f.nh-nh, f.nh), f.matrix.Slice(f.n-n, f.n)
					Dots(got, n, h.Data, h.Stride, nh, m.Data, m.Stride, n, cols)
					var alone [1]float32
					i, j := (nh+n)%nh, cols%n
					Dots(alone[:], 1, h.Row(i), h.Stride, 1, m.Row(j), m.Stride, 1, cols)
					if got[i*n+j] != alone[0] {
						t.Fatalf("%d columns: of rows %d of %d and %d of %d, %v; alone, %v", cols, i, nh, j, n, got[i*n+j], alone[0])
					}
				}
			}
		}
	})
}

func FuzzKernels(f *testing.F) {
	f.Add(uint64(1), uint8(16), uint8(24), uint16(100), uint8(0))
	f.Add(uint64(2), uint8(1), uint8(5), uint16(300), uint8(3))
	f.Fuzz(func(t *testing.T, seed uint64, nh, n uint8, cols uint16, offset uint8) {
		const most = 64 // rows of a block
		s := shape{int(nh)%most + 1, int(n)%most + 1, int(cols)%1024 + 1, seed}
		eachISA(t, func(t *testing.T) {
			for _, k := range kernels {
				k.holds(t, newFixture(s), &heap{offset: int(offset) % 16})
			}
		})
	})
}

// benchmark runs a benchmark with dims and sets of instructions.
func benchmark(b *testing.B, nh, n int, run func(f fixture, fresh []float32)) {
	for _, dim := range []int{100, 300} {
		for _, isa := range isas() {
			b.Run(fmt.Sprintf("dim=%d/isa=%s", dim, isa), func(b *testing.B) {
				use(b, isa)
				r := rand.New(rand.NewPCG(1, 1))
				block := func(rows, cols int) Block {
					stride := (cols + 15) / 16 * 16
					x := make([]float32, rows*stride)
					for i := range x {
						x[i] = 0.1 * float32(r.NormFloat64())
					}
					return Block{x, rows, cols, stride}
				}
				f := fixture{h: block(nh, dim), g: block(nh, n), matrix: block(1024, dim), weights: block(1, n).Data, dst: make([]float32, dim)}
				f.shape = shape{nh: nh, n: n, cols: dim}
				for i := range n {
					f.rows = append(f.rows, uint32(i*41%1024))
				}
				fresh := slices.Clone(f.g.Data)
				for b.Loop() {
					run(f, fresh)
				}
			})
		}
	}
}

func BenchmarkErrors(b *testing.B) {
	benchmark(b, 16, 24, func(f fixture, fresh []float32) {
		copy(f.g.Data, fresh)
		Errors(f.g, f.h, f.matrix.Data, f.matrix.Stride, f.rows, false)
	})
}

func BenchmarkAddRows(b *testing.B) {
	benchmark(b, 16, 24, func(f fixture, _ []float32) {
		AddRows(f.h, f.g, f.matrix.Data, f.matrix.Stride, f.rows)
	})
}

func BenchmarkUpdateRows(b *testing.B) {
	benchmark(b, 16, 24, func(f fixture, _ []float32) {
		UpdateRows(f.matrix.Data, f.matrix.Stride, f.rows, f.g, f.h)
	})
}

func BenchmarkGather(b *testing.B) {
	benchmark(b, 1, 20, func(f fixture, _ []float32) {
		Gather(f.dst, f.matrix.Data, f.matrix.Stride, f.rows, f.weights)
	})
}

func BenchmarkScatter(b *testing.B) {
	benchmark(b, 1, 20, func(f fixture, _ []float32) {
		Scatter(f.matrix.Data, f.matrix.Stride, f.rows, f.h.Row(0))
	})
}

func BenchmarkDots(b *testing.B) {
	benchmark(b, 16, 1024, func(f fixture, _ []float32) {
		Dots(f.g.Data, f.g.Stride, f.h.Data, f.h.Stride, f.nh, f.matrix.Data, f.matrix.Stride, f.n, f.cols)
	})
}
