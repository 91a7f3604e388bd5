// Package simd holds the float32 kernels of training and search.
//
// A matrix is given as its numbers and its stride: row r starts at data[r*stride]. Rows have as many
// numbers as the caller's own rows. Kernels do not check row numbers.
//
// The portable kernels, in Go, define what each kernel computes, except Transpose, which they do not
// need. On amd64 and arm64 the kernels are in assembly and may add in another order. Errors,
// ErrorsOfScores, AddRows and UpdateRows skip pairs that are not asked for; other kernels may multiply
// by 0, which gives NaN for infinities.
package simd

import (
	"fmt"
	"os"
	"slices"
	"unsafe"
)

// A Block is a few consecutive rows that belong to one worker; in training at most Lanes. Row i starts
// at Data[i*Stride] and has Cols numbers.
type Block struct {
	Data               []float32
	Rows, Cols, Stride int
}

// Row returns row i without copying it.
func (b Block) Row(i int) []float32 { return b.Data[i*b.Stride:][:b.Cols] }

// Slice returns rows first to last-1.
func (b Block) Slice(first, last int) Block {
	b.Data, b.Rows = b.Data[first*b.Stride:], last-first
	return b
}

// Lists are lists of weighted rows. List i consists of the entries Starts[i] to Starts[i+1]-1 of Rows
// and Weights.
type Lists struct {
	Starts  []uint64
	Rows    []uint32
	Weights []float32
}

// Gather sets dst to the sum of the given rows, each times its weight.
func Gather(dst, data []float32, stride int, rows []uint32, weights []float32) {
	one := Block{Data: dst, Rows: 1, Cols: len(dst), Stride: len(dst)}
	GatherLists(one, data, stride, Lists{[]uint64{0, uint64(len(rows))}, rows, weights}, []uint32{0})
}

// GatherLists sets row i of dst to the sum of the rows of list ids[i], each times
// its weight.
func GatherLists(dst Block, data []float32, stride int, lists Lists, ids []uint32) {
	if chosen == portable || len(ids) == 0 || dst.Cols == 0 || len(lists.Rows) == 0 {
		gatherListsPortable(dst, data, stride, lists, ids)
		return
	}
	gatherKernel(&dst.Data[0], dst.Stride*float, &data[0], stride*float,
		&lists.Starts[0], &lists.Rows[0], &lists.Weights[0], &ids[0], len(ids), dst.Cols)
}

// ScatterLists adds row i of delta to each row of list ids[i]. It adds twice to a row that is listed
// twice. It ignores weights.
func ScatterLists(data []float32, stride int, lists Lists, ids []uint32, delta Block) {
	if chosen == portable || len(ids) == 0 || delta.Cols == 0 || len(lists.Rows) == 0 {
		scatterListsPortable(data, stride, lists, ids, delta)
		return
	}
	scatterKernel(&data[0], stride*float, &lists.Starts[0], &lists.Rows[0], &ids[0],
		&delta.Data[0], delta.Stride*float, len(ids), delta.Cols)
}

// ScatterWeighted is ScatterLists with weights: it adds row i of delta, times its weight, to
// each row of list ids[i].
func ScatterWeighted(data []float32, stride int, lists Lists, ids []uint32, delta Block) {
	if chosen == portable || len(ids) == 0 || delta.Cols == 0 || len(lists.Rows) == 0 {
		scatterWeightedPortable(data, stride, lists, ids, delta)
		return
	}
	scatterWeightedKernel(&data[0], stride*float, &lists.Starts[0], &lists.Rows[0], &lists.Weights[0], &ids[0],
		&delta.Data[0], delta.Stride*float, len(ids), delta.Cols)
}

// DotLists writes to dst the dot products of row i of rows and each row of list ids[i], for one list
// after the other. It ignores weights. The result for two rows does not depend on the other rows.
func DotLists(dst, data []float32, stride int, lists Lists, ids []uint32, rows Block) {
	if chosen == portable || rows.Cols == 0 {
		dotListsPortable(dst, data, stride, lists, ids, rows)
		return
	}
	for i, id := range ids {
		list := lists.Rows[lists.Starts[id]:lists.Starts[id+1]]
		if n := len(list); n > 0 {
			// With a stride of 0 all rows are the same.
			pairsKernel(&dst[0], &rows.Row(i)[0], 0, &list[0], &data[0], stride*float, &list[0], n, rows.Cols)
			dst = dst[n:]
		}
	}
}

// Prefetch asks the processor to load the first cols numbers of the given rows into its cache.
func Prefetch(data []float32, stride int, rows []uint32, cols int) {
	if chosen != portable && len(rows) > 0 && cols > 0 {
		prefetchKernel(&data[0], stride*float, &rows[0], len(rows), cols)
	}
}

