package simd

import (
	"math"
	"math/rand/v2"
	"testing"
)

// eights are what a kernel of Eights works on, and what it returns.
type eights struct {
	x, y, z     []float32
	a, b        []byte
	stepA       float32
	stepB       float32
	most, other float32
}

// in returns a copy of e in m.
func (e eights) in(m memory) eights {
	e.x, e.y, e.z, e.a, e.b = placed(m, e.x), placed(m, e.y), placed(m, e.z), placed(m, e.a), placed(m, e.b)
	return e
}

// randomEights returns n numbers, some of which are special.
func randomEights(r *rand.Rand, n int) (e eights) {
	special := []float32{nan, inf, -inf, 0, float32(math.Copysign(0, -1)), 1e-40, -1e-45, 3e38, -3e38, 0.5, -1.5, 2.5, 126.5, -127.5}
	for _, x := range []*[]float32{&e.x, &e.y, &e.z} {
		for range n {
			*x = append(*x, 100*float32(r.NormFloat64()))
		}
		if n > 0 && r.IntN(2) == 0 {
			(*x)[r.IntN(n)] = special[r.IntN(len(special))]
		}
	}
	for range n {
		e.a, e.b = append(e.a, byte(r.Uint32())), append(e.b, byte(r.Uint32()))
	}
	e.stepA, e.stepB = float32(r.NormFloat64()), float32(r.NormFloat64())
	if r.IntN(4) == 0 {
		e.stepA = special[r.IntN(len(special))]
	}
	return e
}

// eightsKernels are the kernels and their definitions.
var eightsKernels = []struct {
	name          string
	run, portable func(e *eights)
}{
	{
		"Difference",
		func(e *eights) { e.most, e.other = Difference(e.z, e.x, e.y) },
		func(e *eights) { e.most, e.other = differencePortable(e.z, e.x, e.y) },
	}, {
		"ToEights",
		func(e *eights) { ToEights(e.a, e.x, e.stepA) },
		func(e *eights) { toEightsPortable(e.a, e.x, e.stepA) },
	}, {
		"AddEights",
		func(e *eights) { e.most = AddEights(e.x, Eights{e.a, e.stepA}) },
		func(e *eights) { e.most = addEightsPortable(e.x, Eights{e.a, e.stepA}) },
	}, {
		"MoveEights",
		func(e *eights) { MoveEights(e.x, e.y, Eights{e.a, e.stepA}, Eights{e.b, e.stepB}) },
		func(e *eights) { moveEightsPortable(e.x, e.y, Eights{e.a, e.stepA}, Eights{e.b, e.stepB}) },
	},
}

// eightsHold tests that kernels of Eights compute in m the same bits as the portable ones.
func eightsHold(t *testing.T, m memory) {
	for n := range 70 {
		if *few && n%5 > 0 {
			continue
		}
		for seed := range uint64(6) {
			e := randomEights(rand.New(rand.NewPCG(seed, uint64(n))), n)
			for _, k := range eightsKernels {
				got, want := e.in(m), e.in(&heap{})
				k.run(&got)
				k.portable(&want)
				for what, pair := range map[string][2][]float32{
					"x": {got.x, want.x}, "y": {got.y, want.y}, "z": {got.z, want.z},
					"result": {{got.most, got.other}, {want.most, want.other}},
				} {
					for i, x := range pair[0] {
						if y := pair[1][i]; math.Float32bits(x) != math.Float32bits(y) && !(x != x && y != y) {
							t.Fatalf("%s of %d numbers, seed %d: number %d of %s is %v, want %v", k.name, n, seed, i, what, x, y)
						}
					}
				}
				for i, x := range got.a {
					if x != want.a[i] {
						t.Fatalf("%s of %d numbers, seed %d: byte %d is %d, want %d", k.name, n, seed, i, int8(x), int8(want.a[i]))
					}
				}
				m.check(t)
			}
		}
	}
}

func TestEights(t *testing.T) {
	eachISA(t, func(t *testing.T) {
		for offset := range 4 {
			eightsHold(t, &heap{offset: offset})
		}
	})
}

// The definitions, by hand.
func TestDefinitionsOfEights(t *testing.T) {
	eachISA(t, func(t *testing.T) {
		d := make([]float32, 3)
		if ofA, ofDst := Difference(d, []float32{1, -5, 2}, []float32{1, -6, 8}); ofA != 5 || ofDst != 6 || d[0] != 0 || d[1] != 1 || d[2] != -6 {
			t.Errorf("differences are %v, at most %v of %v", d, ofDst, ofA)
		}
		if ofA, ofDst := Difference(d, []float32{1, inf, 2}, []float32{0, 0, nan}); ofA != inf || ofDst == ofDst {
			t.Errorf("the largest of %v are %v and %v", d, ofA, ofDst)
		}
		in := []float32{0.5, 1.5, -0.5, -1.5, 63.4, 63.6, 1000, -1000, inf, -inf, nan}
		want := []int8{0, 2, 0, -2, 63, 64, 127, -127, 127, -127, 127}
		bits := make([]byte, len(in))
		ToEights(bits, in, 1)
		for i, b := range bits {
			if int8(b) != want[i] {
				t.Errorf("%v becomes %d, want %d", in[i], int8(b), want[i])
			}
		}
		x, y := []float32{1, 2}, []float32{10, 20}
		a, b := Eights{[]byte{3, 0xfe}, 0.5}, Eights{[]byte{1, 1}, 4}
		MoveEights(x, y, a, b)
		if x[0] != 2.5 || x[1] != 1 || y[0] != 7.5 || y[1] != 15 {
			t.Errorf("moved to %v and %v", x, y)
		}
		if most := AddEights(x, b); x[0] != 6.5 || x[1] != 5 || most != 6.5 {
			t.Errorf("sums are %v, at most %v", x, most)
		}
	})
}

func BenchmarkEights(b *testing.B) {
	for _, k := range eightsKernels {
		for _, isa := range isas() {
			b.Run(k.name+"/isa="+isa, func(b *testing.B) {
				use(b, isa)
				e := randomEights(rand.New(rand.NewPCG(1, 1)), 100)
				for _, x := range [][]float32{e.x, e.y, e.z} {
					for i := range x {
						x[i] = float32(i%21 - 10)
					}
				}
				e.stepA, e.stepB = 1e-9, 1e-9 // so that numbers stay as they are
				for b.Loop() {
					k.run(&e)
				}
			})
		}
	}
}
