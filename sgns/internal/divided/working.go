package divided

import (
	"slices"

	"github.com/w2v-go/w2v/vectors"
)

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
