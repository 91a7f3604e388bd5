package sgns

import (
	"slices"

	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
)

// A stretch is some text whose words' input vectors are composed once each, however
// often they occur: a vector is made before the step of the word's first occurrence
// and is trained, as that of a plain word is, until after its last one the word's
// rows receive all it has moved by. A stretch is one worker's own.
type stretch struct {
	*occurrences
	input    vectors.Matrix // all rows
	lists    simd.Lists     // of rows, by word
	free     simd.Lists     // of those rows that are not frozen
	weighing *weighing      // composes words whose rows have learned weights; else nil

	values vectors.Matrix // the words' vectors, and behind them what they were at first
	moves  simd.Lists     // of rows of values, by place: now less at first
	moved  simd.Block     // the moves of a step's words
	gone   []uint32       // these words
	places []uint32       // all places, in their order
}

// occurrences say which words occur in a stretch, and where for the first and last time.
type occurrences struct {
	words   []uint32 // the distinct words, in the order in which they first occur: that of values
	rowOf   []uint32 // by word: its place in words, if words says so too
	leaving []uint32 // the words' places, in the order in which they last occur
	seen    []bool   // by place
	parts   []part
	margin  int // how far from the centres of a step the words are that it needs
}

// part says how many words have first and last occurred up to the end of a step.
type part struct{ composed, released int }

// newStretch returns a stretch of at most length tokens, trained in steps of so many
// centres, which need the words of so many positions on each side too. The rows of a word
// that may be changed are in free.
func newStretch(p parameters, free simd.Lists, length, centres, margin int, c Config) *stretch {
	length += 2 * margin
	cols := c.width()
	s := &stretch{
		occurrences: &occurrences{
			words:  make([]uint32, 0, length),
			rowOf:  make([]uint32, p.table.Words()),
			seen:   make([]bool, length),
			margin: margin,
		},
		input:  p.input,
		lists:  listsOf(p.table),
		free:   free,
		values: vectors.NewMatrix(2*length, cols),
		moved:  newRows(centres+2*margin, cols),
		gone:   make([]uint32, centres+2*margin),
	}
	if hash, ok := c.Subword.(subword.Hash); ok {
		s.weighing = newWeighing(p, hash)
	}
	for i := range length {
		s.moves.Starts = append(s.moves.Starts, uint64(2*i))
		s.moves.Rows = append(s.moves.Rows, uint32(i), uint32(length+i))
		s.moves.Weights = append(s.moves.Weights, 1, -1)
		s.places = append(s.places, uint32(i))
	}
	s.moves.Starts = append(s.moves.Starts, uint64(2*length))
	return s
}

// columns returns the stretch for some columns of all its matrices: those of input.
func (s *stretch) columns(input vectors.Matrix) *stretch {
	part := *s
	part.input, part.values = input, vectors.NewMatrix(s.values.Rows, input.Cols)
	part.moved = newRows(s.moved.Rows, input.Cols)
	part.gone = make([]uint32, len(s.gone))
	return &part
}

// eachAlone returns n lists, each of the row of its number.
func eachAlone(n int) (l simd.Lists) {
	for i := range n {
		l.Starts = append(l.Starts, uint64(i))
		l.Rows = append(l.Rows, uint32(i))
		l.Weights = append(l.Weights, 1)
	}
	l.Starts = append(l.Starts, uint64(n))
	return l
}

func listsOf(t *subword.Table) simd.Lists {
	starts, rows, weights := t.Lists()
	return simd.Lists{Starts: starts, Rows: rows, Weights: weights}
}

// without returns lists without the rows that are frozen, and then without weights. They
// are the same lists if frozen is nil.
func without(l simd.Lists, frozen []bool) simd.Lists {
	if frozen == nil {
		return l
	}
	free := simd.Lists{Starts: []uint64{0}}
	for i, first := range l.Starts[:len(l.Starts)-1] {
		for _, row := range l.Rows[first:l.Starts[i+1]] {
			if !frozen[row] {
				free.Rows = append(free.Rows, row)
			}
		}
		free.Starts = append(free.Starts, uint64(len(free.Rows)))
	}
	return free
}

