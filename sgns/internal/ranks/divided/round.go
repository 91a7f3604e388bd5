package divided

import (
	"encoding/binary"
	"errors"
	"slices"
	"sort"

	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/sgns/internal/engine"
	"github.com/w2v-go/w2v/sgns/internal/loss"
	"github.com/w2v-go/w2v/sgns/internal/params"
	"github.com/w2v-go/w2v/sgns/internal/random"
	"github.com/w2v-go/w2v/sgns/internal/ranks/replica"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vocab"
)

// Limits say how large rounds are.
type Limits struct {
	Tokens int // a round ends with the sentence that reaches this number
	Words  int // largest number of different words beyond the head in the text
	Pool   int // number of negatives in the pool
}

// A Round is a part of a rank's text, with the words whose rows it needs.
type Round struct {
	Text  []uint32     // slots of words, in whole sentences as in vocab.IDs
	Tail  []uint32     // slots of the pool
	Last  bool         // in the last epoch
	Ended bool         // the text has ended; this round is empty
	Place engine.Place // place after the text of the round

	words []uint32 // words of the text beyond the head, rising; their slots follow the head
	pool  []uint32 // words of the pool that are not in the text, rising; their slots, in the output only, follow those of words

	at     [2][]uint32 // for words and for the pool: position among the words of their owner
	before [2][]int32  // for words and for the pool: index in the words of the previous round; -1 if it was in neither, and -2-i for index i of its pool
	counts [2][]int    // for words and for the pool: how many each rank owns
}

// Kinds of words of a round: in its text, or only in its pool.
const (
	ofText = iota
	ofPool
	kinds
)

func (r *Round) list(kind int) []uint32 {
	if kind == ofText {
		return r.words
	}
	return r.pool
}

// A Reader reads a rank's text in rounds.
type Reader struct {
	layout  Layout
	limits  Limits
	reading *engine.Reading
	noise   loss.Pooled
	slot    []uint32 // by word: its slot; 0 if it has none
}

// NewReader returns a reader of the text of a run, which has as many words as the layout.
func NewReader(l Layout, limits Limits, reading *engine.Reading, noise loss.Pooled) *Reader {
	return &Reader{layout: l, limits: limits, reading: reading, noise: noise, slot: make([]uint32, l.Words)}
}

// Go sets the place of the next round.
func (x *Reader) Go(place engine.Place) { x.reading.Place = place }

// seen marks a word that has no slot yet.
const seen = ^uint32(0)

// Read reads the next round into r. The generator for its pool is g.
func (x *Reader) Read(r *Round, g random.Generator) {
	head := uint32(x.layout.Head)
	*r = Round{Text: r.Text[:0], Tail: r.Tail[:0], words: r.words[:0], pool: r.pool[:0], at: r.at, before: r.before, counts: r.counts}
	for len(r.Text) < x.limits.Tokens && len(r.words) <= x.limits.Words-vocab.MaxSentence {
		sentence, last := x.reading.Next()
		if sentence == nil {
			break
		}
		r.Last = last
		for _, id := range sentence {
			if word := id &^ vocab.EndOfSentence; word >= head && x.slot[word] == 0 {
				x.slot[word] = seen
				r.words = append(r.words, word)
			}
		}
		r.Text = append(r.Text, sentence...)
	}
	r.Place = x.reading.Place
	if r.Ended = len(r.Text) == 0; r.Ended {
		r.Last = true
	}
	x.number(r.words, head)
	for i, id := range r.Text {
		if word := id &^ vocab.EndOfSentence; word >= head {
			r.Text[i] = x.slot[word] | id&vocab.EndOfSentence
		}
	}
	if len(r.words) > 0 || !r.Ended && x.layout.Words > x.layout.Head {
		x.draw(r, g)
	}
	for _, list := range [][]uint32{r.words, r.pool} {
		for _, word := range list {
			x.slot[word] = 0
		}
	}
	for kind := range kinds {
		r.count(x.layout, kind)
	}
}

func (x *Reader) number(words []uint32, first uint32) {
	slices.Sort(words)
	for i, word := range words {
		x.slot[word] = first + uint32(i)
	}
}

func (x *Reader) draw(r *Round, g random.Generator) {
	r.Tail = slices.Grow(r.Tail, x.limits.Pool)[:x.limits.Pool]
	r.Tail = r.Tail[:x.noise.Sample(r.Tail, uint32(x.layout.Head), &g)]
	for _, word := range r.Tail {
		if x.slot[word] == 0 {
			x.slot[word] = seen
			r.pool = append(r.pool, word)
		}
	}
	x.number(r.pool, uint32(x.layout.Head+len(r.words)))
	for i, word := range r.Tail {
		r.Tail[i] = x.slot[word]
	}
}

