// Package settings holds the settings that architectures, losses and compositions see.
package settings

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/w2v-go/w2v/internal/setting"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
)

// A Run is the settings of a run, with defaults filled in.
type Run struct {
	Dim        int
	Window     int // 0 means whole lines
	WindowMode WindowMode
	Negatives  int     // for each pair
	Draws      int     // of a block of skip-gram; 0 means a number that suits Negatives
	NSExponent float64 // exponent of the noise distribution
	Seed       uint64

	Arch, Loss      string
	PositionWeights bool
	WordNgrams      int // largest number of tokens in a word n-gram; below 2 there are none
	WordBuckets     int
	XMax            float64 // of losses of counts; 0 means the usual one
	Rank            int     // 0 means rows of Dim numbers
	Tied            bool
	Nested          []int
	Subword         subword.Indexer // nil for plain words
	Precision       Precision       // of input rows
	Pooling         Pooling         // of texts
	Freeze          bool            // freeze known words
	OwnWeight       float64         // of finished vectors; 0 means the usual one
	Power           float64         // of finished vectors; 0 means the usual one

	Deterministic bool
	Threads       int // at least 1
}

// Width is the width of words' vectors before a projection.
func (r Run) Width() int {
	if r.Rank > 0 {
		return r.Rank
	}
	return r.Dim
}

// Hidden is the width of inputs and of output rows. Without pooling by extremes it is Dim.
func (r Run) Hidden() int { return r.Dim * r.Pooling.Parts() }

// Beginnings is how many numbers of first dimensions are trained as vectors; 1 unless they are nested.
func (r Run) Beginnings() int { return max(len(r.Nested), 1) }

// DrawsOf returns how many negatives a block of skip-gram draws. The default is 48 for up to 5 negatives a
// pair. For more negatives it is larger, so that none weighs more than with 5.
func (r Run) DrawsOf() int {
	const draws, usual = 48, 5
	if r.Draws > 0 {
		return r.Draws
	}
	return max(draws, int(min((draws*int64(r.Negatives)+usual-1)/usual, math.MaxInt32)))
}

// Threshold is the σ of a negative below which its error is rounded, at random and without bias, to that of
// Threshold or to 0. Most errors are then 0 and need no update, so a block can score more negatives in the
// same time: docs/benchmarks.md, "Rounded errors", has the costs.
const Threshold = 0.3

// A Precision is the type of the numbers of input rows during training. Its value is its name for users.
type Precision string

// The types of numbers.
const (
	// F32 is float32. It is the default.
	F32 Precision = ""
	// F16 is float16, which takes about half the memory. Updates of a row are rounded at random and without
	// bias (stochastic rounding, Gupta et al. 2015), so that small updates are not lost. Everything else is
	// computed in float32.
	F16 Precision = "f16"
)

// Validate reports an unknown value.
func (p Precision) Validate() error { return Known("precision", p, F16) }

// Halves reports whether input rows are float16.
func (r Run) Halves() bool { return r.Precision == F16 }

// A Pooling says how the rows of a text become its vector. Its value is its name for users.
type Pooling string

// Kinds of pooling.
const (
	// PoolMean takes the mean of all rows. It is the default.
	PoolMean Pooling = ""
	// PoolExtremes puts the mean, the largest number of each column and the smallest side by side.
	PoolExtremes Pooling = vectors.PoolExtremes
)

// Parts is how many times as wide as a row the vector of a text is.
func (p Pooling) Parts() int { return vectors.PooledParts(string(p)) }

// Validate reports an unknown value.
func (p Pooling) Validate() error { return Known("pooling", p, PoolExtremes) }

// A WindowMode says how wide windows are, given the largest distance W. Its value is its name for users.
type WindowMode string

const (
	// Dynamic draws the width uniformly, as word2vec does: distance d counts with probability (W−d+1)/W.
	Dynamic WindowMode = ""
	// Fixed always uses the width W.
	Fixed WindowMode = "fixed"
	// Harmonic counts a context at distance d with probability 1/d, which is its weight in GloVe.
	Harmonic WindowMode = "harmonic"
)

// Validate reports an unknown value.
func (m WindowMode) Validate() error { return Known("window mode", m, Fixed, Harmonic) }

// Reaches returns the probability that a window of largest width most reaches a distance from 1 to most.
func (m WindowMode) Reaches(distance, most int) float64 {
	switch m {
	case Fixed:
		return 1
	case Harmonic:
		return 1 / float64(distance)
	}
	return float64(most-distance+1) / float64(most)
}

// Known returns an error if x is neither empty, which is a default, nor one of the values. what names the setting.
func Known[T ~string](what string, x T, values ...T) error {
	if x == "" || slices.Contains(values, x) {
		return nil
	}
	var quoted []string
	for _, v := range values {
		quoted = append(quoted, strconv.Quote(string(v)))
	}
	are := "are"
	if len(values) == 1 {
		are = "is"
	}
	return fmt.Errorf("sgns: %s: %q is not known; %s %s", what, string(x), setting.And(quoted), are)
}

// A Kind is an architecture or a loss to choose.
type Kind[T any] struct {
	Name, Help string // for users
	Samples    bool   // a loss draws negatives, as many as the settings say
	Plain      bool   // programs without variants train this kind
	New        func(Run) T
}

// Find returns the kind of that name. An empty name means the first. what names all kinds in an error.
func Find[T any](what, name string, kinds []Kind[T]) (Kind[T], error) {
	var names []string
	for i, k := range kinds {
		if k.Name == name || i == 0 && name == "" {
			return k, nil
		}
		names = append(names, k.Name)
	}
	return Kind[T]{}, fmt.Errorf("%s %q is not known: %s are", what, name, setting.And(names))
}
