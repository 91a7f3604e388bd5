// Package subword says which input rows, with which weights, make up a word.
package subword

// An Indexer cuts a word into pieces and gives each piece a row (its bucket)
// of a shared table.
type Indexer interface {
	// Rows returns the number of rows of the table; Append stays below it.
	Rows() int
	// Append appends the row of every piece of word to dst.
	Append(dst []uint32, word string) []uint32
	// Ngrams returns the text of every piece, in the order of Append.
	Ngrams(word string) []string
}