func (r *Round) count(l Layout, kind int) {
	words := r.list(kind)
	r.counts[kind] = make([]int, l.Ranks)
	r.at[kind] = slices.Grow(r.at[kind][:0], len(words))[:len(words)]
	for i, word := range words {
		owner, _ := l.owner(word)
		r.at[kind][i] = uint32(r.counts[kind][owner])
		r.counts[kind][owner]++
	}
}

// after finds which words were in the previous round.
func (r *Round) after(before *Round) {
	for kind := range kinds {
		words := r.list(kind)
		r.before[kind] = slices.Grow(r.before[kind][:0], len(words))[:len(words)]
		i, j := 0, 0
		for k, word := range words {
			for i < len(before.words) && before.words[i] < word {
				i++
			}
			for j < len(before.pool) && before.pool[j] < word {
				j++
			}
			switch {
			case i < len(before.words) && before.words[i] == word:
				r.before[kind][k] = int32(i)
			case j < len(before.pool) && before.pool[j] == word:
				r.before[kind][k] = -2 - int32(j)
			default:
				r.before[kind][k] = -1
			}
		}
	}
}

func (r *Round) asks(l Layout) [][]byte {
	lists := make([][kinds][]uint32, l.Ranks)
	for kind := range kinds {
		for owner := range lists {
			lists[owner][kind] = make([]uint32, 0, r.counts[kind][owner])
		}
		for _, word := range r.list(kind) {
			owner, row := l.owner(word)
			lists[owner][kind] = append(lists[owner][kind], row)
		}
	}
	asks := make([][]byte, l.Ranks)
	for owner := range asks {
		asks[owner] = appendRising(asks[owner], lists[owner][ofText])
		asks[owner] = appendRising(asks[owner], lists[owner][ofPool])
	}
	return asks
}

// A working is the working set: the rows of the head, followed by the rows of the words of a round, by slot.
type working struct {
	Layout
	rows    Rows // rows in training
	start   Rows // initial rows of the round, without the head: the first row is that of the first slot after the head
	threads int
	changes [][]byte // by owner: changes of the rows in the last round
}

func newWorking(l Layout, rows Rows, threads int) *working {
	w := &working{Layout: l, rows: rows, threads: threads, changes: make([][]byte, l.Ranks)}
	for m := range rows {
		w.start[m] = vectors.NewMatrix(rows[m].Rows-l.Head, l.Cols)
	}
	return w
}

// place returns the rows of a word in the message of its owner. Only words of the text have input rows.
func (w *working) place(r *Round, kind, i int, messages [][]byte) (in, out []byte) {
	row := rowBytes(w.Cols)
	owner, _ := w.owner(r.list(kind)[i])
	at := int(r.at[kind][i])
	if kind == ofText {
		from := messages[owner][2*at*row:]
		return from[:row], from[row : 2*row]
	}
	from := messages[owner][(2*r.counts[ofText][owner]+at)*row:]
	return nil, from[:row]
}

func (r *Round) slot(kind, i int) int {
	if kind == ofPool {
		i += len(r.words)
	}
	return i
}

// collect computes the changes of a round's rows.
func (w *working) collect(r *Round) {
	for owner := range w.changes {
		size := rowsBytes(r.counts[ofText][owner], r.counts[ofPool][owner], w.Cols)
		w.changes[owner] = slices.Grow(w.changes[owner][:0], size)[:size]
	}
	for kind := range kinds {
		params.InParts(w.threads, len(r.list(kind)), func(first, last int) {
			code := newCoder(w.Cols)
			for i := first; i < last; i++ {
				in, out := w.place(r, kind, i, w.changes)
				slot := r.slot(kind, i)
				if in != nil {
					code.change(in, w.rows[input].Row(w.Head+slot), w.start[input].Row(slot))
				}
				code.change(out, w.rows[output].Row(w.Head+slot), w.start[output].Row(slot))
			}
		})
	}
}

// install sets the rows to those that the owners sent for a round. The owners did not have this rank's
// changes of the previous round, so install adds them.
func (w *working) install(r *Round, answers [][]byte, before *Round) error {
	for owner, message := range answers {
		if len(message) != rowsBytes(r.counts[ofText][owner], r.counts[ofPool][owner], w.Cols) {
			return errMessage
		}
	}
	for kind := range kinds {
		params.InParts(w.threads, len(r.list(kind)), func(first, last int) {
			for i := first; i < last; i++ {
				w.set(r, kind, i, answers, before)
			}
		})
	}
	return nil
}

