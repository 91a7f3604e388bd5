package replica

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/vectors"
)

// mostPlaces is the largest number of rows of a piece, which bounds its memory.
const mostPlaces = 1 << 15

// An exchange is a turn in progress. Its memory is reused.
type exchange struct {
	*Synchroniser
	complete bool
	coding   Coding
	ignored  float32

	bytes []int // size of a change, by class

	places []place // rows of the piece
	hands  []*hand
	send   [][]byte   // by rank
	parts  [][][]byte // received data of each rank, by stretch
	own    [][][]byte // data sent to each rank, by stretch
}

// A hand is the memory of one goroutine.
type hand struct {
	*exchange
	changes []writer // by owner
	out     []writer // combined changes: one, for all ranks
	change  []float32
	sum     []float32 // sum of the changes of a row
	heads   []int32   // by place of the stretch: index of its first sent, or -1
	sent    []sent
	all     []reader   // readers of combined changes, by owner
	mine    []reader   // readers of the data that was sent to owners
	single  simd.Lists // list of a single row
}

type sent struct {
	numbers []byte
	next    int32 // index of the change of the same place by a later rank; or -1
}

func (x *exchange) init(s *Synchroniser) {
	x.Synchroniser = s
	cols := 0
	for _, m := range s.matrices {
		cols = max(cols, m.Rows.Cols)
	}
	n := s.comm.Size()
	x.send = make([][]byte, n)
	x.parts, x.own = make([][][]byte, n), make([][][]byte, n)
	for i := range max(1, s.options.Threads) {
		h := &hand{
			exchange: x,
			changes:  make([]writer, n),
			out:      make([]writer, 1),
			change:   make([]float32, cols),
			sum:      make([]float32, cols),
			heads:    make([]int32, stretchPlaces),
			all:      make([]reader, n),
			mine:     make([]reader, n),
			single:   simd.Lists{Starts: []uint64{0, 1}, Rows: []uint32{0}, Weights: []float32{1}},
		}
		if x.hands = append(x.hands, h); i == 0 {
			for to := range h.changes {
				h.changes[to].grow = s.comm.Grow
			}
			h.out[0].grow = s.comm.Grow
		}
	}
}

func (x *exchange) begin(complete bool) {
	x.complete, x.coding, x.ignored = complete, x.options.Coding, x.options.Ignored
	if complete {
		x.coding, x.ignored = Exact, 0
	}
	x.bytes = x.bytes[:0]
	for _, c := range x.classes {
		x.bytes = append(x.bytes, x.coding.Bytes(x.matrices[c.matrix].Rows.Cols))
	}
}

// matrix returns the index of a place's matrix, and owner the rank that combines its changes.
func (x *exchange) matrix(p place) int { return x.classes[p.class].matrix }
func (x *exchange) owner(p place) int {
	return int((p.row + uint32(x.matrix(p))) % uint32(len(x.send)))
}

// piece exchanges the rows in places, and empties places.
func (x *exchange) piece(ctx context.Context) error {
	if len(x.places) == 0 {
		return nil
	}
	for _, h := range x.hands {
		h.out[0].data = h.out[0].data[:0]
		for to := range h.changes {
			h.changes[to].data = h.changes[to].data[:0]
		}
	}
	err := x.each((*hand).collect)
	x.join(func(h *hand) []writer { return h.changes })
	for to := range x.send {
		x.send[to] = x.hands[0].changes[to].data
	}
	if err == nil {
		err = x.swap(ctx, x.send, (*hand).combine)
	}
	if err == nil {
		err = x.split(x.own, x.send)
	}
	if err == nil {
		x.join(func(h *hand) []writer { return h.out })
		err = x.swap(ctx, slices.Repeat([][]byte{x.hands[0].out[0].data}, len(x.send)), (*hand).apply)
	}
	if err != nil {
		return fmt.Errorf("exchange of rows: %w", err)
	}
	x.places = x.places[:0]
	return nil
}

// swap sends data to all ranks, and lets hands work on what they have sent.
func (x *exchange) swap(ctx context.Context, send [][]byte, work func(h *hand, stretch int) error) error {
	for to, data := range send {
		if to != x.comm.Rank() {
			x.sent += uint64(len(data))
		}
	}
	received, err := x.comm.AllToAll(ctx, send)
	if err != nil {
		return err
	}
	return x.work(received, work)
}

func (x *exchange) work(received [][]byte, work func(h *hand, stretch int) error) error {
	if err := x.split(x.parts, received); err != nil {
		return err
	}
	return x.each(work)
}

// each calls work for each stretch. The first hand has the first stretches, and so on.
func (x *exchange) each(work func(h *hand, stretch int) error) error {
	n, hands := x.stretches(), len(x.hands)
	errs := make([]error, hands)
	own := func(i int) {
		for stretch := i * n / hands; stretch < (i+1)*n/hands && errs[i] == nil; stretch++ {
			errs[i] = work(x.hands[i], stretch)
		}
	}
	var all sync.WaitGroup
	for i := range hands - 1 {
		all.Go(func() { own(i) })
	}
	own(hands - 1)
	all.Wait()
	return cmp.Or(errs...)
}

