package simd

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

var (
	nan = float32(math.NaN())
	inf = float32(math.Inf(1))
)

// kernel is a kernel that is run on a fixture, and its definition.
type kernel struct {
	name          string
	run, portable func(f fixture)
	// tolerance puts in place of each number of a copy how far from it a kernel may be.
	tolerance func(k kernel, f fixture)
}

var kernels = []kernel{
	{
		"Gather",
		func(f fixture) { Gather(f.dst.Row(0), f.matrix.Data, f.matrix.Stride, f.lists.Rows, f.lists.Weights) },
		func(f fixture) {
			all := Lists{[]uint64{0, uint64(len(f.lists.Rows))}, f.lists.Rows, f.lists.Weights}
			gatherListsPortable(f.dst.Slice(0, 1), f.matrix.Data, f.matrix.Stride, all, []uint32{0})
		},
		toleranceOfSum,
	}, {
		"GatherLists",
		func(f fixture) { GatherLists(f.dst, f.matrix.Data, f.matrix.Stride, f.lists, f.ids) },
		func(f fixture) { gatherListsPortable(f.dst, f.matrix.Data, f.matrix.Stride, f.lists, f.ids) },
		toleranceOfSum,
	}, {
		"ScatterLists",
		func(f fixture) { ScatterLists(f.matrix.Data, f.matrix.Stride, f.lists, f.ids, f.h) },
		func(f fixture) { scatterListsPortable(f.matrix.Data, f.matrix.Stride, f.lists, f.ids, f.h) },
		toleranceOfSum,
	}, {
		"ScatterWeighted",
		func(f fixture) { ScatterWeighted(f.matrix.Data, f.matrix.Stride, f.lists, f.ids, f.h) },
		func(f fixture) { scatterWeightedPortable(f.matrix.Data, f.matrix.Stride, f.lists, f.ids, f.h) },
		toleranceOfSum,
	}, {
		"DotLists",
		func(f fixture) { DotLists(f.products, f.matrix.Data, f.matrix.Stride, f.lists, f.ids, f.h) },
		func(f fixture) { dotListsPortable(f.products, f.matrix.Data, f.matrix.Stride, f.lists, f.ids, f.h) },
		toleranceOfSum,
	}, {
		"Transpose",
		func(f fixture) {
			Transpose(f.transposed, f.centres())
			f.forgetLacking()
		},
		func(f fixture) {
			if transposes() {
				transposedPortable(f.transposed, f.centres())
			}
			f.forgetLacking()
		},
		func(_ kernel, f fixture) { f.change(func(float32) float32 { return 0 }) },
	},
	{
		"Scores",
		func(f fixture) {
			transposedPortable(f.transposed, f.centres())
			Scores(f.errors, f.centres(), f.transposed, f.matrix.Data, f.matrix.Stride, f.rows)
			f.forgetLackingScores()
		},
		func(f fixture) {
			transposedPortable(f.transposed, f.centres())
			scoresPortable(f.errors, f.centres(), f.matrix.Data, f.matrix.Stride, f.rows)
			f.forgetLackingScores()
		},
		toleranceOfSum,
	},
	kernelOfErrors("Errors of positive pairs", true),
	kernelOfErrors("Errors of negative pairs", false),
	kernelOfErrorsOfOneEach("Errors of one centre each, of positive pairs", true),
	kernelOfErrorsOfOneEach("Errors of one centre each, of negative pairs", false),
	kernelOfScores("ErrorsOfScores of positive pairs", true),
	kernelOfScores("ErrorsOfScores of negative pairs", false),
	{
		"AddRows",
		func(f fixture) { AddRows(f.ordered(f.dst), f.listed(), f.cols, f.w, f.with) },
		func(f fixture) { addRowsPortable(f.ordered(f.dst), f.listed(), f.cols, f.w, f.with) },
		toleranceOfSum,
	}, {
		"AddRows to one row",
		func(f fixture) { AddRows(f.first(f.dst), f.listed(), f.cols, f.w, f.with) },
		func(f fixture) { addRowsPortable(f.first(f.dst), f.listed(), f.cols, f.w, f.with) },
		toleranceOfSum,
	}, {
		"UpdateRows",
		func(f fixture) { UpdateRows(f.listed(), f.ordered(f.h), f.cols, f.w, f.with) },
		func(f fixture) { updateRowsPortable(f.listed(), f.ordered(f.h), f.cols, f.w, f.with) },
		toleranceOfSum,
	}, {
		"MultiplyRows",
		func(f fixture) { MultiplyRows(f.ordered(f.dst), f.ordered(f.h), f.listed(), f.cols, f.triples) },
		func(f fixture) {
			multiplyRowsPortable(f.ordered(f.dst), f.ordered(f.h), f.listed(), f.cols, f.triples)
		},
		toleranceOfProducts,
	}, {
		"MultiplyRows of the rows that it changes",
		func(f fixture) { MultiplyRows(f.ordered(f.h), f.ordered(f.h), f.listed(), f.cols, f.triples) },
		func(f fixture) {
			multiplyRowsPortable(f.ordered(f.h), f.ordered(f.h), f.listed(), f.cols, f.triples)
		},
		toleranceOfProducts,
	},
	kernelOfWindows("AddWindows", AddWindows, false),
	kernelOfWindows("SetWindows", SetWindows, true),
	{
		"AddWindows of centres",
		func(f fixture) {
			AddWindows(f.listed(), f.ordered(f.h), f.cols, f.weights, f.back)
		},
		func(f fixture) {
			windowsPortable(f.listed(), f.ordered(f.h), f.cols, f.weights, f.back, false)
		},
		func(_ kernel, f fixture) {
			f.toleranceOfWindows(f.listed(), f.ordered(f.h), f.weights, f.back, false)
		},
	}, {
		"Gemm",
		func(f fixture) { Gemm(f.dst.Slice(0, f.centres().Rows), f.small(), f.matrix) },
		func(f fixture) { gemmPortable(f.dst.Slice(0, f.centres().Rows), f.small(), f.matrix) },
		toleranceOfSum,
	}, {
		"GemmTransposed",
		func(f fixture) { GemmTransposed(f.dots, f.h, f.matrix) },
		func(f fixture) { gemmTransposedPortable(f.dots, f.h, f.matrix) },
		toleranceOfSum,
	}, {
		"AddOuter",
		func(f fixture) { AddOuter(f.matrix, f.small(), f.centres(), f.weights[0]) },
		func(f fixture) { addOuterPortable(f.matrix, f.small(), f.centres(), f.weights[0]) },
		toleranceOfSum,
	}, {
		"Dots",
		func(f fixture) {
			Dots(f.dots.Data, f.dots.Stride, f.h.Data, f.h.Stride, f.nh, f.matrix.Data, f.matrix.Stride, f.n, f.cols)
		},
		func(f fixture) {
			dotsPortable(f.dots.Data, f.dots.Stride, f.h.Data, f.h.Stride, f.nh, f.matrix.Data, f.matrix.Stride, f.n, f.cols)
		},
		toleranceOfSum,
	}, {
		"Prefetch",
		func(f fixture) {
			Prefetch(f.matrix.Data, f.matrix.Stride, f.rows, f.cols)
			PrefetchLists(f.lists, f.ids)
			PrefetchAt(f.lists.Starts, f.ids)
		},
		func(fixture) {},
		toleranceOfSum,
	},
}

