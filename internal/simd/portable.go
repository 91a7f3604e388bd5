package simd

// The kernels in this file work on matrices that all training workers change
// without locks (Hogwild). Those races are meant, and are kept to here and to the
// same kernels in assembly: a cell is one aligned float32, a worker that reads it
// sees some value that was written, and slice headers are never shared. The race
// detector is told to look away from this file, which is why nothing here calls
// copy or clear.

//go:norace
func gatherPortable(dst, data []float32, stride int, rows []uint32, weights []float32) {
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

//go:norace
func scatterPortable(data []float32, stride int, rows []uint32, delta []float32) {
	for _, r := range rows {
		row := data[int(r)*stride:][:len(delta)]
		for k, d := range delta {
			row[k] += d
		}
	}
}

//go:norace
func errorsPortable(g Block, h Block, data []float32, stride int, rows []uint32, positive bool) float64 {
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

//go:norace
func addRowsPortable(dst, g Block, data []float32, stride int, rows []uint32) {
	for i := range dst.Rows {
		gi := g.Row(i)
		for j, r := range rows {
			if w := gi[j]; w != 0 {
				axpy(dst.Row(i), w, data[int(r)*stride:])
			}
		}
	}
}

//go:norace
func updateRowsPortable(data []float32, stride int, rows []uint32, g, h Block) {
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
