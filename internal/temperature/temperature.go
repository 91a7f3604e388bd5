// Package temperature finds what the scores of a classifier are divided by, so that its probabilities are about as often
// right as they say (Guo and others 2017). It finds the inverse, by which scores are multiplied: losses are convex in it.
package temperature

import (
	"math"
	"slices"
)

// A Loss is a sum of log losses at scores that are multiplied by a number, with its derivatives by that number.
type Loss struct{ Sum, First, Second float64 }

// Add adds another sum.
func (l *Loss) Add(of Loss) {
	l.Sum, l.First, l.Second = l.Sum+of.Sum, l.First+of.First, l.Second+of.Second
}

// Softmax returns the loss of a text with the labels own, at least one, each of which counts for its share of the text.
func Softmax(scores []float32, own []int, by float64) Loss {
	most := float64(slices.Max(scores)) * by
	var sum, first, second, right float64
	for _, score := range scores {
		x := float64(score)
		e := math.Exp(x*by - most)
		sum, first, second = sum+e, first+e*x, second+e*x*x
	}
	for _, id := range own {
		right += float64(scores[id]) / float64(len(own))
	}
	first, second = first/sum, second/sum
	return Loss{math.Log(sum) + most - right*by, first - right, second - first*first}
}

// Logistic returns the loss of one yes or no.
func Logistic(score float64, yes bool, by float64) Loss {
	p, z, target := 1/(1+math.Exp(-score*by)), score*by, 0.
	if yes {
		z, target = -z, 1
	}
	return Loss{math.Log1p(math.Exp(-math.Abs(z))) + max(z, 0), score * (p - target), score * score * p * (1 - p)}
}

// doubt is how much a change must gain: see Least.
const doubt = 8

// most is the largest number that scores are multiplied by, and its inverse the least.
const most = 256

// Least returns the number with the least loss, and the loss there and before, at 1. Few texts say little about it, and texts
// without an error nothing: doubt · (by − 1 − log by) is added to the sum of losses, the logarithm of a gamma distribution
// around 1. So the loss is never larger than before. The number is from 1/256 to 256.
func Least(at func(by float64) (Loss, error)) (by float64, before, least Loss, err error) {
	low, high, smallest := 1./most, float64(most), math.Inf(1)
	for next, round := 1., 0; round < 50; round++ {
		x := next
		l, err := at(x)
		if err != nil {
			return 0, before, least, err
		}
		if round == 0 {
			before = l
		}
		if sum := l.Sum + doubt*(x-1-math.Log(x)); sum < smallest {
			by, least, smallest = x, l, sum
		}
		slope := l.First + doubt*(1-1/x)
		if slope > 0 {
			high = x
		} else {
			low = x
		}
		if next = x - slope/(l.Second+doubt/x/x); !(next > low && next < high) { // Newton's method, or a half
			next = math.Sqrt(low * high)
		}
		if math.Abs(next-x) < 1e-5*x {
			break
		}
	}
	return by, before, least, nil
}
