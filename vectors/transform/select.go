package transform

import (
	"slices"

	"github.com/w2v-go/w2v/vectors"
)

// Select returns the set of those of the words that are in the vocabulary of s, in the
// order in which they are given first, and which of them have no vector in it. N-grams
// stay, so that other words that have a vector in s have it in the result; they are not
// missing. Special tokens are special in the result as long as no other word comes before
// them. Rows are read when they are asked for.
func Select(s *vectors.Set, words []string) (selected *vectors.Set, missing []string) {
	selected = s
	behind(s).Guard(func() { selected, missing = selectKnown(s, words) })
	return selected, missing
}

// selectKnown is Select where faults are looked after.
func selectKnown(s *vectors.Set, words []string) (selected *vectors.Set, missing []string) {
	var ids []uint32
	for _, word := range distinct(words) {
		switch id, source := find(s, word); source {
		case fromVocabulary:
			ids = append(ids, id)
		case fromNothing:
			missing = append(missing, word)
		}
	}
	return pickInOrder(s, ids), missing
}

// SelectComposed returns the plain set of the words that have a vector in s, in the
// order in which they are given first: those of the vocabulary, and those that are
// composed of n-grams, with a count of 0 if there are counts. The words that have no
// vector are missing. If n-grams are left out, so are context vectors. Rows are made
// when they are asked for.
func SelectComposed(s *vectors.Set, words []string) (selected *vectors.Set, missing []string) {
	if s.Subword() == nil {
		return Select(s, words)
	}
	selected = s
	behind(s).Guard(func() { selected, missing = selectComposed(s, words) })
	return selected, missing
}

// selectComposed is SelectComposed of a set with n-grams where faults are looked after.
func selectComposed(s *vectors.Set, words []string) (selected *vectors.Set, missing []string) {
	var found []string
	for _, word := range distinct(words) {
		if _, source := find(s, word); source == fromNothing {
			missing = append(missing, word)
		} else {
			found = append(found, word)
		}
	}
	selected, _ = SelectRows(s, found, RowOptions{})
	return selected, missing
}

// distinct returns words without those that were there before.
func distinct(words []string) []string {
	seen := make(map[string]bool, len(words))
	var list []string
	for _, word := range words {
		if !seen[word] {
			seen[word] = true
			list = append(list, word)
		}
	}
	return list
}

// A wordSource is where the vector of a word comes from.
type wordSource uint8

const (
	fromVocabulary wordSource = iota
	fromNgrams                // of n-grams
	fromNothing
)

// find returns where the vector of a word comes from, and its id if it is in the
// vocabulary.
func find(s *vectors.Set, word string) (uint32, wordSource) {
	if id, ok := s.ID(word); ok {
		return uint32(id), fromVocabulary
	}
	if s.Subword() != nil && len(s.Subword().Append(nil, word)) > 0 {
		return 0, fromNgrams
	}
	return 0, fromNothing
}

// pickInOrder is pick for distinct ids in any order. What can only be read in the order
// of the file is read so, into memory.
func pickInOrder(s *vectors.Set, ids []uint32) *vectors.Set {
	if !sequential(s) || slices.IsSorted(ids) {
		return Pick(s, ids)
	}
	rising := slices.Clone(ids)
	slices.Sort(rising)
	order := make([]uint32, len(ids))
	for i, id := range ids {
		at, _ := slices.BinarySearch(rising, id)
		order[i] = uint32(at)
	}
	return Pick(Pick(s, rising).MapRows(inMemory), order)
}

// inMemory returns the matrix with all its rows in memory.
func inMemory(m vectors.Matrix) vectors.Matrix {
	if m.Data != nil || m.Rows == 0 {
		return m
	}
	rows := vectors.NewMatrix(m.Rows, m.Cols)
	for r := range m.Rows {
		m.Read(rows.Row(r), r)
	}
	return withDType(rows, m.DType())
}
