package subword

import "unicode/utf8"

// LeastRows returns how many rows the table of so many words has at least, before n-grams are
// numbered.
func LeastRows(indexer Indexer, words int) int {
	switch composition := CompositionOf(indexer); {
	case composition.OwnRows():
		return words
	case composition == Weighted:
		return indexer.Rows()
	}
	return 0
}

// CountPieces returns about how many rows the pieces of words have, each as often as a word
// has it. It is 0 where that is not known before words are cut.
func CountPieces(indexer Indexer, words []string) (n float64) {
	d, ok := indexer.(interface{ count(runes int) int })
	if !ok {
		return 0
	}
	for _, word := range words {
		n += float64(d.count(utf8.RuneCountInString(word)))
	}
	return n
}

// countRuns returns how many runs of minn to maxn code points a word of so many has between
// its two marks.
func countRuns(minn, maxn, runes int) (n int) {
	length := runes + len("<>")
	for k := max(minn, 1); k <= min(maxn, length); k++ {
		n += length - k + 1
	}
	return n
}
