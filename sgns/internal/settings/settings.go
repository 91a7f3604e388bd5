// Package settings holds the settings of a run that its variant depends on: what an
// architecture, a loss or a composition may know of sgns.Config.
package settings

import (
	"math"

	"github.com/w2v-go/w2v/subword"
)

// A Run is the settings of a run, resolved: none stands for a default.
type Run struct {
	Dim        int
	Window     int // 0 for whole lines
	WindowMode WindowMode
	Negatives  int     // a pair
	Draws      int     // of a block of skip-gram; 0 for what suits Negatives
	NSExponent float64 // of the noise distribution
	Seed       uint64

	Arch, Loss      string
	PositionWeights bool
	WordNgrams      int // the most tokens in one; less than 2 for none
	WordBuckets     int
	Rank            int // 0 for rows of Dim numbers
	Tied            bool
	Nested          []int
	Subword         subword.Indexer // nil for plain words
	Precision       Precision       // of input rows
	Freeze          bool            // known words

	Deterministic bool
	Threads       int // at least 1
}

// Width is how many numbers the vectors of words have before a projection, if there is one.
func (r Run) Width() int {
	if r.Rank > 0 {
		return r.Rank
	}
	return r.Dim
}

// Beginnings is how many of the first dimensions are trained as vectors of their own: one,
// all dimensions, unless vectors are nested.
func (r Run) Beginnings() int { return max(len(r.Nested), 1) }

// DrawsOf returns how many negatives a block of skip-gram draws. Unless settings say so, it is 48
// for up to 5 negatives a pair, and so many more for more that none weighs more than with 5.
func (r Run) DrawsOf() int {
	const draws, usual = 48, 5
	if r.Draws > 0 {
		return r.Draws
	}
	return max(draws, int(min((draws*int64(r.Negatives)+usual-1)/usual, math.MaxInt32)))
}

// Threshold is the σ of a negative below which its error is rounded, at random and without
// bias, to that of Threshold or to 0. Most are then 0 and cost no update. So a block can score
// more negatives in the same time: docs/benchmarks.md, "Rounded errors", has what it costs.
const Threshold = 0.3

// A Precision is the type of the numbers of input rows. Its values are those of sgns.Precision.
type Precision string

// The types of numbers.
const (
	F32 Precision = ""
	F16 Precision = "f16"
)

// Halves reports whether input rows are float16.
func (r Run) Halves() bool { return r.Precision == F16 }

// A WindowMode says how the width of a block's window is drawn. Its values are those of
// sgns.WindowMode.
type WindowMode string

// The ways to draw a window of at most W. A context at distance d counts if the window is at
// least d wide.
const (
	Dynamic  WindowMode = ""         // uniformly from 1 to W: with probability (W−d+1)/W
	Fixed    WindowMode = "fixed"    // always W: with probability 1
	Harmonic WindowMode = "harmonic" // d or more with probability 1/d
)

// Reaches returns the probability that a window of at most most reaches a distance from 1 to most.
func (m WindowMode) Reaches(distance, most int) float64 {
	switch m {
	case Fixed:
		return 1
	case Harmonic:
		return 1 / float64(distance)
	}
	return float64(most-distance+1) / float64(most)
}
