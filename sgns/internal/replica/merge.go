package replica

import (
	"fmt"

	"github.com/w2v-go/w2v/internal/simd"
)

// splitAll splits what ranks have sent into stretches.
func (x *exchange) splitAll(parts [][][]byte, sent [][]byte) (err error) {
	for rank, data := range sent {
		if parts[rank], err = x.split(parts[rank], data); err != nil {
			return fmt.Errorf("rank %d: %w", rank, err)
		}
	}
	return nil
}

// combine combines what the ranks changed in rows that this rank owns, and writes it to same.
func (x *exchange) combine(received [][]byte) error {
	if err := x.splitAll(x.parts, received); err != nil {
		return err
	}
	err := x.divide(func(h *hand, first, end int) error {
		h.out.data = h.out.data[:0]
		for stretch := first; stretch < end; stretch++ {
			if err := h.combine(stretch); err != nil {
				return err
			}
		}
		return nil
	})
	out := x.joined(func(h *hand) *writer { return &h.out })
	for to := range x.same {
		x.same[to] = out
	}
	return err
}

// combine combines the changes of a stretch.
func (h *hand) combine(stretch int) error {
	if err := h.sort(stretch); err != nil {
		return err
	}
	first, end := h.bounds(stretch)
	h.out.stretch(first)
	for at := first; at < end; at++ {
		if h.heads[at-first] >= 0 {
			h.out.place(at)
			h.combineRow(h.places[at], h.heads[at-first])
		}
	}
	h.out.end()
	return nil
}

// sort finds the changes of each place of a stretch.
func (h *hand) sort(stretch int) error {
	first, end := h.bounds(stretch)
	for i := range end - first {
		h.heads[i] = -1
	}
	h.sent = h.sent[:0]
	for from := len(h.parts) - 1; from >= 0; from-- { // so that lists begin with the first rank
		r := h.reader(h.parts[from][stretch], stretch)
		for ; r.at < end; r.next() {
			head := &h.heads[r.at-first]
			h.sent = append(h.sent, sent{r.change, *head})
			*head = int32(len(h.sent) - 1)
		}
		if r.err != nil {
			return fmt.Errorf("rank %d: %w", from, r.err)
		}
	}
	return nil
}

// combineRow combines the changes of a row, and writes the result to out. What coding rounds away
// becomes a change of this rank.
func (h *hand) combineRow(p place, head int32) {
	m := h.matrices[h.matrix(p)]
	combined := h.change[:m.Rows.Cols]
	most := h.combined(combined, h.rowOf(p), head)
	begin := len(h.out.data)
	h.out.data = h.coding.Append(h.out.data, combined, most)
	if h.coding == Exact {
		return
	}
	h.coding.Add(combined, h.out.data[begin:], -1)
	h.add(m.Rows, p.row, combined)
}

// combined sets combined to the one change made of those in the list from head on. It returns the largest
// magnitude in it.
func (h *hand) combined(combined []float32, row Row, head int32) (most float32) {
	if h.options.Combine.Other != nil {
		n := 0
		for ; head >= 0; head = h.sent[head].next {
			if n == len(h.list) {
				h.list = append(h.list, make([]float32, len(h.change)))
			}
			h.list[n] = h.list[n][:len(combined)]
			clear(h.list[n])
			h.coding.Add(h.list[n], h.sent[head].numbers, 1)
			n++
		}
		h.options.Combine.Other(combined, h.list[:n], row)
		return largest(combined)
	}
	var n int
	n, row.Agreement = h.agreement(combined, head)
	part := float32(h.options.Combine.Part(n, row))
	clear(combined)
	for i := head; i >= 0; i = h.sent[i].next {
		most = h.coding.Add(combined, h.sent[i].numbers, part)
	}
	return most
}

// agreement counts the changes in the list from head on and returns their agreement. It overwrites
// combined.
func (h *hand) agreement(combined []float32, head int32) (int, float64) {
	if h.sent[head].next < 0 {
		return 1, 1
	}
	n, squares := 0, 0.0
	sum := h.sum[:len(combined)]
	clear(sum)
	for i := head; i >= 0; i = h.sent[i].next {
		clear(combined)
		h.coding.Add(combined, h.sent[i].numbers, 1)
		squares += square(combined)
		h.coding.Add(sum, h.sent[i].numbers, 1)
		n++
	}
	return n, agreement(sum, squares)
}

// rowOf is what a combiner knows of a row.
func (h *hand) rowOf(p place) Row {
	return Row{Ranks: len(h.send), Way: h.matrices[h.matrix(p)].Touches(int(p.row)) * float64(p.way)}
}

// apply makes combined changes those of rows and references. They are what the owners of the rows sent.
func (x *exchange) apply(combined [][]byte) error {
	if err := x.splitAll(x.parts, combined); err != nil {
		return err
	}
	if err := x.splitAll(x.own, x.send); err != nil {
		return err
	}
	return x.divide(func(h *hand, first, end int) error {
		for stretch := first; stretch < end; stretch++ {
			if err := h.apply(stretch); err != nil {
				return err
			}
		}
		return nil
	})
}

// apply applies the combined changes of a stretch, in the order of places, which is about that of memory.
func (h *hand) apply(stretch int) error {
	for owner := range h.parts {
		h.all[owner] = h.reader(h.parts[owner][stretch], stretch)
		h.mine[owner] = h.reader(h.own[owner][stretch], stretch)
	}
	first, end := h.bounds(stretch)
	for at := first; at < end; at++ {
		h.prefetch(at + prefetched)
		p := h.places[at]
		owner := h.owner(p)
		all, mine := &h.all[owner], &h.mine[owner]
		if all.at != at {
			continue
		}
		var sent []byte
		if mine.at == at {
			sent = mine.change
			mine.next()
		}
		h.applyRow(p, all.change, sent)
		all.next()
	}
	for owner := range h.all {
		// A change that was sent must come back, and no others than the owner's.
		if r := &h.all[owner]; r.err != nil || r.at < end || h.mine[owner].at < end {
			return fmt.Errorf("rank %d: %w", owner, errDamaged)
		}
	}
	return nil
}

// applyRow applies the combined change of a row, of which this rank sent own, or nothing.
func (h *hand) applyRow(p place, combined, own []byte) {
	m := h.matrix(p)
	rows, reference := h.matrices[m].Rows, h.reference[m].Row(int(p.row))
	switch {
	case h.complete:
		h.coding.Add(reference, combined, 1)
		copy(rows.Row(int(p.row)), reference)
	case h.coding == Eight:
		all := eights(combined)
		mine := simd.Eights{Bits: all.Bits} // nothing
		if own != nil {
			mine = eights(own)
		}
		simd.MoveEights(reference, rows.Row(int(p.row)), all, mine)
	default:
		change := h.change[:len(reference)]
		clear(change)
		h.coding.Add(change, combined, 1)
		if own != nil {
			h.coding.Add(change, own, -1)
		}
		h.add(rows, p.row, change)
		h.coding.Add(reference, combined, 1)
	}
}
