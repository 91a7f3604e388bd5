package step

import "github.com/w2v-go/w2v/corpus"

// MaxText is the largest number of positions in a text.
const MaxText = 2 * corpus.MaxSentence

// A Text is a part of a corpus as training sees it: subsampled sentences one behind the
// other, with the bounds of the sentence of each position.
type Text struct {
	IDs      []uint32 // words
	Rows     []uint32 // of the source of words' vectors, for those that are trained next
	From, To []int32
}
