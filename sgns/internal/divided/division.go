package divided

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"

	"github.com/w2v-go/w2v/cluster"
	"github.com/w2v-go/w2v/sgns/internal/loss"
	"github.com/w2v-go/w2v/sgns/internal/params"
	"github.com/w2v-go/w2v/sgns/internal/replica"
	"github.com/w2v-go/w2v/vectors"
)

// A Division is a rank's part of a model whose rows are divided.
type Division struct {
	Layout
	options Options
	comm    cluster.Comm // of rounds
	turns   cluster.Comm // of the head, which goes on meanwhile
	owner   *owner
	working *working
	head    *head
}

// New returns the part of this rank. The first rows of rows are those of the head, and the others are for
// the words of a round. Threads is how many goroutines code and add up rows.
func New(ctx context.Context, comm cluster.Comm, l Layout, rows Rows, o Options) (*Division, error) {
	d := &Division{Layout: l, options: o, working: newWorking(l, rows, o.Threads)}
	for _, dup := range []*cluster.Comm{&d.comm, &d.turns} {
		var err error
		if *dup, err = comm.Dup(ctx); err != nil {
			return nil, err
		}
	}
	d.owner = newOwner(l, o)
	d.head = newHead(l, d.turns, rows, o.Touches, o.Head)
	d.options.Touches, d.owner.options.Touches = Touches{}, Touches{} // which take memory for each word
	return d, nil
}

// Options say how a model is divided, beside its layout.
type Options struct {
	Limits  Limits
	Threads int             // that code and add up rows
	Ahead   int             // turns of the head that may be late before workers wait
	Head    replica.Options // how the head is kept alike
	Touches Touches
}

// Touches are how often a word's row of each matrix is expected to be changed for each token that a rank
// trains.
type Touches [matrices]func(word int) float64

// Initialise makes all rows what they are before training: what they are in a run that is not divided.
func (d *Division) Initialise(seed uint64, bound float32) {
	d.owner.initialise(seed, bound)
	d.head.initialise(seed, bound)
}

// Begin says how many tokens a rank has trained, on the average, when training begins or goes on. All ranks say
// the same.
func (d *Division) Begin(trained uint64) {
	d.owner.trained, d.head.trained = trained, trained
	d.head.sync.Begin(trained)
}

// A Control is what a rank tells all others with each exchange.
type Control struct {
	Ended    bool // it has no more text to train
	Stop     bool // it wants all ranks to stop
	Diverged bool // its loss is that of a run that diverges
	Save     bool // it wants a checkpoint when the round ends
	Evaluate bool // it wants an evaluation then

	Tokens, Pairs, LastPairs uint64 // that it has trained
	Sent                     uint64 // bytes, to others
	Loss, LastLoss           float64
}

const controlBytes = 1 + 6*8

func (c Control) append(to []byte) []byte {
	var flags byte
	for i, flag := range []bool{c.Ended, c.Stop, c.Diverged, c.Save, c.Evaluate} {
		if flag {
			flags |= 1 << i
		}
	}
	to = append(to, flags)
	for _, n := range []uint64{c.Tokens, c.Pairs, c.LastPairs, math.Float64bits(c.Loss), math.Float64bits(c.LastLoss), c.Sent} {
		to = binary.LittleEndian.AppendUint64(to, n)
	}
	return to
}

func controlOf(from []byte) (c Control, rest []byte, err error) {
	if len(from) < controlBytes {
		return c, nil, errMessage
	}
	for i, flag := range []*bool{&c.Ended, &c.Stop, &c.Diverged, &c.Save, &c.Evaluate} {
		*flag = from[0]>>i&1 != 0
	}
	number := func(i int) uint64 { return binary.LittleEndian.Uint64(from[1+8*i:]) }
	c.Tokens, c.Pairs, c.LastPairs = number(0), number(1), number(2)
	c.Loss, c.LastLoss = math.Float64frombits(number(3)), math.Float64frombits(number(4))
	c.Sent = number(5)
	return c, from[controlBytes:], nil
}

