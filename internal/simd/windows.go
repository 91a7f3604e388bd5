package simd

// A Window is a run of consecutive rows, but for one of them, whose sum is added to a row.
type Window struct {
	// Row is the number of the row that gets the sum, or negative for none.
	Row int32
	// Of the rows From … To-1, Except is left out. It is one of these, or negative for none.
	From, To, Except int32
	// Weight is what the sum is multiplied by.
	Weight float32
}

// AddWindows adds to row Row of dst, for each window in order, Weight times the sum of the rows
// From … To-1 of src but Except, each times its own weight: row j times weights[j]. More than one
// window may name a row of dst, but rows of dst and of src must not overlap.
//
// The sum of a window, before Except is taken from it, is that of the window before with the rows
// taken that are left behind and those added that are new, so that a window takes as long whatever
// its width. It is as exact as that: what is not a finite number may spread, in its column, from a
// row of src to all windows behind the first that it is in. Only where From or To goes back, or no
// row is in both, a sum begins anew. Windows behind one that is for
// no row are the same, to the last bit, as if it were for one.
func AddWindows(dst, src Rows, cols int, weights []float32, list []Window) {
	windows(dst, src, cols, weights, list, false)
}

// SetWindows is AddWindows, but sets a row of dst to what that would add to it, whatever it was.
// Rows that no window names stay as they are; of windows that name the same row, the last counts.
func SetWindows(dst, src Rows, cols int, weights []float32, list []Window) {
	windows(dst, src, cols, weights, list, true)
}
