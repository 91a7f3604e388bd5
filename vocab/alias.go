package vocab

import (
	"fmt"
	"math"
	"math/bits"
)

// An Alias is a discrete distribution from which numbers are drawn in constant time by Walker's
// alias method. Its table is made as in Vose (1991). An Alias is immutable.
type Alias struct {
	columns []column
}

// column holds two outcomes: its own below the cut, another one above.
type column struct{ cut, other uint32 }

// NewAlias returns the distribution over 0…len(weights)-1 that is proportional to weights. It
// panics if a weight is negative or not finite, or if all are zero. From a distribution without
// weights nothing can be drawn.
func NewAlias(weights []float64) *Alias {
	var sum float64
	for i, w := range weights {
		if !(w >= 0) {
			panic(fmt.Sprintf("vocab: weight %d of a distribution is %v, must be 0 or more", i, w))
		}
		sum += w
	}
	if len(weights) > 0 && !(sum > 0 && sum <= math.MaxFloat64) {
		panic(fmt.Sprintf("vocab: the weights of a distribution add up to %v, must be finite and above 0", sum))
	}
	n := len(weights)
	scaled := make([]float64, n) // mean 1
	var small, large []uint32
	for i, w := range weights {
		scaled[i] = w / sum * float64(n)
		if scaled[i] < 1 {
			small = append(small, uint32(i))
		} else {
			large = append(large, uint32(i))
		}
	}
	a := &Alias{columns: make([]column, n)}
	for len(small) > 0 && len(large) > 0 {
		s, l := small[len(small)-1], large[len(large)-1]
		small = small[:len(small)-1]
		a.columns[s] = column{cut: uint32(scaled[s] * (1 << 32)), other: l}
		scaled[l] -= 1 - scaled[s]
		if scaled[l] < 1 {
			large = large[:len(large)-1]
			small = append(small, l)
		}
	}
	// The columns that are left have weight 1, up to rounding.
	for _, i := range append(small, large...) {
		a.columns[i] = column{cut: 1<<32 - 1, other: i}
	}
	return a
}

// Draw turns 64 uniformly random bits into a number from the distribution.
func (a *Alias) Draw(random uint64) uint32 {
	i, rest := bits.Mul64(random, uint64(len(a.columns)))
	c := a.columns[i]
	if uint32(rest>>32) < c.cut {
		return uint32(i)
	}
	return c.other
}
