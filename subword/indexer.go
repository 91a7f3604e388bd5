// Package subword says which input rows, with which weights, make up a word.
//
// An [Indexer] cuts words into pieces and gives every piece rows of a table that words
// share. [Kinds] lists the kinds of indexers, with all that programs need to offer them, and
// to write them to files and read them again. A [Table] has the rows of all words of a
// vocabulary, as training uses them.
package subword

import "github.com/w2v-go/w2v/internal/absent"

// An Indexer cuts a word into pieces and gives each piece a row (its bucket)
// of a shared table. It gives a word the same rows every time. Several goroutines
// call its methods at once.
type Indexer interface {
	// Rows returns the number of rows of the table; Append stays below it.
	Rows() int
	// Append appends the row of every piece of word to dst.
	Append(dst []uint32, word string) []uint32
	// Ngrams returns the text of every piece, in the order of Append.
	Ngrams(word string) []string
}

// A Weigher is an Indexer of Weighted words. Every piece has as many rows as a row of the
// matrix of weights has numbers, and the first piece of a word is the whole of it.
type Weigher interface {
	Indexer
	// ImportanceShape returns the size of the matrix of learned weights.
	ImportanceShape() (rows, cols int)
	// AppendImportances appends the row of weights of every piece of word to dst.
	AppendImportances(dst []uint32, word string) []uint32
	// Appended returns how many of the last dimensions of a vector are the means of its
	// pieces' weights: as many as a row of weights has, or none.
	Appended() int
	// WithoutAppended returns the same indexer with no such dimensions.
	WithoutAppended() Indexer
}

// AppendedDims returns how many of the last dimensions of a vector are not those of input
// rows: see Weigher.
func AppendedDims(indexer Indexer) int {
	if w, ok := indexer.(Weigher); ok && !absent.Is(indexer) {
		return w.Appended()
	}
	return 0
}

// described is an indexer of this package. It may also have a method count(runes int) int,
// which returns how many rows the pieces of a word of so many code points have; describe()
// string, for Describe; readable() error, for Readable; and same(Indexer) bool, for Same.
type described interface {
	Indexer
	Validate() error
	kind() Kind
}
