package eval

import (
	"cmp"
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/stat"
)

// Spearman returns the rank correlation of x and y, or NaN if it is not defined.
func Spearman(x, y []float64) float64 { return pearson(ranks(x), ranks(y)) }

// pearson returns the linear correlation of x and y. It is NaN if there are fewer than two values
// or if all values of x or of y are the same.
func pearson(x, y []float64) float64 {
	if constant(x) || constant(y) {
		// The sum of squares would be rounding error alone, and the quotient meaningless.
		return math.NaN()
	}
	return min(1, max(-1, stat.Correlation(x, y, nil)))
}

func constant(x []float64) bool {
	return !slices.ContainsFunc(x, func(v float64) bool { return v != x[0] })
}

// ranks returns the rank of every value of x; the smallest has rank 1. Equal values share the mean
// of their ranks.
func ranks(x []float64) []float64 {
	order, ends := sorted(x)
	rank := make([]float64, len(x))
	first := 0
	for _, end := range ends {
		for _, i := range order[first:end] {
			rank[i] = float64(first+end-1)/2 + 1
		}
		first = end
	}
	return rank
}

func pearsonInterval(judgements []Judgement, opt Options) Interval {
	items, x, y := columns(judgements)
	if constant(x) || constant(y) {
		return Interval{}
	}
	of := resampling{
		items:    items,
		score:    func(weights []float64) float64 { return min(1, max(-1, stat.Correlation(x, y, weights))) }, // rounding errors go beyond
		widening: pearsonWidening(x, y),
	}
	return of.draw(opt).interval()
}

// pearsonWidening returns the jackknife's variance of Pearson's correlation divided by the variance
// of its influence function, which is close to the variance of resamples. Each item contributes to
// the line that it is compared with, so resamples of few items are too much alike: intervals of 30
// normal pairs would cover only 91 %. The jackknife errs to the other side (Efron and Stein 1981).
func pearsonWidening(x, y []float64) float64 {
	n := float64(len(x))
	meanX, sdX := stat.PopMeanStdDev(x, nil)
	meanY, sdY := stat.PopMeanStdDev(y, nil)
	r := stat.Correlation(x, y, nil)
	var without, influence float64
	for i := range x {
		a, b := (x[i]-meanX)/sdX, (y[i]-meanY)/sdY
		// This is the correlation of the other items. Over all items, the sums of a² and b² are n and
		// the sum of a·b is n·r; the means of the others are −a/(n−1) and −b/(n−1).
		shared := n / (n - 1)
		others := (n*r - shared*a*b) / math.Sqrt((n-shared*a*a)*(n-shared*b*b))
		without += math.Pow((n-1)*(r-others), 2)
		influence += math.Pow(a*b-r*(a*a+b*b)/2, 2)
	}
	return without / influence
}

// A rankCorrelation computes Spearman's correlation of weighted pairs of numbers. It sorts the
// pairs once; then each correlation takes linear time.
type rankCorrelation struct {
	x, y    []int // indices of the pairs, sorted by their numbers
	tiedX   []int // the end of each group of equal numbers in x
	tiedY   []int
	buffers sync.Pool // of *[]float64, one number per pair
}

func newRankCorrelation(x, y []float64) *rankCorrelation {
	r := new(rankCorrelation)
	r.x, r.tiedX = sorted(x)
	r.y, r.tiedY = sorted(y)
	r.buffers.New = func() any { buffer := make([]float64, len(x)); return &buffer }
	return r
}

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

// score returns the correlation in which pair i counts weights[i] times. It is the correlation of a
// list that repeats each pair as often, and NaN if this list has no correlation.
func (r *rankCorrelation) score(weights []float64) float64 {
	total := 0.0
	for _, w := range weights {
		total += w
	}
	buffer := r.buffers.Get().(*[]float64)
	defer r.buffers.Put(buffer)
	ofX := *buffer
	// Ranks are measured from their mean, so that sums of their squares stay exact.
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

// eachRank calls yield with the rank of every number minus the mean of all ranks. Equal numbers
// share the mean of their ranks. It returns the number of different numbers with a weight.
func eachRank(order, ends []int, weights []float64, total float64, yield func(i int, rank float64)) (distinct int) {
	first, before := 0, 0.0 // weight of smaller numbers
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
