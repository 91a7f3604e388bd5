// Package counting derives from word counts what training needs: the distribution of negative samples, and
// the tree of hierarchical softmax.
package counting

import (
	"fmt"
	"math"
	"slices"
)

// An Alias is a discrete distribution from which numbers are drawn in constant time by Walker's alias method.
// The table is built as in Vose (1991). An Alias is immutable.
//
// Consecutive numbers of equal weight are one outcome of the table; Draw then picks one of them uniformly.
// Most words of a vocabulary are as rare as their neighbours, so the table of even a large vocabulary fits
// into a near cache.
type Alias struct {
	columns []column
	runs    []run
}

type column struct{ cut, other uint32 }

type run struct{ first, length uint32 }

// NewAlias returns the distribution over 0…len(weights)-1 that is proportional to weights. It panics if a
// weight is negative or not finite, or if all weights are zero. Without weights, the distribution is empty:
// do not draw from it.
func NewAlias(weights []float64) *Alias {
	var sum float64
	runs := 0
	for i, w := range weights {
		if !(w >= 0) {
			panic(fmt.Sprintf("counting: weight %d of a distribution is %v, must be 0 or more", i, w))
		}
		sum += w
		if i == 0 || w != weights[i-1] {
			runs++
		}
	}
	if len(weights) > 0 && !(sum > 0 && sum <= math.MaxFloat64) {
		panic(fmt.Sprintf("counting: the weights of a distribution add up to %v, must be finite and above 0", sum))
	}
	a := &Alias{columns: make([]column, runs), runs: make([]run, 0, runs)}
	scaled := make([]float64, 0, runs) // weights of runs, with mean 1
	for i := 0; i < len(weights); {
		first := i
		for i < len(weights) && weights[i] == weights[first] {
			i++
		}
		a.runs = append(a.runs, run{uint32(first), uint32(i - first)})
		scaled = append(scaled, weights[first]*float64(i-first)/sum*float64(runs))
	}
	a.fill(scaled)
	return a
}

// fill builds the columns from the weights of runs, which have mean 1.
func (a *Alias) fill(scaled []float64) {
	var small, large []uint32
	for i, w := range scaled {
		if w < 1 {
			small = append(small, uint32(i))
		} else {
			large = append(large, uint32(i))
		}
	}
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
	// The remaining columns have weight 1, up to rounding.
	for _, i := range slices.Concat(small, large) {
		a.columns[i] = column{cut: 1<<32 - 1, other: i}
	}
}

// Draw converts 64 uniformly random bits to a number from the distribution. The upper half selects the run,
// the lower half the number in the run.
func (a *Alias) Draw(random uint64) uint32 {
	at := random >> 32 * uint64(len(a.columns))
	i := at >> 32
	c := a.columns[i]
	// A branch could not be predicted here, so there is none.
	above := (at&math.MaxUint32-uint64(c.cut))>>63 - 1 // all bits are set from the cut on
	r := a.runs[i^(i^uint64(c.other))&above]
	return r.first + uint32(random&math.MaxUint32*uint64(r.length)>>32)
}

// Noise returns the distribution of negative samples: counts to the power exponent. It panics if a power is
// not finite or all powers are zero.
func Noise(counts []uint64, exponent float64) *Alias {
	weights := make([]float64, len(counts))
	for id, c := range counts {
		if id > 0 && c == counts[id-1] { // most counts equal the one before; this saves the slow math.Pow
			weights[id] = weights[id-1]
			continue
		}
		weights[id] = math.Pow(float64(c), exponent)
	}
	return NewAlias(weights)
}
