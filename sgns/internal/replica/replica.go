package replica

import (
	"context"
	"fmt"

	"github.com/w2v-go/w2v/cluster"
	"github.com/w2v-go/w2v/vectors"
)

// A Matrix is rows that all ranks have. When a Synchroniser is made, they are equal on all ranks.
type Matrix struct {
	Rows vectors.Matrix
	// Touches is how often a row is expected to be changed for each token that a rank trains. All
	// ranks must expect the same.
	Touches func(row int) float64
}

// Options say how rows are exchanged. All ranks have the same.
type Options struct {
	Every   uint64  // tokens that a rank trains between two turns, or more
	Worth   float64 // how many touches, of all ranks together, make a row worth sending
	Ignored float32 // a change is not sent yet if its largest number is less than this part of the row's largest
	Coding  Coding
	Combine Combiner
	Threads int // that a turn takes, at least 1; 0 is 1
	// Rate is the learning rate when a rank has trained so many tokens, on the average. It falls evenly. Nil
	// is for a rate of 1.
	Rate func(trained uint64) float64
}

// Defaults are options that suit most runs. docs/scale.md has the measurements.
func Defaults() Options {
	return Options{Every: 5_000, Worth: 2, Ignored: 1.0 / 512, Coding: Eight, Combine: Saturating(4)}
}

// A Synchroniser exchanges rows with the other ranks. One goroutine at a time may call its methods.
// All methods but Refer and Sent are collective: all ranks call them in the same order.
type Synchroniser struct {
	comm     cluster.Comm
	options  Options
	matrices []Matrix
	// reference has each matrix as all ranks know it.
	reference []vectors.Matrix
	classes   []class
	sent      uint64
	course    course

	exchange exchange
}

// New returns the synchroniser of a rank.
func New(comm cluster.Comm, matrices []Matrix, o Options) *Synchroniser {
	s := &Synchroniser{comm: comm, options: o, matrices: matrices, classes: classesOf(matrices, o.Every, o.Worth/float64(comm.Size()))}
	for _, m := range matrices {
		reference := m.Rows
		reference.Data = append([]float32(nil), m.Rows.Data...)
		s.reference = append(s.reference, reference)
	}
	s.exchange.init(s)
	return s
}

// Refer makes the rows as they are now the reference. They must be equal on all ranks.
func (s *Synchroniser) Refer() {
	for i, m := range s.matrices {
		copy(s.reference[i].Data, m.Rows.Data)
	}
}

// Sent is how many bytes of changes this rank has sent to others.
func (s *Synchroniser) Sent() uint64 { return s.sent }

// Begin says how many tokens a rank has trained, on the average, when training begins or goes on.
func (s *Synchroniser) Begin(trained uint64) { s.course = course{began: trained, trained: trained} }

// Turn exchanges the rows that are due when a rank has trained so many tokens, on the average. All ranks give
// the same number. Workers may go on training.
func (s *Synchroniser) Turn(ctx context.Context, trained uint64) error {
	s.advance(trained)
	c := &s.course
	from := c.unit
	c.unit = max(from+1, int((trained-c.began)/s.options.Every))
	err := s.run(ctx, false, from, c.unit)
	for unit := max(from, c.unit-longestPeriod); unit < c.unit; unit++ {
		c.ways[unit%longestPeriod] = c.way
	}
	return err
}

// Complete exchanges what has changed in any row, exactly: the rows of all ranks are equal then. No
// worker may train meanwhile.
func (s *Synchroniser) Complete(ctx context.Context, trained uint64) error {
	s.advance(trained)
	c := &s.course
	err := s.run(ctx, true, c.unit, c.unit+longestPeriod)
	c.complete, c.completeWay = c.unit, c.way
	return err
}

// run exchanges the rows that are due in units from one to another, piece by piece.
func (s *Synchroniser) run(ctx context.Context, complete bool, from, to int) error {
	x := &s.exchange
	x.begin(complete)
	for p := range s.due(from, to) {
		if x.places = append(x.places, p); len(x.places) == mostPlaces {
			if err := x.piece(ctx); err != nil {
				return fmt.Errorf("exchange of rows: %w", err)
			}
		}
	}
	if len(x.places) == 0 {
		return nil
	}
	if err := x.piece(ctx); err != nil {
		return fmt.Errorf("exchange of rows: %w", err)
	}
	return nil
}

// Bytes is about what a synchroniser of these matrices takes in memory, without the matrices.
func Bytes(matrices float64, rows, cols, ranks int) float64 {
	const each = 4 // its number in a class
	return matrices + each*float64(rows) + float64(3+ranks)*float64(min(mostPlaces, rows))*float64(Exact.Bytes(cols)+2)
}