// PrefetchLists asks for the entries of lists, whose starts are read now.
func PrefetchLists(lists Lists, ids []uint32) {
	if chosen == portable {
		return
	}
	for _, id := range ids {
		if first, last := lists.Starts[id], lists.Starts[id+1]; first < last {
			prefetchEntries(lists.Rows, first, last)
			if lists.Weights != nil {
				prefetchEntries(lists.Weights, first, last)
			}
		}
	}
}

// PrefetchItems asks for n items of a slice from the first on.
func PrefetchItems[T any](of []T, first, n int) {
	if chosen == portable || n == 0 {
		return
	}
	size := int(unsafe.Sizeof(of[0]))
	from, to := first*size&^63, (first+n)*size
	prefetchKernel((*float32)(unsafe.Add(unsafe.Pointer(&of[0]), from)), 0, new(uint32), 1, (to-from+float-1)/float)
}

// PrefetchAt asks for what stands at the given places of a slice.
func PrefetchAt[T any](of []T, places []uint32) {
	if len(of) > 0 {
		prefetchBytes(unsafe.Pointer(&of[0]), int(unsafe.Sizeof(of[0])), places)
	}
}

// Rows are some rows of a matrix. Row i of them starts at Data[IDs[i]*Stride].
type Rows struct {
	Data   []float32
	Stride int
	IDs    []uint32
}

// AddRows adds rows of src to rows of dst, pair by pair: to row i of dst it adds row j of src times
// w[j*Lanes+i] if bit i of kept[j] is set. Rows have cols numbers. kept has as many masks as src has
// rows, and no bit of a row that dst does not have. Rows of dst may be the same, but rows of dst and src
// must not overlap.
func AddRows(dst, src Rows, cols int, w []float32, kept []uint16) {
	if chosen == portable || len(dst.IDs) == 0 || cols == 0 {
		addRowsPortable(dst, src, cols, w, kept)
		return
	}
	for first := 0; first < len(kept); first += masksAtOnce {
		var masks [masksAtOnce]uint16
		n := copy(masks[:], kept[first:])
		addRowsKernel(&dst.Data[0], dst.Stride*float, &dst.IDs[0], &src.Data[0], src.Stride*float, &src.IDs[first],
			&w[first*Lanes], &masks[0], n, cols)
	}
}

// UpdateRows is AddRows the other way round: to row j of dst it adds row i of src times w[j*Lanes+i] if
// bit i of kept[j] is set. So kept has as many masks as dst has rows.
func UpdateRows(dst, src Rows, cols int, w []float32, kept []uint16) {
	if chosen == portable || len(kept) == 0 || len(src.IDs) == 0 || cols == 0 {
		updateRowsPortable(dst, src, cols, w, kept)
		return
	}
	updateRowsKernel(&dst.Data[0], dst.Stride*float, &dst.IDs[0], &src.Data[0], src.Stride*float, &src.IDs[0],
		&w[0], &kept[0], len(kept), len(src.IDs), cols)
}

// A Triple names two rows to multiply and the row to which their weighted product is added.
type Triple struct {
	Dst, A, B uint32
	Weight    float32
}

// MultiplyRows adds to rows of dst the elementwise products of rows of a and b times a weight. Rows have
// cols numbers. It works on one triple after the other, so that a triple sees the changes of earlier
// ones.
func MultiplyRows(dst, a, b Rows, cols int, triples []Triple) {
	if chosen == portable || len(triples) == 0 || cols == 0 {
		multiplyRowsPortable(dst, a, b, cols, triples)
		return
	}
	multiplyKernel(&dst.Data[0], dst.Stride*float, &dst.IDs[0], &a.Data[0], a.Stride*float, &a.IDs[0],
		&b.Data[0], b.Stride*float, &b.IDs[0], &triples[0].Dst, len(triples), cols)
}

// Dots sets dst[i*ldd+j] to the dot product of row i of a and row j of b, for na rows of a and nb rows of
// b. Row i of a starts at a[i*lda] and row j of b at b[j*ldb]; both have cols numbers. The result for
// two rows does not depend on the other rows.
func Dots(dst []float32, ldd int, a []float32, lda, na int, b []float32, ldb, nb, cols int) {
	if chosen == portable || na == 0 || nb == 0 || cols == 0 {
		dotsPortable(dst, ldd, a, lda, na, b, ldb, nb, cols)
		return
	}
	most := max(dotsInCache/(cols*float)&^3, 4) // whole tiles
	for first := 0; first < nb; first += most {
		dotsKernel(&dst[first], ldd*float, &a[0], lda*float, na, &b[first*ldb], ldb*float, min(most, nb-first), cols)
	}
}

//go:generate sh -c "cd _gen && go run . -out ../amd64.s -stubs ../amd64.go -pkg simd"
//go:generate sh -c "cd _gen && go run ./arm64 -out ../arm64.s"

// isa is a set of instructions in which kernels are written. The portable kernels are written in Go.
type isa string