// forgetLacking clears the lanes of what h lacks.
func (f fixture) forgetLacking() {
	for k := range f.cols {
		clear(f.transposed[k*Lanes:][min(f.nh, Lanes):Lanes])
	}
}

// forgetLackingScores clears the scores of what h lacks.
func (f fixture) forgetLackingScores() {
	for j := range f.n {
		clear(f.errors[j*Lanes:][min(f.nh, Lanes):Lanes])
	}
}

// listed are the listed rows of the matrix.
func (f fixture) listed() Rows { return Rows{f.matrix.Data, f.matrix.Stride, f.rows} }

// ordered are the rows of b that belong to centres, in their order.
func (f fixture) ordered(b Block) Rows { return Rows{b.Data, b.Stride, f.order} }

// first is the first row of b, for each centre.
func (f fixture) first(b Block) Rows { return Rows{b.Data, b.Stride, f.zeros} }

// pairs are those of f.
func (f fixture) pairs(positive bool) Pairs {
	return Pairs{Rows: f.rows, With: f.with, Weights: f.weights, Positive: positive, Rounding: f.rounding, Kept: f.bits}
}

// finish sets the loss, and which errors were kept.
func (f fixture) finish(loss float64) {
	f.loss[0] = float32(loss)
	for i := range f.kept {
		f.kept[i] = float32(f.bits[i/Lanes] >> (i % Lanes) & 1)
	}
}

// score is Errors for f. Lanes of what h lacks keep what they are.
func (f fixture) score(positive, loss bool) float64 {
	transposedPortable(f.transposed, f.centres())
	return Errors(f.errors, f.centres(), f.transposed, f.matrix.Data, f.matrix.Stride, f.pairs(positive), loss)
}

