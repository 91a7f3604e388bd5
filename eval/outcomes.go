package eval

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// An Estimate is a number that was computed from a sample.
type Estimate struct {
	Value    Score
	Interval Interval
	PValue   Score // of the hypothesis that the value is 0, for a difference
}

// Resample estimates numbers of a sample of which counts[i] items had outcome i, by the bootstrap: items are drawn with
// replacement, by Poisson weights. Numbers returns the numbers of a sample with other counts, which it must not keep;
// goroutines call it concurrently. Numbers that are not defined for a sample do not count. Of the options, Resamples and
// Seed matter; the same seed gives the same estimates.
func Resample(counts []uint64, opt Options, numbers func(counts []uint64) []float64) []Estimate {
	times := max(0, cmp.Or(opt.Resamples, DefaultResamples))
	drawn := drawnOf(numbers(counts), times)
	parallel(times, func(first, end int) {
		sample := make([]uint64, len(counts))
		for i := first; i < end; i++ {
			g := rand.New(rand.NewPCG(opt.Seed, uint64(i)+1))
			for k, n := range counts {
				sample[k] = poisson(g, float64(n))
			}
			for k, x := range numbers(sample) {
				drawn[k].scores[i] = x
			}
		}
	})
	var all []Estimate
	for _, d := range drawn {
		all = append(all, d.conclude())
	}
	return all
}

// WeightUnit is the weight of one item in Reweigh.
const WeightUnit = 1 << 20

// Reweigh estimates a number of a sample of which counts[i] items had outcome i, by the Bayesian bootstrap (Rubin
// 1981): each item has a random weight, with the mean and standard deviation WeightUnit. In contrast to Resample, no item is ever
// left out, so that a number that needs one of each kind is defined for all samples. Number may draw further weights from the
// generator. The interval has the estimate in it.
func Reweigh(counts []uint64, opt Options, estimate float64, number func(weights []uint64, g *rand.Rand) float64) Estimate {
	times := max(0, cmp.Or(opt.Resamples, DefaultResamples))
	drawn := drawnOf([]float64{estimate}, times)[0]
	parallel(times, func(first, end int) {
		weights := make([]uint64, len(counts))
		for i := first; i < end; i++ {
			source := rand.NewPCG(opt.Seed, uint64(i)+1)
			g := rand.New(source)
			for k, n := range counts {
				if weights[k] = 0; n > 0 {
					weights[k] = uint64(WeightUnit * distuv.Gamma{Alpha: float64(n), Beta: 1, Src: source}.Rand())
				}
			}
			drawn.scores[i] = number(weights, g)
		}
	})
	return drawn.conclude()
}

// conclude returns the estimate of what was drawn.
func (d drawn) conclude() Estimate {
	d.scores = slices.DeleteFunc(d.scores, math.IsNaN)
	if slices.Sort(d.scores); math.IsNaN(d.estimate) {
		d.scores = nil
	}
	return Estimate{Score(d.estimate), d.interval(), Score(d.pValue())}
}

func drawnOf(estimates []float64, times int) []drawn {
	all := make([]drawn, len(estimates))
	for i, x := range estimates {
		all[i] = drawn{estimate: x, scores: make([]float64, times), independent: math.Inf(1)}
	}
	return all
}

// poisson returns a random number with that mean: exactly for small means, and otherwise of the normal distribution that
// is near.
func poisson(g *rand.Rand, mean float64) (n uint64) {
	if mean > 60 {
		return uint64(max(0, math.Round(mean+math.Sqrt(mean)*g.NormFloat64())))
	}
	for left := math.Exp(-mean); ; n++ {
		left /= max(g.Float64(), math.SmallestNonzeroFloat64)
		if left > 1 {
			return n
		}
	}
}
