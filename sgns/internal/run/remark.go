package run

import (
	"fmt"
	"math"

	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/vectors"
)

// A RemarkKind is the subject of a Remark. Its value is its name in JSON.
type RemarkKind string

const (
	// RemarkNoPairs says that there were no pairs to learn from. The vectors have their initial values.
	RemarkNoPairs RemarkKind = "no-pairs"
	// RemarkOneWord says that the vocabulary has one word.
	RemarkOneWord RemarkKind = "one-word"
	// RemarkUntrained says that the vectors of frequent words have hardly moved from their random start.
	// Value is the distance in units of their initial length.
	RemarkUntrained RemarkKind = "untrained"
	// RemarkCollapsed says that the vectors of frequent words are nearly on a line. Value is the mean squared
	// cosine of two of them: 1 on a line, 1/d if they are spread over d dimensions.
	RemarkCollapsed RemarkKind = "collapsed"
	// RemarkHalved says that training diverged and continued at a lower rate. Value is the last initial
	// learning rate.
	RemarkHalved RemarkKind = "halved-rate"
	// RemarkApart says that ranks seldom exchanged changes. Value is the mean number of tokens that a rank trained
	// between two exchanges, and Usual the number that suits the run.
	RemarkApart RemarkKind = "far-apart"
)

// A Remark is a reason why the vectors of a finished run may be worse than they could be.
type Remark struct {
	Kind  RemarkKind
	Value float64
	Usual float64 // usual Value for good vectors, for RemarkApart; otherwise 0
	// Epochs is the number of epochs that would train about a million tokens, if the run had fewer and more
	// could help; otherwise 0.
	Epochs int
}

// String describes the remark.
func (r Remark) String() string {
	switch r.Kind {
	case RemarkNoPairs:
		return "no token has a context, because sentences are too short or subsampling drops too many tokens: nothing was learned, and vectors are as they began"
	case RemarkOneWord:
		return "the vocabulary has one word, so there is nothing that its vector could be compared with"
	case RemarkUntrained:
		return fmt.Sprintf("the vectors of frequent words have hardly moved from their random start: by %.2g times its length", r.Value)
	case RemarkCollapsed:
		return fmt.Sprintf("the vectors of frequent words hardly differ: they nearly lie on a line, with a mean squared cosine of %.2f", r.Value)
	case RemarkApart:
		return fmt.Sprintf("ranks exchanged changes every %s tokens of each, %.0f times as far apart as suits the run (%s), which costs quality",
			wording.Thousands(uint64(r.Value)), r.Value/r.Usual, wording.Thousands(uint64(r.Usual)))
	case RemarkHalved:
		return fmt.Sprintf("training diverged, and ended with learning rate %v", r.Value)
	}
	return string(r.Kind)
}

// Thresholds of remarks. On English text of 0.02 to 5 MB, in all variants, vectors of frequent words had a
// mean squared cosine below 0.13 from 1 MB on, and above 0.3 below 0.2 MB, where neighbours made no sense.
// With even less text, vectors had not moved.
const (
	collapsedFrom  = 0.25
	collapsedWords = 20  // fewer words can be on a line by chance
	collapsedTimes = 4   // multiple of the value for random directions
	untrainedBelow = 3.0 // in initial lengths
	enoughTokens   = 1_000_000
)

// remarks compares the final vectors with those before training; nil if the run started from trained vectors.
func (r *Run) remarks(s *vectors.Set, begun [][]float32) []Remark {
	epochs := int(math.Ceil(enoughTokens / float64(r.peers.Tokens)))
	if epochs <= r.Config.Epochs {
		epochs = 0
	}
	var found []Remark
	switch pairs := r.Trained().Pairs; {
	case r.Data.Labels == nil:
		found = remarksAbout(pairs, begun, frequentVectors(s, r.Common), s.Len(), r.Model.Variant.Run.Width(), epochs)
	case pairs == 0: // vectors of words have no meaning of their own
		found = []Remark{{Kind: RemarkNoPairs}}
	}
	if r.recovery.halvings > 0 {
		found = append(found, Remark{Kind: RemarkHalved, Value: r.FirstRate()})
	}
	return found
}

// remarksAbout compares the vectors of frequent words before and after training. pairs is the number of
// trained pairs, and epochs the number of epochs that would suffice, or 0 if more would not help.
func remarksAbout(pairs uint64, begun, ended [][]float32, words, directions, epochs int) []Remark {
	if pairs == 0 {
		return []Remark{{Kind: RemarkNoPairs}}
	}
	if words == 1 {
		return []Remark{{Kind: RemarkOneWord}}
	}
	if x := moved(begun, ended); x < untrainedBelow {
		return []Remark{{Kind: RemarkUntrained, Value: x, Epochs: epochs}}
	}
	if x := squaredCosine(ended); words >= collapsedWords && x > max(collapsedFrom, collapsedTimes/float64(directions)) {
		return []Remark{{Kind: RemarkCollapsed, Value: x, Epochs: epochs}}
	}
	return nil
}

// frequentVectors returns the vectors of up to so many words, from the thousand most frequent ones.
func frequentVectors(s *vectors.Set, words int) [][]float32 {
	const among, most = 1000, 200
	n := min(words, among)
	rows := make([][]float32, 0, most)
	for i := range min(n, most) {
		row := make([]float32, s.Dim())
		s.Vector(row, s.Words().At(i*n/min(n, most)))
		rows = append(rows, row)
	}
	return rows
}

// moved returns how far vectors have moved, in initial lengths; infinity if these are unknown.
func moved(before, after [][]float32) float64 {
	var by, length float64
	for i, row := range before {
		var squares float64
		for k, x := range row {
			d := float64(after[i][k]) - float64(x)
			squares += d * d
		}
		by += math.Sqrt(squares)
		length += math.Sqrt(inner(row, row))
	}
	if length == 0 {
		return math.Inf(1)
	}
	return by / length
}

// squaredCosine returns the mean squared cosine of pairs of vectors; 0 without two that are not zero.
func squaredCosine(rows [][]float32) float64 {
	var sum, pairs float64
	for i, a := range rows {
		for _, b := range rows[:i] {
			if lengths := inner(a, a) * inner(b, b); lengths > 0 {
				sum += inner(a, b) * inner(a, b) / lengths
				pairs++
			}
		}
	}
	if pairs == 0 {
		return 0
	}
	return sum / pairs
}

func inner(a, b []float32) float64 {
	var sum float64
	for k, x := range a {
		sum += float64(x) * float64(b[k])
	}
	return sum
}
