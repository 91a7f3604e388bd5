// Package replica keeps the rows that all ranks of a run train alike, while they train.
//
// Each rank has all rows, and its workers change them. A [Synchroniser] also keeps a reference: the
// rows as all ranks know them. The difference between a row and its reference is what the rank has
// not told the others yet. In a turn, each rank sends these changes of the rows that are due to the
// rows' owners. An owner combines the changes of a row, and sends the result to all ranks. Each rank
// then adds to its row what the others contributed, and moves the reference by the combined change.
// So all references stay equal, bit by bit, and what coding rounds away stays in the difference, to be
// sent later.
//
// Workers never stop for a turn: the synchroniser is one more Hogwild worker. They stop for a complete
// turn, after which the rows of all ranks are equal.
package replica

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"

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

// Rows that are changed often are due in every unit of Every tokens, others in every 2nd, 4th, … unit: so
// that a row is sent when about as many changes have come together as are worth a message. A turn exchanges
// what was due in any unit since the turn before: turns may be far apart.

// mostPeriods is how many periods there are: 1, 2, 4, … longestPeriod.
const (
	mostPeriods   = 10
	longestPeriod = 1 << (mostPeriods - 1)
)

// A course is how far training has come, as all ranks know.
type course struct {
	began, trained uint64                 // tokens of a rank: when training began, and by the last turn
	unit           int                    // the first one that no turn has covered
	way            float64                // learning rates of all tokens until the last turn, added up
	ways           [longestPeriod]float64 // what way was in the turns that covered the last units
	complete       int                    // unit at the last complete turn
	completeWay    float64                // and what way was then
}

// advance makes the course that of a turn.
func (s *Synchroniser) advance(trained uint64) {
	c := &s.course
	c.way += (s.rate(c.trained) + s.rate(trained)) / 2 * float64(trained-c.trained)
	c.trained = trained
}

func (s *Synchroniser) rate(trained uint64) float64 {
	if s.options.Rate == nil {
		return 1
	}
	return s.options.Rate(trained)
}

// wayBefore returns the way at the last exchange, before a unit, of the rows that are due in one unit of each
// period: the unit whose remainder is part.
func (c *course) wayBefore(unit, part, period int) float64 {
	last := unit - period + (part-unit%period+period)%period
	if last < c.complete {
		return c.completeWay
	}
	return c.ways[last%longestPeriod]
}

// A class is rows of a matrix that are due equally often.
type class struct {
	matrix int
	period int
	rows   []uint32
}

// A place is a row of the matrix of a class.
type place struct {
	class int32
	row   uint32
	way   float32 // learning rates of the tokens since the row was exchanged, added up
}

// periodOf is how many units apart a row is due that is touched so many times in a unit.
func periodOf(touches, worth float64) int {
	period := 1
	for touches*float64(period) < worth && period < longestPeriod {
		period *= 2
	}
	return period
}

// classesOf sorts the rows of matrices into classes.
func classesOf(matrices []Matrix, every uint64, worth float64) (all []class) {
	for m, of := range matrices {
		var rows [mostPeriods][]uint32
		for r := range of.Rows.Rows {
			period := periodOf(of.Touches(r)*float64(every), worth)
			k := int(math.Log2(float64(period)))
			rows[k] = append(rows[k], uint32(r))
		}
		for k, r := range rows {
			if len(r) > 0 {
				all = append(all, class{matrix: m, period: 1 << k, rows: r})
			}
		}
	}
	return all
}

// due yields the rows that are due in units from one to before another. A part of each class is due in each unit:
// rows that follow each other, which processors read faster than rows that are far apart.
func (s *Synchroniser) due(from, to int) func(yield func(place) bool) {
	return func(yield func(place) bool) {
		for k, c := range s.classes {
			for unit := from; unit < min(to, from+c.period); unit++ {
				part := unit % c.period
				way := float32(s.course.way - s.course.wayBefore(from, part, c.period))
				for _, row := range c.rows[part*len(c.rows)/c.period : (part+1)*len(c.rows)/c.period] {
					if !yield(place{int32(k), row, way}) {
						return
					}
				}
			}
		}
	}
}

// A Control is what a rank tells the others between turns. All ranks see the same Controls, and so come
// to the same decisions.
type Control struct {
	Tokens uint64 // trained by this rank
	Sent   uint64 // bytes that it has sent to others

	Pairs, LastPairs uint64 // whose losses it has summed up, of all epochs and of the last
	Loss, LastLoss   float64

	Ended       bool // there is nothing left to train in its part
	Interrupted bool // it was told to stop
	Failed      bool // it cannot go on
	Diverged    bool // its numbers became too large
	Doubtful    bool // they may be about to
	Pause       bool // all ranks are to stand still, and rank 0 looks at the model
	Held        bool // it has sent as much as it may for now
}

// Meet tells all ranks what each has to say, and returns what they said, rank by rank.
func (s *Synchroniser) Meet(ctx context.Context, mine Control) ([]Control, error) {
	data, err := binary.Append(nil, binary.LittleEndian, mine)
	if err != nil {
		return nil, err
	}
	send := make([][]byte, s.comm.Size())
	for to := range send {
		send[to] = data
	}
	received, err := s.comm.AllToAll(send).Wait(ctx)
	if err != nil {
		return nil, fmt.Errorf("exchange of control numbers: %w", err)
	}
	all := make([]Control, len(received))
	for from, data := range received {
		if _, err := binary.Decode(data, binary.LittleEndian, &all[from]); err != nil {
			return nil, fmt.Errorf("rank %d: %w", from, errDamaged)
		}
	}
	return all, nil
}
