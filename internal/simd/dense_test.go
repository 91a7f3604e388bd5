package simd

import "testing"

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
