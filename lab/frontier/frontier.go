// Package frontier says when the scores of one program, which is trained for longer and longer,
// reach that of another.
package frontier

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/w2v-go/w2v/lab/figures"
)

// A Point is what a training of some length took and what came of it.
type Point struct {
	Epochs  int
	Seconds float64 // CPU time of training
	Score   float64 // higher is better
}

// Side says on which side of the points a crossing is.
type Side int

// The crossing lies between two points, or before the shortest training, or after the longest.
// Unknown is where a score is not defined.
const (
	Between Side = iota
	Before
	After
	Unknown
)

// A Crossing is where the scores of some trainings reach a target.
type Crossing struct {
	Side    Side
	Seconds float64 // the time; of Before the most that it can be, of After the least
	Epochs  float64 // the same in epochs
}

// Reach finds the first place where the scores reach a target, in the order of epochs. Between
// two trainings time, epochs and score are taken to change at the same rate. Trainings of the
// same number of epochs, by several seeds, count as their means. There must be one at least.
func Reach(points []Point, target float64) Crossing {
	means := meansByEpochs(points)
	if math.IsNaN(target) || slices.ContainsFunc(means, func(p Point) bool { return math.IsNaN(p.Score) }) {
		return Crossing{Side: Unknown}
	}
	if first := means[0]; first.Score >= target {
		return Crossing{Before, first.Seconds, float64(first.Epochs)}
	}
	for i, right := range means[1:] {
		if left := means[i]; right.Score >= target {
			part := (target - left.Score) / (right.Score - left.Score)
			return Crossing{
				Between,
				left.Seconds + part*(right.Seconds-left.Seconds),
				float64(left.Epochs) + part*float64(right.Epochs-left.Epochs),
			}
		}
	}
	last := means[len(means)-1]
	return Crossing{After, last.Seconds, float64(last.Epochs)}
}

// meansByEpochs joins the points of each number of epochs, in rising order.
func meansByEpochs(points []Point) []Point {
	sorted := slices.SortedStableFunc(slices.Values(points), func(a, b Point) int { return cmp.Compare(a.Epochs, b.Epochs) })
	var means []Point
	for start := 0; start < len(sorted); {
		end := start
		mean := Point{Epochs: sorted[start].Epochs}
		for ; end < len(sorted) && sorted[end].Epochs == mean.Epochs; end++ {
			mean.Seconds += sorted[end].Seconds
			mean.Score += sorted[end].Score
		}
		mean.Seconds /= float64(end - start)
		mean.Score /= float64(end - start)
		means = append(means, mean)
		start = end
	}
	return means
}

// bound writes a number that may only be a bound, and nothing if it is not known.
func (c Crossing) bound(text, below, above string) string {
	if c.Side == Unknown {
		return ""
	}
	return map[Side]string{Between: "", Before: below, After: above}[c.Side] + text
}

// Time writes the CPU time: "< 3.00 s" if the shortest training is good enough, "> 90.0 s" if
// none is.
func (c Crossing) Time() string { return c.bound(figures.Seconds(c.Seconds), "< ", "> ") }

// Passes writes the epochs, in the same way.
func (c Crossing) Passes() string { return c.bound(fmt.Sprintf("%.1f", c.Epochs), "< ", "> ") }

// Ratio writes how many times less the time is than that of a peer.
func (c Crossing) Ratio(peerSeconds float64) string {
	return c.bound(figures.Significant(peerSeconds/c.Seconds), "> ", "< ")
}