// begin begins the stretch of the words ids, and sets rows to where in values their
// vectors are going to be. Its centres are at positions first to last-1, and are trained in
// steps of so many; around them are the words of the margin, as far as there are any.
func (s *stretch) begin(rows, ids []uint32, first, last, centres int) {
	s.find(rows, ids, first, last, centres)
	if s.weighing != nil {
		s.weighing.begin()
	}
	s.prefetch(0)
}

// find finds the occurrences of words in ids, as begin says.
func (s *occurrences) find(rows, ids []uint32, first, last, centres int) {
	s.words, s.leaving, s.parts = s.words[:0], s.leaving[:0], s.parts[:0]
	i := 0
	for next := first + centres; ; next += centres {
		end := min(next+s.margin, len(ids))
		for ; i < end; i++ {
			id := ids[i]
			row := s.rowOf[id]
			if int(row) >= len(s.words) || s.words[row] != id {
				row = uint32(len(s.words))
				s.rowOf[id] = row
				s.words = append(s.words, id)
			}
			rows[i] = row
		}
		s.parts = append(s.parts, part{composed: len(s.words)})
		if next >= last {
			break
		}
	}
	// From the end, the first time that a word is seen is its last occurrence. What a step
	// needs and the next ones do not stands before the margin of the next.
	clear(s.seen[:len(s.words)])
	i = len(ids) - 1
	for k := len(s.parts) - 1; k >= 0; k-- {
		s.parts[k].released = len(s.words) - len(s.leaving)
		from := first + k*centres - s.margin
		if k == 0 {
			from = 0
		}
		for ; i >= from; i-- {
			if row := rows[i]; !s.seen[row] {
				s.seen[row] = true
				s.leaving = append(s.leaving, row)
			}
		}
	}
	slices.Reverse(s.leaving)
}

// before returns how many words were composed and released before step k.
func (s *occurrences) before(k int) part {
	if k == 0 {
		return part{}
	}
	return s.parts[k-1]
}

// compose makes the vectors of the words that first occur in step k.
func (s *stretch) compose(k int) {
	first, last := s.before(k).composed, s.parts[k].composed
	v := s.values
	made := simd.Block{Data: v.Data[first*v.Stride:], Rows: last - first, Cols: v.Cols, Stride: v.Stride}
	if words := s.words[first:last]; s.weighing != nil {
		s.weighing.compose(made, s.pool(), words, s.places[first:last])
	} else {
		simd.GatherLists(made, s.input.Data, s.input.Stride, s.lists, words)
	}
	for row := first; row < last; row++ {
		copy(v.Row(v.Rows/2+row), v.Row(row))
	}
	s.prefetch(k + 1)
}

// pool are all rows of the input.
func (s *stretch) pool() simd.Rows { return simd.Rows{Data: s.input.Data, Stride: s.input.Stride} }

// release adds to the rows of each word that occurs no more after step k what its
// vector has moved by: all of it to every row, not each row's part. So fastText does,
// and its learning rates are made for that.
func (s *stretch) release(k int) {
	leaving := s.leaving[s.before(k).released:s.parts[k].released]
	for i, row := range leaving {
		s.gone[i] = s.words[row]
	}
	moved := s.moved.Slice(0, len(leaving))
	simd.GatherLists(moved, s.values.Data, s.values.Stride, s.moves, leaving)
	if s.weighing != nil {
		s.weighing.release(moved, s.pool(), leaving)
		return
	}
	simd.ScatterLists(s.input.Data, s.input.Stride, s.free, s.gone[:len(leaving)], moved)
}

// prefetch asks for the rows that step k is going to read, and for those that it is
// going to change and that were read long ago.
func (s *stretch) prefetch(k int) {
	if k == len(s.parts) {
		return
	}
	before := s.before(k)
	in := s.input
	simd.PrefetchLists(in.Data, in.Stride, s.lists, s.words[before.composed:s.parts[k].composed], in.Cols)
	n := 0
	for _, row := range s.leaving[before.released:s.parts[k].released] {
		if int(row) < before.composed {
			s.gone[n] = s.words[row]
			n++
		}
	}
	simd.PrefetchLists(in.Data, in.Stride, s.lists, s.gone[:n], in.Cols)
}
