package simd

import (
	"math"
	"unsafe"

	"github.com/w2v-go/w2v/internal/half"
)

// Halves are rows of float16. Row r starts at Data[r*Stride]. Every row, and every row of float32 that
// is added to one or set to their sum, has room for whole groups of 16 numbers, and kernels work on
// whole groups: what is behind the last column of a row must be 0.
type Halves struct {
	Data   []uint16
	Stride int
}

// groupOfHalves is how many numbers kernels work on at once.
const groupOfHalves = 16

// HalvesStride returns the least stride of rows of so many numbers that begin at cache lines.
func HalvesStride(cols int) int { return (cols + 31) &^ 31 }

// Row returns the first cols numbers of row r without copying them.
func (h Halves) Row(r, cols int) []uint16 { return h.Data[r*h.Stride:][:cols] }

// GatherHalves is GatherLists for rows of halves.
func GatherHalves(dst Block, h Halves, lists Lists, ids []uint32) {
	if chosen == portable || len(ids) == 0 || dst.Cols == 0 || len(lists.Rows) == 0 {
		gatherHalvesPortable(dst, h, lists, ids)
		return
	}
	gatherHalvesKernel(&dst.Data[0], dst.Stride*float, &h.Data[0], h.Stride*float16,
		&lists.Starts[0], &lists.Rows[0], &lists.Weights[0], &ids[0], len(ids), groups(dst.Cols))
}

// ScatterHalves is ScatterLists for rows of halves. Each sum is rounded to one of the two halves about
// it, at random, so that its mean is the sum: updates that are less than what two halves differ by are
// not lost. The same seed makes the same choices. Sums under 2⁻¹⁴, of which halves keep fewer bits, are
// rounded to the nearest after that; sums from 65504 on may become infinite. Two lists that share a row
// have the same random bits for it.
func ScatterHalves(h Halves, lists Lists, ids []uint32, delta Block, seed uint32) {
	if chosen == portable || len(ids) == 0 || delta.Cols == 0 || len(lists.Rows) == 0 {
		scatterHalvesPortable(h, lists, ids, delta, seed)
		return
	}
	scatterHalvesKernel(&h.Data[0], h.Stride*float16, &lists.Starts[0], &lists.Rows[0], &ids[0],
		&delta.Data[0], delta.Stride*float, len(ids), groups(delta.Cols), seed)
}

// PrefetchHalves is Prefetch for rows of halves.
func PrefetchHalves(h Halves, rows []uint32, cols int) {
	if chosen != portable && len(rows) > 0 && cols > 0 {
		// The kernel counts numbers of 4 bytes.
		prefetchKernel((*float32)(unsafe.Pointer(&h.Data[0])), h.Stride*float16, &rows[0], len(rows), (cols+1)/2)
	}
}

// lostBits is how many bits of a float32 a half has no room for.
const lostBits = 13

// roundingBits returns what is added, below the last bit that is kept, to number c of row r. Bits of
// neighbours are spread evenly, and those of any number are uniform over all seeds.
func roundingBits(seed, r, c uint32) uint32 {
	return (seed + r*multiply + c*weyl) >> (32 - lostBits)
}

// The two kernels are on matrices that all workers change: see portable.go.

//go:norace
func gatherHalvesPortable(dst Block, h Halves, lists Lists, ids []uint32) {
	for i, id := range ids {
		to := dst.Row(i)
		for k := range to {
			to[k] = 0
		}
		for e := lists.Starts[id]; e < lists.Starts[id+1]; e++ {
			w := lists.Weights[e]
			for k, x := range h.Row(int(lists.Rows[e]), len(to)) {
				to[k] += w * half.FromF16(x)
			}
		}
	}
}

//go:norace
func scatterHalvesPortable(h Halves, lists Lists, ids []uint32, delta Block, seed uint32) {
	for i, id := range ids {
		for _, r := range lists.Rows[lists.Starts[id]:lists.Starts[id+1]] {
			row := h.Row(int(r), delta.Cols)
			for k, d := range delta.Row(i) {
				sum := math.Float32bits(half.FromF16(row[k]) + d)
				sum += roundingBits(seed, r, uint32(k))
				row[k] = half.ToF16(math.Float32frombits(sum &^ (1<<lostBits - 1)))
			}
		}
	}
}
