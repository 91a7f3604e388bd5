package replica

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"

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

	places []place // of the piece
	send   [][]byte
	out    []byte // combined changes of the rows that this rank owns
	change []float32
	own    []float32
	exact  []float32
	list   [][]float32 // by rank
	given  [][]float32 // those of list that there are
	single simd.Lists  // of one row
}

func (x *exchange) init(s *Synchroniser) {
	x.Synchroniser = s
	cols := 0
	for _, m := range s.matrices {
		cols = max(cols, m.Rows.Cols)
	}
	n := s.comm.Size()
	x.send, x.list = make([][]byte, n), make([][]float32, n)
	for i := range x.list {
		x.list[i] = make([]float32, cols)
	}
	x.change, x.own, x.exact = make([]float32, cols), make([]float32, cols), make([]float32, cols)
	x.single = simd.Lists{Starts: []uint64{0, 1}, Rows: []uint32{0}, Weights: []float32{1}}
}

// begin begins a turn.
func (x *exchange) begin(complete bool) {
	x.complete, x.coding, x.ignored = complete, x.options.Coding, x.options.Ignored
	if complete {
		x.coding, x.ignored = Exact, 0
	}
}

// owner is the rank that combines the changes of a row.
func (x *exchange) owner(p place) int { return (int(p.row) + int(p.matrix)) % len(x.send) }

// piece exchanges the rows in places, and forgets them.
func (x *exchange) piece(ctx context.Context) error {
	x.collect()
	received, err := x.all(ctx, x.send)
	if err != nil {
		return err
	}
	if err := x.combine(received); err != nil {
		return err
	}
	same := make([][]byte, len(x.send))
	for to := range same {
		same[to] = x.out
	}
	if received, err = x.all(ctx, same); err != nil {
		return err
	}
	for owner, combined := range received {
		if err := x.apply(combined, x.send[owner]); err != nil {
			return fmt.Errorf("rank %d: %w", owner, err)
		}
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

// collect writes what has changed on this rank into send.
func (x *exchange) collect() {
	for to := range x.send {
		x.send[to] = x.send[to][:0]
	}
	last := make([]int, len(x.send)) // by owner
	for i, p := range x.places {
		m := x.matrices[p.matrix].Rows
		change := x.change[:m.Cols]
		x.read(change, m, p.row)
		most := largest(change)
		reference := x.reference[p.matrix].Row(int(p.row))
		for k, r := range reference {
			change[k] -= r
		}
		if by := largest(change); by == 0 || by < x.ignored*most {
			continue
		}
		to := x.owner(p)
		x.send[to] = binary.AppendUvarint(x.send[to], uint64(i-last[to]))
		x.send[to] = x.coding.Append(x.send[to], change)
		last[to] = i
	}
}

// read reads a row that workers may be changing.
func (x *exchange) read(into []float32, m vectors.Matrix, row uint32) {
	x.single.Rows[0] = row
	simd.Gather(into, m.Data, m.Stride, x.single.Rows, x.single.Weights)
}

// add adds a change to a row that workers may be changing.
func (x *exchange) add(m vectors.Matrix, row uint32, change []float32) {
	x.single.Rows[0] = row
	simd.ScatterLists(m.Data, m.Stride, x.single, []uint32{0}, simd.Block{Data: change, Rows: 1, Cols: len(change), Stride: len(change)})
}

// A stream is changes of rows in the order of places.
type stream struct {
	data []byte
	at   int // of the next change; the number of places if there is none
	err  error
}

// errDamaged says that a rank sent what this one cannot read.
var errDamaged = errors.New("what it sent cannot be read: all ranks must run the same version with the same options")

// next finds the next change.
func (x *exchange) next(s *stream) {
	if len(s.data) == 0 {
		s.at = len(x.places)
		return
	}
	gap, n := binary.Uvarint(s.data)
	if n <= 0 || gap >= uint64(len(x.places)-s.at) || len(s.data) < n+x.coding.Bytes(x.cols(s.at+int(gap))) {
		s.at, s.err = len(x.places), errDamaged
		return
	}
	s.at += int(gap)
	s.data = s.data[n:]
}

func (x *exchange) cols(at int) int { return x.matrices[x.places[at].matrix].Rows.Cols }

// take reads the change that next found, and finds the next one.
func (x *exchange) take(s *stream, change []float32) {
	x.coding.Read(change, s.data)
	s.data = s.data[x.coding.Bytes(len(change)):]
	x.next(s)
}

// streams begins to read changes.
func (x *exchange) stream(data []byte) *stream {
	s := &stream{data: data}
	x.next(s)
	return s
}

// combine combines what the ranks changed in rows that this rank owns, and writes it to out.
func (x *exchange) combine(received [][]byte) error {
	streams := make([]*stream, len(received))
	for from, data := range received {
		streams[from] = x.stream(data)
	}
	x.out = x.out[:0]
	last := 0
	for {
		at := len(x.places)
		for from, s := range streams {
			if s.err != nil {
				return fmt.Errorf("rank %d: %w", from, s.err)
			}
			at = min(at, s.at)
		}
		if at == len(x.places) {
			return nil
		}
		cols := x.cols(at)
		x.given = x.given[:0]
		for from, s := range streams {
			if s.at == at {
				x.take(s, x.list[from][:cols])
				x.given = append(x.given, x.list[from][:cols])
			}
		}
		x.out = binary.AppendUvarint(x.out, uint64(at-last))
		x.combineRow(x.places[at], cols)
		last = at
	}
}

// combineRow combines the changes of a row, and writes the result to out. What coding rounds away
// becomes a change of this rank.
func (x *exchange) combineRow(p place, cols int) {
	m := x.matrices[p.matrix]
	combined, exact := x.change[:cols], x.exact[:cols]
	x.options.Combine(combined, x.given, x.rowOf(p))
	copy(exact, combined)
	x.out = x.coding.Append(x.out, combined)
	if x.coding == Exact {
		return
	}
	for i := range exact {
		exact[i] -= combined[i]
	}
	x.add(m.Rows, p.row, exact)
}

// rowOf is what a combiner knows of a row.
func (x *exchange) rowOf(p place) Row {
	m := x.matrices[p.matrix]
	each := m.Touches(int(p.row))
	period := periodOf(each*float64(x.options.Every), x.options.Worth)
	row := Row{Ranks: len(x.send), Touches: each * x.pace * float64(period), Rate: 1}
	if x.options.Rate != nil {
		row.Rate = x.options.Rate()
	}
	return row
}

// apply makes combined changes those of rows and references. Own is what this rank sent to their
// owner.
func (x *exchange) apply(combined, own []byte) error {
	all, mine := x.stream(combined), x.stream(own)
	for all.at < len(x.places) {
		at := all.at
		p, cols := x.places[at], x.cols(at)
		change := x.change[:cols]
		x.take(all, change)
		rows, reference := x.matrices[p.matrix].Rows, x.reference[p.matrix].Row(int(p.row))
		add(reference, change)
		if mine.at == at {
			sent := x.own[:cols]
			x.take(mine, sent)
			for i := range change {
				change[i] -= sent[i]
			}
		}
		if x.complete {
			copy(rows.Row(int(p.row)), reference)
		} else {
			x.add(rows, p.row, change)
		}
	}
	if all.err == nil && mine.at < len(x.places) {
		return errDamaged // a change that was sent must come back
	}
	return all.err
}
