package compose

import (
	"slices"

	"github.com/w2v-go/w2v/internal/rowtable"
	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/sgns/internal/params"
	"github.com/w2v-go/w2v/sgns/internal/step"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
)

// A cache has a worker's vectors of the words in a span of text. Each word is composed once, before the step of its
// first occurrence, and then trained like a plain word. After its last, the change is added to the word's rows.
type cache struct {
	*occurrences
	input    vectors.Matrix // all rows
	halves   simd.Halves    // the input rows if they have 16 bits; otherwise empty
	lists    simd.Lists     // rows of each word
	free     simd.Lists     // rows of each word that are not frozen
	weighing *weighing      // composes words with learned weights; nil without learned weights
	span     int

	values  vectors.Matrix // vectors of words, followed by their initial values
	changes simd.Lists     // lists for current minus initial values, by place
	changed simd.Block     // changes of the words of a step
	gone    []uint32       // the words that changes belong to
}

// newCache returns the cache of a worker. If around is true, steps also need the words around their centres.
func (c *Composition) newCache(p step.Parts, input vectors.Matrix, around bool) *cache {
	margin := c.margin(around)
	halves, _ := params.HalvesOf(input)
	length, words := p.Division.Cached+2*margin, p.Division.Step()+2*margin
	s := &cache{
		occurrences: &occurrences{
			words:  make([]uint32, 0, length),
			rowOf:  make([]uint32, c.table.Words()),
			seen:   make([]bool, length),
			margin: margin,
		},
		input:   input,
		halves:  halves,
		lists:   c.lists,
		free:    c.freeLists(p.Values.Frozen(InputName)),
		span:    p.Division.Cached,
		values:  vectors.NewMatrix(2*length, c.run.Width()),
		changed: step.NewRows(words, c.run.Width()),
		gone:    make([]uint32, words),
	}
	if c.learned.Any() {
		weights := p.Values.Matrix(c.learned.Name)
		s.weighing = &weighing{
			table: c.table, weights: weights.Data, cols: weights.Cols, appended: c.learned.Appended, rate: c.learned.Rate,
			list: simd.Lists{Starts: make([]uint64, 2)}, only: make([]uint32, 1),
		}
	}
	for i := range length {
		s.changes.Starts = append(s.changes.Starts, uint64(2*i))
		s.changes.Rows = append(s.changes.Rows, uint32(i), uint32(length+i))
		s.changes.Weights = append(s.changes.Weights, 1, -1)
	}
	s.changes.Starts = append(s.changes.Starts, uint64(2*length))
	return s
}

// ValuesBytes is the total size of the parts of a cache that belong to columns.
func (c *Composition) ValuesBytes(d step.Division, around bool) float64 {
	if d.Cached == 0 {
		return 0
	}
	margin := 2 * c.margin(around)
	return (2*float64(d.Cached+margin) + float64(d.Step()+margin)) * step.RowBytes(c.run.Width())
}

// Columns returns the cache for the columns of all matrices that input has.
func (s *cache) Columns(input vectors.Matrix) step.Composition {
	part := *s
	part.input, part.values = input, vectors.NewMatrix(s.values.Rows, input.Cols)
	part.changed = step.NewRows(s.changed.Rows, input.Cols)
	part.gone = make([]uint32, len(s.gone))
	return &part
}

// Source returns the composed vectors.
func (s *cache) Source() step.Source { return step.Source{Matrix: s.values, Cached: true} }

func (s *cache) Span() int                 { return s.span }
func (*cache) Projection() step.Projection { return nil }

// Find finds the words of a span, and sets the text's rows to the places of their vectors.
func (s *cache) Find(t step.Text, first, last, centres int) {
	from, to := max(first-s.margin, 0), min(last+s.margin, len(t.IDs))
	ids := t.IDs[from:to]
	simd.PrefetchAt(s.rowOf, ids)
	s.find(t.Rows[from:to], ids, first-from, last-from, centres)
	simd.PrefetchAt(s.lists.Starts, s.composed(0, 3))
	s.fetchLists(s.composed(0, 2))
}

// Begin finds the words of a span.
func (s *cache) Begin(t step.Text, first, last, centres int) {
	s.Find(t, first, last, centres)
	if s.weighing != nil {
		s.weighing.begin()
	}
}

// Compose composes the vectors of the words that first occur in step k.
func (s *cache) Compose(k int) {
	first, last := s.before(k).composed, s.parts[k].composed
	v := s.values
	made := simd.Block{Data: v.Data[first*v.Stride:], Rows: last - first, Cols: v.Cols, Stride: v.Stride}
	switch words := s.words[first:last]; {
	case s.weighing != nil:
		s.weighing.compose(made, s.pool(), words)
	case s.halves.Data != nil:
		simd.GatherHalves(made, s.halves, s.lists, words)
	default:
		simd.GatherLists(made, s.input.Data, s.input.Stride, s.lists, words)
	}
	for row := first; row < last; row++ {
		copy(v.Row(v.Rows/2+row), v.Row(row))
	}
	s.fetch(k)
}

