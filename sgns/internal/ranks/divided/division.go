// Package divided trains matrices that are larger than the memory of a machine. It divides their rows among
// ranks.
//
// The most frequent words are the head. Every rank has the rows of the head. The rows of any other word
// belong to one rank, their owner. A rank trains its text in rounds. Before a round, the rank asks the owners
// for the rows of all words in the round's text and in a pool of negatives. Then it trains these rows, and
// sends their changes to the owners. The rows of the next round arrive while a round is trained.
//
// The rows in a rank's memory are its working set. A row of the working set has a slot, which replaces its
// word in the text of the round. So workers train a divided model like any other model.
package divided

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"sync"
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
	comm    cluster.Comm // for rounds
	turns   cluster.Comm // for the head, whose turns run at the same time

	head    Rows // rows that all ranks have, which are kept equal like those of a model that is not divided
	sync    *replica.Synchroniser
	trained uint64 // tokens of a rank at the last turn of the head

	owned   Rows
	touches [matrices][]float32 // of each owned row, in a round of a rank
	added   uint64              // tokens of a rank before the first round in asked
	asked   [][]ask             // for each round whose changes have not arrived: what each rank asked for

	working Rows     // rows in training: those of the head, followed by those of the words of a round, by slot
	start   Rows     // initial rows of the round, without the head: the first row is that of the first slot after the head
	changes [][]byte // by owner: changes of the rows in the last round

	messages, answers [][]byte // by rank: the last ones, in memory of comm
}

// New returns this rank's part. The first rows are the head; the other rows are for a round.
func New(ctx context.Context, comm cluster.Comm, l Layout, rows Rows, touches Touches, o Options) (*Division, error) {
	d := &Division{Layout: l, options: o, working: rows, changes: make([][]byte, l.Ranks), messages: make([][]byte, l.Ranks), answers: make([][]byte, l.Ranks)}
	for _, dup := range []*cluster.Comm{&d.comm, &d.turns} {
		var err error
		if *dup, err = comm.Dup(ctx); err != nil {
			return nil, err
		}
	}
	var shared []replica.Matrix
	for m := range rows {
		d.start[m] = vectors.NewMatrix(rows[m].Rows-l.Head, l.Cols)
		d.owned[m], d.touches[m] = vectors.NewMatrix(l.Owned(), l.Cols), make([]float32, l.Owned())
		for row := range d.touches[m] {
			d.touches[m][row] = float32(float64(o.Limits.Tokens) * touches[m](l.word(row)))
		}
		d.head[m] = rows[m]
		d.head[m].Rows, d.head[m].Data = l.Head, rows[m].Data[:l.Head*rows[m].Stride]
		own := make([]float64, l.Head)
		for word := range own {
			own[word] = touches[m](word)
		}
		shared = append(shared, replica.Matrix{Rows: d.head[m], Touches: func(word int) float64 { return own[word] }})
	}
	d.sync = replica.New(d.turns, shared, o.Head)
	return d, nil
}

// Options are settings of a division, in addition to its layout.
type Options struct {
	Limits  Limits
	Threads int             // number of goroutines that code and add rows
	Ahead   int             // number of turns of the head that may be late before workers wait
	Head    replica.Options // how the head is kept equal on all ranks
}

// Touches says how often a word's row is expected to change for each token of a rank.
type Touches [matrices]func(word int) float64

// Initialise sets all rows to the initial values that they have in a run without division.
func (d *Division) Initialise(seed uint64, bound float32) {
	set := func(rows *Rows, row, word int) {
		in := rows[input].Row(row)
		clear(in)
		params.UniformRow(in, seed, uint64(word), bound)
		clear(rows[output].Row(row))
	}
	params.InParts(d.options.Threads, d.owned[input].Rows, func(first, last int) {
		for row := first; row < last; row++ {
			set(&d.owned, row, d.word(row))
		}
	})
	for row := range d.Head {
		set(&d.head, row, row)
	}
	d.sync.Refer()
}

// Begin sets the mean number of tokens that a rank has trained, which is the same on all ranks.
func (d *Division) Begin(trained uint64) {
	d.added, d.trained = trained, trained
	d.sync.Begin(trained)
}

