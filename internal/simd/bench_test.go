package simd

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// benchmark runs a benchmark with dims and sets of instructions, of 16 centres and n
// rows.
func benchmark(b *testing.B, n int, run func(f fixture)) {
	for _, dim := range []int{100, 300} {
		for _, isa := range isas() {
			b.Run(fmt.Sprintf("dim=%d/isa=%s", dim, isa), func(b *testing.B) {
				use(b, isa)
				f := newBenchmark(n, dim)
				for b.Loop() {
					run(f)
				}
			})
		}
	}
}

// newBenchmark is a block as it is in training.
func newBenchmark(n, dim int) fixture {
	r := rand.New(rand.NewPCG(1, 1))
	block := func(rows, cols int) Block {
		stride := (cols + 15) / 16 * 16
		x := make([]float32, rows*stride)
		for i := range x {
			x[i] = 0.1 * float32(r.NormFloat64())
		}
		return Block{x, rows, cols, stride}
	}
	f := fixture{
		shape:      shape{nh: Lanes, n: n, cols: dim},
		h:          block(Lanes, dim),
		matrix:     block(1024, dim),
		dst:        block(Lanes, dim),
		dots:       block(Lanes, n),
		weights:    block(1, Lanes).Data,
		w:          block(n, Lanes).Data,
		transposed: block(dim, Lanes).Data,
		errors:     block(n, Lanes).Data,
		bits:       make([]uint16, n),
		with:       slices.Repeat([]uint16{1<<Lanes - 1}, n),
		lists:      Lists{Starts: []uint64{0}},
	}
	f.products = make([]float32, n*Lanes)
	for j := range n {
		f.each = append(f.each, 1<<(j%Lanes))
		f.triples = append(f.triples, Triple{uint32(j % Lanes), uint32(j * 7 % Lanes), uint32(j), 1e-9})
		f.rows = append(f.rows, uint32(j*41%1024))
	}
	for i := range Lanes {
		f.order, f.ids = append(f.order, uint32(i)), append(f.ids, uint32(i))
		for j := range n {
			f.lists.Rows = append(f.lists.Rows, uint32((i*n+j)*41%1024))
			f.lists.Weights = append(f.lists.Weights, 0.05)
		}
		f.lists.Starts = append(f.lists.Starts, uint64(len(f.lists.Rows)))
	}
	return f
}

func BenchmarkTranspose(b *testing.B) {
	benchmark(b, 24, func(f fixture) { Transpose(f.transposed, f.h) })
}

// benchmarkDense runs something that computes all scores of n rows, and reports how many operations of these
// it does in a nanosecond. Processors have a limit of twice the numbers of a register for each instruction
// that multiplies and adds.
func benchmarkDense(b *testing.B, run func(f fixture)) {
	for _, dim := range []int{100, 300} {
		for _, n := range []int{24, 48, 96} {
			for _, isa := range isas() {
				b.Run(fmt.Sprintf("dim=%d/rows=%d/isa=%s", dim, n, isa), func(b *testing.B) {
					use(b, isa)
					f := newBenchmark(n, dim)
					f.rounding = Rounding{0.3, 1}
					for b.Loop() {
						run(f)
						f.rounding.Seed++
					}
					b.ReportMetric(float64(2*n*Lanes*dim)*float64(b.N)/float64(b.Elapsed()), "GFLOP/s")
				})
			}
		}
	}
}

func BenchmarkScores(b *testing.B) {
	benchmarkDense(b, func(f fixture) {
		Scores(f.errors, f.h, f.transposed, f.matrix.Data, f.matrix.Stride, f.rows)
	})
}

func BenchmarkErrors(b *testing.B) {
	benchmarkDense(b, func(f fixture) {
		Errors(f.errors, f.h, f.transposed, f.matrix.Data, f.matrix.Stride, f.pairs(false), false)
	})
}

// BenchmarkErrorsOfBand is about the contexts of blocks of skip-gram: of 16 centres with windows of 1 to 5.
func BenchmarkErrorsOfBand(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 9))
	var blocks [][]uint16
	for range 64 {
		blocks = append(blocks, contexts(1+r.IntN(5)))
	}
	next := 0
	benchmark(b, Lanes+2*5, func(f fixture) {
		p := f.pairs(true)
		p.With = blocks[next%len(blocks)]
		p.Rows = p.Rows[:len(p.With)]
		Errors(f.errors, f.h, f.transposed, f.matrix.Data, f.matrix.Stride, p, false)
		next++
	})
}

// contexts returns which of 16 centres each word within a window of them is a context of.
func contexts(window int) (with []uint16) {
	for at := -window; at < Lanes+window; at++ {
		var centres uint16
		for i := max(0, at-window); i <= min(Lanes-1, at+window); i++ {
			if i != at {
				centres |= 1 << i
			}
		}
		with = append(with, centres)
	}
	return with
}

