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

	// Words, rising, by kind: those of the text beyond the head, whose slots follow the head, and those of the
	// pool that are not in the text, whose slots, in the output only, follow.
	words [kinds][]uint32
	asked []ask           // by owner: the rows of these words
	at    [kinds][]uint32 // position of each word among the words of its owner
}

// Kinds of words of a round: in its text, or only in its pool.
const (
	ofText = iota
	ofPool
	kinds
)

// An ask has the rows that a rank needs for a round.
type ask [kinds][]uint32

func (a *ask) bytes(cols int) int { return rowBytes(cols) * (matrices*len(a[ofText]) + len(a[ofPool])) }

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
	*r = Round{Text: r.Text[:0], Tail: r.Tail[:0], words: [kinds][]uint32{r.words[ofText][:0], r.words[ofPool][:0]}, at: r.at}
	for len(r.Text) < x.limits.Tokens && len(r.words[ofText]) <= x.limits.Words-vocab.MaxSentence {
		sentence, last := x.reading.Next()
		if sentence == nil {
			break
		}
		r.Last = last
		for _, id := range sentence {
			if word := id &^ vocab.EndOfSentence; word >= head && x.slot[word] == 0 {
				x.slot[word] = seen
				r.words[ofText] = append(r.words[ofText], word)
			}
		}
		r.Text = append(r.Text, sentence...)
	}
	r.Place, r.Ended = x.reading.Place, len(r.Text) == 0
	r.Last = r.Last || r.Ended
	x.number(r.words[ofText], head)
	for i, id := range r.Text {
		if word := id &^ vocab.EndOfSentence; word >= head {
			r.Text[i] = x.slot[word] | id&vocab.EndOfSentence
		}
	}
	if len(r.words[ofText]) > 0 || !r.Ended && x.layout.Words > x.layout.Head {
		x.draw(r, g)
	}
	for _, words := range r.words {
		for _, word := range words {
			x.slot[word] = 0
		}
	}
	r.ask(x.layout)
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
			r.words[ofPool] = append(r.words[ofPool], word)
		}
	}
	x.number(r.words[ofPool], uint32(x.layout.Head+len(r.words[ofText])))
	for i, word := range r.Tail {
		r.Tail[i] = x.slot[word]
	}
}

// ask lists the rows of the round's words by their owners.
func (r *Round) ask(l Layout) {
	r.asked = make([]ask, l.Ranks)
	for kind, words := range r.words {
		r.at[kind] = r.at[kind][:0]
		for _, word := range words {
			owner, row := l.owner(word)
			rows := &r.asked[owner][kind]
			r.at[kind] = append(r.at[kind], uint32(len(*rows)))
			*rows = append(*rows, row)
		}
	}
}

// slot returns the number of a word's row, counted after the head.
func (r *Round) slot(kind, i int) int {
	if kind == ofPool {
		i += len(r.words[ofText])
	}
	return i
}

// place returns the rows of a word in the message of its owner. Only words of the text have input rows.
func (d *Division) place(r *Round, kind, i int, messages [][]byte) (in, out []byte) {
	row := rowBytes(d.Cols)
	owner, _ := d.owner(r.words[kind][i])
	at := int(r.at[kind][i])
	if kind == ofText {
		from := messages[owner][2*at*row:]
		return from[:row], from[row : 2*row]
	}
	from := messages[owner][(2*len(r.asked[owner][ofText])+at)*row:]
	return nil, from[:row]
}

// Collect returns the changes of a round's rows, which are valid until the next call.
func (d *Division) Collect(r *Round) [][]byte {
	for owner := range d.changes {
		size := r.asked[owner].bytes(d.Cols)
		d.changes[owner] = slices.Grow(d.changes[owner][:0], size)[:size]
	}
	for kind, words := range r.words {
		params.InParts(d.options.Threads, len(words), func(first, last int) {
			code := newCoder(d.Cols)
			for i := first; i < last; i++ {
				in, out := d.place(r, kind, i, d.changes)
				slot := r.slot(kind, i)
				if in != nil {
					code.change(in, d.working[input].Row(d.Head+slot), d.start[input].Row(slot))
				}
				code.change(out, d.working[output].Row(d.Head+slot), d.start[output].Row(slot))
			}
		})
	}
	return d.changes
}

// Install installs the rows of a round, which their owners sent, for training. before is the round trained before
// it, whose changes the owners did not have when they sent the rows, so Install adds them; nil if there is none.
func (d *Division) Install(r *Round, rows [][]byte, before *Round) error {
	for owner, message := range rows {
		if len(message) != r.asked[owner].bytes(d.Cols) {
			return errMessage
		}
	}
	for kind, words := range r.words {
		params.InParts(d.options.Threads, len(words), func(first, last int) {
			for i := first; i < last; i++ {
				in, out := d.place(r, kind, i, rows)
				changedIn, changedOut := d.lastChanges(before, words[i])
				slot := r.slot(kind, i)
				d.set(input, slot, in, changedIn)
				d.set(output, slot, out, changedOut)
			}
		})
	}
	return nil
}

