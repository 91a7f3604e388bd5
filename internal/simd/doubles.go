package simd

// WeightedMean sets dst to Σ weights[i]·row rows[i] / count, computed in float64, product by product and row by row, and rounded
// to float32 at the end. Every kernel gives the same bits. Rows and dst have a whole number of groups of 16 numbers; sum is
// scratch memory of as many numbers.
func WeightedMean(dst []float32, sum []float64, data []float32, stride int, rows []uint32, weights []float64, count float64) {
	if n := len(dst); n%Lanes != 0 || len(sum) < n {
		panic("simd: rows of a weighted mean are groups of 16 numbers")
	}
	if len(dst) == 0 {
		return
	}
	if chosen != portable && len(rows) > 0 {
		_ = weights[len(rows)-1]
		if weightedMeanKernel(&dst[0], &data[0], stride*float, &rows[0], &weights[0], len(rows), len(dst)/Lanes, count) {
			return
		}
	}
	sum = sum[:len(dst)]
	clear(sum)
	for i, r := range rows {
		weight := weights[i]
		for k, x := range data[int(r)*stride:][:len(sum)] {
			sum[k] += float64(weight * float64(x))
		}
	}
	for k, x := range sum {
		dst[k] = float32(x / count)
	}
}
