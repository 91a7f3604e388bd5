package replica

import (
	"context"
	"encoding/binary"
	"errors"
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
	same   [][]byte   // combined changes of the rows that this rank owns, to be sent to each rank
	parts  [][][]byte // received data of each rank, by stretch
	own    [][][]byte // data sent to each rank, by stretch
}

// A hand is the memory of one goroutine.
type hand struct {
	*exchange
	changes []writer // by owner
	out     writer   // combined changes
	change  []float32
	sum     []float32 // sum of the changes of a row
	heads   []int32   // by place of the stretch: index of its first sent, or -1
	sent    []sent
	all     []reader   // readers of combined changes, by owner
	mine    []reader   // readers of the data that was sent to owners
	single  simd.Lists // list of a single row
}

// A sent is a change that a rank has sent.
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

// matrix returns the index of a place's matrix, and owner the rank that combines its changes.
func (x *exchange) matrix(p place) int { return x.classes[p.class].matrix }
func (x *exchange) owner(p place) int {
	return int((p.row + uint32(x.matrix(p))) % uint32(len(x.send)))
}

// piece exchanges the rows in places, and empties places.
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

// divide calls work for each hand with its own stretches, from first to end-1. The first hand has the first
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

// joined returns the output of all hands, one after the other, in the memory of the first.
func (x *exchange) joined(of func(h *hand) *writer) []byte {
	first := of(x.hands[0])
	for _, h := range x.hands[1:] {
		first.data = append(first.data, of(h).data...)
	}
	return first.data
}

// collect writes this rank's changes to send.
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

// collect writes the changes of a stretch.
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

// prefetched is how many places ahead rows are prefetched. Most rows are not in a cache, because they were
// used long ago.
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

// lengthBytes is the size of the length of a stretch.
const lengthBytes = 4

// errDamaged says that this rank cannot decode a message of another rank.
var errDamaged = errors.New("what it sent cannot be read: all ranks must run the same version with the same options")

// stretches returns the number of stretches in the piece.
func (x *exchange) stretches() int { return (len(x.places) + stretchPlaces - 1) / stretchPlaces }

// bounds returns the first place of a stretch, and the place after its last.
func (x *exchange) bounds(stretch int) (first, end int) {
	first = stretch * stretchPlaces
	return first, min(first+stretchPlaces, len(x.places))
}

// A writer appends a stretch to data.
type writer struct {
	data  []byte
	begin int // start of the changes of the stretch
	next  int // the place after the last change
}

// stretch starts a stretch of places from first on.
func (w *writer) stretch(first int) {
	w.data = append(w.data, make([]byte, lengthBytes)...)
	w.begin, w.next = len(w.data), first
}

// place starts the change of a place. Its numbers follow.
func (w *writer) place(at int) {
	w.data = binary.AppendUvarint(w.data, uint64(at-w.next))
	w.next = at + 1
}

// end ends the stretch.
func (w *writer) end() {
	binary.LittleEndian.PutUint32(w.data[w.begin-lengthBytes:], uint32(len(w.data)-w.begin))
}

// split splits a message of a rank into stretches.
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
	data   []byte // remaining data
	at     int    // place of the current change, or end if there is none
	end    int    // of the stretch
	change []byte // numbers
	err    error
}

// reader starts reading a stretch at its first change.
func (x *exchange) reader(data []byte, stretch int) reader {
	first, end := x.bounds(stretch)
	r := reader{exchange: x, data: data, at: first - 1, end: end}
	r.next()
	return r
}

// next moves to the next change.
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
