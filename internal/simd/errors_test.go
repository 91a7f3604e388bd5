package simd

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestLogistic(t *testing.T) {
	// softplus is what loss is made of in the portable Errors.
	softplus := func(x, e float32) float32 { return max(x, 0) + log(1+e) }
	for x := float32(-120); x <= 120; x += 0.0137 {
		sigma, e := logistic(x)
		wantSigma, wantLoss := logistic64(float64(x))
		if math.Abs(float64(sigma)-wantSigma) > 1e-6*wantSigma+1e-37 {
			t.Fatalf("σ(%v) = %v, want %v", x, sigma, wantSigma)
		}
		if loss := softplus(x, e); math.Abs(float64(loss)-wantLoss) > 1e-6*wantLoss+2e-7 {
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
		sigma, e := logistic(x)
		if loss := softplus(x, e); relative(sigma, want[0]) > 2e-6 || relative(loss, want[1]) > 1e-6 {
			t.Errorf("logistic(%v) = %v, and loss %v, want %v", x, sigma, loss, want)
		}
	}
	if sigma, e := logistic(nan); sigma == sigma || e == e {
		t.Errorf("logistic(NaN) = %v, %v", sigma, e)
	}
}

// logistic64 is σ(x) and −log σ(−x).
func logistic64(x float64) (sigma, loss float64) {
	return 1 / (1 + math.Exp(-x)), math.Max(x, 0) + math.Log1p(math.Exp(-math.Abs(x)))
}

func relative(got, want float32) float64 {
	if got == want {
		return 0
	}
	return math.Abs(float64(got)-float64(want)) / max(math.Abs(float64(want)), 1e-30)
}

func TestErrorsOfScores(t *testing.T) {
	scores := []float32{nan, inf, -inf, math.MaxFloat32, -math.MaxFloat32, 1e-45, 1e15, -1e15}
	for x := float32(-120); x <= 120; x += 0.0137 {
		scores = append(scores, x)
	}
	for len(scores)%Lanes > 0 {
		scores = append(scores, 0)
	}
	eachISA(t, func(t *testing.T) {
		for some := range slices.Chunk(scores, Lanes) {
			testErrorsOfScores(t, some, true)
			testErrorsOfScores(t, some, false)
		}
	})
}

// testErrorsOfScores holds Errors against logistic64, for as many scores as there
// are lanes.
func testErrorsOfScores(t *testing.T, scores []float32, positive bool) {
	t.Helper()
	sign := float32(-1)
	if positive {
		sign = 1
	}
	// The score is such that σ(x) and log(1+eˣ) are asked for.
	h := Block{Rows: Lanes, Cols: 1, Stride: 1}
	for _, x := range scores {
		h.Data = append(h.Data, -sign*x)
	}
	transposed := make([]float32, Lanes)
	Transpose(transposed, h)
	// All lanes together, then each lane alone: only so is its loss known.
	p := Pairs{Positive: positive, Rows: []uint32{0}, With: []uint16{1<<Lanes - 1}, Weights: slices.Repeat([]float32{0.5}, Lanes)}
	for i := range Lanes {
		p.Rows, p.With = append(p.Rows, 0), append(p.With, 1<<i)
	}
	p.Kept = make([]uint16, len(p.Rows))
	g := guards(len(p.Rows) * Lanes)
	Errors(g, h, transposed, []float32{1}, 1, p, true)
	for j, with := range p.With {
		for i, x := range scores {
			var want float64
			if with>>i&1 != 0 {
				want, _ = logistic64(float64(x))
			}
			if sigma := sign * 2 * g[j*Lanes+i]; !same(sigma, float32(want), float32(2e-6*want+1e-37)) {
				t.Errorf("score %v, positive %v, paired with %b: σ is %v, want %v", h.Data[i], positive, with, sigma, want)
			}
		}
	}
	// Each row with one centre: the same, to the last bit.
	p.Rows, p.With = p.Rows[1:], p.With[1:]
	of := guards(len(p.Rows) * Lanes)
	lost, wanted := Errors(of, h, transposed, []float32{1}, 1, p, true), 0.0
	if !slices.EqualFunc(of, g[Lanes:], func(x, y float32) bool { return same(x, y, 0) }) {
		t.Errorf("scores %v, positive %v: errors of each are %v, want %v", h.Data, positive, of, g[Lanes:])
	}
	for i, x := range scores {
		p := p
		p.Rows, p.With = p.Rows[:1], []uint16{1 << i}
		loss := 2 * float32(Errors(g, h, transposed, []float32{1}, 1, p, true))
		wanted += float64(loss) / 2
		_, want := logistic64(float64(x))
		if !same(loss, float32(want), float32(1e-6*want+2e-7)) {
			t.Errorf("score %v, positive %v: loss %v, want %v", h.Data[i], positive, loss, want)
		}
	}
	if !same(float32(lost), float32(wanted), float32(1e-6*wanted)) {
		t.Errorf("scores %v, positive %v: loss of each %v, want %v", h.Data, positive, lost, wanted)
	}
}

func TestErrorsOfNoPairs(t *testing.T) {
	eachISA(t, func(t *testing.T) {
		eachShape(func(s shape) {
			f := newFixture(s)
			for i, x := range []float32{nan, inf, -inf} {
				if i < s.n {
					f.matrix.Row(i)[s.cols/2] = x
				}
			}
			// One of several centres is in no pair, and weighs nothing that could be added.
			alone := -1
			if centres := f.centres(); centres.Rows > 1 {
				alone = s.cols % centres.Rows
				centres.Row(alone)[s.cols/3] = nan
				f.weights[alone] = nan
			}
			for j, r := range f.rows {
				if r < 3 {
					f.with[j] = 0
				}
				if alone >= 0 {
					f.with[j] &^= 1 << alone
				}
			}
			for _, positive := range []bool{true, false} {
				got := f.copy()
				if loss := got.score(positive, true); loss != loss {
					t.Fatalf("%v: loss is %v", s, loss)
				}
				for j, with := range f.with {
					for i, x := range got.errors[j*Lanes:][:Lanes] {
						if x != x || with>>i&1 == 0 && x != 0 {
							t.Fatalf("%v: error [%d,%d] is %v", s, i, j, x)
						}
					}
				}
				kernelOfErrors("Errors", positive).holds(t, f, &heap{})
				for j, with := range f.with {
					f.each[j] = with & -with
				}
				kernelOfErrorsOfOneEach("Errors of one centre each", positive).holds(t, f, &heap{})
			}
		})
	})
}

// Whether loss is wanted changes no error.
func TestErrorsWithAndWithoutLoss(t *testing.T) {
	eachISA(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(3, 4))
		eachShape(func(s shape) {
			f := newFixture(s)
			f.specialNumbers(r)
			for _, positive := range []bool{true, false} {
				with, without := f.copy(), f.copy()
				with.score(positive, true)
				none := without.score(positive, false)
				with.errors, without.errors = append(with.errors, guards(s.n*Lanes)...), append(without.errors, guards(s.n*Lanes)...)
				with.scoreEach(with.errors[s.n*Lanes:], positive, true)
				none += without.scoreEach(without.errors[s.n*Lanes:], positive, false)
				if none != 0 {
					t.Fatalf("%v: loss %v, which was not wanted", s, none)
				}
				if !slices.EqualFunc(with.errors, without.errors, func(x, y float32) bool { return same(x, y, 0) }) {
					t.Fatalf("%v: errors %v with loss, %v without", s, with.errors, without.errors)
				}
			}
		})
	})
}