// join appends what the other hands have written to what the first one has, whose memory the Comm sends from.
func (x *exchange) join(of func(h *hand) []writer) {
	if len(x.hands) == 1 {
		return
	}
	first := of(x.hands[0])
	for to := range first {
		w := &first[to]
		size := len(w.data)
		for _, h := range x.hands[1:] {
			of(h)[to].begin = size
			size += len(of(h)[to].data)
		}
		w.room(size - len(w.data))
		w.data = slices.Grow(w.data, size-len(w.data))[:size]
	}
	var all sync.WaitGroup
	for _, h := range x.hands[1:] {
		all.Go(func() {
			for to, w := range of(h) {
				copy(first[to].data[w.begin:], w.data)
			}
		})
	}
	all.Wait()
}

// collect writes this rank's changes of a stretch.
func (h *hand) collect(stretch int) error {
	first, end := h.bounds(stretch)
	for to := range h.changes {
		h.changes[to].stretch(first)
	}
	for at := first; at < end; at++ {
		h.prefetch(at + prefetched)
		p := h.places[at]
		m, row := h.matrix(p), int(p.row)
		change := h.change[:h.matrices[m].Rows.Cols]
		most, by := simd.Difference(change, h.matrices[m].Rows.Row(row), h.reference[m].Row(row))
		if by == 0 || by < h.ignored*most {
			continue
		}
		w := &h.changes[h.owner(p)]
		w.place(at, h.bytes[p.class])
		w.data = h.coding.Append(w.data, change, by)
	}
	for to := range h.changes {
		h.changes[to].end()
	}
	return nil
}

// prefetched is how many places ahead rows are prefetched, as most are not in a cache.
const prefetched = 4

// prefetch prefetches the row of a place and its reference.
func (h *hand) prefetch(at int) {
	if at >= len(h.places) {
		return
	}
	p := h.places[at]
	m := h.matrix(p)
	rows, reference := h.matrices[m].Rows, h.reference[m]
	h.single.Rows[0] = p.row
	simd.Prefetch(rows.Data, rows.Stride, h.single.Rows, rows.Cols)
	simd.Prefetch(reference.Data, reference.Stride, h.single.Rows, rows.Cols)
}

// add adds a change to a row that workers may be changing.
func (h *hand) add(m vectors.Matrix, row uint32, change []float32) {
	h.single.Rows[0] = row
	simd.ScatterLists(m.Data, m.Stride, h.single, []uint32{0}, simd.Block{Data: change, Rows: 1, Cols: len(change), Stride: len(change)})
}

// A rank's message for a piece is a sequence of stretches of places, so that several goroutines can process
// it. A stretch is the length of its changes in bytes, followed by its changes in the order of places. A
// change is the number of places skipped before it, followed by its numbers.

// stretchPlaces is the number of places in a stretch. The last stretch of a piece may have fewer.
const stretchPlaces = 512

const lengthBytes = 4

// ErrDamaged says that this rank cannot decode a message of another rank.
var ErrDamaged = errors.New("what it sent cannot be read: all ranks must run the same version with the same options")

func damaged(rank int) error { return fmt.Errorf("rank %d: %w", rank, ErrDamaged) }

func (x *exchange) stretches() int { return (len(x.places) + stretchPlaces - 1) / stretchPlaces }

func (x *exchange) bounds(stretch int) (first, end int) {
	first = stretch * stretchPlaces
	return first, min(first+stretchPlaces, len(x.places))
}

type writer struct {
	data  []byte
	begin int                             // start of the changes of the stretch
	next  int                             // the place after the last change
	grow  func(data []byte, n int) []byte // nil for memory of Go
}

// room makes room for n more bytes.
func (w *writer) room(n int) {
	if cap(w.data)-len(w.data) < n && w.grow != nil {
		w.data = w.grow(w.data, n)
	}
}

func (w *writer) stretch(first int) {
	w.room(lengthBytes)
	w.data = append(w.data, make([]byte, lengthBytes)...)
	w.begin, w.next = len(w.data), first
}

// place begins a change, which has so many bytes.
func (w *writer) place(at, bytes int) {
	w.room(binary.MaxVarintLen32 + bytes)
	w.data = binary.AppendUvarint(w.data, uint64(at-w.next))
	w.next = at + 1
}

func (w *writer) end() {
	binary.LittleEndian.PutUint32(w.data[w.begin-lengthBytes:], uint32(len(w.data)-w.begin))
}

// split splits the messages of all ranks into stretches.
func (x *exchange) split(parts [][][]byte, sent [][]byte) error {
	for rank, data := range sent {
		all := parts[rank][:0]
		for range x.stretches() {
			if len(data) < lengthBytes {
				return damaged(rank)
			}
			length := uint64(binary.LittleEndian.Uint32(data))
			if data = data[lengthBytes:]; uint64(len(data)) < length {
				return damaged(rank)
			}
			all, data = append(all, data[:length]), data[length:]
		}
		if parts[rank] = all; len(data) > 0 {
			return damaged(rank)
		}
	}
	return nil
}

