package sgns

import (
	"runtime"

	"golang.org/x/sync/errgroup"

	"github.com/w2v-go/w2v/sgns/internal/random"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
)

// initialise sets the input rows to their values before training. Every word
// and bucket has initial numbers uniform in ±bound, which depend on the seed and
// on nothing but that word's or bucket's number; a row that stands for several
// starts as their mean.
func initialise(input vectors.Matrix, table *subword.Table, seed uint64, bound float32) {
	size := make([]uint32, input.Rows)
	for _, row := range table.Members {
		size[row]++
	}
	var g errgroup.Group
	workers := runtime.GOMAXPROCS(0)
	for part := range workers {
		first, last := input.Rows*part/workers, input.Rows*(part+1)/workers
		g.Go(func() error {
			for member, row := range table.Members {
				if int(row) < first || int(row) >= last {
					continue
				}
				r := random.Stream(seed, uint64(member))
				share := bound / float32(size[row])
				start := input.Row(int(row))
				for k := range start {
					start[k] += share * r.Uniform()
				}
			}
			return nil
		})
	}
	_ = g.Wait() // cannot fail
}