// Exchange sends the changes of the last collected round to the owners, unless they were sent before, and
// asks for the rows of round r, unless r is nil. It sends c to all ranks. It returns the controls of all
// ranks, and the rows, which are valid until the next Exchange. All ranks call Exchange together.
func (d *Division) Exchange(ctx context.Context, c replica.Control, changes [][]byte, r *Round) (told []replica.Control, rows [][]byte, err error) {
	control := c.Append(nil)
	for rank := range d.messages {
		size := len(control) + binary.MaxVarintLen64
		if changes != nil {
			size += len(changes[rank])
		}
		if r != nil {
			size += mostRising(r.asked[rank][ofText]) + mostRising(r.asked[rank][ofPool])
		}
		message := append(d.comm.Grow(d.messages[rank][:0], size), control...)
		if changes != nil {
			message = binary.AppendUvarint(message, uint64(len(changes[rank])))
			message = append(message, changes[rank]...)
		}
		if r != nil {
			message = appendRising(appendRising(message, r.asked[rank][ofText]), r.asked[rank][ofPool])
		}
		d.messages[rank] = message
	}
	received, err := d.comm.AllToAll(ctx, d.messages)
	if err != nil {
		return nil, nil, err
	}
	told = make([]replica.Control, d.Ranks)
	came := make([][]byte, d.Ranks)
	for rank, message := range received {
		if told[rank], message, err = replica.ControlOf(message); err != nil {
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
		err = d.add(came)
	}
	if err != nil || r == nil {
		return told, nil, err
	}
	if err := d.take(received); err != nil {
		return nil, nil, err
	}
	for rank := range d.answers {
		a := &d.asked[len(d.asked)-1][rank]
		size := a.bytes(d.Cols)
		d.answers[rank] = d.comm.Grow(d.answers[rank][:0], size)[:size]
		d.answer(d.answers[rank], a)
	}
	rows, err = d.comm.AllToAll(ctx, d.answers)
	return told, rows, err
}

// Release gives back the memory of messages. The division exchanges no more rounds or turns.
func (d *Division) Release() {
	d.sync, d.messages, d.answers = nil, nil, nil
	d.comm.Release()
	d.turns.Release()
}

// Forget drops what ranks asked for. They will ask again.
func (d *Division) Forget() { d.asked = nil }

// Complete makes the head equal on all ranks. No worker may train meanwhile.
func (d *Division) Complete(ctx context.Context) error { return d.sync.Complete(ctx, d.trained) }

// Pool returns the pool of a round's negatives.
func (d *Division) Pool(r *Round) loss.Pool {
	tail := r.Tail
	if len(tail) == 0 { // nothing is trained
		tail = []uint32{0}
	}
	return loss.Pool{Head: uint32(d.Head), Tail: tail}
}

// Read sets all rows from whole matrices, which are read in rising order.
func (d *Division) Read(in, out vectors.Matrix) error {
	row := make([]float32, d.Cols)
	for m, from := range []vectors.Matrix{in, out} {
		if from.Rows != d.Words || from.Cols != d.Cols {
			return fmt.Errorf("a matrix of %d × %d numbers, expected %d × %d", from.Rows, from.Cols, d.Words, d.Cols)
		}
		for word := range d.Words {
			from.Read(row, word)
			if word < d.Head {
				copy(d.head[m].Row(word), row)
			} else if owner, at := d.Layout.owner(uint32(word)); owner == d.Self {
				copy(d.owned[m].Row(int(at)), row)
			}
		}
	}
	d.sync.Refer()
	return nil
}

// Finite reports whether the rows of this rank and of the head are finite.
func (d *Division) Finite() bool {
	for m := range matrices {
		if !params.Finite(d.owned[m].Data) || !params.Finite(d.head[m].Data) {
			return false
		}
	}
	return true
}

// A Layout says which rank owns which rows.
type Layout struct {
	Self, Ranks int // this rank, and how many there are
	Words, Head int // number of words in the vocabulary, and in the head
	Cols        int
}

func (l Layout) owner(word uint32) (rank int, row uint32) {
	n := word - uint32(l.Head)
	return int(n % uint32(l.Ranks)), n / uint32(l.Ranks)
}

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

// A Pace coordinates the workers of a rank with the turns of the head during a round. Turns are equally far
// apart. The last turn begins three quarters of that distance before the end of the round, so that it takes
// place while the rest is trained. Workers wait for late turns, because ranks diverge soonest on the head.
type Pace struct {
	tokens  int // largest number of tokens of the round
	ahead   int
	trained atomic.Uint64
	reached []chan struct{} // for each turn: closed when it can begin
	turned  []chan struct{} // for each turn: closed when it has ended
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

// due returns the number of turns that are due after so many tokens of the round.
func (p *Pace) due(trained int) int {
	turns := uint64(len(p.turned)) // turn k is due at (k+1/4)/turns of the round
	return int(min((4*uint64(trained)*turns/uint64(p.tokens)+3)/4, turns))
}

// Wait waits until a worker may train text that follows so many tokens of the round.
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

// Follow takes the turns of the head, on all ranks as many, while workers train a round, until done is closed.
func (d *Division) Follow(ctx context.Context, p *Pace, done <-chan struct{}) (err error) {
	for turn := range p.turned {
		select {
		case <-done:
		case <-p.reached[turn]:
		}
		if err == nil {
			d.trained += uint64(p.tokens / len(p.turned))
			err = d.sync.Turn(ctx, d.trained)
		}
		close(p.turned[turn])
	}
	return err
}

// Rank 0 reads a model larger than its memory: it asks for blocks of rows, and the others only answer.

// lentRows is how many rows rank 0 asks for at a time.
const lentRows = 4096

// A request is for rows First to First+Count-1 of a matrix. The last request has count 0.
type request struct{ Matrix, First, Count uint32 }

func (q request) bytes() []byte {
	b, _ := binary.Append(nil, binary.LittleEndian, q) // cannot fail: the size is fixed
	return b
}

// Serve answers rank 0 until rank 0 closes the Loan that Lend returned. All other ranks call Serve.
func (d *Division) Serve(ctx context.Context) error {
	for {
		message, err := d.comm.Broadcast(ctx, 0, nil)
		if err != nil {
			return err
		}
		var q request
		if n, err := binary.Decode(message, binary.LittleEndian, &q); err != nil || n < len(message) {
			return errMessage
		}
		if q.Count == 0 {
			return nil
		}
		if q.Matrix >= matrices || uint64(q.First)+uint64(q.Count) > uint64(d.Words) {
			return errMessage
		}
		if _, err := d.comm.Gather(ctx, 0, d.requested(q)); err != nil {
			return err
		}
	}
}

func (d *Division) requested(q request) []byte {
	var message []byte
	for word := max(q.First, uint32(d.Head)); word < q.First+q.Count; word++ {
		if rank, row := d.Layout.owner(word); rank == d.Self {
			message, _ = binary.Append(message, binary.LittleEndian, d.owned[q.Matrix].Row(int(row)))
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
	err      error // of reading a row
}

type block struct {
	request
	rows vectors.Matrix
}

// A lentSource is the source of a set with the loan's rows. Its owner closes the loan.
type lentSource struct{ loan *Loan }

// Err returns the error of reading a row.
func (s lentSource) Err() error {
	s.loan.mutex.Lock()
	defer s.loan.mutex.Unlock()
	return s.loan.err
}

func (lentSource) Close() error { return nil }

// Lend returns a loan. The other ranks must call Serve. Reading fails after ctx ends.
func (d *Division) Lend(ctx context.Context) *Loan { return &Loan{division: d, ctx: ctx} }

// Parts returns the matrices, which can be read until Close, with the source of their errors.
func (x *Loan) Parts() vectors.Parts {
	matrix := func(m int) vectors.Matrix { return vectors.Stored(x.division.Words, x.division.Cols, lent{x, m}) }
	return vectors.Parts{Input: matrix(input), Output: matrix(output), Source: lentSource{x}}
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
	if uint32(row)-b.First >= b.Count {
		b.Count = 0
		if x.closed && x.err == nil {
			x.err = errors.New("sgns: the vectors of a divided run were read after its end")
		}
		if x.err == nil {
			x.err = x.fetch(b, request{uint32(l.matrix), uint32(row), uint32(min(lentRows, x.division.Words-row))})
		}
		if x.err != nil {
			clear(dst)
			return
		}
	}
	copy(dst, b.rows.Row(row-int(b.First)))
}

// fetch asks all ranks for the rows of a block.
func (x *Loan) fetch(b *block, q request) error {
	d := x.division
	if _, err := d.comm.Broadcast(x.ctx, 0, q.bytes()); err != nil {
		return err
	}
	messages, err := d.comm.Gather(x.ctx, 0, d.requested(q))
	if err != nil {
		return err
	}
	if b.rows.Rows == 0 {
		b.rows = vectors.NewMatrix(min(lentRows, d.Words), d.Cols)
	}
	for word := q.First; word < q.First+q.Count; word++ {
		rank, _ := d.Layout.owner(word)
		n, err := binary.Decode(messages[rank], binary.LittleEndian, b.rows.Row(int(word-q.First)))
		if err != nil {
			return errMessage
		}
		messages[rank] = messages[rank][n:]
	}
	b.request = q
	return nil
}

// Close ends Serve on the other ranks. It returns the first error of reading.
func (x *Loan) Close() error {
	x.mutex.Lock()
	defer x.mutex.Unlock()
	if x.closed {
		return x.err
	}
	x.closed, x.blocks = true, [matrices]block{}
	if x.err == nil {
		_, x.err = x.division.comm.Broadcast(x.ctx, 0, request{}.bytes())
	}
	return x.err
}
