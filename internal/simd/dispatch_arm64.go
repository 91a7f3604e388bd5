//go:build arm64 && !purego

package simd

const neon isa = "neon"

// available lists what this machine can run, best last. All that Go runs on have
// NEON.
func available() []isa { return []isa{portable, neon} }

// dotsKernel is Dots for nh ≥ 1 rows of h and n ≥ 1 of data; strides are in bytes.
//
//go:noescape
func dotsKernel(out *float32, outStride int, h *float32, hStride, nh int, data *float32, stride, n, cols int)

// errorsKernel is Errors for nh ≥ 1 rows of h and n ≥ 1 of the matrix. Strides are
// in bytes; sign is the sign bit if the pairs are positive, else 0.
//
//go:noescape
func errorsKernel(out *float32, outStride int, h *float32, hStride, nh int, data *float32, stride int, rows *uint32, n, cols int, sign uint32) float32

// rankUpdateKernel adds to each of nd ≥ 1 rows of dst the ns ≥ 1 rows of src, row j
// times the number at w + i·wDst + j·wSrc for row i. Strides are in bytes. Rows of
// dst that are updated together, four from a multiple of four on, must differ.
//
//go:noescape
func rankUpdateKernel(dst *float32, dstStride int, dstRows *uint32, nd int, src *float32, srcStride int, srcRows *uint32, ns int, w *float32, wDst, wSrc, cols int)

// gatherKernel is Gather for n ≥ 1 rows of cols ≥ 1 numbers; stride is in bytes.
//
//go:noescape
func gatherKernel(dst, data *float32, stride int, rows *uint32, weights *float32, n, cols int)

// scatterKernel is Scatter for n ≥ 1 rows of cols ≥ 1 numbers; stride is in bytes.
//
//go:noescape
func scatterKernel(data *float32, stride int, rows *uint32, delta *float32, n, cols int)

// prefetchKernel asks for n ≥ 1 rows of cols ≥ 1 numbers to be brought near; stride
// is in bytes.
//
//go:noescape
func prefetchKernel(data *float32, stride int, rows *uint32, n, cols int)
