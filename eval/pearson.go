package eval

import (
	"math"

	"gonum.org/v1/gonum/stat"
)

// pearsonInterval returns the 95 % interval of Pearson's correlation of judgements; see resampling.
func pearsonInterval(judgements []Judgement, rules Rules) Interval {
	items, x, y := columns(judgements)
	if constant(x) || constant(y) {
		return Interval{}
	}
	of := resampling{
		items:    items,
		score:    func(weights []float64) float64 { return stat.Correlation(x, y, weights) },
		widening: pearsonWidening(x, y),
	}
	return of.draw(rules).interval()
}

// pearsonWidening returns the jackknife's variance of Pearson's correlation over that of its
// influence function, which is about that of resamples. Each item has a part in the line that it
// is compared with, so resamples of few items are too much alike: intervals of 30 normal pairs
// would cover 91 %. The jackknife errs to the other side (Efron and Stein 1981).
func pearsonWidening(x, y []float64) float64 {
	n := float64(len(x))
	meanX, sdX := stat.PopMeanStdDev(x, nil)
	meanY, sdY := stat.PopMeanStdDev(y, nil)
	r := stat.Correlation(x, y, nil)
	var without, influence float64
	for i := range x {
		a, b := (x[i]-meanX)/sdX, (y[i]-meanY)/sdY
		// The correlation of the others. Sums over all items of a² and of b² are n, of a·b n·r; the
		// others' means are −a/(n−1) and −b/(n−1).
		shared := n / (n - 1)
		others := (n*r - shared*a*b) / math.Sqrt((n-shared*a*a)*(n-shared*b*b))
		without += math.Pow((n-1)*(r-others), 2)
		influence += math.Pow(a*b-r*(a*a+b*b)/2, 2)
	}
	return without / influence
}