const portable isa = "portable"

// chosen is the instruction set of the kernels: the best one that this machine has, or the one that
// W2V_SIMD names, which is meant for tests and measurements.
var chosen, unknown = choose(os.Getenv("W2V_SIMD"))

func choose(name string) (isa, error) {
	known := available()
	best := known[len(known)-1]
	if name == "" {
		return best, nil
	}
	if !slices.Contains(known, isa(name)) {
		return best, fmt.Errorf("W2V_SIMD=%s is not one of %v, which this machine has", name, known)
	}
	return isa(name), nil
}

// Err returns an error if W2V_SIMD names an instruction set that this machine does not have. The best one
// that it has is used then.
func Err() error { return unknown }

// Kind returns the name of the kernels' instruction set, as in W2V_SIMD.
func Kind() string { return string(chosen) }

// Kinds returns the names of all kernels that this machine has, the best ones first.
func Kinds() []string {
	var names []string
	for _, each := range slices.Backward(available()) {
		names = append(names, string(each))
	}
	return names
}

// float and float16 are the sizes of a float32 and of a half.
const (
	float   = 4
	float16 = 2
)

// prefetchEntries asks for entries of 4 bytes, from the beginning of a cache line on.
func prefetchEntries[T uint32 | float32](of []T, first, last uint64) {
	first &^= 15
	prefetchKernel((*float32)(unsafe.Pointer(&of[first])), 0, new(uint32), 1, int(last-first))
}

func prefetchBytes(data unsafe.Pointer, size int, places []uint32) {
	if chosen != portable && len(places) > 0 {
		prefetchKernel((*float32)(data), size, &places[0], len(places), 1)
	}
}

// groups returns how many groups of halves a row of so many numbers takes.
func groups(cols int) int { return (cols + groupOfHalves - 1) / groupOfHalves }

// transposed is transpose with all kernels.
func transposed(dst []float32, h Block) {
	if chosen == portable {
		transposedPortable(dst, h)
		return
	}
	Transpose(dst, h)
}

// number returns a bool as kernels take it.
func number(truth bool) int {
	if truth {
		return 1
	}
	return 0
}

// masksAtOnce is how many masks the kernel of AddRows takes.
const masksAtOnce = 64

func windows(dst, src Rows, cols int, weights []float32, list []Window, set bool) {
	if chosen == portable || len(list) == 0 || cols == 0 || len(src.IDs) == 0 {
		windowsPortable(dst, src, cols, weights, list, set)
		return
	}
	windowsKernel(&dst.Data[0], dst.Stride*float, &dst.IDs[0], &src.Data[0], src.Stride*float, &src.IDs[0],
		&weights[0], &list[0].Row, len(list), cols, number(set))
}

// dotsInCache is how many bytes of b's rows are multiplied by all of a before the next ones. They stay in the
// first-level cache with a tile's rows of a, which come from farther away once.
const dotsInCache = 16 << 10

// These functions read and change single cells of a matrix. There is no faster way with vector
// instructions. Other workers may read and change the same cells at the same time.

// Pick sets dst[i] to cells[at[i]].
//
//go:norace
func Pick(dst, cells []float32, at []uint32) {
	for i, c := range at {
		dst[i] = cells[c]
	}
}

// AddAt adds x[i] to cells[at[i]]. It adds twice to a cell that is named twice.
//
//go:norace
func AddAt(cells []float32, at []uint32, x []float32) {
	for i, c := range at {
		cells[c] += x[i]
	}
}

// A Window is a run of consecutive rows, without one of them, whose sum is added to a row.
type Window struct {
	// Row is the row to which the sum is added; if it is negative, the sum is dropped.
	Row int32
	// The window consists of the rows From … To-1 without Except, which is one of them, or negative.
	From, To, Except int32
	// Weight multiplies the sum.
	Weight float32
}

// AddWindows adds the sum of each window, times its Weight, to row Row of dst. In the sum, row j of src is
// multiplied by weights[j]. Windows are handled in order. Several windows may name the same row of dst,
// but rows of dst and src must not overlap.
//
// The sum of a window is made from the sum of the window before it: rows that left the window are
// subtracted and new rows are added. So the time for a window does not depend on its width. The price is
// precision: if a row of src has a number that is not finite, it may spread, in its column, to all
// later windows. A new sum begins where From or To goes back, or where two windows have no row in
// common. A window whose Row is negative counts for the sums of later windows as any other, to the last
// bit.
func AddWindows(dst, src Rows, cols int, weights []float32, list []Window) {
	windows(dst, src, cols, weights, list, false)
}

// SetWindows is like AddWindows, but overwrites rows of dst instead of adding to them. If several windows
// name the same row, the last one counts. Rows that no window names stay as they are.
func SetWindows(dst, src Rows, cols int, weights []float32, list []Window) {
	windows(dst, src, cols, weights, list, true)
}
