package eval

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
)

// spearman returns the rank correlation of x and y, or NaN if it is not defined.
func spearman(x, y []float64) float64 { return pearson(ranks(x), ranks(y)) }

// pearson returns the linear correlation of x and y. It is NaN if there are fewer than two values
// or if all values of x or of y are the same.
func pearson(x, y []float64) float64 {
	if constant(x) || constant(y) {
		// The sum of squares would be only rounding error, and the quotient any number.
		return math.NaN()
	}
	return min(1, max(-1, stat.Correlation(x, y, nil)))
}

// constant reports whether all values of x are the same.
func constant(x []float64) bool {
	for _, v := range x {
		if v != x[0] {
			return false
		}
	}
	return true
}

// ranks returns the rank of every value of x, from 1 for the smallest. Equal values all get the
// mean of their ranks.
func ranks(x []float64) []float64 {
	order := make([]int, len(x))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(x[i], x[j]) })
	rank := make([]float64, len(x))
	for first := 0; first < len(order); {
		last := first
		for last+1 < len(order) && x[order[last+1]] == x[order[first]] {
			last++
		}
		for _, i := range order[first : last+1] {
			rank[i] = float64(first+last)/2 + 1
		}
		first = last + 1
	}
	return rank
}
