//go:build !amd64 || purego

package simd

// Other processors have no kernels for Eights: ranks that exchange what they have trained alone need them.

func difference(dst, a, b []float32) (ofA, ofDst float32) { return differencePortable(dst, a, b) }
func toEights(dst []byte, x []float32, scale float32)     { toEightsPortable(dst, x, scale) }
func addEights(x []float32, e Eights) (largest float32)   { return addEightsPortable(x, e) }
func moveEights(x, y []float32, a, b Eights)              { moveEightsPortable(x, y, a, b) }