func (w *working) set(r *Round, kind, i int, answers [][]byte, before *Round) {
	in, out := w.place(r, kind, i, answers)
	slot := r.slot(kind, i)
	startIn, startOut := []float32(nil), w.start[output].Row(slot)
	if in != nil {
		startIn = w.start[input].Row(slot)
		get(startIn, in)
	}
	get(startOut, out)
	if before != nil {
		var changedIn, changedOut []byte
		switch b := int(r.before[kind][i]); {
		case b >= 0:
			changedIn, changedOut = w.place(before, ofText, b, w.changes)
		case b < -1:
			_, changedOut = w.place(before, ofPool, -2-b, w.changes)
		}
		if changedIn != nil && in != nil {
			add(startIn, changedIn, 1)
		}
		if changedOut != nil {
			add(startOut, changedOut, 1)
		}
	}
	if in != nil {
		copy(w.rows[input].Row(w.Head+slot), startIn)
	}
	copy(w.rows[output].Row(w.Head+slot), startOut)
}

type owner struct {
	Layout
	rows    Rows
	options Options
	touches [matrices][]float32 // of each row, in a round of a rank
	trained uint64              // tokens of a rank before the first round in asked
	asked   [][]ask             // for each round whose changes have not arrived: what each rank asked for
}

// An ask has the rows that a rank needs for a round: of words of its text, and of words only in its pool.
type ask [kinds][]uint32

func newOwner(l Layout, options Options) *owner {
	o := &owner{Layout: l, options: options}
	for m := range matrices {
		o.rows[m] = vectors.NewMatrix(l.Owned(), l.Cols)
		o.touches[m] = make([]float32, l.Owned())
		for row := range o.touches[m] {
			o.touches[m][row] = float32(float64(options.Limits.Tokens) * options.Touches[m](o.word(row)))
		}
	}
	return o
}

func (o *owner) take(messages [][]byte) (err error) {
	asks := make([]ask, o.Ranks)
	for rank, rest := range messages {
		for kind := range kinds {
			if asks[rank][kind], rest, err = rising(rest, o.Owned(), nil); err != nil {
				return err
			}
		}
		if len(rest) > 0 {
			return errMessage
		}
	}
	o.asked = append(o.asked, asks)
	return nil
}

func (a *ask) bytes(cols int) int { return rowsBytes(len(a[ofText]), len(a[ofPool]), cols) }

// rowsBytes is the size of the rows of so many words of a text and so many words of a pool.
func rowsBytes(words, pool, cols int) int { return rowBytes(cols) * (matrices*words + pool) }

func (o *owner) answers() [][]byte {
	all := make([][]byte, o.Ranks)
	for rank := range all {
		all[rank] = o.answer(&o.asked[len(o.asked)-1][rank])
	}
	return all
}

// answer returns the rows that a rank asked for: both rows of each word of its text, followed by the output
// rows of its pool.
func (o *owner) answer(a *ask) []byte {
	message := make([]byte, a.bytes(o.Cols))
	row := rowBytes(o.Cols)
	params.InParts(o.options.Threads, len(a[ofText]), func(first, last int) {
		code := newCoder(o.Cols)
		for i := first; i < last; i++ {
			code.put(message[2*i*row:], o.rows[input].Row(int(a[ofText][i])))
			code.put(message[(2*i+1)*row:], o.rows[output].Row(int(a[ofText][i])))
		}
	})
	pool := message[2*row*len(a[ofText]):]
	params.InParts(o.options.Threads, len(a[ofPool]), func(first, last int) {
		code := newCoder(o.Cols)
		for i := first; i < last; i++ {
			code.put(pool[i*row:], o.rows[output].Row(int(a[ofPool][i])))
		}
	})
	return message
}

// add applies the changes of all ranks in the first outstanding round. A row gets the changes in the order of
// ranks, so that the sum is reproducible.
func (o *owner) add(changes [][]byte) error {
	if len(o.asked) == 0 {
		return errMessage
	}
	asked := o.asked[0]
	o.asked = o.asked[1:]
	for rank, message := range changes {
		if len(message) != asked[rank].bytes(o.Cols) {
			return errMessage
		}
	}
	round := uint64(o.options.Limits.Tokens)
	rate := o.options.Head.Rate(o.trained + round/2)
	o.trained += round
	params.InParts(o.options.Threads, o.rows[input].Rows, func(first, last int) {
		o.combine(input, asked, changes, first, last, rate)
		o.combine(output, asked, changes, first, last, rate)
	})
	return nil
}

