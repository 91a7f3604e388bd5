package eval

import "math"

// An Interval is the lower and the upper end of a 95 % confidence interval. The
// zero Interval stands for none.
type Interval [2]float64

// z95 is the 97.5 % point of the normal distribution.
const z95 = 1.959963984540054

// spearmanInterval returns the interval of a Spearman correlation r over n
// pairs: Fisher's z with the standard error √((1+r²/2)/(n−3)) of Bonett and
// Wright, "Sample size requirements for estimating Pearson, Kendall and
// Spearman correlations", 2000. It takes four pairs at least.
func spearmanInterval(r float64, n int) Interval {
	if n < 4 || math.IsNaN(r) {
		return Interval{}
	}
	z, half := math.Atanh(r), z95*math.Sqrt((1+r*r/2)/float64(n-3))
	return Interval{math.Tanh(z - half), math.Tanh(z + half)}
}

// wilsonInterval returns the interval of a share of correct answers among n:
// Wilson, "Probable inference, the law of succession, and statistical
// inference", 1927.
func wilsonInterval(correct, n int) Interval {
	if n == 0 {
		return Interval{}
	}
	count, p := float64(n), float64(correct)/float64(n)
	grown := 1 + z95*z95/count
	middle := (p + z95*z95/(2*count)) / grown
	half := z95 / grown * math.Sqrt(p*(1-p)/count+z95*z95/(4*count*count))
	return Interval{max(0, middle-half), min(1, middle+half)}
}
