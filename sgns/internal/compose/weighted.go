package compose

import (
	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/sgns/internal/capability"
	"github.com/w2v-go/w2v/sgns/internal/params"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
)

const weightName = "importance"

// weighted is what hash embeddings lack.
func weighted(w subword.Weigher) capability.Part {
	lacks := map[capability.Capability]string{
		capability.Columns: "the weights of hash embeddings are shared by all columns",
	}
	if w.Appended() > 0 {
		lacks[capability.Projects] = "appended weights are dimensions of the vectors themselves, and a projection would mix them with others"
		lacks[capability.Nests] = "appended weights are the last dimensions, and the first of nested ones would lack them"
	}
	return capability.Part{Lacks: lacks}
}

// weightedRate is what part of the learning rate suits rows of a pool: each is that of many
// words.
const weightedRate = 0.7

// weightMatrix describes the learned weights. They are 1 where words use them. What no word
// uses is never trained, and adds nothing to words that are not in the vocabulary.
func weightMatrix(w subword.Weigher, table *subword.Table) params.Matrix {
	rows, cols := w.ImportanceShape()
	return params.Matrix{
		Name: weightName, Title: "weights of pieces", Role: params.Other, Rows: rows, Cols: cols, Dense: true, SkipZeros: true,
		Init: func(m vectors.Matrix, _ uint64) {
			for _, cell := range table.Cells() {
				m.Data[cell] = 1
			}
		},
	}
}

// A weighing composes words by hash embeddings (Svenstrup, Hansen and Winther 2017): rows of
// a shared pool have weights, which all words share as well, and both are learned.
type weighing struct {
	table    *subword.Table
	weights  []float32  // those that are shared
	hashes   int        // weights of each piece
	appended int        // numbers at the end of a vector that are the means of its weights
	lists    simd.Lists // by place: rows and their weights when the word was composed, each divided by how many pieces there are
	cells    []uint32   // of the entries of these lists: which weights they have
	numbers  []float32  // one for each of some entries
}

func newWeighing(table *subword.Table, w subword.Weigher, weights vectors.Matrix) *weighing {
	return &weighing{table: table, weights: weights.Data, hashes: weights.Cols, appended: w.Appended()}
}

// begin begins a span, of which nothing is composed yet.
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

// scatter gives what words at the given places have changed by to the rows of the pool, and
// to their weights. Each piece gets all of it, as every row of n-grams does (see
// cache.Scatter), and is not divided by how many pieces there are.
func (w *weighing) scatter(changed simd.Block, pool simd.Rows, places []uint32) {
	rows := changed
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
		tail := changed.Row(i)[rows.Cols:]
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

// importanceRate is how much of a weight's gradient it changes by. A row is as long as a
// vector, so its weight would change the vector by far more than the row does.
const importanceRate = 0.1
