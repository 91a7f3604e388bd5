package simd

// Products of small matrices, of which what AddOuter adds to and what the others read as b may
// be all workers'. The kernels that train rows make them, given all rows in their order.

// dense is how many rows of a matrix are named at a time.
const dense = 64

// ascending names rows in their order, and the groups that they are changed in.
type ascending struct {
	ids    [dense]uint32
	groups [dense / 4]Group
}

// name names n rows, which receive so many others.
func (a *ascending) name(n, receive int) (ids []uint32, groups []Group) {
	for i := range n {
		a.ids[i] = uint32(i)
	}
	for i := 0; i < n; i += 4 {
		a.groups[i/4] = Group{int32(i), int32(min(4, n-i)), 0, int32(receive)}
	}
	return a.ids[:n], a.groups[:(n+3)/4]
}

// Gemm sets dst to the product of a and b: row i to the sum of all rows j of b, times number
// j of row i of a. It has as many rows as a, at most Lanes, and none that overlap.
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

// GemmTransposed sets dst to the product of a and b transposed: number j of row i to the dot
// product of row i of a and row j of b.
func GemmTransposed(dst, a, b Block) {
	Dots(dst.Data, dst.Stride, a.Data, a.Stride, a.Rows, b.Data, b.Stride, b.Rows, a.Cols)
}

// AddOuter adds to dst w times the product of a transposed and b: to row i all rows j of b,
// times number i of row j of a. These have at most Lanes rows.
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
