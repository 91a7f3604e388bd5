package simd

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
