package vocab

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestSortInParallel(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	for _, n := range []int{0, 1, 2, fewToSort - 1, fewToSort, 5*fewToSort + 3} {
		for _, cores := range []int{1, 2, 8} {
			x := make([]int, n)
			for i := range x {
				x[i] = random.IntN(n)
			}
			want := slices.Sorted(slices.Values(x))
			sortInParallel(x, make([]int, n), cores, cmp.Compare[int])
			if !slices.Equal(x, want) {
				t.Errorf("%d numbers on %d cores are not sorted", n, cores)
			}
		}
	}
}
