package simd

// Cells that are alone, here and there in a matrix, are nothing to compute side by side.
// As elsewhere, other workers may read and change them at the same time.

// Pick sets dst[i] to cells[at[i]].
//
//go:norace
func Pick(dst, cells []float32, at []uint32) {
	for i, c := range at {
		dst[i] = cells[c]
	}
}

// AddAt adds x[i] to cells[at[i]], to a cell that is named twice twice.
//
//go:norace
func AddAt(cells []float32, at []uint32, x []float32) {
	for i, c := range at {
		cells[c] += x[i]
	}
}