func kernelOfErrors(name string, positive bool) kernel {
	return kernel{
		name,
		func(f fixture) { f.finish(f.score(positive, true)) },
		func(f fixture) {
			transposedPortable(f.transposed, f.centres())
			f.finish(errorsPortable(f.errors, f.centres(), f.matrix.Data, f.matrix.Stride, f.pairs(positive), true))
		},
		func(_ kernel, f fixture) { toleranceOfErrors(f, positive) },
	}
}

// single is f with the pairs of each row and at most one centre.
func (f fixture) single() fixture {
	f.with = f.each
	return f
}

// scoreEach is Errors for f with at most one centre for each row.
func (f fixture) scoreEach(g []float32, positive, loss bool) float64 {
	transposedPortable(f.transposed, f.centres())
	return Errors(g, f.centres(), f.transposed, f.matrix.Data, f.matrix.Stride, f.single().pairs(positive), loss)
}

func kernelOfErrorsOfOneEach(name string, positive bool) kernel {
	return kernel{
		name,
		func(f fixture) {
			f.finish(f.scoreEach(f.errors, positive, true))
		},
		func(f fixture) {
			transposedPortable(f.transposed, f.centres())
			f.finish(errorsPortable(f.errors, f.centres(), f.matrix.Data, f.matrix.Stride, f.single().pairs(positive), true))
		},
		func(_ kernel, f fixture) { toleranceOfErrors(f.single(), positive) },
	}
}

func kernelOfScores(name string, positive bool) kernel {
	return kernel{
		name,
		func(f fixture) {
			f.finish(ErrorsOfScores(f.errors, f.scores, f.apart(), f.parts, f.pairs(positive), true))
		},
		func(f fixture) {
			f.finish(errorsOfScoresPortable(f.errors, f.scores, f.apart(), f.parts, f.pairs(positive), true))
		},
		func(_ kernel, f fixture) {
			f.toleranceOfErrors(positive, func(i, j int) (score float32) {
				for part := range f.parts {
					score += f.scores[part*f.apart()+j*Lanes+i]
				}
				return score
			})
		},
	}
}

func kernelOfWindows(name string, run func(Rows, Rows, int, []float32, []Window), set bool) kernel {
	return kernel{
		name,
		func(f fixture) {
			run(f.ordered(f.dst), f.listed(), f.cols, f.ofRows, f.windows)
		},
		func(f fixture) {
			windowsPortable(f.ordered(f.dst), f.listed(), f.cols, f.ofRows, f.windows, set)
		},
		func(_ kernel, f fixture) {
			f.toleranceOfWindows(f.ordered(f.dst), f.listed(), f.ofRows, f.windows, set)
		},
	}
}

// toleranceOfWindows is 1e-5 of the sum of the absolute values of what is added, and for a window
// of those of all rows that its sum has ever had.
func (f fixture) toleranceOfWindows(dst, src Rows, weights []float32, list []Window, set bool) {
	f.change(func(x float32) float32 { return max(x, -x) })
	var whole []Window
	var first, from, to int32
	for _, w := range list {
		if w.From < from || w.From >= to || w.To < to { // begins anew
			first = w.From
			whole = append(whole, Window{Row: -1})
		}
		from, to = w.From, w.To
		whole = append(whole, Window{w.Row, first, w.To, -1, max(w.Weight, -w.Weight)})
	}
	windowsPortable(dst, src, f.cols, weights, whole, set)
	f.change(func(x float32) float32 { return 1e-5*x + 1e-44 })
}

// toleranceOfSum is 1e-5 of the sum of absolute values.
func toleranceOfSum(k kernel, f fixture) {
	f.change(func(x float32) float32 { return max(x, -x) })
	k.portable(f)
	f.change(func(x float32) float32 { return 1e-5*x + 1e-44 })
}

// toleranceOfProducts is toleranceOfSum with weights that are positive, too.
func toleranceOfProducts(k kernel, f fixture) {
	f.triples = slices.Clone(f.triples)
	for i, t := range f.triples {
		f.triples[i].Weight = max(t.Weight, -t.Weight)
	}
	toleranceOfSum(k, f)
}

// toleranceOfErrors is that of the score, as σ and the loss are no steeper, and 2e-6
// for these.
func toleranceOfErrors(f fixture, positive bool) {
	f.toleranceOfErrors(positive, func(i, j int) float32 { return dot(f.h.Row(i), f.matrix.Row(int(f.rows[j]))) })
}