func BenchmarkErrorsAndLoss(b *testing.B) {
	benchmark(b, 24, func(f fixture) {
		Errors(f.errors, f.h, f.transposed, f.matrix.Data, f.matrix.Stride, f.pairs(false), true)
	})
}

// benchmarkSparse runs a benchmark of 48 rows, of which each is paired with some of 16 centres: with
// about as many as are in skip-gram, or with all. What they are differs from call to call, so that
// processors cannot learn it.
func benchmarkSparse(b *testing.B, run func(f fixture)) {
	const rows, calls = 48, 101
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{5, Lanes} {
		var masks []uint16
		for range rows * calls {
			var mask uint16
			for i := range Lanes {
				if r.IntN(Lanes) < n {
					mask |= 1 << i
				}
			}
			masks = append(masks, mask)
		}
		b.Run(fmt.Sprintf("centres=%d", n), func(b *testing.B) {
			call := 0
			benchmark(b, rows, func(f fixture) {
				call = (call + 1) % calls
				f.with = masks[call*rows:][:rows]
				run(f)
			})
		})
	}
}

func BenchmarkAddRows(b *testing.B) {
	benchmarkSparse(b, func(f fixture) { AddRows(f.ordered(f.dst), f.listed(), f.cols, f.w, f.with) })
}

func BenchmarkUpdateRows(b *testing.B) {
	benchmarkSparse(b, func(f fixture) { UpdateRows(f.listed(), f.ordered(f.h), f.cols, f.w, f.with) })
}

func BenchmarkGatherLists(b *testing.B) {
	benchmark(b, 20, func(f fixture) { GatherLists(f.dst, f.matrix.Data, f.matrix.Stride, f.lists, f.ids) })
}

func BenchmarkScatterLists(b *testing.B) {
	benchmark(b, 20, func(f fixture) { ScatterLists(f.matrix.Data, f.matrix.Stride, f.lists, f.ids, f.h) })
}

func BenchmarkScatterWeighted(b *testing.B) {
	benchmark(b, 20, func(f fixture) { ScatterWeighted(f.matrix.Data, f.matrix.Stride, f.lists, f.ids, f.h) })
}

func BenchmarkDotLists(b *testing.B) {
	benchmark(b, 20, func(f fixture) {
		DotLists(f.products, f.matrix.Data, f.matrix.Stride, f.lists, f.ids, f.h)
	})
}

func BenchmarkMultiplyRows(b *testing.B) {
	benchmark(b, 100, func(f fixture) {
		MultiplyRows(f.ordered(f.dst), f.ordered(f.h), f.listed(), f.cols, f.triples)
	})
}

// Structured skip-gram has about as many rows in a block, each with one centre.
func BenchmarkErrorsOfOneEach(b *testing.B) {
	benchmark(b, 100, func(f fixture) { f.scoreEach(f.errors, false, false) })
}

func BenchmarkErrorsOfOneEachAndLoss(b *testing.B) {
	benchmark(b, 100, func(f fixture) { f.scoreEach(f.errors, false, true) })
}

// halfWindow is how many words there are to either side of a centre.
const halfWindow = 3

// bands are the windows of n rows, of which the first is row number lead of so many sources.
func bands(n, sources, lead int) (list []Window) {
	for i := range n {
		from, to := max(0, i+lead-halfWindow), min(sources, i+lead+halfWindow+1)
		w := Window{int32(i), int32(from), int32(to), int32(i + lead), 0.1}
		if i+lead < 0 || i+lead >= sources {
			w.Except = -1
		}
		list = append(list, w)
	}
	return list
}

// span is how many words are in the windows of 16 centres.
const span = Lanes + 2*halfWindow

func BenchmarkSetWindows(b *testing.B) {
	list, ones := bands(Lanes, span, halfWindow), slices.Repeat([]float32{1}, span)
	benchmark(b, span, func(f fixture) {
		SetWindows(f.ordered(f.dst), f.listed(), f.cols, ones, list)
	})
}

func BenchmarkAddWindows(b *testing.B) {
	list := bands(span, Lanes, -halfWindow)
	benchmark(b, span, func(f fixture) {
		AddWindows(f.listed(), f.ordered(f.h), f.cols, f.weights, list)
	})
}

func BenchmarkGemm(b *testing.B) {
	benchmark(b, 64, func(f fixture) { Gemm(f.dst, f.dots, f.matrix.Slice(0, f.n)) })
}

func BenchmarkGemmTransposed(b *testing.B) {
	benchmark(b, 64, func(f fixture) { GemmTransposed(f.dots, f.h, f.matrix.Slice(0, f.n)) })
}

func BenchmarkAddOuter(b *testing.B) {
	benchmark(b, 64, func(f fixture) { AddOuter(f.matrix.Slice(0, f.n), f.dots, f.h, 1e-9) })
}

func BenchmarkDots(b *testing.B) {
	benchmark(b, 1024, func(f fixture) {
		Dots(f.dots.Data, f.dots.Stride, f.h.Data, f.h.Stride, f.nh, f.matrix.Data, f.matrix.Stride, f.n, f.cols)
	})
}