// lastChanges returns the changes of a word's rows in a round, if it has any.
func (d *Division) lastChanges(r *Round, word uint32) (in, out []byte) {
	if r == nil {
		return nil, nil
	}
	for kind, words := range r.words {
		if i, found := slices.BinarySearch(words, word); found {
			return d.place(r, kind, i, d.changes)
		}
	}
	return nil, nil
}

// set sets the row of a slot to a row that its owner sent and, if there is one, its change in the previous round.
func (d *Division) set(m, slot int, row, change []byte) {
	if row == nil {
		return
	}
	start := d.start[m].Row(slot)
	clear(start)
	add(start, row, 1)
	if change != nil {
		add(start, change, 1)
	}
	copy(d.working[m].Row(d.Head+slot), start)
}

func (d *Division) take(messages [][]byte) (err error) {
	asks := make([]ask, d.Ranks)
	for rank, rest := range messages {
		for kind := range kinds {
			if asks[rank][kind], rest, err = rising(rest, d.Owned()); err != nil {
				return err
			}
		}
		if len(rest) > 0 {
			return errMessage
		}
	}
	d.asked = append(d.asked, asks)
	return nil
}

// answer writes both rows of each word of the text that a rank asked for, then the output rows of its pool.
func (d *Division) answer(message []byte, a *ask) {
	row, texts := rowBytes(d.Cols), len(a[ofText])
	pool := message[2*row*texts:]
	params.InParts(d.options.Threads, texts+len(a[ofPool]), func(first, last int) {
		code := newCoder(d.Cols)
		for i := first; i < min(last, texts); i++ {
			code.put(message[2*i*row:], d.owned[input].Row(int(a[ofText][i])))
			code.put(message[(2*i+1)*row:], d.owned[output].Row(int(a[ofText][i])))
		}
		for i := max(first-texts, 0); i < last-texts; i++ {
			code.put(pool[i*row:], d.owned[output].Row(int(a[ofPool][i])))
		}
	})
}

// add applies the changes in the first outstanding round, in the order of ranks, so that sums are reproducible.
func (d *Division) add(changes [][]byte) error {
	if len(d.asked) == 0 {
		return errMessage
	}
	asked := d.asked[0]
	d.asked = d.asked[1:]
	for rank, message := range changes {
		if len(message) != asked[rank].bytes(d.Cols) {
			return errMessage
		}
	}
	round := uint64(d.options.Limits.Tokens)
	rate := d.options.Head.Rate(d.added + round/2)
	d.added += round
	params.InParts(d.options.Threads, d.owned[input].Rows, func(first, last int) {
		d.combine(input, asked, changes, first, last, rate)
		d.combine(output, asked, changes, first, last, rate)
	})
	return nil
}

type changed struct {
	row  uint32
	code []byte
}

// of calls do with each change of matrix m by a rank, in rows first to last-1.
func (d *Division) of(m int, a *ask, message []byte, first, last int, do func(changed)) {
	size := rowBytes(d.Cols)
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

// late is how many rounds of a rank overlap: rows are sent before the preceding round has ended.
const late = 2

// combine combines the changes of all ranks to rows first to last-1 of a matrix, and adds them to the rows.
func (d *Division) combine(m int, asked []ask, changes [][]byte, first, last int, rate float64) {
	ends := make([]uint32, last-first) // of the changes of each row
	for rank, message := range changes {
		d.of(m, &asked[rank], message, first, last, func(c changed) { ends[int(c.row)-first]++ })
	}
	sum := uint32(0)
	for i, n := range ends {
		ends[i] = sum
		sum += n
	}
	all := make([]changed, sum)
	for rank, message := range changes { // so that changes of a row are in the order of ranks
		d.of(m, &asked[rank], message, first, last, func(c changed) {
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
		part := float32(d.options.Head.Combine(n, replica.Row{Ranks: d.Ranks, Way: late * float64(d.touches[m][row]) * rate}))
		for _, c := range all[:n] {
			add(d.owned[m].Row(int(row)), c.code, part)
		}
		all = all[n:]
	}
}

func within(numbers []uint32, first, last int) (from, to int) {
	from = sort.Search(len(numbers), func(i int) bool { return int(numbers[i]) >= first })
	to = sort.Search(len(numbers), func(i int) bool { return int(numbers[i]) >= last })
	return from, to
}

// Messages code a row as a step and 8 bits for each number. Owners store and add in float32.

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

// add decodes a row and adds it, times by, to another.
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

// mostRising is the largest number of bytes that appendRising appends.
func mostRising(numbers []uint32) int {
	return binary.MaxVarintLen64 + binary.MaxVarintLen32*len(numbers)
}

// rising decodes rising numbers below limit, and returns the rest of from.
func rising(from []byte, limit int) (numbers []uint32, rest []byte, err error) {
	count, n := binary.Uvarint(from)
	if n <= 0 || count > uint64(limit) {
		return nil, nil, errMessage
	}
	from = from[n:]
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
