// Package replica keeps equal, during training, the rows that all ranks of a run have.
//
// Each rank has all rows, and its workers change them. A [Synchroniser] also keeps a reference: the rows as
// all ranks know them. The difference between a row and its reference is what the rank has not told the
// others yet. In a turn, each rank sends its changes of the rows that are due to the owners of these rows. An
// owner combines the changes of a row, and sends the result to all ranks. Each rank then adds the
// contributions of the others to its row, and moves the reference by the combined change. So all references
// stay equal bit by bit. Rounding errors of coding stay in the difference, and are sent later.
//
// Workers continue during a turn: the synchroniser is one more Hogwild worker. They stop for a complete turn,
// after which the rows of all ranks are equal.
package replica

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/bits"
	"slices"

	"github.com/w2v-go/w2v/cluster"
	"github.com/w2v-go/w2v/sgns/internal/monitor"
	"github.com/w2v-go/w2v/vectors"
)

// A Matrix has rows that all ranks have. They must be equal on all ranks when a Synchroniser is made.
type Matrix struct {
	Rows vectors.Matrix
	// Touches returns how often a row is expected to change for each token of a rank, on all ranks the same.
	Touches func(row int) float64
	// Reference is memory for what all ranks know of the rows, as large as that of the rows; nil for new memory.
	Reference []float32
}

// Options say how rows are exchanged. They must be equal on all ranks.
type Options struct {
	Every   uint64  // smallest number of tokens that a rank trains between two turns
	Worth   float64 // number of touches, by all ranks together, that make a row worth sending
	Ignored float32 // a change is postponed if its largest number is below this share of the row's largest number
	Coding  Coding
	Combine Combiner
	Threads int // number of threads for a turn; 0 means 1
	// Rate returns the learning rate after so many tokens of a rank, which falls linearly; nil means 1.
	Rate func(trained uint64) float64
}

// Defaults returns options that suit most runs. docs/scale.md has the measurements.
func Defaults() Options {
	return Options{Every: 5_000, Worth: 2, Ignored: 1.0 / 512, Coding: Eight, Combine: ByPairs(0)}
}

// A Synchroniser exchanges rows with the other ranks. One goroutine at a time may call its methods.
// All methods but Refer and Sent are collective: all ranks call them in the same order.
type Synchroniser struct {
	comm      cluster.Comm
	options   Options
	matrices  []Matrix
	reference []vectors.Matrix // each matrix as all ranks know it
	classes   []class
	sent      uint64
	course    course
	exchange  exchange
}

// New returns the synchroniser of a rank.
func New(comm cluster.Comm, matrices []Matrix, o Options) *Synchroniser {
	if o.Rate == nil {
		o.Rate = func(uint64) float64 { return 1 }
	}
	s := &Synchroniser{comm: comm, options: o, matrices: matrices, classes: classesOf(matrices, o.Every, o.Worth/float64(comm.Size()))}
	for _, m := range matrices {
		reference := m.Rows
		reference.Data = append(m.Reference[:0], m.Rows.Data...)
		s.reference = append(s.reference, reference)
	}
	s.exchange.init(s)
	return s
}

// Refer sets the reference to the current rows, which must be equal on all ranks.
func (s *Synchroniser) Refer() {
	for i, m := range s.matrices {
		copy(s.reference[i].Data, m.Rows.Data)
	}
}

// Sent is how many bytes of changes this rank has sent to others. That of nil is 0.
func (s *Synchroniser) Sent() uint64 {
	if s == nil {
		return 0
	}
	return s.sent
}

// Begin sets the mean number of tokens that a rank has trained when training starts or resumes.
func (s *Synchroniser) Begin(trained uint64) { s.course = course{began: trained, trained: trained} }

// Turn exchanges the rows that are due after a rank has trained so many tokens, on average. All ranks pass
// the same number. Workers may continue to train.
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

// Complete exchanges all changes exactly: afterwards all rows are equal. No worker may train meanwhile.
func (s *Synchroniser) Complete(ctx context.Context, trained uint64) error {
	s.advance(trained)
	c := &s.course
	err := s.run(ctx, true, c.unit, c.unit+longestPeriod)
	c.complete, c.completeWay = c.unit, c.way
	return err
}

// run exchanges the rows that are due in units from to to, piece by piece.
func (s *Synchroniser) run(ctx context.Context, complete bool, from, to int) error {
	x := &s.exchange
	x.begin(complete)
	for p := range s.due(from, to) {
		if x.places = append(x.places, p); len(x.places) == mostPlaces {
			if err := x.piece(ctx); err != nil {
				return err
			}
		}
	}
	return x.piece(ctx)
}

