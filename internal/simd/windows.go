package simd

// A Window is a run of consecutive rows, without one of them, whose sum is added to a row.
type Window struct {
	// Row is the row to which the sum is added; if it is negative, the sum is dropped.
	Row int32
	// The window consists of the rows From … To-1 without Except, which is one of them, or negative.
	From, To, Except int32
	// Weight multiplies the sum.
	Weight float32
}

// AddWindows adds the sum of each window, times its Weight, to row Row of dst. In the sum, row j of src is
// multiplied by weights[j]. Windows are handled in order. Several windows may name the same row of dst,
// but rows of dst and src must not overlap.
//
// The sum of a window is made from the sum of the window before it: rows that left the window are
// subtracted and new rows are added. So the time for a window does not depend on its width. The price is
// precision: if a row of src has a number that is not finite, it may spread, in its column, to all
// later windows. A new sum begins where From or To goes back, or where two windows have no row in
// common. A window whose Row is negative counts for the sums of later windows as any other, to the last
// bit.
func AddWindows(dst, src Rows, cols int, weights []float32, list []Window) {
	windows(dst, src, cols, weights, list, false)
}

// SetWindows is like AddWindows, but overwrites rows of dst instead of adding to them. If several windows
// name the same row, the last one counts. Rows that no window names stay as they are.
func SetWindows(dst, src Rows, cols int, weights []float32, list []Window) {
	windows(dst, src, cols, weights, list, true)
}
