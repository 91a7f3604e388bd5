package replica

import "math"

// A Row is what a Combiner knows of a row beside its changes.
type Row struct {
	Ranks   int     // of the run
	Touches float64 // that each rank is expected to have made since the row was due the last time
	Rate    float64 // the learning rate now
}

// A Combiner sets combined to one change, made of the changes of a row by the ranks that changed it.
// There is at least one. It may change them.
type Combiner func(combined []float32, changes [][]float32, row Row)

// Sum adds changes up. It is right for rows that each rank changed a little.
func Sum(combined []float32, changes [][]float32, _ Row) {
	copy(combined, changes[0])
	for _, change := range changes[1:] {
		add(combined, change)
	}
}

// Saturating adds changes up, and takes less of the sum the more often the row was changed.
//
// Steps on one rank after the other would each find the row where the one before left it. A row that
// came a share 1−q of the way to where it is drawn to on one rank, would have come 1−qⁿ of it after
// n ranks. So the right part of the sum is (1−qⁿ)/(n(1−q)): all of it for a row that has moved a
// little, and 1/n for one that has arrived. q falls exponentially with the number of touches.
func Saturating(perTouch float64) Combiner {
	return func(combined []float32, changes [][]float32, row Row) {
		Sum(combined, changes, row)
		scale(combined, float32(Saturation(perTouch*row.Rate*row.Touches, len(changes))))
	}
}

// Saturation is the part of the sum of n changes, each of a row that came 1−exp(−way) of its way.
func Saturation(way float64, n int) float64 {
	if n < 2 || way < 1e-6 {
		return 1
	}
	return math.Expm1(-way*float64(n)) / (float64(n) * math.Expm1(-way))
}

// add adds x to sum.
func add(sum, x []float32) {
	x = x[:len(sum)]
	for i := range sum {
		sum[i] += x[i]
	}
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
