package simd

// These functions multiply small matrices by the kernels that train rows. The matrix that AddOuter adds
// to, and the b of the others, may be shared by all workers.

// dense is the number of rows of a matrix that are handled at a time.
const dense = 64

// ascending lists consecutive rows, and the groups in which they are changed.
type ascending struct {
	ids    [dense]uint32
	groups [dense / 4]Group
}

// name lists the first n rows, and groups in which receive rows are added to each of them.
func (a *ascending) name(n, receive int) (ids []uint32, groups []Group) {
	for i := range n {
		a.ids[i] = uint32(i)
	}
	for i := 0; i < n; i += 4 {
		a.groups[i/4] = Group{int32(i), int32(min(4, n-i)), 0, int32(receive)}
	}
	return a.ids[:n], a.groups[:(n+3)/4]
}

// Gemm sets dst to the matrix product of a and b. dst and a have the same number of rows, at most Lanes.
func Gemm(dst, a, b Block) {
	for i := range dst.Rows {
		clear(dst.Row(i))
	}
	var to, from ascending
	for first := 0; first < b.Rows; first += dense {
		n := min(dense, b.Rows-first)
		rows, groups := to.name(dst.Rows, n)
		each, _ := from.name(n, 0)
		update(Rows{dst.Data, dst.Stride, rows}, Rows{b.Data[first*b.Stride:], b.Stride, each},
			dst.Cols, a.Data[first:], a.Stride, 1, groups, false)
	}
}

// GemmTransposed sets dst to the product of a and the transpose of b: number j of row i is the dot product
// of row i of a and row j of b.
func GemmTransposed(dst, a, b Block) {
	Dots(dst.Data, dst.Stride, a.Data, a.Stride, a.Rows, b.Data, b.Stride, b.Rows, a.Cols)
}

// AddOuter adds w times the product of the transpose of a and b to dst. a and b have at most Lanes rows.
func AddOuter(dst, a, b Block, w float32) {
	var to, from ascending
	var weights [dense * Lanes]float32
	each, _ := from.name(b.Rows, 0)
	for first := 0; first < dst.Rows; first += dense {
		n := min(dense, dst.Rows-first)
		for j := range a.Rows {
			for i, x := range a.Row(j)[first : first+n] {
				weights[i*Lanes+j] = w * x
			}
		}
		rows, groups := to.name(n, b.Rows)
		update(Rows{dst.Data[first*dst.Stride:], dst.Stride, rows}, Rows{b.Data, b.Stride, each},
			dst.Cols, weights[:], Lanes, 1, groups, false)
	}
}
