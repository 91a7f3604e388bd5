package sgns

import (
	"math"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vocab"
)

// parameters are what the workers share. Rows are changed without locks.
type parameters struct {
	input  vectors.Matrix
	output vectors.Matrix
	table  *subword.Table // which input rows make up each word
	noise  *vocab.Alias

	// Rows that stay as they are; nil for none.
	frozenInput, frozenOutput []bool
}

// alike allocates parameters of the same shape.
func (p parameters) alike() parameters {
	return parameters{
		input:  vectors.NewMatrix(p.input.Rows, p.input.Cols),
		output: vectors.NewMatrix(p.output.Rows, p.input.Cols),
		table:  p.table,
		noise:  p.noise,
	}
}

// copyFrom makes these parameters those of another of the same shape.
func (p parameters) copyFrom(other parameters) {
	inRuns(len(p.input.Data), func(first, last int) { copy(p.input.Data[first:last], other.input.Data[first:last]) })
	inRuns(len(p.output.Data), func(first, last int) { copy(p.output.Data[first:last], other.output.Data[first:last]) })
}

// finite reports whether all parameters are numbers.
func (p parameters) finite() bool { return finite(p.input.Data) && finite(p.output.Data) }

// finite reports whether all of x are numbers.
func finite(x []float32) bool {
	var bad atomic.Bool
	inRuns(len(x), func(first, last int) {
		const exponent = 0xff << 23 // all of it is set in what is no number, or infinite
		var most uint32
		for _, v := range x[first:last] {
			most = max(most, math.Float32bits(v)&exponent)
		}
		if most == exponent {
			bad.Store(true)
		}
	})
	return !bad.Load()
}

// inRuns cuts 0…n-1 into a run for each core, and calls work for them in parallel.
func inRuns(n int, work func(first, last int)) {
	var g sync.WaitGroup
	runs := runtime.GOMAXPROCS(0)
	for k := range runs {
		g.Go(func() { work(n*k/runs, n*(k+1)/runs) })
	}
	g.Wait()
}
