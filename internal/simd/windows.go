package simd

// A Window is a run of consecutive rows, but for one of them, whose sum is added to a row.
type Window struct {
	// Row is the number of the row that gets the sum.
	Row int32
	// Of the rows From … To-1, Except is left out. It is one of these, or negative for none.
	From, To, Except int32
	// Weight is what the sum is multiplied by.
	Weight float32
}

// WindowScratch is how many numbers of scratch AddWindows and SetWindows want for each row of
// src, and for one more. They work on as many columns at a time.
const WindowScratch = 64

// AddWindows adds to row Row of dst, for each window in order, Weight times the sum of the rows
// From … To-1 of src but Except, each times its own weight: row j times weights[j]. More than one
// window may name a row of dst, but rows of dst and of src must not overlap.
//
// scratch has room for (len(src.IDs)+1)·WindowScratch numbers, which mean nothing before or
// after; it is best aligned to 64 bytes.
//
// Sums are differences of the sums of all rows before From and before To, so that a window takes
// as long whatever its width. They are as exact as those: what is not a finite number in a row of
// src may spread, in its column, to all windows whose To is behind it, even if they leave it out.
// Each number of src is read once.
func AddWindows(dst, src Rows, cols int, weights []float32, list []Window, scratch []float32) {
	windows(dst, src, cols, weights, list, scratch, false)
}

// SetWindows is AddWindows, but sets a row of dst to what that would add to it, whatever it was.
// Rows that no window names stay as they are; of windows that name the same row, the last counts.
func SetWindows(dst, src Rows, cols int, weights []float32, list []Window, scratch []float32) {
	windows(dst, src, cols, weights, list, scratch, true)
}
