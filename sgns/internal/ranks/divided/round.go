package divided

import (
	"slices"

	"github.com/w2v-go/w2v/sgns/internal/engine"
	"github.com/w2v-go/w2v/sgns/internal/loss"
	"github.com/w2v-go/w2v/sgns/internal/random"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vocab"
)

// Limits say how large rounds are.
type Limits struct {
	Tokens int // a round ends with the sentence that has so many
	Words  int // different ones beyond the head in the text of a round, at most
	Pool   int // negatives in the pool
}

// A Round is a part of a rank's text, with the words whose rows it needs.
type Round struct {
	Text  []uint32     // slots for words, in whole sentences as vocab.IDs has them
	Tail  []uint32     // slots of the pool
	Last  bool         // in the last epoch
	Ended bool         // there is no more text, also not in this round
	Place engine.Place // where the text behind the round begins

	words []uint32 // beyond the head, of the text, rising; they have the slots behind the head
	pool  []uint32 // of the pool and not of the text, rising; they have the slots behind these, in the output alone

	at     [2][]uint32 // for words, and for the pool: which of those of its owner each is
	before [2][]int32  // for words, and for the pool: which of the words of the round before each is; below 0 for none, and -2-i for i of its pool
	counts [2][]int    // for words, and for the pool: how many belong to each rank
}

// kinds of words of a round: those of its text, and those of the pool alone.
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

// A Reader makes rounds of a rank's text.
type Reader struct {
	layout  Layout
	limits  Limits
	reading *engine.Reading
	noise   loss.Pooled
	slot    []uint32 // by word: its slot, 0 for none
}

// NewReader returns a reader of the text of a run, which has as many words as the layout.
func NewReader(l Layout, limits Limits, reading *engine.Reading, noise loss.Pooled) *Reader {
	return &Reader{layout: l, limits: limits, reading: reading, noise: noise, slot: make([]uint32, l.Words)}
}

// Go makes place where the next round begins.
func (x *Reader) Go(place engine.Place) { x.reading.Place = place }

// seen is the slot of a word that has none yet.
const seen = ^uint32(0)

// Read makes r the next round. The pool is drawn with a generator of that round.
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

// number gives words slots from first on, in their order.
func (x *Reader) number(words []uint32, first uint32) {
	slices.Sort(words)
	for i, word := range words {
		x.slot[word] = first + uint32(i)
	}
}

// draw draws the pool.
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

// count finds out who owns the words.
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

// after finds which of the words were in the round before.
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

// asks returns for each rank which of its rows the round needs.
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

// A working set has the rows that a rank trains: those of the head, and behind them those of the words
// of a round, by slot.
type working struct {
	Layout
	rows    Rows // what is trained
	start   Rows // what the rows behind the head were when the round began; the first is that of the first slot behind the head
	threads int
	changes [][]byte // by owner: what the rows of the last round changed by
}

func newWorking(l Layout, rows Rows, threads int) *working {
	w := &working{Layout: l, rows: rows, threads: threads, changes: make([][]byte, l.Ranks)}
	for m := range rows {
		w.start[m] = vectors.NewMatrix(rows[m].Rows-l.Head, l.Cols)
	}
	return w
}

// place returns the rows of a word of a round, in the message of its owner. Only those of words of the text
// have rows of the input.
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

// slot returns the number of the row behind the head of a word of a round.
func (r *Round) slot(kind, i int) int {
	if kind == ofPool {
		i += len(r.words)
	}
	return i
}

// collect finds what the rows of a round have changed by.
func (w *working) collect(r *Round) {
	for owner := range w.changes {
		size := rowsBytes(r.counts[ofText][owner], r.counts[ofPool][owner], w.Cols)
		w.changes[owner] = slices.Grow(w.changes[owner][:0], size)[:size]
	}
	for kind := range kinds {
		inParts(w.threads, len(r.list(kind)), func(first, last int) {
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

// install makes the rows those of a round, as the owners sent them. They did not know yet what this rank
// changed in the round before, if there was one: that is added.
func (w *working) install(r *Round, answers [][]byte, before *Round) error {
	for owner, message := range answers {
		if len(message) != rowsBytes(r.counts[ofText][owner], r.counts[ofPool][owner], w.Cols) {
			return errMessage
		}
	}
	for kind := range kinds {
		inParts(w.threads, len(r.list(kind)), func(first, last int) {
			for i := first; i < last; i++ {
				w.set(r, kind, i, answers, before)
			}
		})
	}
	return nil
}

// set sets the rows of a word.
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
