package simd

import (
	"math"
	"testing"
)

// The definitions, in float64.
func TestDefinitions(t *testing.T) {
	eachISA(t, func(t *testing.T) {
		for cols := range lengths(130) {
			definitions{t, newFixture(shape{nh: 1 + cols%19, n: 1 + cols%11, cols: cols, seed: 7})}.hold()
		}
	})
}

// definitions are what kernels are to compute of a fixture.
type definitions struct {
	*testing.T
	f fixture
}

func (d definitions) hold() {
	d.lists()
	d.scores()
	d.updates()
	d.windows()
}

func (d definitions) near(name string, got []float32, want func(k int) float64) {
	d.Helper()
	for k, x := range got {
		if !(math.Abs(float64(x)-want(k)) <= 1e-4) {
			d.Fatalf("%s, %v: number %d is %v, want %v", name, d.f.shape, k, x, want(k))
		}
	}
}

func (d definitions) lists() {
	f := d.f
	each := func(i int, entry func(row int, weight float64)) {
		for e := f.lists.Starts[f.ids[i]]; e < f.lists.Starts[f.ids[i]+1]; e++ {
			entry(int(f.lists.Rows[e]), float64(f.lists.Weights[e]))
		}
	}
	got := f.copy()
	GatherLists(got.dst, got.matrix.Data, got.matrix.Stride, got.lists, got.ids)
	for i := range f.nh {
		want := func(k int) (sum float64) {
			each(i, func(row int, weight float64) { sum += weight * float64(f.matrix.Row(row)[k]) })
			return sum
		}
		d.near("GatherLists", got.dst.Row(i), want)
		first, last := f.lists.Starts[f.ids[i]], f.lists.Starts[f.ids[i]+1]
		Gather(got.dst.Row(i), got.matrix.Data, got.matrix.Stride, got.lists.Rows[first:last], got.lists.Weights[first:last])
		d.near("Gather", got.dst.Row(i), want)
	}
	DotLists(got.products, got.matrix.Data, got.matrix.Stride, got.lists, got.ids, got.h)
	products := got.products
	for i := range f.nh {
		each(i, func(row int, _ float64) {
			d.near("DotLists", products[:1], func(int) float64 { return f.dot(i, row) })
			products = products[1:]
		})
	}
	ScatterLists(got.matrix.Data, got.matrix.Stride, got.lists, got.ids, got.h)
	for r := range f.n {
		d.near("ScatterLists", got.matrix.Row(r), func(k int) float64 {
			sum := float64(f.matrix.Row(r)[k])
			for i := range f.nh {
				each(i, func(row int, _ float64) {
					if row == r {
						sum += float64(f.h.Row(i)[k])
					}
				})
			}
			return sum
		})
	}
	got = f.copy()
	ScatterWeighted(got.matrix.Data, got.matrix.Stride, got.lists, got.ids, got.h)
	for r := range f.n {
		d.near("ScatterWeighted", got.matrix.Row(r), func(k int) float64 {
			sum := float64(f.matrix.Row(r)[k])
			for i := range f.nh {
				each(i, func(row int, weight float64) {
					if row == r {
						sum += weight * float64(f.h.Row(i)[k])
					}
				})
			}
			return sum
		})
	}
}

// dot is the dot product of row i of h and row r of the matrix.
func (f fixture) dot(i, r int) (sum float64) {
	for k, x := range f.h.Row(i) {
		sum += float64(x) * float64(f.matrix.Row(r)[k])
	}
	return sum
}

