package simd

// Meet merges a worker's own copy of a row, the copy as it was when they met last, and the row, which other
// workers may be changing. With d = own − began and o = row − began, all three become
// row + d − max(0, d·o)/(o·o)·o.
func Meet(own, began, row []float32) {
	n := len(own)
	if n == 0 || chosen == portable {
		meetPortable(own, began, row)
		return
	}
	_, _ = began[n-1], row[n-1]
	together, others := agreeKernel(&own[0], &began[0], &row[0], n)
	meetKernel(&own[0], &began[0], &row[0], left(together, others), n)
}

// left returns which part of the others' change is left out of a worker's own.
func left(together, others float32) float32 {
	if together > 0 && others > 0 {
		return together / others
	}
	return 0
}

//go:norace
func meetPortable(own, began, row []float32) {
	began, row = began[:len(own)], row[:len(own)]
	var together, others float32
	for k, was := range began {
		by := row[k] - was
		together += (own[k] - was) * by
		others += by * by
	}
	part := left(together, others)
	for k, was := range began {
		is := row[k]
		x := is + (own[k] - was) - float32(part*(is-was))
		own[k], began[k], row[k] = x, x, x
	}
}
