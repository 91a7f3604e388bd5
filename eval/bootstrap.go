package eval

import (
	"cmp"
	"context"
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// bootstrap returns the 95 % interval of a sample's score; see resampling.
func bootstrap(s Sample, opt Options) Interval {
	of := resampling{items: s.Items, score: s.Score}
	if zeroOrOne(s.Values) {
		of.values = s.Values
	}
	return of.draw(opt).interval()
}

func zeroOrOne(values []float64) bool {
	return len(values) > 0 && !slices.ContainsFunc(values, func(v float64) bool { return v != 0 && v != 1 })
}

// A resampling draws weights of items again and again, and computes a score with each.
//
// The weights are those of the Bayesian bootstrap (Rubin 1981): independent, with mean 1 and
// variance 1. They replace the counts of drawing with replacement. Weights are positive, so ranks
// get no new ties and every resample has a score. Items that share words are not independent, so
// they count for fewer items: the variance of the weights is the design effect; see designEffect.
type resampling struct {
	items []Item
	score func(weights []float64) float64
	// If values is not nil, the score is the mean of values, which are −1, 0 or 1.
	values []float64
	// difference says that the score is a difference of two scores; it may be negative.
	difference bool
	// widening multiplies the variance of the weights; 0 means 1.
	widening float64
}

// leastEffect is the smallest design effect of a difference of two models. An estimate of a design
// effect of 1 is as often below 1 as above. If estimates below 1 were raised to 1, models that
// differ by their seeds alone would be found to differ in less than 3 % of cases. See the
// measurements in docs/evaluation.md.
const leastEffect = 0.7

type drawn struct {
	estimate float64   // the score of the items as they are
	scores   []float64 // of the resamples, sorted
	// independent is the number of independent items that carry as much information as the items. It
	// is +Inf if the number of items does not matter.
	independent float64
}

// draw draws as many resamples as the options say. The result depends only on the items and the
// options' seed. It is the zero value, without an interval, if there are fewer than two items or no
// score.
func (r *resampling) draw(opt Options) drawn {
	times := cmp.Or(opt.Resamples, DefaultResamples)
	if times < 0 || len(r.items) < 2 {
		return drawn{}
	}
	weights := ones(len(r.items))
	d := drawn{estimate: r.score(weights), scores: make([]float64, times)}
	if math.IsNaN(d.estimate) {
		return drawn{}
	}
	least := 1.
	if r.difference {
		least = leastEffect
	}
	effect := max(least, designEffect(r.items, r.influence(d.estimate))) * max(1, r.widening)
	switch {
	case r.difference:
		// The design effect of items that are all alike gives the number of independent items: few
		// clusters say little about their variance (Cameron, Gelbach and Miller 2008).
		d.independent = float64(len(r.items)) / designEffect(r.items, weights)
	case r.values != nil:
		d.independent = math.Inf(1) // the items that drawCounts adds make up for it
	default:
		d.independent = float64(len(r.items)) / effect
	}
	if r.values != nil {
		r.drawCounts(d.scores, effect, opt.Seed)
	} else {
		r.drawWeights(d.scores, effect, opt.Seed)
	}
	d.scores = slices.DeleteFunc(d.scores, math.IsNaN)
	slices.Sort(d.scores)
	return d
}

// influence returns how much each item moves the score: the jackknife's estimate of the empirical
// influence function, divided by the number of items (Efron and Tibshirani 1993, chapter 11). It is
// nil if no two items share a word, because then it is not needed.
func (r *resampling) influence(estimate float64) []float64 {
	if !shareWords(r.items) {
		return nil
	}
	n := float64(len(r.items))
	moved := make([]float64, len(r.items))
	if r.values != nil {
		for i, v := range r.values {
			moved[i] = (v - estimate) / n
		}
		return moved
	}
	parallel(len(moved), func(first, end int) {
		weights := ones(len(moved))
		for i := first; i < end; i++ {
			weights[i] = 0
			moved[i] = (estimate - r.score(weights)) * (n - 1) / n
			weights[i] = 1
		}
	})
	return moved
}

// drawWeights draws weights with mean 1 and variance effect. Weights are exponential for variance
// 1. For a larger variance, an item has weight 0 with some probability; for a smaller variance, a
// part of the weight is fixed.
func (r *resampling) drawWeights(scores []float64, effect float64, seed uint64) {
	kept, random := min(1, 2/(1+effect)), min(1, math.Sqrt(effect))
	parallel(len(scores), func(first, end int) {
		weights := make([]float64, len(r.items))
		for i := first; i < end; i++ {
			g := rand.New(rand.NewPCG(seed, uint64(i)+1))
			total := 0.0
			for k := range weights {
				weights[k] = 0
				if kept == 1 || g.Float64() < kept {
					weights[k] = 1 - random + random*g.ExpFloat64()
				}
				total += weights[k]
			}
			for k := range weights {
				weights[k] *= float64(len(weights)) / total // NaN, as is then the score, if no weight is left
			}
			scores[i] = r.score(weights)
		}
	})
}

// drawCounts draws the total weight of all items with the same value. Without extra items,
// intervals of shares near 0 and 1 would be too narrow. A share gets one extra right and one extra
// wrong answer (Agresti and Coull 1998); a difference gets half an item in favour of each model
// (Agresti and Min 2005).
func (r *resampling) drawCounts(scores []float64, effect float64, seed uint64) {
	var less, zero, more float64
	for _, v := range r.values {
		switch {
		case v < 0:
			less++
		case v > 0:
			more++
		default:
			zero++
		}
	}
	less, zero, more = less/effect, zero/effect, more/effect
	if r.difference {
		less, more = less+0.5, more+0.5
	} else {
		zero, more = zero+1, more+1
	}
	g := rand.NewPCG(seed, 1)
	weight := func(count float64) float64 {
		if count == 0 {
			return 0
		}
		return distuv.Gamma{Alpha: count, Beta: 1, Src: g}.Rand()
	}
	for i := range scores {
		minus, nothing, plus := weight(less), weight(zero), weight(more)
		scores[i] = (plus - minus) / (minus + nothing + plus)
	}
}

func (d drawn) interval() Interval {
	if len(d.scores) == 0 {
		return Interval{}
	}
	low, high := d.quantile(0.025), d.quantile(0.975)
	return Between(min(low, d.estimate), max(high, d.estimate))
}

// quantile returns a quantile of the scores. Resamples of n items are too much alike by the factor
// √((n−1)/n), and few items have the tails of Student's distribution. So quantile widens the level
// as in Hesterberg's expanded percentile interval (2015).
func (d drawn) quantile(p float64) float64 {
	if !math.IsInf(d.independent, 1) {
		n := max(2, d.independent)
		p = distuv.UnitNormal.CDF(student(n-1).Quantile(p) * math.Sqrt(n/(n-1)))
	}
	at := p*float64(len(d.scores)) - 0.5
	return d.scores[int(min(float64(len(d.scores)-1), max(0, math.Round(at))))]
}

func student(freedom float64) distuv.StudentsT {
	return distuv.StudentsT{Mu: 0, Sigma: 1, Nu: freedom}
}

// pValue returns the two-sided p-value of the hypothesis that the score is 0: the level at which an
// interval of the same kind would begin or end at 0. It is 1 if the score is 0, and NaN without an
// interval. With n resamples it is at least about 1/n.
func (d drawn) pValue() float64 {
	switch {
	case len(d.scores) == 0:
		return math.NaN()
	case d.estimate == 0:
		return 1
	}
	below := 0.5
	for _, x := range d.scores {
		switch {
		case x < 0:
			below++
		case x == 0:
			below += 0.5
		}
	}
	below /= float64(len(d.scores)) + 1
	p := min(below, 1-below)
	if !math.IsInf(d.independent, 1) {
		n := max(2, d.independent)
		p = student(n - 1).CDF(distuv.UnitNormal.Quantile(p) * math.Sqrt((n-1)/n))
	}
	return min(1, 2*p)
}

func ones(n int) []float64 { return slices.Repeat([]float64{1}, n) }

// parallel splits 0…n−1 into consecutive parts, and calls work with the parts on all cores.
func parallel(n int, work func(first, end int)) {
	const part = 50
	_ = each(context.Background(), (n+part-1)/part, func(i int) { work(i*part, min(n, (i+1)*part)) }) // never ends early
}

// An Interval is a 95 % confidence interval. The zero Interval means no interval. In JSON it is a
// list of the lower and the upper end, or null.
type Interval struct {
	Low, High float64
	Known     bool // distinguishes the interval from 0 to 0 from no interval
}

// Between returns the interval with these ends, or the zero Interval if an end is not finite.
func Between(low, high float64) Interval {
	if width := high - low; math.IsNaN(width) || math.IsInf(width, 0) {
		return Interval{}
	}
	return Interval{low, high, true}
}

// Excludes reports whether there is an interval and x lies outside it.
func (i Interval) Excludes(x float64) bool { return i.Known && (x < i.Low || x > i.High) }

// IsZero reports whether there is no interval. Fields with omitzero are then left out.
func (i Interval) IsZero() bool { return !i.Known }

// MarshalJSON writes both ends, or null.
func (i Interval) MarshalJSON() ([]byte, error) {
	if !i.Known {
		return []byte("null"), nil
	}
	return json.Marshal([2]float64{i.Low, i.High})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (i *Interval) UnmarshalJSON(data []byte) error {
	var ends *[2]float64
	if err := json.Unmarshal(data, &ends); err != nil {
		return err
	}
	*i = Interval{}
	if ends != nil {
		*i = Between(ends[0], ends[1])
	}
	return nil
}
