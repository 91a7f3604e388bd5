package subword

import (
	"fmt"
	"slices"
)

// A Composition says what the vector of a word is made of. Training, sets, transforms, formats and
// explanations call its methods and do not depend on the implementation. A Kind names its composition.
//
// A vector is the sum of the rows in Terms, divided by a number. Rows have equal weights, unless Learned says
// that each row is multiplied by a trained number.
type Composition interface {
	// Name is the name of the composition in native files, which is empty for Mean.
	Name() string
	// OwnRows reports whether each word of the vocabulary has a row of its own.
	OwnRows() bool
	// Composes reports whether words of the vocabulary are made of the rows of their pieces.
	Composes() bool
	// Learned describes the numbers that multiply rows. Learned.Name is empty if there are no such numbers.
	// If indexer is nil, the matrix has no size.
	Learned(indexer Indexer) Learned
	// Terms sets t to the terms of a word. known says that the word is in the vocabulary.
	Terms(t *Terms, indexer Indexer, word string, known bool)
}

// Terms lists the rows whose sum is a word's vector.
type Terms struct {
	Own     bool     // the word's own row is one of the rows
	Buckets []uint32 // buckets of the pieces in the order of Indexer.Append, possibly without the first
	// Cells has, for every bucket, the learned number that multiplies its row: number Cells[i] of the matrix
	// of learned numbers, row by row. It is empty without learned numbers.
	Cells  []uint32
	Pieces int // divisor of the sum
}

func (t *Terms) pieces(indexer Indexer, word string) {
	t.Own, t.Cells = false, t.Cells[:0]
	t.Buckets = indexer.Append(t.Buckets[:0], word)
	t.Pieces = len(t.Buckets)
}

// Learned describes a matrix of learned numbers that multiply rows. With learned numbers, words have no rows
// of their own, and input row i belongs to bucket i. A number starts as 1 if a word of the vocabulary uses
// it, and as 0 otherwise.
type Learned struct {
	Name       string // name of the matrix in native files: "importance"
	Title      string // name of the matrix in messages: "weights of pieces"
	Rows, Cols int
	// Appended is how many of the last dimensions of a vector are not dimensions of rows: 0 or Cols. Each is
	// the sum of the numbers of a column, divided like the sum of rows.
	Appended int
	RowRate  float64 // factor of the learning rate for rows
	Rate     float32 // factor of the gradient for learned numbers
}

// Any reports whether there are learned numbers.
func (l Learned) Any() bool { return l.Name != "" }

// CompositionOf returns the composition that training uses with an indexer: Mean for a nil indexer and for
// indexers of other packages.
func CompositionOf(indexer Indexer) Composition {
	if k, ok := kindOf(indexer); ok && k.Composition != nil {
		return k.Composition
	}
	return Mean
}

// CompositionNamed returns the composition with that name in native files.
func CompositionNamed(name string) (c Composition, ok bool) {
	for _, c := range compositions() {
		if c.Name() == name {
			return c, true
		}
	}
	return nil, false
}

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

// CheckComposition reports an indexer that does not fit a composition: learned numbers need the pieces of one
// kind of indexer.
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

// WithoutAppended returns an indexer without appended dimensions, see Learned, and otherwise like the given
// one.
func WithoutAppended(indexer Indexer) Indexer {
	if own, ok := Value(indexer).(interface{ withoutAppended() Indexer }); ok {
		return own.withoutAppended()
	}
	return indexer
}

// The compositions without learned numbers.
var (
	// Mean is the mean of the word's own row and its pieces' rows, as in fastText. It is the default, and the
	// composition of plain words, which have no pieces.
	Mean Composition = plain{name: "", ownRows: true, composes: true}
	// Pieces is the mean of the rows of the word's pieces, as for words outside the vocabulary. Words have no
	// rows of their own, as in floret's tables.
	Pieces Composition = plain{name: "pieces", ownRows: false, composes: true}
	// Whole is the word's own row, which already includes its pieces' rows, as in finalfusion's files. It cannot
	// be trained. A word outside the vocabulary is the mean of its pieces' rows.
	Whole Composition = plain{name: "whole", ownRows: true, composes: false}
)

type plain struct {
	name              string
	ownRows, composes bool
}

func (p plain) Name() string          { return p.name }
func (p plain) OwnRows() bool         { return p.ownRows }
func (p plain) Composes() bool        { return p.composes }
func (plain) Learned(Indexer) Learned { return Learned{} }

func (p plain) Terms(t *Terms, indexer Indexer, word string, known bool) {
	if known && !p.composes {
		*t = Terms{Own: true, Buckets: t.Buckets[:0], Pieces: 1}
		return
	}
	t.pieces(indexer, word)
	if t.Own = known && p.ownRows; t.Own {
		t.Pieces++
	}
}
