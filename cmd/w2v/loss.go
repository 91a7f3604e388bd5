package main

import (
	"slices"
	"strings"

	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
)

// A loss is what of a model is not in what is made of it.
type loss struct {
	words, ngrams, context, counts, state bool
	parts                                 []string // what else only some models have, by its name
	training, kept                        []string // fields of it, by their names in JSON
}

// lossOf returns what of a set a format cannot hold.
func lossOf(s *vectors.Set, f vectors.Format) loss {
	can, err := vectors.Describe(f)
	if err != nil {
		return loss{} // writing it says so
	}
	// Tables of floret's n-grams have no words beside them.
	_, table := s.Subword.(subword.Floret)
	l := loss{
		words:   s.Len() > 0 && table && vectors.KeepsSubword(s.Subword, s.Composition, f) && f != vectors.FormatW2V,
		ngrams:  s.Subword != nil && !vectors.KeepsSubword(s.Subword, s.Composition, f),
		context: s.Output.Rows > 0 && !can.Keeps.Context,
		counts:  s.Counts != nil && !can.Keeps.Counts,
		state:   s.State != nil && f != vectors.FormatW2V,
	}
	for _, p := range partsOf(s) {
		if !p.keptBy(can.Keeps) {
			l.parts = append(l.parts, p.name)
		}
	}
	for _, name := range s.Training.Known() {
		if slices.Contains(can.Keeps.Training, name) {
			l.kept = append(l.kept, name)
		} else {
			l.training = append(l.training, name)
		}
	}
	return l
}

// A part is what only some models have, besides n-grams and context vectors.
type part struct {
	name string
	node bool // of a tree, which more formats hold than others
}

func (p part) keptBy(k vectors.Kept) bool { return k.Rest || p.node && k.Nodes }

// factorsPart is the name of a projection and rows that are shorter for it.
const factorsPart = "the factors of vectors, which are multiplied out"

// partsOf returns those of a set.
func partsOf(s *vectors.Set) []part {
	_, _, factored := s.Input.Factors()
	var parts []part
	for _, p := range []struct {
		part
		there bool
	}{
		{part{name: factorsPart}, factored},
		{part{name: "rows of word n-grams"}, s.WordNgrams.Rows > 0},
		{part{name: "position weights"}, s.PositionWeights.Rows > 0},
		{part{name: "output vectors by position"}, s.PositionOutput.Rows > 0},
		{part{name: "nodes of hierarchical softmax", node: true}, s.Nodes.Rows > 0},
	} {
		if p.there {
			parts = append(parts, p.part)
		}
	}
	return parts
}

// dropped returns what is lost of a set by making another of it that is written to a
// format which keeps so much: first what the format would have held.
func dropped(from, to *vectors.Set, k vectors.Kept) (held, notHeld []string) {
	for _, p := range partsOf(from) {
		switch {
		case slices.Contains(partsOf(to), p):
		case p.keptBy(k):
			held = append(held, p.name)
		default:
			notHeld = append(notHeld, p.name)
		}
	}
	return held, notHeld
}

// list names what is lost; it is not nil.
func (l loss) list() []string {
	lost := []string{}
	if l.words {
		lost = append(lost, "the list of words, which all have vectors without it")
	}
	if l.ngrams {
		lost = append(lost, "n-grams, and words that are not in the vocabulary with them")
	}
	if l.context {
		lost = append(lost, "context vectors")
	}
	lost = append(lost, l.parts...)
	if l.counts {
		lost = append(lost, "counts")
	}
	if l.state {
		lost = append(lost, "the state of the training")
	}
	switch {
	case len(l.training) == 0:
	case len(l.kept) == 0:
		lost = append(lost, "how the vectors were trained")
	case len(l.kept) < len(l.training):
		lost = append(lost, "how the vectors were trained, but for "+strings.Join(l.kept, ", "))
	default:
		lost = append(lost, strings.Join(l.training, ", ")+" of the training")
	}
	return lost
}

// String names what is lost, and is empty if nothing is.
func (l loss) String() string { return strings.Join(l.list(), "; ") }
