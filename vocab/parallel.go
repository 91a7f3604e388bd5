package vocab

import (
	"runtime"
	"slices"
	"sync"
)

// inParts cuts 0…n-1 into a part for each core, and calls work for them in parallel.
func inParts(n int, work func(first, last int)) {
	var g sync.WaitGroup
	parts := runtime.GOMAXPROCS(0)
	for k := range parts {
		g.Go(func() { work(n*k/parts, n*(k+1)/parts) })
	}
	g.Wait()
}

// fewToSort is how many things one core sorts in less time than others would help.
const fewToSort = 1 << 14

// sortInParallel sorts x on up to so many cores, a power of two. Scratch is as long as x.
func sortInParallel[T any](x, scratch []T, cores int, compare func(a, b T) int) {
	if cores < 2 || len(x) < fewToSort {
		slices.SortFunc(x, compare)
		return
	}
	half := len(x) / 2
	var g sync.WaitGroup
	g.Go(func() { sortInParallel(x[:half], scratch[:half], cores/2, compare) })
	sortInParallel(x[half:], scratch[half:], cores/2, compare)
	g.Wait()
	copy(scratch, x)
	a, b := scratch[:half], scratch[half:]
	for i := range x {
		if len(b) == 0 || len(a) > 0 && compare(a[0], b[0]) <= 0 {
			x[i], a = a[0], a[1:]
		} else {
			x[i], b = b[0], b[1:]
		}
	}
}
