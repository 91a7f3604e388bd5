package simd

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/w2v-go/w2v/internal/half"
)

// halvesFixture is a matrix of halves, lists of its rows, and rows of float32.
type halvesFixture struct {
	halves Halves
	lists  Lists
	ids    []uint32
	rows   Block
}

// newHalvesFixture returns one of rows with so many columns. Numbers go from 2⁻³⁰ to 2¹⁵, some are 0,
// and some are no numbers.
func newHalvesFixture(cols int, seed uint64) halvesFixture {
	const rows, lists = 9, 5
	r := rand.New(rand.NewPCG(seed, uint64(cols)))
	number := func() float32 {
		switch r.IntN(40) {
		case 0:
			return 0
		case 1:
			return []float32{nan, inf, -inf}[r.IntN(3)]
		}
		return float32(math.Ldexp(r.NormFloat64(), r.IntN(45)-30))
	}
	f := halvesFixture{halves: Halves{Stride: HalvesStride(cols)}, lists: Lists{Starts: []uint64{0}}}
	f.halves.Data = make([]uint16, rows*f.halves.Stride)
	for i := range rows {
		for k := range f.halves.Row(i, cols) {
			f.halves.Row(i, cols)[k] = half.ToF16(number())
		}
	}
	for range lists {
		for range r.IntN(6) {
			f.lists.Rows, f.lists.Weights = append(f.lists.Rows, uint32(r.IntN(rows))), append(f.lists.Weights, r.Float32())
		}
		f.lists.Starts = append(f.lists.Starts, uint64(len(f.lists.Rows)))
	}
	f.rows = Block{Rows: 7, Cols: cols, Stride: (cols + 15) &^ 15}
	f.rows.Data = make([]float32, f.rows.Rows*f.rows.Stride)
	for i := range f.rows.Rows {
		f.ids = append(f.ids, uint32(r.IntN(lists)))
		for k := range f.rows.Row(i) {
			f.rows.Row(i)[k] = number()
		}
	}
	return f
}

// sameHalves reports whether halves are the same bits, or both no numbers. The emulator of .ci/emulated, Bochs
// 2.7, rounds halves under 2⁻¹⁴ up where two are equally near, and IEEE 754 and processors take the even one:
// there, the smallest ones may differ by one unit for each of the few sums that they are.
func sameHalves(want, got []uint16) bool {
	return slices.EqualFunc(want, got, func(x, y uint16) bool {
		near := *few && x&0x7fff < 0x0800 && y-x+2 <= 4 // under 2⁻¹³
		return x == y || near || x&0x7fff > 0x7c00 && y&0x7fff > 0x7c00
	})
}

// Every kernel rounds as the portable one does, to the bit, and leaves zeros behind the last column.
func TestScatterHalves(t *testing.T) {
	for _, isa := range isas() {
		t.Run(isa, func(t *testing.T) {
			use(t, isa)
			for cols := range lengths(257) {
				want, got := newHalvesFixture(cols, 1), newHalvesFixture(cols, 1)
				seed := uint32(cols) * 0x12345679
				scatterHalvesPortable(want.halves, want.lists, want.ids, want.rows, seed)
				ScatterHalves(got.halves, got.lists, got.ids, got.rows, seed)
				if !sameHalves(want.halves.Data, got.halves.Data) {
					t.Fatalf("%d columns: ScatterHalves differs from the portable kernel", cols)
				}
			}
		})
	}
}

// Every kernel adds up what the portable one does, to the rounding of float32.
func TestGatherHalves(t *testing.T) {
	for _, isa := range isas() {
		t.Run(isa, func(t *testing.T) {
			use(t, isa)
			for cols := range lengths(257) {
				f := newHalvesFixture(cols, 2)
				want := Block{make([]float32, len(f.rows.Data)), f.rows.Rows, cols, f.rows.Stride}
				gatherHalvesPortable(want, f.halves, f.lists, f.ids)
				GatherHalves(f.rows, f.halves, f.lists, f.ids)
				for i := range want.Rows {
					for k, x := range f.rows.Row(i) {
						y := want.Row(i)[k]
						var size float64 // of what is added up
						for _, r := range f.lists.Rows[f.lists.Starts[f.ids[i]]:f.lists.Starts[f.ids[i]+1]] {
							size += math.Abs(float64(half.FromF16(f.halves.Row(int(r), cols)[k])))
						}
						if x != y && (x == x || y == y) && !(math.Abs(float64(x-y)) <= 1e-6*size) {
							t.Fatalf("%d columns, row %d, column %d: %v, want %v", cols, i, k, x, y)
						}
					}
				}
			}
		})
	}
}

// The mean of what a sum is rounded to is the sum, however little is added.
func TestScatterHalvesIsUnbiased(t *testing.T) {
	const cols, times = 32, 20000
	for _, isa := range isas() {
		t.Run(isa, func(t *testing.T) {
			use(t, isa)
			r := rand.New(rand.NewPCG(3, 3))
			h := Halves{make([]uint16, HalvesStride(cols)), HalvesStride(cols)}
			lists := Lists{Starts: []uint64{0, 1}, Rows: []uint32{0}}
			start, delta := make([]uint16, cols), Block{make([]float32, cols), 1, cols, cols}
			for k := range start {
				start[k] = half.ToF16(float32(r.NormFloat64()))
				delta.Data[k] = 1e-5 * float32(r.NormFloat64())
			}
			sums := make([]float64, cols)
			for range times {
				copy(h.Data, start)
				ScatterHalves(h, lists, []uint32{0}, delta, r.Uint32())
				for k, x := range h.Data[:cols] {
					sums[k] += float64(half.FromF16(x))
				}
			}
			for k, sum := range sums {
				x := math.Abs(float64(half.FromF16(start[k])))
				gap := math.Ldexp(1, int(math.Floor(math.Log2(x)))-10)
				want := float64(half.FromF16(start[k])) + float64(delta.Data[k])
				// Four standard errors of a mean of numbers that are one of two, a gap apart.
				if off := math.Abs(sum/times - want); off > 4*gap/2/math.Sqrt(times) {
					t.Errorf("column %d: the mean of %v is off by %v, where halves are %v apart", k, want, off, gap)
				}
			}
		})
	}
}

// An update that halves are too coarse for is not lost: added many times, it adds up.
func TestSmallUpdatesAddUp(t *testing.T) {
	for _, isa := range isas() {
		t.Run(isa, func(t *testing.T) {
			use(t, isa)
			h := Halves{make([]uint16, 32), 32}
			for k := range 16 {
				h.Data[k] = half.ToF16(1)
			}
			delta := Block{slices.Repeat([]float32{1e-5}, 16), 1, 16, 16} // halves about 1 are 1e-3 apart
			r := rand.New(rand.NewPCG(4, 4))
			for range 50000 {
				ScatterHalves(h, Lists{Starts: []uint64{0, 1}, Rows: []uint32{0}}, []uint32{0}, delta, r.Uint32())
			}
			for k := range 16 {
				if x := half.FromF16(h.Data[k]); x < 1.45 || x > 1.55 {
					t.Errorf("column %d is %v, want about 1.5", k, x)
				}
			}
		})
	}
}
