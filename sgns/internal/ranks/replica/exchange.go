package replica

import (
	"context"
	"encoding/binary"
	"errors"
	"sync"

	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/vectors"
)

// mostPlaces is the most rows of a piece, which bounds what is in memory for it.
const mostPlaces = 1 << 15

// An exchange is a turn on its way. What it has is reused.
type exchange struct {
	*Synchroniser
	complete bool
	coding   Coding
	ignored  float32

	bytes []int // of a change, by class

	places []place // of the piece
	hands  []*hand
	send   [][]byte   // by rank
	same   [][]byte   // the combined changes of the rows that this rank owns, for each rank
	parts  [][][]byte // of what each rank sent, by stretch
	own    [][][]byte // of what was sent to each rank, by stretch
}

// A hand is what one goroutine works with.
type hand struct {
	*exchange
	changes []writer // by owner
	out     writer   // combined changes
	change  []float32
	sum     []float32 // of changes of a row
	heads   []int32   // by place of the stretch: its first sent, or -1
	sent    []sent
	all     []reader   // of combined changes, by owner
	mine    []reader   // of what was sent to owners
	single  simd.Lists // of one row
}

// Sent is a change that some rank has sent.
type sent struct {
	numbers []byte
	next    int32 // of the same place, from a later rank; or -1
}

func (x *exchange) init(s *Synchroniser) {
	x.Synchroniser = s
	cols := 0
	for _, m := range s.matrices {
		cols = max(cols, m.Rows.Cols)
	}
	n := s.comm.Size()
	x.send, x.same = make([][]byte, n), make([][]byte, n)
	x.parts, x.own = make([][][]byte, n), make([][][]byte, n)
	for range max(1, s.options.Threads) {
		x.hands = append(x.hands, &hand{
			exchange: x,
			changes:  make([]writer, n),
			change:   make([]float32, cols),
			sum:      make([]float32, cols),
			heads:    make([]int32, stretchPlaces),
			all:      make([]reader, n),
			mine:     make([]reader, n),
			single:   simd.Lists{Starts: []uint64{0, 1}, Rows: []uint32{0}, Weights: []float32{1}},
		})
	}
}

// begin begins a turn.
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

// matrix is the number of a place's matrix, and owner the rank that combines its changes.
func (x *exchange) matrix(p place) int { return x.classes[p.class].matrix }
func (x *exchange) owner(p place) int {
	return int((p.row + uint32(x.matrix(p))) % uint32(len(x.send)))
}

// piece exchanges the rows in places, and forgets them.
func (x *exchange) piece(ctx context.Context) error {
	if err := x.collect(); err != nil {
		return err
	}
	received, err := x.all(ctx, x.send)
	if err != nil {
		return err
	}
	if err := x.combine(received); err != nil {
		return err
	}
	if received, err = x.all(ctx, x.same); err != nil {
		return err
	}
	if err := x.apply(received); err != nil {
		return err
	}
	x.places = x.places[:0]
	return nil
}

// all sends data to all ranks and counts them.
func (x *exchange) all(ctx context.Context, send [][]byte) ([][]byte, error) {
	for to, data := range send {
		if to != x.comm.Rank() {
			x.sent += uint64(len(data))
		}
	}
	return x.comm.AllToAll(send).Wait(ctx)
}

// divide has each hand work on stretches of its own, from first to end-1. The first hand has the first
// stretches, and so on.
func (x *exchange) divide(work func(h *hand, first, end int) error) error {
	n, hands := x.stretches(), len(x.hands)
	errs := make([]error, hands)
	var all sync.WaitGroup
	for i, h := range x.hands {
		first, end := i*n/hands, (i+1)*n/hands
		if i == hands-1 {
			errs[i] = work(h, first, end)
		} else {
			all.Go(func() { errs[i] = work(h, first, end) })
		}
	}
	all.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// joined is what all hands have written, one after the other, in the memory of the first.
func (x *exchange) joined(of func(h *hand) *writer) []byte {
	first := of(x.hands[0])
	for _, h := range x.hands[1:] {
		first.data = append(first.data, of(h).data...)
	}
	return first.data
}

// collect writes what has changed on this rank into send.
func (x *exchange) collect() error {
	err := x.divide(func(h *hand, first, end int) error {
		for to := range h.changes {
			h.changes[to].data = h.changes[to].data[:0]
		}
		for stretch := first; stretch < end; stretch++ {
			h.collect(stretch)
		}
		return nil
	})
	for to := range x.send {
		x.send[to] = x.joined(func(h *hand) *writer { return &h.changes[to] })
	}
	return err
}

// collect writes what has changed in a stretch.
func (h *hand) collect(stretch int) {
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
		w.place(at)
		w.data = h.coding.Append(w.data, change, by)
	}
	for to := range h.changes {
		h.changes[to].end()
	}
}