func (s *cache) pool() simd.Rows { return simd.Rows{Data: s.input.Data, Stride: s.input.Stride} }

// Scatter adds the change of each word that does not occur after step k to its rows: the whole change to
// every row, not each row's share. fastText does the same, and its learning rates are chosen for it.
func (s *cache) Scatter(k int, seed uint32) {
	leaving := s.leaving[s.before(k).scattered:s.parts[k].scattered]
	for i, row := range leaving {
		s.gone[i] = s.words[row]
	}
	changed := s.changed.Slice(0, len(leaving))
	simd.GatherLists(changed, s.values.Data, s.values.Stride, s.changes, leaving)
	switch gone := s.gone[:len(leaving)]; {
	case s.weighing != nil:
		s.weighing.scatter(changed, s.pool(), gone, leaving)
	case s.halves.Data != nil:
		simd.ScatterHalves(s.halves, s.free, gone, changed, seed)
	default:
		simd.ScatterLists(s.input.Data, s.input.Stride, s.free, gone, changed)
	}
}

// With many words, neither rows nor lists of rows fit into a near cache. Reaching a row takes three dependent
// reads: the start of the word's list, the list, and the row. So each is prefetched one step before the next.

// fetch prefetches, before step k is trained, what words of later steps are composed of.
func (s *cache) fetch(k int) {
	s.fetchRows(s.composed(k+1, k+2))
	s.fetchLists(s.composed(k+2, k+3))
	simd.PrefetchAt(s.lists.Starts, s.composed(k+3, k+4))
}

func (s *cache) fetchLists(words []uint32) {
	simd.PrefetchLists(s.lists, words)
	if s.weighing != nil {
		simd.PrefetchLists(simd.Lists{Starts: s.lists.Starts, Rows: s.weighing.table.Cells()}, words)
	}
}

func (s *cache) fetchRows(words []uint32) {
	for _, w := range words {
		rows := s.lists.Rows[s.lists.Starts[w]:s.lists.Starts[w+1]]
		if s.halves.Data != nil {
			simd.PrefetchHalves(s.halves, rows, s.values.Cols)
		} else {
			simd.Prefetch(s.input.Data, s.input.Stride, rows, s.values.Cols)
		}
		if s.weighing != nil {
			simd.PrefetchAt(s.weighing.weights, s.weighing.of(w))
		}
	}
}

// occurrences lists the words of a span, with their first and last occurrence.
type occurrences struct {
	words   []uint32 // distinct words in the order of their first occurrence, which is that of values
	rowOf   []uint32 // by word: its place in words; valid only if words has the word at that place
	leaving []uint32 // places of words in the order of their last occurrence
	seen    []bool   // by place
	parts   []part
	margin  int // how far around its centres a step needs words
}

// A part is the number of words that have occurred first, and last, by the end of a step.
type part struct{ composed, scattered int }

// find finds the occurrences of the words ids, and sets rows to the places of their vectors. Centres are at positions
// first to last-1; a step has so many centres, and also needs the words within the margin around them.
func (o *occurrences) find(rows, ids []uint32, first, last, centres int) {
	o.words, o.leaving, o.parts = o.words[:0], o.leaving[:0], o.parts[:0]
	i := 0
	for next := first + centres; ; next += centres {
		end := min(next+o.margin, len(ids))
		for ; i < end; i++ {
			id := ids[i]
			row := o.rowOf[id]
			if int(row) >= len(o.words) || o.words[row] != id {
				row = uint32(len(o.words))
				o.rowOf[id] = row
				o.words = append(o.words, id)
			}
			rows[i] = row
		}
		o.parts = append(o.parts, part{composed: len(o.words)})
		if next >= last {
			break
		}
	}
	// Backwards, the first time that a word is seen is its last occurrence. A word that a step needs and
	// later steps do not is before the margin of the next step.
	clear(o.seen[:len(o.words)])
	i = len(ids) - 1
	for k := len(o.parts) - 1; k >= 0; k-- {
		o.parts[k].scattered = len(o.words) - len(o.leaving)
		from := max(first+k*centres-o.margin, 0)
		if k == 0 {
			from = 0
		}
		for ; i >= from; i-- {
			if row := rows[i]; !o.seen[row] {
				o.seen[row] = true
				o.leaving = append(o.leaving, row)
			}
		}
	}
	slices.Reverse(o.leaving)
}

func (o *occurrences) before(k int) part {
	if k == 0 {
		return part{}
	}
	return o.parts[k-1]
}

// composed returns the words that first occur in steps from to to-1, of the steps that exist.
func (o *occurrences) composed(from, to int) []uint32 {
	from, to = min(from, len(o.parts)), min(to, len(o.parts))
	return o.words[o.before(from).composed:o.before(to).composed]
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

func (w *weighing) begin() { w.starts, w.numbers = append(w.starts[:0], 0), w.numbers[:0] }

// of sets the list to the rows of a word, with equal weights, and returns the cells of their learned weights.
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

// scatter adds the changes of words at the given places to rows and weights. Each piece gets the whole change, like
// every row of n-grams (see cache.Scatter). Weights change by the rows before the change.
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
