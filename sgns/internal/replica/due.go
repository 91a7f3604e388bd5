package replica

import "math"

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

// wayBefore is what way was when rows were exchanged the last time that are due in so manieth units of a
// period, before a unit.
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
