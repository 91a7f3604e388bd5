package subword

import (
	"fmt"
	"slices"
)

// A Composition says what the vector of a word is made of. Training, sets, transforms, formats
// and explanations ask it, and none of them knows which one it is. A Kind names its own.
//
// A vector is a sum of rows, which Terms lists, divided by a number. Rows count alike, unless
// Learned says that each is multiplied by a number that is trained too.
type Composition interface {
	// Name is what native files call the composition. It is empty for Mean.
	Name() string
	// OwnRows reports whether each word of the vocabulary has a row of its own.
	OwnRows() bool
	// Composes reports whether words of the vocabulary are made of the rows of their pieces.
	Composes() bool
	// Learned describes the numbers by which rows are multiplied. Their Name is empty if rows
	// count alike. The indexer may be nil, and then the matrix has no size.
	Learned(indexer Indexer) Learned
	// Terms sets t to the terms of a word. Known says that the word is in the vocabulary.
	Terms(t *Terms, indexer Indexer, word string, known bool)
}

// Terms are the rows that a word's vector is the sum of.
type Terms struct {
	Own     bool     // the word's own row is one of them
	Buckets []uint32 // those of the pieces, as Indexer.Append has them; first ones may be left out
	// Cells has, for every bucket, the number that its row is multiplied by: number Cells[i] of
	// the matrix of learned weights, row by row. It is empty if rows count alike.
	Cells  []uint32
	Pieces int // the sum is divided by this number
}

// Learned describes a matrix of numbers by which rows are multiplied. Words that have such
// numbers have no rows of their own, and input row i is that of bucket i. Numbers start as 1
// where a word of the vocabulary uses them, and as 0 elsewhere.
type Learned struct {
	Name       string // of the matrix in native files: "importance"
	Title      string // of the matrix in messages: "weights of pieces"
	Rows, Cols int
	// Appended is how many of the last dimensions of a vector are no dimensions of rows: 0, or
	// Cols. Each is the sum of the numbers of a column, divided as the sum of rows is.
	Appended int
	RowRate  float64 // the part of the learning rate that suits rows
	Rate     float32 // the part of its gradient that a number changes by
}

// Any reports whether there are learned numbers.
func (l Learned) Any() bool { return l.Name != "" }

// CompositionOf returns what a run that cuts words by an indexer makes them of. Without an
// indexer and for indexers of other packages that is Mean.
func CompositionOf(indexer Indexer) Composition {
	if k, ok := kindOf(indexer); ok && k.Composition != nil {
		return k.Composition
	}
	return Mean
}

// CompositionNamed returns the composition that native files call so.
func CompositionNamed(name string) (c Composition, ok bool) {
	all := compositions()
	i := slices.IndexFunc(all, func(c Composition) bool { return c.Name() == name })
	if i < 0 {
		return nil, false
	}
	return all[i], true
}

// compositions returns all of them, in the order of kinds.
func compositions() []Composition {
	all := []Composition{Mean, Pieces, Whole}
	for _, k := range allKinds() {
		if k.Composition != nil && !slices.Contains(all, k.Composition) {
			all = append(all, k.Composition)
		}
	}
	return all
}

// AllLearned returns the matrices of learned numbers of all compositions, without sizes.
func AllLearned() (all []Learned) {
	for _, c := range compositions() {
		if l := c.Learned(nil); l.Any() {
			all = append(all, l)
		}
	}
	return all
}

// LearnedOf returns the learned numbers of a run that cuts words by an indexer.
func LearnedOf(indexer Indexer) Learned { return CompositionOf(indexer).Learned(indexer) }

// Trains reports whether a run that cuts words by the indexer makes them of c.
func Trains(c Composition, indexer Indexer) bool { return c == CompositionOf(indexer) }

// CheckComposition reports an indexer whose pieces words cannot be composed of so: learned
// numbers belong to the pieces of one kind.
func CheckComposition(c Composition, indexer Indexer) error {
	usual := CompositionOf(indexer)
	if indexer == nil && c != usual {
		return fmt.Errorf("composition %q in a set without subwords", c.Name())
	}
	for _, k := range allKinds() {
		if of := k.Composition; of != nil && of.Learned(nil).Any() && (of == c) != (of == usual) {
			return fmt.Errorf("composition %q with %s n-grams: %q is that of %s n-grams alone", c.Name(), NameOf(indexer), of.Name(), k.Name)
		}
	}
	return nil
}

// WithoutAppended returns an indexer whose words have no dimensions that are no dimensions of
// rows, and are otherwise those of the given one: see Learned.
func WithoutAppended(indexer Indexer) Indexer {
	if own, ok := Value(indexer).(interface{ withoutAppended() Indexer }); ok {
		return own.withoutAppended()
	}
	return indexer
}