// toleranceOfErrors is that of given scores. Whether an error that is about as large as its random limit
// is kept may differ.
func (f fixture) toleranceOfErrors(positive bool, score func(i, j int) float32) {
	var sigma []float32
	for at := range f.errors {
		x := score(at%Lanes%f.centres().Rows, at/Lanes)
		if positive {
			x = -x
		}
		q, _ := logistic(x)
		sigma = append(sigma, q)
	}
	u := f.rounding.start()
	f.change(func(x float32) float32 { return max(x, -x) })
	loss := 0.0
	clear(f.kept)
	for j := range f.rows {
		for i := range f.centres().Rows {
			f.errors[j*Lanes+i] = 0
			if f.with[j]>>i&1 == 0 {
				continue
			}
			score := score(i, j)
			if score > math.MaxFloat32 {
				score = 0 // an infinite score has no rounding
			}
			of := float64(f.weights[i]) * (1 + float64(score))
			loss += 3e-6*of + 1e-44
			f.errors[j*Lanes+i] = float32(2e-6*of + 1e-44)
			if q := sigma[j*Lanes+i]; q < f.rounding.Threshold && math.Abs(float64(q-f.rounding.limit(&u, i))) <= float64(4e-6*(1+score)) {
				f.errors[j*Lanes+i] += f.rounding.Threshold * f.weights[i]
				f.kept[j*Lanes+i] = 1
			}
		}
		u.next()
	}
	f.loss[0] = float32(loss)
}

// holds fails the test unless k does to f what its definition does.
func (k kernel) holds(t *testing.T, f fixture, m memory) {
	t.Helper()
	defer func() {
		if err := recover(); err != nil {
			t.Fatalf("%s of %v: %v", k.name, f.shape, err)
		}
	}()
	got, want, tolerance := f.in(m), f.copy(), f.copy()
	k.run(got)
	k.portable(want)
	k.tolerance(k, tolerance)
	for b, name := range numberNames {
		got, want, tolerance := *got.numbers()[b], *want.numbers()[b], *tolerance.numbers()[b]
		if bytes.Equal(bytesOf(got), bytesOf(want)) {
			continue // most are: the race detector would look long at each number
		}
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
	if want != want {
		return got != got && isGuard(got) == isGuard(want)
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
			dst := Block{[]float32{1, 2, 3, 4, 5, 0, 0, 0, 6, 7, 8, 9, 1, 0, 0, 0}[:s.nh*8], s.nh, s.cols, 8}
			dots, transposed := make([]float32, s.nh*8), make([]float32, s.cols*Lanes)
			matrix := make([]float32, s.n*8)
			rows, ids := []uint32{0, 2, 1}[:s.n], []uint32{1, 0}[:s.nh]
			lists := Lists{[]uint64{0, 0, uint64(s.n)}, rows, make([]float32, s.n)}
			GatherLists(dst, matrix, 8, lists, ids)
			for i := range dst.Rows {
				if slices.Max(append(dst.Row(i), 0)) != 0 {
					t.Errorf("%v: GatherLists gives %v", s, dst)
				}
				Gather(dst.Row(i), matrix, 8, rows, make([]float32, s.n))
			}
			ScatterLists(matrix, 8, lists, ids, h)
			ScatterWeighted(matrix, 8, lists, ids, h)
			DotLists(make([]float32, 2*s.n), matrix, 8, lists, ids, h)
			Prefetch(matrix, 8, rows, s.cols)
			PrefetchLists(lists, ids)
			PrefetchLists(Lists{Starts: lists.Starts, Rows: rows}, ids)
			PrefetchItems(rows, 0, s.n)
			PrefetchAt(lists.Starts, ids)
			PrefetchAt(rows, nil)
			PrefetchAt([]uint32{}, ids)
			Transpose(transposed, h)
			g := guards(s.n * Lanes)
			p := Pairs{Rows: rows, With: make([]uint16, s.n), Weights: make([]float32, Lanes), Positive: true, Kept: make([]uint16, s.n)}
			if loss := Errors(g, h, transposed, matrix, 8, p, true); loss != 0 {
				t.Errorf("%v: loss %v", s, loss)
			}
			Scores(g, h, transposed, matrix, 8, rows)
			ErrorsOfScores(g, nil, 0, 0, Pairs{}, true)
			w := slices.Repeat([]float32{1}, 16*Lanes)
			to, from := Rows{dst.Data, 8, ids}, Rows{matrix, 8, rows}
			all := slices.Repeat([]uint16{1<<s.nh - 1}, s.n)
			AddRows(to, from, s.cols, w, all)
			UpdateRows(from, to, s.cols, w, all)
			AddRows(to, from, s.cols, w, nil)
			MultiplyRows(to, to, from, s.cols, nil)
			if s.nh > 0 && s.n > 0 {
				MultiplyRows(from, to, to, s.cols, []Triple{{Weight: 1}})
			}
			UpdateRows(from, to, s.cols, w, nil)
			whole := []Window{{0, 0, int32(s.n), -1, 1}}
			AddWindows(to, from, s.cols, w, nil)
			if s.nh > 0 {
				AddWindows(to, from, s.cols, w, whole)
				before := slices.Clone(dst.Data)
				SetWindows(to, from, s.cols, w, whole)
				if s.n == 0 && slices.Max(dst.Row(int(ids[0]))) != 0 {
					t.Errorf("%v: SetWindows gives %v", s, dst)
				}
				copy(dst.Data, before)
			}
			Dots(dots, 8, h.Data, 8, s.nh, matrix, 8, s.n, s.cols)
			if slices.Max(slices.Concat(matrix, h.Data, dots, g, []float32{0})) != 0 {
				t.Errorf("%v: %v, %v, %v, %v", s, matrix, h, dots, g)
			}
		}
	})
}