// prefetched is how many places ahead rows are brought near. Most are not in a cache: they were used long ago.
const prefetched = 4

// prefetch asks for the row of a place, and what all ranks know of it, to be brought near.
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

// What a rank sends of a piece is a stretch of places after the other, so that several goroutines can
// work on it. A stretch is the length of its changes in bytes, and its changes in the order of places. A
// change is how many places are left out before it, and its numbers.

// stretchPlaces is how many places a stretch has; the last one of a piece may have fewer.
const stretchPlaces = 512

// lengthBytes is how many bytes the length of a stretch takes.
const lengthBytes = 4

// errDamaged says that a rank sent what this one cannot read.
var errDamaged = errors.New("what it sent cannot be read: all ranks must run the same version with the same options")

// stretches is how many stretches the piece has.
func (x *exchange) stretches() int { return (len(x.places) + stretchPlaces - 1) / stretchPlaces }

// bounds are the first place of a stretch, and the one behind it.
func (x *exchange) bounds(stretch int) (first, end int) {
	first = stretch * stretchPlaces
	return first, min(first+stretchPlaces, len(x.places))
}

// A writer writes a stretch behind data.
type writer struct {
	data  []byte
	begin int // of the changes of the stretch
	next  int // the place behind the last change
}

// stretch begins to write a stretch of places from first on.
func (w *writer) stretch(first int) {
	w.data = append(w.data, make([]byte, lengthBytes)...)
	w.begin, w.next = len(w.data), first
}

// place begins to write the change of a place. Its numbers follow.
func (w *writer) place(at int) {
	w.data = binary.AppendUvarint(w.data, uint64(at-w.next))
	w.next = at + 1
}

// end ends the stretch.
func (w *writer) end() {
	binary.LittleEndian.PutUint32(w.data[w.begin-lengthBytes:], uint32(len(w.data)-w.begin))
}

// split splits what a rank has sent into stretches.
func (x *exchange) split(stretches [][]byte, data []byte) ([][]byte, error) {
	stretches = stretches[:0]
	for range x.stretches() {
		if len(data) < lengthBytes {
			return nil, errDamaged
		}
		length := uint64(binary.LittleEndian.Uint32(data))
		if data = data[lengthBytes:]; uint64(len(data)) < length {
			return nil, errDamaged
		}
		stretches = append(stretches, data[:length])
		data = data[length:]
	}
	if len(data) > 0 {
		return nil, errDamaged
	}
	return stretches, nil
}

// A reader reads the changes of a stretch.
type reader struct {
	*exchange
	data   []byte // that is left
	at     int    // the place of the change that was read last, or end if there are no more
	end    int    // of the stretch
	change []byte // numbers
	err    error
}

// reader begins to read data of a stretch, with the first change.
func (x *exchange) reader(data []byte, stretch int) reader {
	first, end := x.bounds(stretch)
	r := reader{exchange: x, data: data, at: first - 1, end: end}
	r.next()
	return r
}

// next reads the next change.
func (r *reader) next() {
	if len(r.data) == 0 {
		r.at = r.end
		return
	}
	gap, n := uint64(r.data[0]), 1 // as most are
	if gap > 0x7f {
		gap, n = binary.Uvarint(r.data)
	}
	if n <= 0 || gap >= uint64(r.end-r.at-1) {
		r.at, r.err = r.end, errDamaged
		return
	}
	r.at += 1 + int(gap)
	length := n + r.bytes[r.places[r.at].class]
	if len(r.data) < length {
		r.at, r.err = r.end, errDamaged
		return
	}
	r.change, r.data = r.data[n:length], r.data[length:]
}
