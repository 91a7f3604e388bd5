package replica

import "math"

// Rows that are changed often are due in every turn, others in every 2nd, 4th, … turn: so that a row
// is sent when about as many changes have come together as are worth a message.

// mostPeriods is how many periods there are: 1, 2, 4, … 512.
const mostPeriods = 10

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
}

// periodOf is how many turns apart a row is due that is touched so many times between turns.
func periodOf(touches, worth float64) int {
	period := 1
	for touches*float64(period) < worth && period < 1<<(mostPeriods-1) {
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

// due yields the rows that are due in a turn, or all rows. A part of each class is due in each turn: rows
// that follow each other, which processors read faster than rows that are far apart.
func (s *Synchroniser) due(turn int, all bool) func(yield func(place) bool) {
	return func(yield func(place) bool) {
		for k, c := range s.classes {
			part, parts := turn%c.period, c.period
			if all {
				part, parts = 0, 1
			}
			for _, row := range c.rows[part*len(c.rows)/parts : (part+1)*len(c.rows)/parts] {
				if !yield(place{int32(k), row}) {
					return
				}
			}
		}
	}
}