// Rows and centres that no pair names are not looked at, wherever they are.
func TestRowsWithoutPairs(t *testing.T) {
	eachISA(t, func(t *testing.T) {
		const nowhere = 1 << 31
		for n := 1; n < 140; n++ {
			for bit := range Lanes {
				kept, row, centre := make([]uint16, n), slices.Repeat([]uint32{nowhere}, n), slices.Repeat([]uint32{nowhere}, Lanes)
				pair := 31 * bit % n
				kept[pair], row[pair], centre[bit] = 1<<bit, 0, 0
				w := guards(n * Lanes)
				w[pair*Lanes+bit] = 2
				rows, centres := Rows{[]float32{3}, 1, row}, Rows{[]float32{5}, 1, centre}
				AddRows(centres, rows, 1, w, kept)
				UpdateRows(rows, centres, 1, w, kept)
				if rows.Data[0] != 3+2*11 || centres.Data[0] != 5+2*3 {
					t.Fatalf("row %d of %d and centre %d: %v, %v", pair, n, bit, rows.Data, centres.Data)
				}
			}
		}
	})
}

// More rows than kernels take at a time.
func TestMasksOfManyRows(t *testing.T) {
	eachISA(t, func(t *testing.T) {
		for _, n := range []int{63, 64, 65, 127, 128, 129, 300} {
			f := newFixture(shape{nh: 1 + n%Lanes, n: n, cols: 1 + n%37, seed: 4})
			for _, k := range kernels {
				switch k.name {
				case "AddRows", "AddRows to one row", "UpdateRows":
					k.holds(t, f, &heap{offset: n % 4})
				}
			}
		}
	})
}

// What is not a number spreads to no other column, and to no window that ends before it; rows
// that no window names, and what SetWindows sets, are not looked at.
func TestWindowsOfNaN(t *testing.T) {
	eachISA(t, func(t *testing.T) {
		const n = 5
		for _, cols := range []int{1, 7, 16, 20, 64, 100, 300} {
			for bad := range n {
				src, dst := slices.Repeat([]float32{1}, n*cols), guards((n+1)*cols)
				at := (7*bad + cols/2) % cols
				src[bad*cols+at] = nan
				var list []Window
				for j := range int32(n) {
					list = append(list, Window{j, j / 2, j + 1, j / 2, 0.5})
				}
				rows := []uint32{0, 1, 2, 3, 4, 5}
				SetWindows(Rows{dst, cols, rows}, Rows{src, cols, rows[:n]}, cols, []float32{1, 1, 1, 1, 1}, list)
				for j, w := range list {
					for k, x := range dst[j*cols:][:cols] {
						inside := int(w.From) <= bad && bad < int(w.To) && bad != int(w.Except)
						switch behind := k == at && bad < int(w.To); {
						case inside && k == at && x == x, !behind && x != 0.5*float32(w.To-w.From-1):
							t.Errorf("%d columns, NaN in row %d, column %d: number %d of window %v is %v", cols, bad, at, k, w, x)
						}
					}
				}
				for _, x := range dst[n*cols:] {
					if !isGuard(x) {
						t.Errorf("%d columns: a row that no window names was set to %v", cols, x)
					}
				}
			}
		}
	})
}

func TestKernelsOfSpecialNumbers(t *testing.T) {
	eachAssembly(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(1, 2))
		eachShape(func(s shape) {
			f := newFixture(s)
			f.specialNumbers(r)
			for _, k := range kernels {
				k.holds(t, f, &heap{})
			}
		})
	})
}

// What the dot product of two rows is does not depend on the rows around them.
func TestDotsAreTheSameEverywhere(t *testing.T) {
	eachISA(t, func(t *testing.T) {
		for cols := range lengths(257) {
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
