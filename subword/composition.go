package subword

// A Composition says what the vector of a word of the vocabulary is made of. Its value is
// what native files call it.
type Composition string

// The compositions. A word that is not in the vocabulary is made of its pieces in all of them.
const (
	// Mean is the mean of the word's own row and its pieces' rows, as in fastText. It is the
	// default, and that of plain words, which have no pieces.
	Mean Composition = ""
	// Whole is the word's own row: its pieces' rows are in it already, as in finalfusion's
	// files. No run trains it.
	Whole Composition = "whole"
	// Pieces is the mean of the rows of the word's pieces, as for any other word: no word has
	// a row of its own, as in floret's tables.
	Pieces Composition = "pieces"
	// Weighted is the mean over the word's pieces of the sum of each one's rows, every row
	// times a learned weight: see Weigher. No word has a row of its own.
	Weighted Composition = "weighted"
)

// Known reports whether it is one of the compositions.
func (c Composition) Known() bool { return c == Mean || c == Whole || c == Pieces || c == Weighted }

// OwnRows reports whether each word has a row of its own.
func (c Composition) OwnRows() bool { return c == Mean || c == Whole }
