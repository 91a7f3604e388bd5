package simd

// The kernels in this file work on matrices that all training workers change
// without locks (Hogwild). Those races are meant, and are kept to here: a cell
// is one aligned float32, a worker that reads it sees some value that was
// written, and slice headers are never shared. The race detector is told to look
// away from this file, which is why nothing here calls copy or clear.
//
// A matrix is given as its numbers and its stride: row r starts at
// data[r*stride]. Rows have as many numbers as the caller's own rows.

// Gather sets dst to the sum of the given rows, each times its weight.
//
//go:norace
func Gather(dst, data []float32, stride int, rows []uint32, weights []float32) {
	for k := range dst {
		dst[k] = 0
	}
	for i, r := range rows {
		row := data[int(r)*stride:][:len(dst)]
		w := weights[i]
		for k := range dst {
			dst[k] += w * row[k]
		}
	}
}

// Scatter adds delta to each of the given rows.
//
//go:norace
func Scatter(data []float32, stride int, rows []uint32, delta []float32) {
	for _, r := range rows {
		row := data[int(r)*stride:][:len(delta)]
		for k, d := range delta {
			row[k] += d
		}
	}
}

// A Block is a few consecutive rows of a worker's own: row i starts at
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

// Errors turns the weights in g into the errors of logistic regression. With s
// the dot product of row i of h and row rows[j] of the matrix, the weight w in
// row i, column j of g becomes w·(1−σ(s)) if the pairs are positive, else −w·σ(s):
// minus the derivative by s of w times the pair's loss, −log σ(s) or −log σ(−s).
// It returns the sum of w times loss. Pairs of weight 0 have error 0, whatever s.
//
//go:norace
func Errors(g Block, h Block, data []float32, stride int, rows []uint32, positive bool) float64 {
	sign := float32(-1)
	if positive {
		sign = 1
	}
	var sum float64
	for i := range h.Rows {
		hi, gi := h.Row(i), g.Row(i)
		for j, r := range rows {
			w := gi[j]
			if w == 0 {
				continue
			}
			sigma, loss := logistic(-sign * dot(hi, data[int(r)*stride:][:len(hi)]))
			sum += float64(w * loss)
			gi[j] = sign * w * sigma
		}
	}
	return sum
}

// AddRows adds to each row i of dst the matrix rows, row rows[j] times g[i, j].
//
//go:norace
func AddRows(dst, g Block, data []float32, stride int, rows []uint32) {
	for i := range dst.Rows {
		gi := g.Row(i)
		for j, r := range rows {
			if w := gi[j]; w != 0 {
				axpy(dst.Row(i), w, data[int(r)*stride:])
			}
		}
	}
}

// UpdateRows adds to each matrix row rows[j] the rows of h, row i times g[i, j].
// A row that is listed twice receives both sums.
//
//go:norace
func UpdateRows(data []float32, stride int, rows []uint32, g, h Block) {
	for j, r := range rows {
		row := data[int(r)*stride:][:h.Cols]
		for i := range h.Rows {
			if w := g.Data[i*g.Stride+j]; w != 0 {
				axpy(row, w, h.Row(i))
			}
		}
	}
}

//go:norace
func dot(a, b []float32) float32 {
	b = b[:len(a)]
	var s0, s1, s2, s3 float32
	k := 0
	for ; k+4 <= len(a); k += 4 {
		x, y := a[k:k+4:k+4], b[k:k+4:k+4]
		s0 += x[0] * y[0]
		s1 += x[1] * y[1]
		s2 += x[2] * y[2]
		s3 += x[3] * y[3]
	}
	for ; k < len(a); k++ {
		s0 += a[k] * b[k]
	}
	return (s0 + s1) + (s2 + s3)
}

//go:norace
func axpy(dst []float32, w float32, src []float32) {
	src = src[:len(dst)]
	k := 0
	for ; k+4 <= len(dst); k += 4 {
		d, s := dst[k:k+4:k+4], src[k:k+4:k+4]
		d[0] += w * s[0]
		d[1] += w * s[1]
		d[2] += w * s[2]
		d[3] += w * s[3]
	}
	for ; k < len(dst); k++ {
		dst[k] += w * src[k]
	}
}
