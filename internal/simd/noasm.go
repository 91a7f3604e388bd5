//go:build !(amd64 || arm64) || purego

package simd

func gather(dst, data []float32, stride int, rows []uint32, weights []float32) {
	gatherPortable(dst, data, stride, rows, weights)
}

func scatter(data []float32, stride int, rows []uint32, delta []float32) {
	scatterPortable(data, stride, rows, delta)
}

func prefetch([]float32, int, []uint32, int) {}

func errors(g, h Block, data []float32, stride int, rows []uint32, positive bool) float64 {
	return errorsPortable(g, h, data, stride, rows, positive)
}

func addRows(dst, g Block, data []float32, stride int, rows []uint32) {
	addRowsPortable(dst, g, data, stride, rows)
}

func updateRows(data []float32, stride int, rows []uint32, g, h Block) {
	updateRowsPortable(data, stride, rows, g, h)
}

func dots(dst []float32, ldd int, a []float32, lda, na int, b []float32, ldb, nb, cols int) {
	dotsPortable(dst, ldd, a, lda, na, b, ldb, nb, cols)
}
