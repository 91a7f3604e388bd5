package simd

import "math/bits"

// The kernels in this file work on matrices that all training workers change without locks (Hogwild).
// These races are intended. They occur only here and in the same kernels in assembly: a cell is one
// aligned float32, a worker that reads it sees some value that was written, and slice headers are never
// shared. The race detector ignores the functions of this file. That is why they do not call copy or
// clear, which it would see.

//go:norace
func gatherListsPortable(dst Block, data []float32, stride int, lists Lists, ids []uint32) {
	for i, id := range ids {
		to := dst.Row(i)
		for k := range to {
			to[k] = 0
		}
		first, last := lists.Starts[id], lists.Starts[id+1]
		for e := first; e < last; e++ {
			axpy(to, lists.Weights[e], data[int(lists.Rows[e])*stride:])
		}
	}
}

//go:norace
func scatterListsPortable(data []float32, stride int, lists Lists, ids []uint32, delta Block) {
	for i, id := range ids {
		for _, r := range lists.Rows[lists.Starts[id]:lists.Starts[id+1]] {
			row := data[int(r)*stride:][:delta.Cols]
			for k, d := range delta.Row(i) {
				row[k] += d
			}
		}
	}
}

//go:norace
func scatterWeightedPortable(data []float32, stride int, lists Lists, ids []uint32, delta Block) {
	for i, id := range ids {
		for e := lists.Starts[id]; e < lists.Starts[id+1]; e++ {
			axpy(data[int(lists.Rows[e])*stride:][:delta.Cols], lists.Weights[e], delta.Row(i))
		}
	}
}

//go:norace
func dotListsPortable(dst, data []float32, stride int, lists Lists, ids []uint32, rows Block) {
	n := 0
	for i, id := range ids {
		for _, r := range lists.Rows[lists.Starts[id]:lists.Starts[id+1]] {
			dst[n] = dot(rows.Row(i), data[int(r)*stride:][:rows.Cols])
			n++
		}
	}
}

//go:norace
func transposedPortable(dst []float32, h Block) {
	for i := range h.Rows {
		for k, x := range h.Row(i) {
			dst[k*Lanes+i] = x
		}
	}
}

//go:norace
func scoresPortable(s []float32, h Block, data []float32, stride int, rows []uint32) {
	for j, r := range rows {
		for i := range h.Rows {
			s[j*Lanes+i] = dot(h.Row(i), data[int(r)*stride:][:h.Cols])
		}
	}
}

//go:norace
func errorsPortable(g []float32, h Block, data []float32, stride int, p Pairs, loss bool) (sum float64) {
	u := p.Rounding.start()
	for j, r := range p.Rows {
		errors := p.noErrors(g, j)
		for with := uint(p.With[j]); with != 0; with &= with - 1 {
			i := bits.TrailingZeros(with)
			sum += p.error(errors, j, i, dot(h.Row(i), data[int(r)*stride:][:h.Cols]), &u, loss)
		}
		u.next()
	}
	return sum
}

func errorsOfScoresPortable(g, scores []float32, stride, parts int, p Pairs, loss bool) (sum float64) {
	u := p.Rounding.start()
	for j := range p.Rows {
		errors := p.noErrors(g, j)
		for with := uint(p.With[j]); with != 0; with &= with - 1 {
			i := bits.TrailingZeros(with)
			score := scores[j*Lanes+i]
			for part := 1; part < parts; part++ {
				score += scores[part*stride+j*Lanes+i]
			}
			sum += p.error(errors, j, i, score, &u, loss)
		}
		u.next()
	}
	return sum
}

// noErrors sets the errors of row j to 0 and returns them. None are kept.
func (p Pairs) noErrors(g []float32, j int) []float32 {
	p.Kept[j] = 0
	errors := g[j*Lanes:][:Lanes]
	for i := range errors {
		errors[i] = 0
	}
	return errors
}

// error sets the error of a pair of row j and row i of the block and returns, if it is asked for, the loss.
func (p Pairs) error(errors []float32, j, i int, score float32, u *uniforms, loss bool) (lost float64) {
	sign := float32(-1)
	if p.Positive {
		sign = 1
	}
	x := -sign * score
	sigma, e := logistic(x)
	if loss {
		lost = float64(p.Weights[i] * (max(x, 0) + log(1+e)))
	}
	rounded, kept := p.Rounding.round(sigma, p.Rounding.limit(u, i))
	if kept {
		errors[i] = sign * p.Weights[i] * rounded
		p.Kept[j] |= 1 << i
	}
	return lost
}

//go:norace
func addRowsPortable(dst, src Rows, cols int, w []float32, kept []uint16) {
	for j, mask := range kept {
		for ; mask != 0; mask &= mask - 1 {
			i := bits.TrailingZeros16(mask)
			axpy(dst.Data[int(dst.IDs[i])*dst.Stride:][:cols], w[j*Lanes+i], src.Data[int(src.IDs[j])*src.Stride:])
		}
	}
}

//go:norace
func updateRowsPortable(dst, src Rows, cols int, w []float32, kept []uint16) {
	for j, mask := range kept {
		for ; mask != 0; mask &= mask - 1 {
			i := bits.TrailingZeros16(mask)
			axpy(dst.Data[int(dst.IDs[j])*dst.Stride:][:cols], w[j*Lanes+i], src.Data[int(src.IDs[i])*src.Stride:])
		}
	}
}

//go:norace
func multiplyRowsPortable(dst, a, b Rows, cols int, triples []Triple) {
	for _, t := range triples {
		to := dst.Data[int(dst.IDs[t.Dst])*dst.Stride:][:cols]
		x := a.Data[int(a.IDs[t.A])*a.Stride:][:len(to)]
		y := b.Data[int(b.IDs[t.B])*b.Stride:][:len(to)]
		for k := range to {
			to[k] += t.Weight * x[k] * y[k]
		}
	}
}

//go:norace
func windowsPortable(dst, src Rows, cols int, weights []float32, list []Window, set bool) {
	var sums [128]float32 // for as many columns at a time
	for first := 0; first < cols; first += len(sums) {
		sum := sums[:min(len(sums), cols-first)]
		part := func(of Rows, i int32) []float32 { return of.Data[int(of.IDs[i])*of.Stride+first:][:len(sum)] }
		from, to := int32(0), int32(0) // the rows whose sum it is
		for _, w := range list {
			if w.From < from || w.From >= to || w.To < to {
				for k := range sum {
					sum[k] = 0
				}
				from, to = w.From, w.From
			}
			for ; from < w.From; from++ {
				axpy(sum, -weights[from], part(src, from))
			}
			for ; to < w.To; to++ {
				axpy(sum, weights[to], part(src, to))
			}
			if w.Row < 0 {
				continue
			}
			row := part(dst, w.Row)
			if set {
				for k := range row {
					row[k] = 0
				}
			}
			axpy(row, w.Weight, sum)
			if w.Except >= 0 {
				axpy(row, -w.Weight*weights[w.Except], part(src, w.Except))
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
