//go:build (amd64 || arm64) && !purego

package simd

import (
	"fmt"
	"os"
	"slices"
)

//go:generate sh -c "cd _gen && go run . -out ../amd64.s -stubs ../amd64.go -pkg simd"
//go:generate sh -c "cd _gen && go run ./arm64 -out ../arm64.s"

// isa is a set of instructions that kernels are written in. The portable kernels
// are written in Go.
type isa string

const portable isa = "portable"

// chosen is what the kernels are run in: the best that this machine has, or what
// W2V_SIMD names, which is for tests and measurements.
var chosen = choose(os.Getenv("W2V_SIMD"))

func choose(name string) isa {
	known := available()
	if name == "" {
		return known[len(known)-1]
	}
	if !slices.Contains(known, isa(name)) {
		panic(fmt.Sprintf("W2V_SIMD=%s is not one of %v, which this machine has", name, known))
	}
	return isa(name)
}

// float is the size of a float32.
const float = 4

// inOrder are the numbers of the rows of a block, in order.
var inOrder = func() (rows [maxRows]uint32) {
	for i := range rows {
		rows[i] = uint32(i)
	}
	return rows
}()

// maxRows is the most rows that a block can have.
const maxRows = 64

func gather(dst, data []float32, stride int, rows []uint32, weights []float32) {
	if chosen == portable || len(rows) == 0 || len(dst) == 0 {
		gatherPortable(dst, data, stride, rows, weights)
		return
	}
	gatherKernel(&dst[0], &data[0], stride*float, &rows[0], &weights[0], len(rows), len(dst))
}

func scatter(data []float32, stride int, rows []uint32, delta []float32) {
	if chosen == portable || len(rows) == 0 || len(delta) == 0 {
		scatterPortable(data, stride, rows, delta)
		return
	}
	scatterKernel(&data[0], stride*float, &rows[0], &delta[0], len(rows), len(delta))
}

func prefetch(data []float32, stride int, rows []uint32, cols int) {
	if chosen != portable && len(rows) > 0 && cols > 0 {
		prefetchKernel(&data[0], stride*float, &rows[0], len(rows), cols)
	}
}

func errors(g, h Block, data []float32, stride int, rows []uint32, positive bool) float64 {
	if chosen == portable || len(rows) == 0 || h.Rows == 0 || h.Cols == 0 {
		return errorsPortable(g, h, data, stride, rows, positive)
	}
	var sign uint32
	if positive {
		sign = 1 << 31
	}
	return float64(errorsKernel(&g.Data[0], g.Stride*float, &h.Data[0], h.Stride*float, h.Rows,
		&data[0], stride*float, &rows[0], len(rows), h.Cols, sign))
}

func addRows(dst, g Block, data []float32, stride int, rows []uint32) {
	if chosen == portable || len(rows) == 0 || dst.Rows == 0 || dst.Cols == 0 {
		addRowsPortable(dst, g, data, stride, rows)
		return
	}
	rankUpdateKernel(&dst.Data[0], dst.Stride*float, &inOrder[0], dst.Rows,
		&data[0], stride*float, &rows[0], len(rows), &g.Data[0], g.Stride*float, float, dst.Cols)
}

// tile is how many rows a rank update changes at a time.
const tile = 4

func updateRows(data []float32, stride int, rows []uint32, g, h Block) {
	if chosen == portable || len(rows) == 0 || h.Rows == 0 || h.Cols == 0 {
		updateRowsPortable(data, stride, rows, g, h)
		return
	}
	update := func(first, last int) {
		if first < last {
			rankUpdateKernel(&data[0], stride*float, &rows[first], last-first,
				&h.Data[0], h.Stride*float, &inOrder[0], h.Rows, &g.Data[first], float, g.Stride*float, h.Cols)
		}
	}
	// Of two equal rows in a tile one update would be lost: those tiles are done
	// row by row.
	first := 0
	for at := 0; at < len(rows); at += tile {
		end := min(at+tile, len(rows))
		if distinct(rows[at:end]) {
			continue
		}
		update(first, at)
		for r := at; r < end; r++ {
			update(r, r+1)
		}
		first = end
	}
	update(first, len(rows))
}

// distinct reports whether up to four rows differ from each other.
func distinct(r []uint32) bool {
	switch len(r) {
	case 4:
		return r[0] != r[1] && r[0] != r[2] && r[0] != r[3] && r[1] != r[2] && r[1] != r[3] && r[2] != r[3]
	case 3:
		return r[0] != r[1] && r[0] != r[2] && r[1] != r[2]
	case 2:
		return r[0] != r[1]
	}
	return true
}

func dots(dst []float32, ldd int, a []float32, lda, na int, b []float32, ldb, nb, cols int) {
	if chosen == portable || na == 0 || nb == 0 || cols == 0 {
		dotsPortable(dst, ldd, a, lda, na, b, ldb, nb, cols)
		return
	}
	dotsKernel(&dst[0], ldd*float, &a[0], lda*float, na, &b[0], ldb*float, nb, cols)
}
