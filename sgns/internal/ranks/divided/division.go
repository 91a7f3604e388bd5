// Package divided trains matrices that are larger than the memory of a machine: their rows are divided
// over ranks.
//
// The most frequent words are the head. Every rank has their rows. Each row of another word belongs to
// one rank, its owner. A rank trains its text in rounds. For a round it asks the owners for the rows of
// all words of the round's text and of a pool of negatives, trains them, and sends the owners what
// the rows have changed by. The rows of the next round arrive while a round is trained.
//
// The rows that a rank has at hand are its working set. A row of the working set has a slot, which
// stands for its word in the text of the round. So workers train a divided model as they train any
// other.
package divided

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"sync/atomic"

	"github.com/w2v-go/w2v/cluster"
	"github.com/w2v-go/w2v/sgns/internal/loss"
	"github.com/w2v-go/w2v/sgns/internal/params"
	"github.com/w2v-go/w2v/sgns/internal/ranks/replica"
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

// A Layout says who owns which rows.
type Layout struct {
	Self, Ranks int // this rank, and how many there are
	Words, Head int // of the vocabulary; and of these, the most frequent ones that all ranks have
	Cols        int
}

// owner returns the rank that owns a word's rows, and which of the rows of that rank they are.
func (l Layout) owner(word uint32) (rank int, row uint32) {
	n := word - uint32(l.Head)
	return int(n % uint32(l.Ranks)), n / uint32(l.Ranks)
}

// word returns the word to which a row of this rank belongs.
func (l Layout) word(row int) int { return l.Head + row*l.Ranks + l.Self }

// Owned returns how many words this rank owns.
func (l Layout) Owned() int {
	beyond := l.Words - l.Head - l.Self
	return max((beyond+l.Ranks-1)/l.Ranks, 0)
}

// The matrices that are divided.
const (
	input = iota
	output
	matrices
)

// Rows are rows of all matrices.
type Rows [matrices]vectors.Matrix

// RowsOf returns the rows of an input and an output matrix.
func RowsOf(in, out vectors.Matrix) Rows { return Rows{in, out} }

// A head is the rows that all ranks have. They are kept alike as those of a model that is not
// divided.
type head struct {
	Layout
	rows    Rows
	sync    *replica.Synchroniser
	trained uint64 // tokens of a rank by the last turn
}

func newHead(l Layout, comm cluster.Comm, rows Rows, touches Touches, o replica.Options) *head {
	h := &head{Layout: l}
	var shared []replica.Matrix
	for m := range rows {
		h.rows[m] = firstOf(rows[m], l.Head)
		own := make([]float64, l.Head) // those of all words need not be kept
		for word := range own {
			own[word] = touches[m](word)
		}
		shared = append(shared, replica.Matrix{Rows: h.rows[m], Touches: func(word int) float64 { return own[word] }})
	}
	h.sync = replica.New(comm, shared, o)
	return h
}

// firstOf returns the first rows of a matrix, and nothing of the others.
func firstOf(m vectors.Matrix, rows int) vectors.Matrix {
	m.Rows, m.Data = rows, m.Data[:rows*m.Stride]
	return m
}

func (h *head) initialise(seed uint64, bound float32) {
	for row := range h.Head {
		in := h.rows[input].Row(row)
		clear(in)
		clear(h.rows[output].Row(row))
		params.UniformRow(in, seed, uint64(row), bound)
	}
	h.sync.Refer()
}

// A Pace keeps the workers of a rank and the turns of the head together while a round is trained. Turns are
// equally far apart. The last one begins three quarters of that distance before the end of the round, so
// that it takes place while the rest is trained. Workers wait for turns that are late: the head is the part
// of the model on which the ranks would soonest disagree.
type Pace struct {
	tokens  int // of the round, at most
	ahead   int
	trained atomic.Uint64
	reached []chan struct{} // for each turn: closed when it can begin
	turned  []chan struct{} // and when it has ended
}

// Pace returns the pace of a round.
func (d *Division) Pace() *Pace {
	p := &Pace{tokens: d.options.Limits.Tokens, ahead: d.options.Ahead}
	every := int(d.options.Head.Every)
	for range (p.tokens + every - 1) / every {
		p.reached = append(p.reached, make(chan struct{}))
		p.turned = append(p.turned, make(chan struct{}))
	}
	return p
}

// due is how many turns are due when so many tokens of the round are trained.
func (p *Pace) due(trained int) int {
	turns := uint64(len(p.turned)) // of which turn k is due at (k+1/4)/turns of the round
	return int(min((4*uint64(trained)*turns/uint64(p.tokens)+3)/4, turns))
}

// Wait waits until a worker may train text that is behind so many tokens of the round.
func (p *Pace) Wait(ctx context.Context, before int) error {
	turn := p.due(before) - 1 - p.ahead
	if turn < 0 {
		return nil
	}
	select {
	case <-p.turned[turn]:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Add counts tokens that a worker has trained.
func (p *Pace) Add(tokens uint64) {
	now := p.trained.Add(tokens)
	for turn := p.due(int(now - tokens)); turn < p.due(int(now)); turn++ {
		close(p.reached[turn])
	}
}

// Follow keeps the head alike while workers train a round. Done is closed when they have. All ranks take as
// many turns.
func (d *Division) Follow(ctx context.Context, p *Pace, done <-chan struct{}) (err error) {
	for turn := range p.turned {
		select {
		case <-done:
		case <-p.reached[turn]:
		}
		if err == nil {
			d.head.trained += uint64(p.tokens / len(p.turned))
			err = d.head.sync.Turn(ctx, d.head.trained)
		}
		close(p.turned[turn])
	}
	return err
}
