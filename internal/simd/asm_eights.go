//go:build (amd64 || arm64) && !purego

package simd

func difference(dst, a, b []float32) (ofA, ofDst float32) {
	n := len(dst)
	if n == 0 || chosen == portable {
		return differencePortable(dst, a, b)
	}
	_, _ = a[n-1], b[n-1]
	return differenceKernel(&dst[0], &a[0], &b[0], n)
}

func toEights(dst []byte, x []float32, scale float32) {
	n := len(x)
	if n == 0 || chosen == portable {
		toEightsPortable(dst, x, scale)
		return
	}
	_ = dst[n-1]
	toEightsKernel(&dst[0], &x[0], scale, n)
}

func addEights(x []float32, e Eights) (largest float32) {
	n := len(x)
	if n == 0 || chosen == portable {
		return addEightsPortable(x, e)
	}
	_ = e.Bits[n-1]
	return addEightsKernel(&x[0], &e.Bits[0], e.Step, n)
}

func moveEights(x, y []float32, a, b Eights) {
	n := len(x)
	if n == 0 || chosen == portable {
		moveEightsPortable(x, y, a, b)
		return
	}
	_, _, _ = y[n-1], a.Bits[n-1], b.Bits[n-1]
	moveEightsKernel(&x[0], &y[0], &a.Bits[0], &b.Bits[0], a.Step, b.Step, n)
}