type changed struct {
	row  uint32
	code []byte
}

// of calls do with each change of matrix m by a rank, in rows first to last-1.
func (o *owner) of(m int, a *ask, message []byte, first, last int, do func(changed)) {
	size := rowBytes(o.Cols)
	from, to := within(a[ofText], first, last)
	for i := from; i < to; i++ {
		do(changed{a[ofText][i], message[(2*i+m)*size:][:size]})
	}
	if m == input {
		return
	}
	pool := message[2*size*len(a[ofText]):]
	from, to = within(a[ofPool], first, last)
	for i := from; i < to; i++ {
		do(changed{a[ofPool][i], pool[i*size:][:size]})
	}
}

// late is how many rounds of each rank overlap: the rows of a round are sent before the preceding round has
// ended.
const late = 2

// combine combines the changes of all ranks to rows first to last-1 of a matrix, and adds them to the rows.
func (o *owner) combine(m int, asked []ask, changes [][]byte, first, last int, rate float64) {
	ends := make([]uint32, last-first) // of the changes of each row
	for rank, message := range changes {
		o.of(m, &asked[rank], message, first, last, func(c changed) { ends[int(c.row)-first]++ })
	}
	sum := uint32(0)
	for i, n := range ends {
		ends[i] = sum
		sum += n
	}
	all := make([]changed, sum)
	for rank, message := range changes { // so that changes of a row are in the order of ranks
		o.of(m, &asked[rank], message, first, last, func(c changed) {
			end := &ends[int(c.row)-first]
			all[*end] = c
			*end++
		})
	}
	for len(all) > 0 {
		row, n := all[0].row, 1
		for n < len(all) && all[n].row == row {
			n++
		}
		part := float32(o.options.Head.Combine(n, replica.Row{Ranks: o.Ranks, Way: late * float64(o.touches[m][row]) * rate}))
		for _, c := range all[:n] {
			add(o.rows[m].Row(int(row)), c.code, part)
		}
		all = all[n:]
	}
}

func within(numbers []uint32, first, last int) (from, to int) {
	from = sort.Search(len(numbers), func(i int) bool { return int(numbers[i]) >= first })
	to = sort.Search(len(numbers), func(i int) bool { return int(numbers[i]) >= last })
	return from, to
}

// Messages code rows and changes as a step, and 8 bits for each number, in steps. Owners store rows and add
// changes in float32.

func rowBytes(cols int) int { return replica.Eight.Bytes(cols) }

// A coder writes the codes of rows. Zeros and what has changed have as many numbers as a row.
type coder struct{ zeros, changed []float32 }

func newCoder(cols int) coder { return coder{make([]float32, cols), make([]float32, cols)} }

// put writes the code of a row; change writes the code of its change.
func (c coder) put(to []byte, row []float32) {
	most, _ := simd.Difference(c.changed, row, c.zeros)
	replica.PutEight(to, row, most)
}

func (c coder) change(to []byte, row, from []float32) {
	_, most := simd.Difference(c.changed, row, from)
	replica.PutEight(to, c.changed, most)
}

// get decodes a row; add decodes a row and adds it, times by, to another.
func get(row []float32, from []byte) {
	clear(row)
	add(row, from, 1)
}

func add(row []float32, from []byte, by float32) {
	replica.Eight.Add(row, from[:rowBytes(len(row))], by)
}

var errMessage = errors.New("a message of another rank cannot be understood: do all ranks run the same program?")

// appendRising encodes rising numbers.
func appendRising(to []byte, numbers []uint32) []byte {
	to = binary.AppendUvarint(to, uint64(len(numbers)))
	last := uint32(0)
	for _, n := range numbers {
		to = binary.AppendUvarint(to, uint64(n-last))
		last = n
	}
	return to
}

// rising decodes rising numbers below limit into numbers, and returns the rest of from.
func rising(from []byte, limit int, numbers []uint32) (all []uint32, rest []byte, err error) {
	count, n := binary.Uvarint(from)
	if n <= 0 || count > uint64(limit) {
		return nil, nil, errMessage
	}
	from = from[n:]
	numbers = numbers[:0]
	last := uint64(0)
	for range count {
		by, n := binary.Uvarint(from)
		if n <= 0 || by >= uint64(limit) || last+by >= uint64(limit) {
			return nil, nil, errMessage
		}
		last += by
		from = from[n:]
		numbers = append(numbers, uint32(last))
	}
	return numbers, from, nil
}
