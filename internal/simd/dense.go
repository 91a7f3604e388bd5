package simd

import "math"

// These functions multiply small matrices by the kernels that train rows. The matrix that AddOuter adds
// to, and the b of the others, may be shared by all workers.

// dense is the number of rows of a matrix that are handled at a time.
const dense = 64

// A product is what UpdateRows needs to add up to Lanes rows of a matrix to up to dense rows of another:
// the rows' numbers, the weights of all pairs, and masks by which each row is paired with all of the
// others.
type product struct {
	ids     [dense]uint32
	kept    [dense]uint16
	weights [dense * Lanes]float32
}

// pair names n rows and so many others, and pairs all of them.
func (p *product) pair(n, others int) {
	for j := range max(n, others) {
		p.ids[j], p.kept[j] = uint32(j), 1<<others-1
	}
}

// weigh makes columns first to first+n-1 of a, transposed, the weights of n rows.
func (p *product) weigh(a Block, first, n int) {
	transposed(p.weights[:], Block{Data: a.Data[first:], Rows: a.Rows, Cols: n, Stride: a.Stride})
}

// Gemm sets dst to the matrix product of a and b. dst and a have the same number of rows, at most Lanes.
func Gemm(dst, a, b Block) {
	for i := range dst.Rows {
		clear(dst.Row(i))
	}
	var p product
	for first := 0; first < b.Rows; first += Lanes {
		n := min(Lanes, b.Rows-first)
		p.pair(dst.Rows, n)
		for i := range a.Rows {
			copy(p.weights[i*Lanes:], a.Row(i)[first:first+n])
		}
		UpdateRows(Rows{dst.Data, dst.Stride, p.ids[:dst.Rows]}, Rows{b.Data[first*b.Stride:], b.Stride, p.ids[:n]},
			dst.Cols, p.weights[:], p.kept[:dst.Rows])
	}
}

// GemmTransposed sets dst to the product of a and the transpose of b: number j of row i is the dot product
// of row i of a and row j of b.
func GemmTransposed(dst, a, b Block) {
	Dots(dst.Data, dst.Stride, a.Data, a.Stride, a.Rows, b.Data, b.Stride, b.Rows, a.Cols)
}

// AddOuter adds w times the product of the transpose of a and b to dst. a and b have at most Lanes rows.
func AddOuter(dst, a, b Block, w float32) {
	var p product
	p.pair(min(dense, dst.Rows), b.Rows)
	for first := 0; first < dst.Rows; first += dense {
		n := min(dense, dst.Rows-first)
		p.weigh(a, first, n)
		for i := range p.weights[:n*Lanes] {
			p.weights[i] *= w
		}
		UpdateRows(Rows{dst.Data[first*dst.Stride:], dst.Stride, p.ids[:n]}, Rows{b.Data, b.Stride, p.ids[:b.Rows]},
			dst.Cols, p.weights[:], p.kept[:n])
	}
}

// PeakPart is how many numbers have one peak in MultiplyPeaks and SubtractPeaks.
const PeakPart = 64

// MultiplyPeaks sets dst[i] to a[i]·b[i], and peaks[k] to the largest of the numbers of dst from
// k·PeakPart on, as many as PeakPart or as there are. A and b have at least as many numbers as dst,
// which may be a or b. NaN is not taken for the largest; the peak of NaNs alone is −Inf.
func MultiplyPeaks(dst, a, b, peaks []float32) {
	done := multiplyPeaks(dst, a, b, peaks)
	dst, a, b, peaks = rest(dst, done), rest(a, done), rest(b, done), peaks[done:]
	for k := 0; len(dst) > 0; k++ {
		n := min(PeakPart, len(dst))
		for i, x := range a[:n] {
			dst[i] = x * b[i]
		}
		peaks[k] = peak(dst[:n])
		dst, a, b = dst[n:], a[n:], b[n:]
	}
}

// SubtractPeaks is MultiplyPeaks for a[i] − b[i].
func SubtractPeaks(dst, a, b, peaks []float32) {
	done := subtractPeaks(dst, a, b, peaks)
	dst, a, b, peaks = rest(dst, done), rest(a, done), rest(b, done), peaks[done:]
	for k := 0; len(dst) > 0; k++ {
		n := min(PeakPart, len(dst))
		for i, x := range a[:n] {
			dst[i] = x - b[i]
		}
		peaks[k] = peak(dst[:n])
		dst, a, b = dst[n:], a[n:], b[n:]
	}
}

// rest returns what follows so many parts.
func rest(row []float32, parts int) []float32 { return row[parts*PeakPart:] }

// peak returns the largest number that is not NaN.
func peak(row []float32) float32 {
	most := float32(math.Inf(-1))
	for _, x := range row {
		if x > most {
			most = x
		}
	}
	return most
}
