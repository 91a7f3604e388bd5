// Package simd holds the float32 kernels of training and search.
//
// A matrix is given as its numbers and its stride: row r starts at
// data[r*stride]. Rows have as many numbers as the caller's own rows. The rows
// that are named must be there: kernels do not check.
//
// The portable kernels, in Go, say what each kernel computes. On amd64 and arm64
// the same is done in assembly, which may add in another order. Only Errors promises
// that what has weight 0 is not looked at; elsewhere 0 times infinity may be added.
package simd

// A Block is a few consecutive rows of a worker's own, at most 64: row i starts at
// Data[i*Stride] and has Cols numbers.
type Block struct {
	Data               []float32
	Rows, Cols, Stride int
}

// Row returns row i, which is not copied.
func (b Block) Row(i int) []float32 { return b.Data[i*b.Stride:][:b.Cols] }

// Slice returns rows first to last-1.
func (b Block) Slice(first, last int) Block {
	b.Data, b.Rows = b.Data[first*b.Stride:], last-first
	return b
}

// Gather sets dst to the sum of the given rows, each times its weight.
func Gather(dst, data []float32, stride int, rows []uint32, weights []float32) {
	gather(dst, data, stride, rows, weights)
}

// Scatter adds delta to each of the given rows, to a row that is listed twice
// twice.
func Scatter(data []float32, stride int, rows []uint32, delta []float32) {
	scatter(data, stride, rows, delta)
}

// Prefetch asks for the first cols numbers of the given rows to be brought near.
func Prefetch(data []float32, stride int, rows []uint32, cols int) {
	prefetch(data, stride, rows, cols)
}

// Errors turns the weights in g into the errors of logistic regression. With s
// the dot product of row i of h and row rows[j] of the matrix, the weight w in
// row i, column j of g becomes w·(1−σ(s)) if the pairs are positive, else −w·σ(s):
// minus the derivative by s of w times the pair's loss, −log σ(s) or −log σ(−s).
// It returns the sum of w times loss. Pairs of weight 0 have error 0, whatever s.
func Errors(g, h Block, data []float32, stride int, rows []uint32, positive bool) float64 {
	return errors(g, h, data, stride, rows, positive)
}

// AddRows adds to each row i of dst the matrix rows, row rows[j] times g[i, j].
func AddRows(dst, g Block, data []float32, stride int, rows []uint32) {
	addRows(dst, g, data, stride, rows)
}

// UpdateRows adds to each matrix row rows[j] the rows of h, row i times g[i, j].
// A row that is listed twice receives both sums.
func UpdateRows(data []float32, stride int, rows []uint32, g, h Block) {
	updateRows(data, stride, rows, g, h)
}

// Dots sets dst[i*ldd+j] to the dot product of row i of a and row j of b, for
// na rows of a and nb rows of b. Row i of a starts at a[i*lda], row j of b at
// b[j*ldb]; both have cols numbers. The result for two rows does not depend on
// what is computed with them.
func Dots(dst []float32, ldd int, a []float32, lda, na int, b []float32, ldb, nb, cols int) {
	dots(dst, ldd, a, lda, na, b, ldb, nb, cols)
}
