package sgns

import (
	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/subword"
)

// A weighing composes the words of a stretch by hash embeddings (Svenstrup, Hansen and
// Winther 2017): rows of a shared pool have weights, which all words share as well, and
// both are learned.
type weighing struct {
	table    *subword.Table
	weights  []float32  // those that are shared
	hashes   int        // weights of each piece
	appended int        // numbers at the end of a vector that are the means of its weights
	lists    simd.Lists // by place: rows and their weights when the word was composed, each divided by how many pieces there are
	cells    []uint32   // of the entries of these lists: which weights they have
	numbers  []float32  // one for each of some entries
}

func newWeighing(p parameters, h subword.Hash) *weighing {
	w := &weighing{table: p.table, weights: p.importance.Data, hashes: h.Hashes}
	if h.AppendWeights {
		w.appended = h.Hashes
	}
	return w
}

// begin begins a stretch, of which nothing is composed yet.
func (w *weighing) begin() {
	w.lists.Starts = append(w.lists.Starts[:0], 0)
	w.lists.Rows, w.lists.Weights, w.cells = w.lists.Rows[:0], w.lists.Weights[:0], w.cells[:0]
}

// compose makes the vectors of words at the given places, the next ones, of rows of a pool.
func (w *weighing) compose(made simd.Block, pool simd.Rows, words, places []uint32) {
	starts, rows, parts := w.table.Lists()
	cells := w.table.Cells()
	done := len(w.cells)
	for _, word := range words {
		first, last := starts[word], starts[word+1]
		w.lists.Rows = append(w.lists.Rows, rows[first:last]...)
		w.lists.Weights = append(w.lists.Weights, parts[first:last]...)
		w.cells = append(w.cells, cells[first:last]...)
		w.lists.Starts = append(w.lists.Starts, uint64(len(w.cells)))
	}
	w.numbers = append(w.numbers[:0], w.lists.Weights[done:]...) // as many
	simd.Pick(w.numbers, w.weights, w.cells[done:])
	for i, x := range w.numbers {
		w.lists.Weights[done+i] *= x
	}
	sums := made
	sums.Cols -= w.appended
	simd.GatherLists(sums, pool.Data, pool.Stride, w.lists, places)
	if w.appended == 0 {
		return
	}
	for i, place := range places {
		means := made.Row(i)[sums.Cols:]
		clear(means)
		for e, x := range w.lists.Weights[w.lists.Starts[place]:w.lists.Starts[place+1]] {
			means[e%w.hashes] += x
		}
	}
}

// release gives what words at the given places have moved by to the rows of the pool, and
// to their weights. Each piece gets all of it, as every row of n-grams does (see
// stretch.release), and is not divided by how many pieces there are.
func (w *weighing) release(moved simd.Block, pool simd.Rows, places []uint32) {
	rows := moved
	rows.Cols -= w.appended
	w.numbers = w.numbers[:0]
	for _, place := range places {
		for range w.lists.Starts[place+1] - w.lists.Starts[place] {
			w.numbers = append(w.numbers, 0)
		}
	}
	simd.DotLists(w.numbers, pool.Data, pool.Stride, w.lists, places, rows)
	at := 0
	for i, place := range places {
		first, last := w.lists.Starts[place], w.lists.Starts[place+1]
		n := int(last - first)
		tail := moved.Row(i)[rows.Cols:]
		if w.appended > 0 {
			for e := range n {
				w.numbers[at+e] += tail[e%w.hashes]
			}
		}
		for e := range n {
			w.numbers[at+e] *= importanceRate
		}
		// The weights in the lists are divided by the number of pieces.
		for k, x := range rows.Row(i) {
			rows.Row(i)[k] = x * float32(n/w.hashes)
		}
		simd.AddAt(w.weights, w.cells[first:last], w.numbers[at:at+n])
		at += n
	}
	simd.ScatterWeighted(pool.Data, pool.Stride, w.lists, places, rows)
}

// importanceRate is how much of a weight's gradient it moves by. A row is as long as a
// vector, so its weight would move the vector by far more than the row does.
const importanceRate = 0.1
