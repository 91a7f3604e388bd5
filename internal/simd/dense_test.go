package simd

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// small are the rows of f.dots that belong to centres: n numbers for each.
func (f fixture) small() Block { return f.dots.Slice(0, f.centres().Rows) }

func gemmPortable(dst, a, b Block) {
	for i := range dst.Rows {
		clear(dst.Row(i))
		for j, x := range a.Row(i) {
			axpy(dst.Row(i), x, b.Row(j))
		}
	}
}

func gemmTransposedPortable(dst, a, b Block) {
	for i := range dst.Rows {
		for j := range b.Rows {
			dst.Row(i)[j] = dot(a.Row(i), b.Row(j))
		}
	}
}

func addOuterPortable(dst, a, b Block, w float32) {
	for j := range a.Rows {
		for i, x := range a.Row(j) {
			axpy(dst.Row(i), w*x, b.Row(j))
		}
	}
}

// Matrices of more rows than are named at a time.
func TestMatricesOfManyRows(t *testing.T) {
	eachISA(t, func(t *testing.T) {
		for _, n := range []int{dense - 1, dense, dense + 1, 2 * dense, 2*dense + 3, 300} {
			for _, cols := range []int{1, 33, 100, 300} {
				f := newFixture(shape{nh: 1 + (n+cols)%Lanes, n: n, cols: cols, seed: 3})
				for _, k := range kernels {
					switch k.name {
					case "Gemm", "GemmTransposed", "AddOuter":
						k.holds(t, f, &heap{offset: n % 4})
					}
				}
			}
		}
	})
}

// What is run for every block must leave nothing to the garbage collector.
func TestNothingIsAllocated(t *testing.T) {
	f := newFixture(shape{nh: Lanes, n: 100, cols: 40, seed: 1})
	eachISA(t, func(t *testing.T) {
		for _, k := range kernels {
			if allocations := testing.AllocsPerRun(2, func() { k.run(f) }); allocations > 0 {
				t.Errorf("%s allocates %v times", k.name, allocations)
			}
		}
	})
}

func TestCells(t *testing.T) {
	cells := []float32{1, 2, 4, 8}
	at := []uint32{3, 0, 3}
	picked := make([]float32, 3)
	Pick(picked, cells, at)
	if want := []float32{8, 1, 8}; !slices.Equal(picked, want) {
		t.Errorf("picked %v, want %v", picked, want)
	}
	AddAt(cells, at, []float32{1, 10, 100})
	if want := []float32{11, 2, 4, 109}; !slices.Equal(cells, want) {
		t.Errorf("cells are %v, want %v", cells, want)
	}
	Pick(nil, nil, nil)
	AddAt(cells, nil, nil)
}

// columns returns f with those columns of its blocks only.
func (f fixture) columns(first, last int) fixture {
	for _, b := range []*Block{&f.h, &f.matrix, &f.dst} {
		b.Data, b.Cols = b.Data[first:], last-first
	}
	f.cols = last - first
	return f
}

// What kernels that work number by number make of a column does not depend on the columns
// that they are given with it, if these begin at multiples of 16: to the last bit. The
// deterministic mode of training rests on this.
func TestColumnsAreTheSameAlone(t *testing.T) {
	eachISA(t, func(t *testing.T) {
		eachShape(func(s shape) {
			whole := newFixture(s)
			for _, k := range kernels {
				if !slices.Contains([]string{"GatherLists", "ScatterLists", "ScatterWeighted", "MultiplyRows", "AddRows", "AddRows to one row", "UpdateRows", "AddWindows", "SetWindows"}, k.name) {
					continue
				}
				want := whole.copy()
				k.run(want)
				for _, width := range []int{16, 48} {
					got := whole.copy()
					for first := 0; first < s.cols; first += width {
						k.run(got.columns(first, min(first+width, s.cols)))
					}
					for b, name := range numberNames {
						if !bytes.Equal(bytesOf(*got.numbers()[b]), bytesOf(*want.numbers()[b])) {
							t.Fatalf("%s of %v: %s differ if it is run on %d columns at a time", k.name, s, name, width)
						}
					}
				}
			}
		})
	})
}

func TestPeaks(t *testing.T) {
	kernels := map[string]struct {
		run func(dst, a, b, peaks []float32)
		of  func(a, b float32) float32
	}{
		"MultiplyPeaks": {MultiplyPeaks, func(a, b float32) float32 { return a * b }},
		"SubtractPeaks": {SubtractPeaks, func(a, b float32) float32 { return a - b }},
	}
	nan := float32(math.NaN())
	eachISA(t, func(t *testing.T) {
		for name, kernel := range kernels {
			for n := range 3*PeakPart + 2 {
				r := rand.New(rand.NewPCG(1, uint64(n)))
				a, b := make([]float32, n), make([]float32, n)
				for i := range n {
					a[i], b[i] = float32(r.NormFloat64()), float32(r.NormFloat64())
					if r.IntN(10) == 0 || i >= 2*PeakPart { // the last part has nothing else
						b[i] = nan
					}
				}
				parts := (n + PeakPart - 1) / PeakPart
				dst, peaks := make([]float32, n+1), make([]float32, parts+1)
				dst[n], peaks[parts] = 7, 7
				kernel.run(dst[:n], a, b, peaks)
				for k := range parts {
					want := float32(math.Inf(-1))
					for i := k * PeakPart; i < min(n, (k+1)*PeakPart); i++ {
						x := kernel.of(a[i], b[i])
						if math.Float32bits(dst[i]) != math.Float32bits(x) && !(x != x && dst[i] != dst[i]) {
							t.Fatalf("%s of %d numbers: number %d is %v, want %v", name, n, i, dst[i], x)
						}
						if x > want {
							want = x
						}
					}
					if peaks[k] != want {
						t.Fatalf("%s of %d numbers: peak %d is %v, want %v", name, n, k, peaks[k], want)
					}
				}
				if dst[n] != 7 || peaks[parts] != 7 {
					t.Fatalf("%s of %d numbers wrote behind its results", name, n)
				}
			}
		}
	})
}
