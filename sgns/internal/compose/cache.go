package compose

import (
	"slices"

	"github.com/w2v-go/w2v/internal/rowtable"
	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/sgns/internal/params"
	"github.com/w2v-go/w2v/sgns/internal/step"
	"github.com/w2v-go/w2v/vectors"
)

// A cache has the vectors of the words of a span of text, composed once each, however often
// they occur: a vector is made before the step of the word's first occurrence and is trained,
// as that of a plain word is. After the word's last occurrence what the vector has changed by
// is scattered to the word's rows. A cache is one worker's own.
type cache struct {
	*occurrences
	input    vectors.Matrix // all rows
	halves   simd.Halves    // the same if they are of 16 bits; else no rows
	lists    simd.Lists     // of rows, by word
	free     simd.Lists     // of those rows that are not frozen
	weighing *weighing      // composes words whose rows are multiplied by learned numbers; else nil
	span     int

	values  vectors.Matrix // the words' vectors, and behind them what they were at first
	changes simd.Lists     // of rows of values, by place: now less at first
	changed simd.Block     // the changes of a step's words
	gone    []uint32       // these words
}

// newCache returns the cache of a worker. Steps need the words around their centres too if
// that is so.
func (c *Composition) newCache(p step.Parts, input vectors.Matrix, around bool) *cache {
	margin := margin(c.run, around)
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
		s.weighing = newWeighing(c.table, c.learned, p.Values.Matrix(c.learned.Name))
	}
	for i := range length {
		s.changes.Starts = append(s.changes.Starts, uint64(2*i))
		s.changes.Rows = append(s.changes.Rows, uint32(i), uint32(length+i))
		s.changes.Weights = append(s.changes.Weights, 1, -1)
	}
	s.changes.Starts = append(s.changes.Starts, uint64(2*length))
	return s
}

// cacheBytes is the size of a cache.
func (c *Composition) cacheBytes(d step.Division, table *rowtable.Table, around bool) float64 {
	const (
		token = step.Grown*(8+2*(4+4)+4) + 4 + 1 // changes and places; words and whether they were seen
		entry = step.Grown * (3*4 + 4)           // lists, cells and numbers
	)
	margin := 2 * margin(c.run, around)
	length, words := float64(d.Cached+margin), max(float64(table.Words()), 1)
	bytes := c.ValuesBytes(d, around) + token*length + 4*words + 4*float64(d.Step()+margin)
	perWord := float64(table.Entries()) / words
	if table.Cells() != nil {
		bytes += entry * perWord * min(length, words)
	}
	return bytes
}

// ValuesBytes is the size of what columns of a cache have of their own, all of them together.
func (c *Composition) ValuesBytes(d step.Division, around bool) float64 {
	if d.Cached == 0 {
		return 0
	}
	margin := 2 * margin(c.run, around)
	return (2*float64(d.Cached+margin) + float64(d.Step()+margin)) * step.RowBytes(c.run.Width())
}

// Columns returns the cache of some columns of all its matrices: those of input.
func (s *cache) Columns(input vectors.Matrix) step.Composition {
	part := *s
	part.input, part.values = input, vectors.NewMatrix(s.values.Rows, input.Cols)
	part.changed = step.NewRows(s.changed.Rows, input.Cols)
	part.gone = make([]uint32, len(s.gone))
	return &part
}

// Source is the composed vectors.
func (s *cache) Source() step.Source {
	return step.Source{Matrix: s.values, Cached: true}
}

func (s *cache) Span() int { return s.span }

func (*cache) Projection() step.Projection { return nil }

// Find finds the words of a span, and sets the text's rows to where their vectors are going to
// be.
func (s *cache) Find(t step.Text, first, last, centres int) {
	from, to := max(first-s.margin, 0), min(last+s.margin, len(t.IDs))
	ids := t.IDs[from:to]
	simd.PrefetchAt(s.rowOf, ids)
	s.find(t.Rows[from:to], ids, first-from, last-from, centres)
	s.fetchFirst()
}

// Begin finds the words of a span.
func (s *cache) Begin(t step.Text, first, last, centres int) {
	s.Find(t, first, last, centres)
	if s.weighing != nil {
		s.weighing.begin()
	}
}

// Compose makes the vectors of the words that first occur in step k.
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

// pool are all rows of the input.
func (s *cache) pool() simd.Rows { return simd.Rows{Data: s.input.Data, Stride: s.input.Stride} }

// Scatter adds to the rows of each word that occurs no more after step k what its vector has
// changed by: all of it to every row, not each row's part. So fastText does, and its learning
// rates are made for that.
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

// With many words neither rows nor the lists of rows are in a near cache. A row takes three reads, of
// where its word's list starts, of the list, and of the row, and each waits for the one before. So each
// is asked for one step before the next.

// fetch asks, before step k is trained, for what words of later steps are composed of.
func (s *cache) fetch(k int) {
	s.fetchRows(s.composed(k+1, k+2))
	s.fetchLists(s.composed(k+2, k+3))
	simd.PrefetchAt(s.lists.Starts, s.composed(k+3, k+4))
}

// fetchFirst asks for the lists of the words of the first steps.
func (s *cache) fetchFirst() {
	simd.PrefetchAt(s.lists.Starts, s.composed(0, 3))
	s.fetchLists(s.composed(0, 2))
}

// fetchLists asks for the lists of words.
func (s *cache) fetchLists(words []uint32) {
	simd.PrefetchLists(s.lists, words)
	if s.weighing != nil {
		simd.PrefetchLists(simd.Lists{Starts: s.lists.Starts, Rows: s.weighing.table.Cells()}, words)
	}
}

// fetchRows asks for the rows of words, and for the weights that these have.
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

// occurrences say which words occur in a span, and where for the first and last time.
type occurrences struct {
	words   []uint32 // the distinct words, in the order in which they first occur: that of values
	rowOf   []uint32 // by word: its place in words, if words says so too
	leaving []uint32 // the words' places, in the order in which they last occur
	seen    []bool   // by place
	parts   []part
	margin  int // how far from the centres of a step the words are that it needs
}

// part says how many words have first and last occurred up to the end of a step.
type part struct{ composed, scattered int }

// find finds the occurrences of the words ids, and sets rows to where in values their vectors
// are going to be. Centres are at positions first to last-1, and are trained in steps of so
// many; around them are the words of the margin, as far as there are any.
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
	// From the end, the first time that a word is seen is its last occurrence. What a step
	// needs and the next ones do not stands before the margin of the next.
	clear(o.seen[:len(o.words)])
	i = len(ids) - 1
	for k := len(o.parts) - 1; k >= 0; k-- {
		o.parts[k].scattered = len(o.words) - len(o.leaving)
		from := first + k*centres - o.margin
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

// before returns how many words were composed and scattered before step k.
func (o *occurrences) before(k int) part {
	if k == 0 {
		return part{}
	}
	return o.parts[k-1]
}

// composed returns the words that first occur in steps from to to-1, as far as there are so many steps.
func (o *occurrences) composed(from, to int) []uint32 {
	from, to = min(from, len(o.parts)), min(to, len(o.parts))
	return o.words[o.before(from).composed:o.before(to).composed]
}
