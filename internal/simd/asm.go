//go:build (amd64 || arm64) && !purego

package simd

import (
	"fmt"
	"os"
	"slices"
	"unsafe"
)

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

func gatherLists(dst Block, data []float32, stride int, l Lists, ids []uint32) {
	if chosen == portable || len(ids) == 0 || dst.Cols == 0 || len(l.Rows) == 0 {
		gatherListsPortable(dst, data, stride, l, ids)
		return
	}
	gatherKernel(&dst.Data[0], dst.Stride*float, &data[0], stride*float,
		&l.Starts[0], &l.Rows[0], &l.Weights[0], &ids[0], len(ids), dst.Cols)
}

func scatterLists(data []float32, stride int, l Lists, ids []uint32, delta Block) {
	if chosen == portable || len(ids) == 0 || delta.Cols == 0 || len(l.Rows) == 0 {
		scatterListsPortable(data, stride, l, ids, delta)
		return
	}
	scatterKernel(&data[0], stride*float, &l.Starts[0], &l.Rows[0], &ids[0],
		&delta.Data[0], delta.Stride*float, len(ids), delta.Cols)
}

func scatterWeighted(data []float32, stride int, l Lists, ids []uint32, delta Block) {
	if chosen == portable || len(ids) == 0 || delta.Cols == 0 || len(l.Rows) == 0 {
		scatterWeightedPortable(data, stride, l, ids, delta)
		return
	}
	scatterWeightedKernel(&data[0], stride*float, &l.Starts[0], &l.Rows[0], &l.Weights[0], &ids[0],
		&delta.Data[0], delta.Stride*float, len(ids), delta.Cols)
}

func dotLists(dst, data []float32, stride int, l Lists, ids []uint32, rows Block) {
	if chosen == portable || rows.Cols == 0 {
		dotListsPortable(dst, data, stride, l, ids, rows)
		return
	}
	for i, id := range ids {
		list := l.Rows[l.Starts[id]:l.Starts[id+1]]
		if n := len(list); n > 0 {
			// With a stride of 0 all rows are the same.
			pairsKernel(&dst[0], &rows.Row(i)[0], 0, &list[0], &data[0], stride*float, &list[0], n, rows.Cols)
			dst = dst[n:]
		}
	}
}

func prefetch(data []float32, stride int, rows []uint32, cols int) {
	if chosen != portable && len(rows) > 0 && cols > 0 {
		prefetchKernel(&data[0], stride*float, &rows[0], len(rows), cols)
	}
}

func prefetchLists(l Lists, ids []uint32) {
	if chosen == portable {
		return
	}
	for _, id := range ids {
		if first, last := l.Starts[id], l.Starts[id+1]; first < last {
			prefetchEntries(l.Rows, first, last)
			if l.Weights != nil {
				prefetchEntries(l.Weights, first, last)
			}
		}
	}
}

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

func gatherHalves(dst Block, h Halves, l Lists, ids []uint32) {
	if chosen == portable || len(ids) == 0 || dst.Cols == 0 || len(l.Rows) == 0 {
		gatherHalvesPortable(dst, h, l, ids)
		return
	}
	gatherHalvesKernel(&dst.Data[0], dst.Stride*float, &h.Data[0], h.Stride*float16,
		&l.Starts[0], &l.Rows[0], &l.Weights[0], &ids[0], len(ids), groups(dst.Cols))
}

func scatterHalves(h Halves, l Lists, ids []uint32, delta Block, seed uint32) {
	if chosen == portable || len(ids) == 0 || delta.Cols == 0 || len(l.Rows) == 0 {
		scatterHalvesPortable(h, l, ids, delta, seed)
		return
	}
	scatterHalvesKernel(&h.Data[0], h.Stride*float16, &l.Starts[0], &l.Rows[0], &ids[0],
		&delta.Data[0], delta.Stride*float, len(ids), groups(delta.Cols), seed)
}

func prefetchHalves(h Halves, rows []uint32, cols int) {
	if chosen != portable && len(rows) > 0 && cols > 0 {
		// The kernel counts numbers of 4 bytes.
		prefetchKernel((*float32)(unsafe.Pointer(&h.Data[0])), h.Stride*float16, &rows[0], len(rows), (cols+1)/2)
	}
}

func transpose(dst []float32, h Block) {
	if chosen == portable || h.Rows == 0 || h.Cols == 0 {
		return // the portable Errors does not need it
	}
	transposeKernel(&dst[0], &h.Data[0], h.Stride*float, h.Rows, h.Cols)
}

// transposed is transpose with all kernels.
func transposed(dst []float32, h Block) {
	if chosen == portable {
		transposedPortable(dst, h)
		return
	}
	transpose(dst, h)
}

func scores(s []float32, h Block, transposed []float32, data []float32, stride int, rows []uint32) {
	if chosen == portable || len(rows) == 0 || h.Rows == 0 || h.Cols == 0 {
		scoresPortable(s, h, data, stride, rows)
		return
	}
	scoresKernel(&s[0], &transposed[0], &data[0], stride*float, &rows[0], len(rows), h.Cols)
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

func addRows(dst, src Rows, cols int, w []float32, kept []uint16) {
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

func updateRows(dst, src Rows, cols int, w []float32, kept []uint16) {
	if chosen == portable || len(kept) == 0 || len(src.IDs) == 0 || cols == 0 {
		updateRowsPortable(dst, src, cols, w, kept)
		return
	}
	updateRowsKernel(&dst.Data[0], dst.Stride*float, &dst.IDs[0], &src.Data[0], src.Stride*float, &src.IDs[0],
		&w[0], &kept[0], len(kept), len(src.IDs), cols)
}

func multiplyRows(dst, a, b Rows, cols int, triples []Triple) {
	if chosen == portable || len(triples) == 0 || cols == 0 {
		multiplyRowsPortable(dst, a, b, cols, triples)
		return
	}
	multiplyKernel(&dst.Data[0], dst.Stride*float, &dst.IDs[0], &a.Data[0], a.Stride*float, &a.IDs[0],
		&b.Data[0], b.Stride*float, &b.IDs[0], &triples[0].Dst, len(triples), cols)
}

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

func dots(dst []float32, ldd int, a []float32, lda, na int, b []float32, ldb, nb, cols int) {
	if chosen == portable || na == 0 || nb == 0 || cols == 0 {
		dotsPortable(dst, ldd, a, lda, na, b, ldb, nb, cols)
		return
	}
	most := max(dotsInCache/(cols*float)&^3, 4) // whole tiles
	for first := 0; first < nb; first += most {
		dotsKernel(&dst[first], ldd*float, &a[0], lda*float, na, &b[first*ldb], ldb*float, min(most, nb-first), cols)
	}
}
