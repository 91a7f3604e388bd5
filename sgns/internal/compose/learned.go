package compose

import (
	"github.com/w2v-go/w2v/internal/rowtable"
	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/sgns/internal/capability"
	"github.com/w2v-go/w2v/sgns/internal/params"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
)

// learns returns what words with learned weights of rows lack.
func (c *Composition) learns() capability.Part {
	lacks := map[capability.Capability]string{
		capability.Columns: "the weights of " + subword.TitleOf(c.run.Subword) + " are shared by all columns",
	}
	if c.learned.Appended > 0 {
		lacks[capability.Projects] = "appended weights are dimensions of the vectors themselves, and a projection would mix them with others"
		lacks[capability.Nests] = "appended weights are the last dimensions, and the first of nested ones would lack them"
	}
	return capability.Part{Lacks: lacks}
}

// learnedMatrix describes the learned weights. A weight that words use starts as 1. A weight that no word
// uses is 0 and is never trained, so it adds nothing to words outside the vocabulary.
func learnedMatrix(l subword.Learned, table *rowtable.Table) params.Matrix {
	return params.Matrix{
		Name: l.Name, Title: l.Title, Role: params.Other, Rows: l.Rows, Cols: l.Cols, Dense: true, SkipZeros: true,
		Touched: func(w params.Words) []float32 {
			all := make([]float32, l.Rows)
			starts, _, _ := table.Lists()
			for word, kept := range w.Kept {
				for _, cell := range table.Cells()[starts[word]:starts[word+1]] {
					all[int(cell)/l.Cols] += float32(kept) / float32(l.Cols) // a piece has a cell in each column
				}
			}
			return all
		},
		Init: func(m vectors.Matrix, _ uint64) {
			for _, cell := range table.Cells() {
				m.Data[cell] = 1
			}
		},
	}
}

// A weighing composes words of rows with learned weights, as in hash embeddings (Svenstrup, Hansen and
// Winther 2017). All words share the weights and the rows.
type weighing struct {
	table    *rowtable.Table
	weights  []float32  // the learned numbers
	cols     int        // of their matrix
	appended int        // how many of the last numbers of a vector are means of columns of weights
	rate     float32    // factor of a weight's gradient
	starts   []int      // by place: start of its numbers
	numbers  []float32  // by place: weights of the word's rows when it was composed, divided by the number of pieces
	moved    []float32  // changes of a word's weights
	list     simd.Lists // list of a single word
	only     []uint32   // number of that list
}

func newWeighing(table *rowtable.Table, l subword.Learned, weights vectors.Matrix) *weighing {
	return &weighing{
		table: table, weights: weights.Data, cols: weights.Cols, appended: l.Appended, rate: l.Rate,
		list: simd.Lists{Starts: make([]uint64, 2)}, only: make([]uint32, 1),
	}
}

func (w *weighing) begin() {
	w.starts, w.numbers = append(w.starts[:0], 0), w.numbers[:0]
}

// of sets the list to the rows of a word, each with weight 1 / number of pieces, and returns the cells of the
// rows' learned weights.
func (w *weighing) of(word uint32) (cells []uint32) {
	starts, rows, parts := w.table.Lists()
	first, last := starts[word], starts[word+1]
	w.list.Starts[1], w.list.Rows, w.list.Weights = last-first, rows[first:last], parts[first:last]
	return w.table.Cells()[first:last]
}

func (w *weighing) compose(made simd.Block, pool simd.Rows, words []uint32) {
	for i, word := range words {
		cells := w.of(word)
		first := len(w.numbers)
		w.numbers = append(w.numbers, w.list.Weights...) // allocates as many numbers
		w.starts = append(w.starts, len(w.numbers))
		numbers := w.numbers[first:]
		simd.Pick(numbers, w.weights, cells)
		for e, part := range w.list.Weights {
			numbers[e] *= part
		}
		w.list.Weights = numbers
		sum := made.Slice(i, i+1)
		sum.Cols -= w.appended
		simd.GatherLists(sum, pool.Data, pool.Stride, w.list, w.only)
		if w.appended == 0 {
			continue
		}
		means := made.Row(i)[sum.Cols:]
		clear(means)
		for e, x := range numbers {
			means[int(cells[e])%w.cols] += x
		}
	}
}

// scatter adds the changes of words at the given places to the rows of the pool and to their weights. Each
// piece gets the whole change, like every row of n-grams (see cache.Scatter). Weights change by the rows
// before the change.
func (w *weighing) scatter(changed simd.Block, pool simd.Rows, words, places []uint32) {
	rows := changed
	rows.Cols -= w.appended
	w.moved = w.moved[:0]
	for i, word := range words {
		first := len(w.moved)
		cells := w.of(word)
		w.moved = append(w.moved, w.list.Weights...) // allocates as many numbers
		moved := w.moved[first:]
		simd.DotLists(moved, pool.Data, pool.Stride, w.list, w.only, rows.Slice(i, i+1))
		tail := changed.Row(i)[rows.Cols:]
		for e := range moved {
			if w.appended > 0 {
				moved[e] += tail[int(cells[e])%w.cols]
			}
			moved[e] *= w.rate
		}
	}
	moved := w.moved
	for i, place := range places {
		cells := w.of(words[i])
		simd.AddAt(w.weights, cells, moved[:len(cells)])
		moved = moved[len(cells):]
		// The weights from when the word was composed are already divided by the number of pieces.
		w.list.Weights = w.numbers[w.starts[place]:w.starts[place+1]]
		pieces, row := float32(w.table.Pieces(words[i])), rows.Row(i)
		for k := range row {
			row[k] *= pieces
		}
		simd.ScatterWeighted(pool.Data, pool.Stride, w.list, w.only, rows.Slice(i, i+1))
	}
}
