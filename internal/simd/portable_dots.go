package simd

// The race detector ignores this function too: one of the matrices may be a projection that all workers
// change.
//
//go:norace
func dotsPortable(dst []float32, ldd int, a []float32, lda, na int, b []float32, ldb, nb, cols int) {
	i := 0
	for ; i+2 <= na; i += 2 {
		a0 := a[i*lda:][:cols]
		a1 := a[(i+1)*lda:][:cols]
		j := 0
		for ; j+2 <= nb; j += 2 {
			b0 := b[j*ldb:][:len(a0)]
			b1 := b[(j+1)*ldb:][:len(a0)]
			a1 := a1[:len(a0)]
			var s00, s01, s10, s11 float32
			for k, x := range a0 {
				y := a1[k]
				s00 += x * b0[k]
				s01 += x * b1[k]
				s10 += y * b0[k]
				s11 += y * b1[k]
			}
			dst[i*ldd+j], dst[i*ldd+j+1] = s00, s01
			dst[(i+1)*ldd+j], dst[(i+1)*ldd+j+1] = s10, s11
		}
		for ; j < nb; j++ {
			b0 := b[j*ldb:][:len(a0)]
			a1 := a1[:len(a0)]
			var s0, s1 float32
			for k, x := range a0 {
				s0 += x * b0[k]
				s1 += a1[k] * b0[k]
			}
			dst[i*ldd+j], dst[(i+1)*ldd+j] = s0, s1
		}
	}
	for ; i < na; i++ {
		a0 := a[i*lda:][:cols]
		for j := range nb {
			b0 := b[j*ldb:][:len(a0)]
			var s float32
			for k, x := range a0 {
				s += x * b0[k]
			}
			dst[i*ldd+j] = s
		}
	}
}
