package eval

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat"
)

func normalJudgements(n int, rho float64, seed uint64) (judgements []Judgement) {
	g := rand.New(rand.NewPCG(uint64(n), seed))
	for i := range n {
		x := g.NormFloat64()
		judgements = append(judgements, Judgement{Item: newItem(i), Human: x, Model: rho*x + math.Sqrt(1-rho*rho)*g.NormFloat64()})
	}
	return judgements
}

// The variance of the jackknife is that of leaving each item out.
func TestPearsonWidening(t *testing.T) {
	_, x, y := columns(normalJudgements(40, 0.6, 1))
	n, r := 40., stat.Correlation(x, y, nil)
	meanX, sdX := stat.PopMeanStdDev(x, nil)
	meanY, sdY := stat.PopMeanStdDev(y, nil)
	weights := ones(40)
	var without, influence float64
	for i := range x {
		weights[i] = 0
		without += math.Pow((n-1)*(r-stat.Correlation(x, y, weights)), 2)
		weights[i] = 1
		a, b := (x[i]-meanX)/sdX, (y[i]-meanY)/sdY
		influence += math.Pow(a*b-r*(a*a+b*b)/2, 2)
	}
	if got := pearsonWidening(x, y); math.Abs(got-without/influence) > 1e-9 {
		t.Errorf("%v, want %v", got, without/influence)
	}
}

// Of 300 intervals, 285 are to cover the true value. Fewer than 270 or more than 296 would be a
// chance of 1 in 500.
func TestPearsonIntervalsCover(t *testing.T) {
	for _, n := range []int{30, 100} {
		for _, rho := range []float64{0, 0.6, 0.9} {
			covered := 0
			for seed := range uint64(300) {
				i := pearsonInterval(normalJudgements(n, rho, seed), Rules{Resamples: 500, Seed: seed})
				if i.Low <= rho && rho <= i.High {
					covered++
				}
			}
			if covered < 270 || covered > 296 {
				t.Errorf("%d pairs with correlation %v: %d of 300 intervals cover it", n, rho, covered)
			}
		}
	}
}
