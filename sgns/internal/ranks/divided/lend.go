package divided

import (
	"context"
	"encoding/binary"
	"errors"
	"math"
	"sync"

	"github.com/w2v-go/w2v/vectors"
)

// Rank 0 reads a model that is larger than its memory: it asks all ranks for a block of consecutive rows at a
// time, while the others only answer.

// lentRows is how many rows rank 0 asks for at a time.
const lentRows = 4096

// A request is for rows first to first+count-1 of a matrix. The last request has count 0.
type request struct{ matrix, first, count uint32 }

func (q request) bytes() (b []byte) {
	for _, n := range []uint32{q.matrix, q.first, q.count} {
		b = binary.LittleEndian.AppendUint32(b, n)
	}
	return b
}

// Serve answers rank 0 until rank 0 closes the Loan that Lend returned. All other ranks call Serve.
func (d *Division) Serve(ctx context.Context) error {
	for {
		message, err := d.comm.Broadcast(ctx, 0, nil)
		if err != nil {
			return err
		}
		if len(message) != 12 {
			return errMessage
		}
		number := func(i int) uint32 { return binary.LittleEndian.Uint32(message[4*i:]) }
		q := request{number(0), number(1), number(2)}
		if q.count == 0 {
			return nil
		}
		if q.matrix >= matrices || uint64(q.first)+uint64(q.count) > uint64(d.Words) {
			return errMessage
		}
		if _, err := d.comm.Gather(ctx, 0, d.owned(q)); err != nil {
			return err
		}
	}
}

func (d *Division) owned(q request) []byte {
	var message []byte
	for word := max(q.first, uint32(d.Head)); word < q.first+q.count; word++ {
		rank, row := d.Layout.owner(word)
		if rank != d.Self {
			continue
		}
		for _, x := range d.owner.rows[q.matrix].Row(int(row)) {
			message = binary.LittleEndian.AppendUint32(message, math.Float32bits(x))
		}
	}
	return message
}

// A Loan gives rank 0 the rows of all ranks. Its matrices have a row for each word.
type Loan struct {
	division *Division
	ctx      context.Context
	mutex    sync.Mutex
	blocks   [matrices]block
	closed   bool
	err      error
	failed   error // of reading a row
	parts    vectors.Parts
}

// A lentSource is the source of a set with the loan's rows, and returns errors of reading them.
type lentSource struct{ loan *Loan }

// Err returns the error of reading a row.
func (s lentSource) Err() error {
	s.loan.mutex.Lock()
	defer s.loan.mutex.Unlock()
	return s.loan.failed
}

// Close leaves the loan to its owner.
func (lentSource) Close() error { return nil }

type block struct {
	request
	rows vectors.Matrix
}

// Lend returns a loan. The other ranks must call Serve. Reading fails after ctx ends.
func (d *Division) Lend(ctx context.Context) *Loan {
	x := &Loan{division: d, ctx: ctx}
	for m := range x.blocks {
		x.blocks[m].matrix = uint32(m)
	}
	x.parts = vectors.Parts{Input: x.matrix(input), Output: x.matrix(output), Source: lentSource{x}}
	return x
}

// Parts returns the matrices, which can be read until Close, with the source of their errors.
func (x *Loan) Parts() vectors.Parts { return x.parts }

func (x *Loan) matrix(m int) vectors.Matrix {
	return vectors.Stored(x.division.Words, x.division.Cols, lent{x, m})
}

type lent struct {
	loan   *Loan
	matrix int
}

// Read reads a row. After an error, rows are zeros.
func (l lent) Read(dst []float32, row int) {
	x := l.loan
	x.mutex.Lock()
	defer x.mutex.Unlock()
	if row < x.division.Head {
		copy(dst, x.division.head[l.matrix].Row(row))
		return
	}
	b := &x.blocks[l.matrix]
	if uint32(row)-b.first >= b.count && !x.fetch(b, row) {
		clear(dst)
		x.failed = x.err
		return
	}
	copy(dst, b.rows.Row(row-int(b.first)))
}

// errReturned is the error of reading rows after the loan was closed.
var errReturned = errors.New("sgns: the vectors of a divided run were read after its end")

func (x *Loan) fetch(b *block, row int) bool {
	d := x.division
	b.count = 0
	if x.closed && x.err == nil {
		x.err = errReturned
	}
	if x.err != nil {
		return false
	}
	q := request{b.matrix, uint32(row), uint32(min(lentRows, d.Words-row))}
	if _, x.err = d.comm.Broadcast(x.ctx, 0, q.bytes()); x.err != nil {
		return false
	}
	messages, err := d.comm.Gather(x.ctx, 0, d.owned(q))
	if x.err = err; err != nil {
		return false
	}
	if b.rows.Rows == 0 {
		b.rows = vectors.NewMatrix(min(lentRows, d.Words), d.Cols)
	}
	for word := q.first; word < q.first+q.count; word++ {
		rank, _ := d.Layout.owner(word)
		message := messages[rank]
		if len(message) < 4*d.Cols {
			x.err = errMessage
			return false
		}
		dst := b.rows.Row(int(word - q.first))
		for k := range dst {
			dst[k] = math.Float32frombits(binary.LittleEndian.Uint32(message[4*k:]))
		}
		messages[rank] = message[4*d.Cols:]
	}
	b.request = q
	return true
}

// Close ends Serve on the other ranks. It returns the first error of reading.
func (x *Loan) Close() error {
	x.mutex.Lock()
	defer x.mutex.Unlock()
	if x.closed {
		return x.err
	}
	x.closed = true
	x.blocks = [matrices]block{}
	if x.err == nil {
		_, x.err = x.division.comm.Broadcast(x.ctx, 0, request{}.bytes())
	}
	return x.err
}
