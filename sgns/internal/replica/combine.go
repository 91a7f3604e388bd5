package replica

import (
	"math"

	"github.com/w2v-go/w2v/internal/simd"
)

// A Row is what a Combiner knows of a row beside its changes.
type Row struct {
	Ranks int // of the run
	// Way is how far a rank is expected to have moved the row since it was exchanged the last time: the sum of
	// the learning rates of its touches.
	Way float64
	// Agreement is the square of the length of the changes' sum, divided by the sum of the squares of their
	// lengths: 1 for changes at right angles, and as many as there are for equal ones.
	Agreement float64
}

// A Combiner makes one change of the changes of a row by the ranks that changed it. Several goroutines
// may use it at once.
type Combiner struct {
	// Part is the part of the sum of n changes, at least one, that the row gets.
	Part func(n int, row Row) float64
	// Other combines changes in another way, if it is not nil: it sets combined, and may change changes.
	Other func(combined []float32, changes [][]float32, row Row)
}

// Combine sets combined to the one change. It may change changes.
func (c Combiner) Combine(combined []float32, changes [][]float32, row Row) {
	if c.Other != nil {
		c.Other(combined, changes, row)
		return
	}
	var squares float64
	for _, change := range changes {
		squares += square(change)
	}
	Sum(combined, changes, row)
	row.Agreement = agreement(combined, squares)
	scale(combined, float32(c.Part(len(changes), row)))
}

// Sum adds changes up. It is right for rows that each rank changed a little.
func Sum(combined []float32, changes [][]float32, _ Row) {
	copy(combined, changes[0])
	for _, change := range changes[1:] {
		for i := range combined {
			combined[i] += change[i]
		}
	}
}

// Sums is the Combiner that adds changes up.
func Sums() Combiner { return Combiner{Part: func(int, Row) float64 { return 1 }} }

// Saturating adds changes up, and takes less of the sum the more often the row was changed.
//
// Steps on one rank after the other would each find the row where the one before left it. A row that
// came a share 1−q of the way to where it is drawn to on one rank, would have come 1−qⁿ of it after
// n ranks. So the right part of the sum is (1−qⁿ)/(n(1−q)): all of it for a row that has moved a
// little, and 1/n for one that has arrived. q falls exponentially with the number of touches.
//
// Changes at right angles to each other are of different text, and the row is drawn to none of them by
// the others. So the sum is at least as long as they would make it.
func Saturating(perTouch float64) Combiner {
	return Combiner{Part: func(n int, row Row) float64 {
		return max(Saturation(perTouch*row.Way, n), 1/max(row.Agreement, 1))
	}}
}

// Saturation is the part of the sum of n changes, each of a row that came 1−exp(−way) of its way.
func Saturation(way float64, n int) float64 {
	if n < 2 || way < 1e-6 {
		return 1
	}
	// Expm1 would be more exact, which nobody needs, and takes several times as long.
	return (1 - math.Exp(-way*float64(n))) / (float64(n) * (1 - math.Exp(-way)))
}

// agreement is that of changes whose lengths have squares of this sum.
func agreement(sum []float32, squares float64) float64 {
	if squares == 0 { // too short for float32
		return 1
	}
	return square(sum) / squares
}

// square is the square of the length of x.
func square(x []float32) float64 {
	var dot [1]float32
	simd.Dots(dot[:], 1, x, len(x), 1, x, len(x), 1, len(x))
	return float64(dot[0])
}

// scale multiplies x by a factor.
func scale(x []float32, by float32) {
	if by == 1 {
		return
	}
	for i := range x {
		x[i] *= by
	}
}
