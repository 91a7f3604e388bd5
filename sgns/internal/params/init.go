package params

import (
	"iter"
	"runtime"
	"sync"

	"github.com/w2v-go/w2v/sgns/internal/random"
	"github.com/w2v-go/w2v/vectors"
)

// Uniform returns an Init of rows that stand for members, words and buckets. Every member
// has initial numbers uniform in ±bound, which depend on the seed and on that member's number
// and on nothing else. A row that stands for several members starts as their mean.
func Uniform(members iter.Seq2[int, uint32], bound float32) func(rows vectors.Matrix, seed uint64) {
	return func(rows vectors.Matrix, seed uint64) {
		size := make([]uint32, rows.Rows)
		for _, row := range members {
			size[row]++
		}
		var g sync.WaitGroup
		workers := runtime.GOMAXPROCS(0)
		for part := range workers {
			first, last := rows.Rows*part/workers, rows.Rows*(part+1)/workers
			g.Go(func() {
				for member, row := range members {
					if int(row) < first || int(row) >= last {
						continue
					}
					Change(rows, int(row), func(numbers []float32) {
						UniformRow(numbers, seed, uint64(member), bound/float32(size[row]))
					})
				}
			})
		}
		g.Wait()
	}
}

// Ones is an Init that sets all numbers to 1.
func Ones(rows vectors.Matrix, _ uint64) {
	for r := range rows.Rows {
		row := rows.Row(r)
		for k := range row {
			row[k] = 1
		}
	}
}

// UniformRow adds to a row a member's random numbers up to bound.
func UniformRow(row []float32, seed, member uint64, bound float32) {
	r := random.Stream(seed, member)
	for k := range row {
		row[k] += bound * r.Uniform()
	}
}
