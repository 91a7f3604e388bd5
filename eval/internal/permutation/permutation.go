// Package permutation tests whether the sum of some numbers is larger than that of as many others
// that are drawn from all.
package permutation

import (
	"math"
	"math/rand/v2"
)

// A Test is the result of a permutation test.
type Test struct {
	Partitions int  // that were looked at
	Exact      bool // these are all partitions
	Larger     int  // partitions with a larger sum than the given one
	Equal      int  // partitions with the same sum, up to rounding
}

// P returns the share of partitions with a larger sum.
func (t Test) P() float64 { return float64(t.Larger) / float64(t.Partitions) }

// PWithTies returns the share of partitions with a sum that is as large or larger. The given
// partition is one of these: it is counted to those that are drawn (Phipson and Smyth 2010). So the
// share is never 0.
func (t Test) PWithTies() float64 {
	if t.Exact {
		return float64(t.Larger+t.Equal) / float64(t.Partitions)
	}
	return float64(t.Larger+t.Equal+1) / float64(t.Partitions+1)
}

// Sum tests the sum of the first n of the values among all partitions of the values into n and the
// rest, or among so many that are drawn at random if there are more than most of them.
func Sum(values []float64, n, most int, r *rand.Rand) Test {
	given, scale := 0.0, 0.0
	for i, x := range values {
		if i < n {
			given += x
		}
		scale += math.Abs(x)
	}
	t := Test{Exact: Count(len(values), n, most) <= most}
	near := 1e-13 * scale // equal sums in another order differ by rounding
	count := func(sum float64) {
		t.Partitions++
		switch {
		case sum > given+near:
			t.Larger++
		case sum >= given-near:
			t.Equal++
		}
	}
	if t.Exact {
		each(values, n, 0, count)
		return t
	}
	drawn := append([]float64(nil), values...)
	for range most {
		sum := 0.0
		for i := range n {
			j := i + r.IntN(len(drawn)-i)
			drawn[i], drawn[j] = drawn[j], drawn[i]
			sum += drawn[i]
		}
		count(sum)
	}
	return t
}

// each calls visit with the sum of every choice of n of the values, added to sum.
func each(values []float64, n int, sum float64, visit func(sum float64)) {
	if n == 0 {
		visit(sum)
		return
	}
	for i := 0; i+n <= len(values); i++ {
		each(values[i+1:], n-1, sum+values[i], visit)
	}
}

// Count returns the number of choices of k of n things, or most + 1 if it is larger than most.
func Count(n, k, most int) int {
	k = min(k, n-k)
	count := 1.0
	for i := 1; i <= k; i++ {
		count = count * float64(n-k+i) / float64(i)
		if count > float64(most) {
			return most + 1
		}
	}
	return int(math.Round(count))
}
