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
		words:   s.Len() > 0 && table && (f == vectors.FormatFloret || f == vectors.FormatFinalfusion),
		ngrams:  s.Subword != nil && !can.Keeps.Subwords,
		context: s.Output.Rows > 0 && !can.Keeps.Context,
		counts:  s.Counts != nil && !can.Keeps.Counts,
		state:   s.State != nil && f != vectors.FormatW2V,
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
