//go:build !(amd64 || arm64) || purego

package simd

import (
	"fmt"
	"os"
	"unsafe"
)

// Err returns an error if W2V_SIMD names other kernels than the portable ones: this build has no others.
func Err() error {
	if name := os.Getenv("W2V_SIMD"); name != "" && name != "portable" {
		return fmt.Errorf("W2V_SIMD=%s is not one of [portable], which this machine has", name)
	}
	return nil
}

// Kind returns the name of the kernels' instruction set, as in W2V_SIMD.
func Kind() string { return "portable" }

// Kinds returns the names of all kernels that this machine has, the best ones first.
func Kinds() []string { return []string{Kind()} }

func gatherLists(dst Block, data []float32, stride int, lists Lists, ids []uint32) {
	gatherListsPortable(dst, data, stride, lists, ids)
}

func scatterLists(data []float32, stride int, lists Lists, ids []uint32, delta Block) {
	scatterListsPortable(data, stride, lists, ids, delta)
}

func scatterWeighted(data []float32, stride int, lists Lists, ids []uint32, delta Block) {
	scatterWeightedPortable(data, stride, lists, ids, delta)
}

func gatherHalves(dst Block, h Halves, lists Lists, ids []uint32) {
	gatherHalvesPortable(dst, h, lists, ids)
}

func scatterHalves(h Halves, lists Lists, ids []uint32, delta Block, seed uint32) {
	scatterHalvesPortable(h, lists, ids, delta, seed)
}

func prefetchHalves(Halves, []uint32, int) {}

func dotLists(dst, data []float32, stride int, lists Lists, ids []uint32, rows Block) {
	dotListsPortable(dst, data, stride, lists, ids, rows)
}

func prefetch([]float32, int, []uint32, int) {}

func prefetchLists(Lists, []uint32) {}

func prefetchBytes(unsafe.Pointer, int, []uint32) {}

func transpose([]float32, Block) {} // the portable Errors does not need it

func transposed(dst []float32, h Block) { transposedPortable(dst, h) }

func scores(s []float32, h Block, _ []float32, data []float32, stride int, rows []uint32) {
	scoresPortable(s, h, data, stride, rows)
}

func errors(g []float32, h Block, _ []float32, data []float32, stride int, p Pairs, loss bool) float64 {
	return errorsPortable(g, h, data, stride, p, loss)
}

func errorsOfScores(g, scores []float32, stride, parts int, p Pairs, loss bool) float64 {
	return errorsOfScoresPortable(g, scores, stride, parts, p, loss)
}

func addRows(dst, src Rows, cols int, w []float32, kept []uint16) {
	addRowsPortable(dst, src, cols, w, kept)
}

func updateRows(dst, src Rows, cols int, w []float32, kept []uint16) {
	updateRowsPortable(dst, src, cols, w, kept)
}

func multiplyRows(dst, a, b Rows, cols int, triples []Triple) {
	multiplyRowsPortable(dst, a, b, cols, triples)
}

func windows(dst, src Rows, cols int, weights []float32, list []Window, set bool) {
	windowsPortable(dst, src, cols, weights, list, set)
}

func dots(dst []float32, ldd int, a []float32, lda, na int, b []float32, ldb, nb, cols int) {
	dotsPortable(dst, ldd, a, lda, na, b, ldb, nb, cols)
}

func difference(dst, a, b []float32) (ofA, ofDst float32) { return differencePortable(dst, a, b) }

func toEights(dst []byte, x []float32, scale float32) { toEightsPortable(dst, x, scale) }

func addEights(x []float32, e Eights) (largest float32) { return addEightsPortable(x, e) }

func moveEights(x, y []float32, a, b Eights) { moveEightsPortable(x, y, a, b) }