type reader struct {
	*exchange
	data   []byte // remaining data
	at     int    // place of the current change, or end if there is none
	end    int    // of the stretch
	change []byte // numbers
	broken bool
}

func (x *exchange) reader(data []byte, stretch int) reader {
	first, end := x.bounds(stretch)
	r := reader{exchange: x, data: data, at: first - 1, end: end}
	r.next()
	return r
}

func (r *reader) next() {
	if len(r.data) == 0 {
		r.at = r.end
		return
	}
	gap, n := uint64(r.data[0]), 1 // most gaps take one byte
	if gap > 0x7f {
		gap, n = binary.Uvarint(r.data)
	}
	if n <= 0 || gap >= uint64(r.end-r.at-1) {
		r.at, r.broken = r.end, true
		return
	}
	r.at += 1 + int(gap)
	length := n + r.bytes[r.places[r.at].class]
	if len(r.data) < length {
		r.at, r.broken = r.end, true
		return
	}
	r.change, r.data = r.data[n:length], r.data[length:]
}

// combine combines the changes of a stretch, in rows that this rank owns.
func (h *hand) combine(stretch int) error {
	if err := h.sort(stretch); err != nil {
		return err
	}
	first, end := h.bounds(stretch)
	out := &h.out[0]
	out.stretch(first)
	for at := first; at < end; at++ {
		if h.heads[at-first] >= 0 {
			p := h.places[at]
			out.place(at, h.bytes[p.class])
			h.combineRow(p, h.heads[at-first])
		}
	}
	out.end()
	return nil
}

// sort lists the changes of each place of a stretch.
func (h *hand) sort(stretch int) error {
	first, end := h.bounds(stretch)
	for i := range end - first {
		h.heads[i] = -1
	}
	h.sent = h.sent[:0]
	for from := len(h.parts) - 1; from >= 0; from-- { // backwards, so that lists begin with the first rank
		r := h.reader(h.parts[from][stretch], stretch)
		for ; r.at < end; r.next() {
			head := &h.heads[r.at-first]
			h.sent = append(h.sent, sent{r.change, *head})
			*head = int32(len(h.sent) - 1)
		}
		if r.broken {
			return damaged(from)
		}
	}
	return nil
}

// combineRow writes the combined changes of a row to out. Rounding errors become a change of this rank.
func (h *hand) combineRow(p place, head int32) {
	m := h.matrices[h.matrix(p)]
	combined := h.change[:m.Rows.Cols]
	n, agreement := h.agreement(combined, head)
	row := Row{Ranks: len(h.send), Way: m.Touches(int(p.row)) * float64(p.way), Agreement: agreement}
	part, most := float32(h.options.Combine(n, row)), float32(0)
	clear(combined)
	for i := head; i >= 0; i = h.sent[i].next {
		most = h.coding.Add(combined, h.sent[i].numbers, part)
	}
	out := &h.out[0]
	begin := len(out.data)
	out.data = h.coding.Append(out.data, combined, most)
	if h.coding == Exact {
		return
	}
	h.coding.Add(combined, out.data[begin:], -1)
	h.add(m.Rows, p.row, combined)
}

// agreement returns the number of changes from head on, and their agreement. It overwrites combined.
func (h *hand) agreement(combined []float32, head int32) (n int, agreement float64) {
	if h.sent[head].next < 0 {
		return 1, 1
	}
	sum, squares := h.sum[:len(combined)], 0.0
	clear(sum)
	for i := head; i >= 0; i = h.sent[i].next {
		clear(combined)
		h.coding.Add(combined, h.sent[i].numbers, 1)
		squares += square(combined)
		h.coding.Add(sum, h.sent[i].numbers, 1)
		n++
	}
	if squares == 0 { // the changes are too short for float32
		return n, 1
	}
	return n, square(sum) / squares
}

// apply applies the combined changes of a stretch in the order of places, roughly that of memory.
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
		if mine.at == at {
			h.applyRow(p, all.change, mine.change)
			mine.next()
		} else {
			h.applyRow(p, all.change, nil)
		}
		all.next()
	}
	for owner := range h.all {
		// Owners must return a combined change for every change that was sent, and only for their own rows.
		if r := &h.all[owner]; r.broken || r.at < end || h.mine[owner].at < end {
			return damaged(owner)
		}
	}
	return nil
}

// applyRow applies the combined change of a row. own is the change that this rank sent; it may be empty.
func (h *hand) applyRow(p place, combined, own []byte) {
	m := h.matrix(p)
	rows, reference := h.matrices[m].Rows, h.reference[m].Row(int(p.row))
	switch {
	case h.complete:
		h.coding.Add(reference, combined, 1)
		copy(rows.Row(int(p.row)), reference)
	case h.coding == Eight:
		all := eights(combined)
		mine := simd.Eights{Bits: all.Bits} // no change
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