func (d definitions) scores() {
	f := d.f
	f.rounding = Rounding{} // rounding_test.go has it
	dot := f.dot
	got := f.copy()
	Transpose(got.transposed, got.centres())
	for i := range got.centres().Rows {
		for k, x := range f.h.Row(i) {
			if transposes() && got.transposed[k*Lanes+i] != x {
				d.Fatalf("Transpose, %v: number %d of row %d is %v, want %v", f.shape, k, i, got.transposed[k*Lanes+i], x)
			}
		}
	}
	Scores(got.errors, got.centres(), got.transposed, got.matrix.Data, got.matrix.Stride, got.rows)
	for j, r := range f.rows {
		d.near("Scores", got.errors[j*Lanes:][:got.centres().Rows], func(i int) float64 { return dot(i, int(r)) })
	}
	for _, positive := range []bool{true, false} {
		sign := -1.0
		if positive {
			sign = 1
		}
		loss := Errors(got.errors, got.centres(), got.transposed, got.matrix.Data, got.matrix.Stride, got.pairs(positive), true)
		var wantLoss float64
		for j, r := range f.rows {
			d.near("Errors", got.errors[j*Lanes:][:Lanes], func(i int) float64 {
				if f.with[j]>>i&1 == 0 {
					return 0
				}
				sigma, loss := logistic64(-sign * dot(i, int(r)))
				wantLoss += float64(f.weights[i]) * loss
				return sign * float64(f.weights[i]) * sigma
			})
		}
		if !(math.Abs(loss-wantLoss) <= 1e-4) {
			d.Fatalf("Errors, %v: loss is %v, want %v", f.shape, loss, wantLoss)
		}
		// With one centre for each row, the same for these.
		alone := f.single().pairs(positive)
		of := guards(f.n * Lanes)
		lossOfEach := Errors(of, got.centres(), got.transposed, got.matrix.Data, got.matrix.Stride, alone, true)
		var wantOfEach float64
		for j, r := range f.rows {
			d.near("Errors of one each", of[j*Lanes:][:Lanes], func(i int) float64 {
				if alone.With[j]>>i&1 == 0 {
					return 0
				}
				sigma, loss := logistic64(-sign * dot(i, int(r)))
				wantOfEach += float64(f.weights[i]) * loss
				return sign * float64(f.weights[i]) * sigma
			})
		}
		if !(math.Abs(lossOfEach-wantOfEach) <= 1e-4) {
			d.Fatalf("Errors of one each, %v: loss is %v, want %v", f.shape, lossOfEach, wantOfEach)
		}
		// Of scores in three parts, the same.
		scores, apart, same := make([]float32, 3*(f.n+2)*Lanes), (f.n+2)*Lanes, guards(f.n*Lanes)
		for j, r := range f.rows {
			for i := range f.centres().Rows {
				for part, share := range []float64{0.5, 0.75, -0.25} {
					scores[part*apart+j*Lanes+i] = float32(share * dot(i, int(r)))
				}
			}
		}
		lossOfScores := ErrorsOfScores(same, scores, apart, 3, got.pairs(positive), true)
		d.near("ErrorsOfScores", same, func(i int) float64 { return float64(got.errors[i]) })
		if !(math.Abs(lossOfScores-wantLoss) <= 1e-4) {
			d.Fatalf("ErrorsOfScores, %v: loss is %v, want %v", f.shape, lossOfScores, wantLoss)
		}
	}
	Dots(got.dots.Data, got.dots.Stride, got.h.Data, got.h.Stride, got.nh, got.matrix.Data, got.matrix.Stride, got.n, got.cols)
	for i := range f.nh {
		d.near("Dots", got.dots.Row(i), func(j int) float64 { return dot(i, j) })
	}
}

func (d definitions) updates() {
	f := d.f
	got := f.copy()
	AddRows(got.ordered(got.dst), got.listed(), got.cols, got.w, got.with)
	for i, c := range f.order {
		d.near("AddRows", got.dst.Row(int(c)), func(k int) float64 {
			sum := float64(f.dst.Row(int(c))[k])
			for j, r := range f.rows {
				if f.with[j]>>i&1 != 0 {
					sum += float64(f.w[j*Lanes+i]) * float64(f.matrix.Row(int(r))[k])
				}
			}
			return sum
		})
	}
	got = f.copy()
	MultiplyRows(got.ordered(got.dst), got.ordered(got.h), got.listed(), got.cols, got.triples)
	for i, c := range f.order {
		d.near("MultiplyRows", got.dst.Row(int(c)), func(k int) float64 {
			sum := float64(f.dst.Row(int(c))[k])
			for _, t := range f.triples {
				if int(t.Dst) == i {
					x, y := f.h.Row(int(f.order[t.A])), f.matrix.Row(int(f.rows[t.B]))
					sum += float64(t.Weight) * float64(x[k]) * float64(y[k])
				}
			}
			return sum
		})
	}
	UpdateRows(got.listed(), got.ordered(got.h), got.cols, got.w, got.with)
	for r := range f.n {
		d.near("UpdateRows", got.matrix.Row(r), func(k int) float64 {
			sum := float64(f.matrix.Row(r)[k])
			for j, other := range f.rows {
				for i, c := range f.order {
					if int(other) == r && f.with[j]>>i&1 != 0 {
						sum += float64(f.w[j*Lanes+i]) * float64(f.h.Row(int(c))[k])
					}
				}
			}
			return sum
		})
	}
}

func (d definitions) windows() {
	f := d.f
	for _, set := range []bool{false, true} {
		got := f.copy()
		name, run := "AddWindows", AddWindows
		if set {
			name, run = "SetWindows", SetWindows
		}
		run(got.ordered(got.dst), got.listed(), got.cols, got.ofRows, got.windows)
		for i, c := range f.order {
			d.near(name, got.dst.Row(int(c)), func(k int) float64 {
				sum := float64(f.dst.Row(int(c))[k])
				for _, w := range f.windows {
					if int(w.Row) != i {
						continue
					}
					if set {
						sum = 0
					}
					for j := w.From; j < w.To; j++ {
						if j != w.Except {
							sum += float64(w.Weight) * float64(f.ofRows[j]) * float64(f.matrix.Row(int(f.rows[j]))[k])
						}
					}
				}
				return sum
			})
		}
	}
	got := f.copy()
	AddWindows(got.listed(), got.ordered(got.h), got.cols, got.weights, got.back)
	for r := range f.n {
		d.near("AddWindows of centres", got.matrix.Row(r), func(k int) float64 {
			sum := float64(f.matrix.Row(r)[k])
			for _, w := range f.back {
				for i := w.From; w.Row >= 0 && i < w.To; i++ {
					if int(f.rows[w.Row]) == r && i != w.Except {
						sum += float64(w.Weight) * float64(f.weights[i]) * float64(f.h.Row(int(f.order[i]))[k])
					}
				}
			}
			return sum
		})
	}
}
