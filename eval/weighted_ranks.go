package eval

import (
	"cmp"
	"math"
	"slices"
	"sync"
)

// A rankCorrelation computes Spearman's correlation of weighted pairs of numbers. The pairs are
// sorted once; after that a correlation takes linear time.
type rankCorrelation struct {
	x, y    []int // indices of the pairs in the order of their numbers
	tiedX   []int // where each group of equal numbers ends in x
	tiedY   []int
	buffers sync.Pool // of *[]float64, one number a pair
}

func newRankCorrelation(x, y []float64) *rankCorrelation {
	r := new(rankCorrelation)
	r.x, r.tiedX = sorted(x)
	r.y, r.tiedY = sorted(y)
	r.buffers.New = func() any { buffer := make([]float64, len(x)); return &buffer }
	return r
}

// sorted returns the order of numbers, and where each group of equal numbers ends in it.
func sorted(x []float64) (order, ends []int) {
	order = make([]int, len(x))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(x[i], x[j]) })
	for i := range order {
		if i+1 == len(order) || x[order[i]] != x[order[i+1]] {
			ends = append(ends, i+1)
		}
	}
	return order, ends
}

// score returns the correlation in which pair i counts weights[i] times. It is that of the list
// in which each pair is repeated so often, and NaN if that list has no correlation.
func (r *rankCorrelation) score(weights []float64) float64 {
	total := 0.0
	for _, w := range weights {
		total += w
	}
	buffer := r.buffers.Get().(*[]float64)
	defer r.buffers.Put(buffer)
	ofX := *buffer
	// Ranks are counted from their mean, so that sums of their squares lose no digits.
	var xx, yy, xy float64
	someX := eachRank(r.x, r.tiedX, weights, total, func(i int, rank float64) {
		ofX[i] = rank
		xx += weights[i] * rank * rank
	})
	someY := eachRank(r.y, r.tiedY, weights, total, func(i int, rank float64) {
		yy += weights[i] * rank * rank
		xy += weights[i] * rank * ofX[i]
	})
	if someX < 2 || someY < 2 {
		return math.NaN()
	}
	return min(1, max(-1, xy/(math.Sqrt(xx)*math.Sqrt(yy))))
}

// eachRank calls yield with the rank of every number less the mean of all ranks. Equal numbers
// share the mean of their ranks. It returns how many different numbers have a weight.
func eachRank(order, ends []int, weights []float64, total float64, yield func(i int, rank float64)) (distinct int) {
	first, before := 0, 0.0 // the weight of smaller numbers
	for _, end := range ends {
		group := 0.0
		for _, i := range order[first:end] {
			group += weights[i]
		}
		if group > 0 {
			distinct++
		}
		rank := before + (group-total)/2
		for _, i := range order[first:end] {
			yield(i, rank)
		}
		first, before = end, before+group
	}
	return distinct
}