// Bytes estimates the memory of a synchroniser, without the matrices.
func Bytes(matrices float64, rows, cols, ranks, threads int) float64 {
	const each = 4 // its number in a class
	// A piece: the changes of this rank, with room to grow; changes of other ranks to a part of the rows; combined
	// changes of that part; and then of all rows, in the memory that had the changes of others.
	pieces := 2.75 + 1.5/float64(ranks)
	if threads > 1 { // what each has written is joined
		pieces += 1 + 1/float64(ranks)
	}
	return matrices + each*float64(rows) + pieces*float64(min(mostPlaces, rows))*float64(Exact.Bytes(cols)+2)
}

// Rows that change often are due in every unit of Every tokens, other rows in every 2nd, 4th, … unit, so that
// a row is sent when enough changes have accumulated. A turn exchanges the rows that were due in any unit
// since the turn before; turns may be far apart.

// mostPeriods is the number of periods: 1, 2, 4, … longestPeriod.
const (
	mostPeriods   = 10
	longestPeriod = 1 << (mostPeriods - 1)
)

// A course is the progress of training that all ranks know.
type course struct {
	began, trained uint64                 // tokens of a rank when training began, and at the last turn
	unit           int                    // the first unit that no turn has covered
	way            float64                // sum of the learning rates of all tokens until the last turn
	ways           [longestPeriod]float64 // values of way in the turns that covered the last units
	complete       int                    // unit at the last complete turn
	completeWay    float64                // way at the last complete turn
}

// advance updates the course for a turn.
func (s *Synchroniser) advance(trained uint64) {
	c := &s.course
	c.way += (s.options.Rate(c.trained) + s.options.Rate(trained)) / 2 * float64(trained-c.trained)
	c.trained = trained
}

// wayBefore returns the way at the last exchange, before a unit, of the rows of a part of a period.
func (c *course) wayBefore(unit, part, period int) float64 {
	last := unit - period + (part-unit%period+period)%period
	if last < c.complete {
		return c.completeWay
	}
	return c.ways[last%longestPeriod]
}

type class struct {
	matrix int
	period int
	rows   []uint32
}

type place struct {
	class int32
	row   uint32
	way   float32 // sum of the learning rates of tokens since the row was exchanged
}

// periodOf returns every which unit rows are due that are touched so often in one.
func periodOf(touches, worth float64) int {
	period := 1
	for period < longestPeriod && touches*float64(period) < worth {
		period *= 2
	}
	return period
}

func classesOf(matrices []Matrix, every uint64, worth float64) (all []class) {
	for m, of := range matrices {
		var rows [mostPeriods][]uint32
		for r := range of.Rows.Rows {
			k := bits.TrailingZeros(uint(periodOf(of.Touches(r)*float64(every), worth)))
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

// A Control is a message of a rank to all others. All ranks see the same, and so decide the same.
type Control struct {
	monitor.Sums  // trained by this rank
	Sent, Network uint64

	Ended       bool // its part has nothing left to train
	Interrupted bool // it was interrupted
	Failed      bool // it cannot continue
	Diverged    bool // its numbers became too large
	Doubtful    bool // its numbers may be about to become too large
	Pause       bool // all ranks must pause while rank 0 looks at the model
	Held        bool // it has used its budget for now
}

// Append appends the message to data.
func (c Control) Append(data []byte) []byte {
	data, _ = binary.Append(data, binary.LittleEndian, c) // cannot fail: the size is fixed
	return data
}

// ControlOf returns the message at the beginning of data, and the rest.
func ControlOf(data []byte) (c Control, rest []byte, err error) {
	n, err := binary.Decode(data, binary.LittleEndian, &c)
	if err != nil {
		return c, nil, ErrDamaged
	}
	return c, data[n:], nil
}

// Meet sends this rank's control to all ranks, and returns the controls of all ranks in order.
func Meet(ctx context.Context, comm cluster.Comm, mine Control) ([]Control, error) {
	received, err := comm.AllToAll(ctx, slices.Repeat([][]byte{mine.Append(nil)}, comm.Size()))
	if err != nil {
		return nil, fmt.Errorf("exchange of control numbers: %w", err)
	}
	all := make([]Control, len(received))
	for from, data := range received {
		if all[from], _, err = ControlOf(data); err != nil {
			return nil, fmt.Errorf("rank %d: %w", from, err)
		}
	}
	return all, nil
}