// Exchange sends to the owners what the rows of the last round that was collected have changed by, unless
// it was sent before, and asks for the rows of round r, if it is not nil. It tells all ranks c. It
// returns what each rank told, and the rows. All ranks call it together.
func (d *Division) Exchange(ctx context.Context, c Control, changes [][]byte, r *Round) (told []Control, rows [][]byte, err error) {
	send := make([][]byte, d.Ranks)
	var asks [][]byte
	if r != nil {
		asks = r.asks(d.Layout)
	}
	for rank := range send {
		send[rank] = c.append(nil)
		if changes != nil {
			send[rank] = binary.AppendUvarint(send[rank], uint64(len(changes[rank])))
			send[rank] = append(send[rank], changes[rank]...)
		}
		if r != nil {
			send[rank] = append(send[rank], asks[rank]...)
		}
	}
	received, err := d.comm.AllToAll(send).Wait(ctx)
	if err != nil {
		return nil, nil, err
	}
	told = make([]Control, d.Ranks)
	came := make([][]byte, d.Ranks)
	for rank, message := range received {
		if told[rank], message, err = controlOf(message); err != nil {
			return nil, nil, err
		}
		if changes != nil {
			size, n := binary.Uvarint(message)
			if n <= 0 || size > uint64(len(message)-n) {
				return nil, nil, errMessage
			}
			came[rank], message = message[n:][:size], message[n:][size:]
		}
		received[rank] = message
	}
	if changes != nil {
		if err := d.owner.add(came); err != nil {
			return nil, nil, err
		}
	}
	if r == nil {
		return told, nil, nil
	}
	if err := d.owner.take(received); err != nil {
		return nil, nil, err
	}
	rows, err = d.comm.AllToAll(d.owner.answers()).Wait(ctx)
	return told, rows, err
}

// Forget forgets what ranks asked for: they are going to ask again.
func (d *Division) Forget() { d.owner.asked = nil }

// Collect finds what the rows of a round changed by, which stays valid until the next call.
func (d *Division) Collect(r *Round) [][]byte {
	d.working.collect(r)
	return d.working.changes
}

// Install makes the rows of a round those that are trained. Before is the round that was trained before, and
// whose changes the owners did not have yet when they sent the rows; nil for none.
func (d *Division) Install(r *Round, rows [][]byte, before *Round) error {
	if before != nil {
		r.after(before)
	}
	return d.working.install(r, rows, before)
}

// Complete makes the head the same on all ranks. No worker must train.
func (d *Division) Complete(ctx context.Context) error {
	return d.head.sync.Complete(ctx, d.head.trained)
}

// Pool is where negatives of a round come from.
func (d *Division) Pool(r *Round) loss.Pool {
	tail := r.Tail
	if len(tail) == 0 { // and nothing is trained
		tail = []uint32{0}
	}
	return loss.Pool{Head: uint32(d.Head), Tail: tail}
}

// Read makes all rows those of whole matrices, which are read in rising order.
func (d *Division) Read(in, out vectors.Matrix) error {
	row := make([]float32, d.Cols)
	for m, from := range []vectors.Matrix{in, out} {
		if from.Rows != d.Words || from.Cols != d.Cols {
			return fmt.Errorf("a matrix of %d × %d numbers, expected %d × %d", from.Rows, from.Cols, d.Words, d.Cols)
		}
		for word := range d.Words {
			from.Read(row, word)
			if word < d.Head {
				copy(d.head.rows[m].Row(word), row)
			} else if owner, at := d.Layout.owner(uint32(word)); owner == d.Self {
				copy(d.owner.rows[m].Row(int(at)), row)
			}
		}
	}
	d.head.sync.Refer()
	return nil
}

// Finite reports whether all rows are finite that this rank owns, and those of the head.
func (d *Division) Finite() bool {
	for m := range matrices {
		if !params.Finite(d.owner.rows[m].Data) || !params.Finite(d.head.rows[m].Data) {
			return false
		}
	}
	return true
}
