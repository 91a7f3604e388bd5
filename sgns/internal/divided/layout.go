// Package divided trains matrices that are larger than the memory of a machine: their rows are divided
// over ranks.
//
// The most frequent words are the head. Every rank has their rows. Each row of another word belongs to
// one rank, its owner. A rank trains its text in rounds. For a round it asks the owners for the rows of
// all words of the round's text and of a pool of negatives, trains them, and sends the owners what
// the rows have changed by. The rows of the next round arrive while a round is trained.
//
// The rows that a rank has at hand are its working set. A row of the working set has a slot, which
// stands for its word in the text of the round. So workers train a divided model as they train any
// other.
package divided

import "github.com/w2v-go/w2v/vectors"

// A Layout says who owns which rows.
type Layout struct {
	Self, Ranks int // this rank, and how many there are
	Words, Head int // of the vocabulary; and of these, the most frequent ones that all ranks have
	Cols        int
}

// owner returns the rank that owns a word's rows, and which of the rows of that rank they are.
func (l Layout) owner(word uint32) (rank int, row uint32) {
	n := word - uint32(l.Head)
	return int(n % uint32(l.Ranks)), n / uint32(l.Ranks)
}

// word returns the word to which a row of this rank belongs.
func (l Layout) word(row int) int { return l.Head + row*l.Ranks + l.Self }

// Owned returns how many words this rank owns.
func (l Layout) Owned() int {
	beyond := l.Words - l.Head - l.Self
	return max((beyond+l.Ranks-1)/l.Ranks, 0)
}

// The matrices that are divided.
const (
	input = iota
	output
	matrices
)

// Rows are rows of all matrices.
type Rows [matrices]vectors.Matrix

// RowsOf returns the rows of an input and an output matrix.
func RowsOf(in, out vectors.Matrix) Rows { return Rows{in, out} }
