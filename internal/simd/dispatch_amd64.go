//go:build amd64 && !purego

package simd

import "golang.org/x/sys/cpu"

const (
	avx2   isa = "avx2"
	avx512 isa = "avx512"
)

// available lists what this machine can run, best last.
func available() []isa {
	list := []isa{portable}
	if cpu.X86.HasAVX2 && cpu.X86.HasFMA && cpu.X86.HasBMI2 {
		list = append(list, avx2)
		if cpu.X86.HasAVX512F && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512VL {
			list = append(list, avx512)
		}
	}
	return list
}

func gatherKernel(dst, data *float32, stride int, rows *uint32, weights *float32, n, cols int) {
	if chosen == avx512 {
		gatherAVX512(dst, data, stride, rows, weights, n, cols)
		return
	}
	gatherAVX2(dst, data, stride, rows, weights, n, cols)
}

func scatterKernel(data *float32, stride int, rows *uint32, delta *float32, n, cols int) {
	if chosen == avx512 {
		scatterAVX512(data, stride, rows, delta, n, cols)
		return
	}
	scatterAVX2(data, stride, rows, delta, n, cols)
}

func errorsKernel(out *float32, outStride int, h *float32, hStride, nh int, data *float32, stride int, rows *uint32, n, cols int, sign uint32) float32 {
	if chosen == avx512 {
		return errorsAVX512(out, outStride, h, hStride, nh, data, stride, rows, n, cols, sign)
	}
	return errorsAVX2(out, outStride, h, hStride, nh, data, stride, rows, n, cols, sign)
}

func rankUpdateKernel(dst *float32, dstStride int, dstRows *uint32, nd int, src *float32, srcStride int, srcRows *uint32, ns int, w *float32, wDst, wSrc, cols int) {
	if chosen == avx512 {
		rankUpdateAVX512(dst, dstStride, dstRows, nd, src, srcStride, srcRows, ns, w, wDst, wSrc, cols)
		return
	}
	rankUpdateAVX2(dst, dstStride, dstRows, nd, src, srcStride, srcRows, ns, w, wDst, wSrc, cols)
}

func dotsKernel(out *float32, outStride int, h *float32, hStride, nh int, data *float32, stride, n, cols int) {
	if chosen == avx512 {
		dotsAVX512(out, outStride, h, hStride, nh, data, stride, n, cols)
		return
	}
	dotsAVX2(out, outStride, h, hStride, nh, data, stride, n, cols)
}
