package vectors

import "slices"

// Select returns the set of those of the words that are in the vocabulary of s, in the
// order in which they are given first, and which of them have no vector in it. N-grams
// stay, so that other words that have a vector in s have it in the result; they are not
// missing. Special tokens are special in the result as long as no other word comes before
// them. Rows are read when they are asked for.
func (s *Set) Select(words []string) (selected *Set, missing []string) {
	selected = s
	s.file.Guard(func() { selected, missing = s.selectKnown(words) })
	return selected, missing
}

// selectKnown is Select where faults are looked after.
func (s *Set) selectKnown(words []string) (selected *Set, missing []string) {
	var ids []uint32
	for _, word := range distinct(words) {
		switch id, source := s.find(word); source {
		case fromVocabulary:
			ids = append(ids, id)
		case fromNothing:
			missing = append(missing, word)
		}
	}
	return s.pickInOrder(ids), missing
}

// SelectComposed returns the plain set of the words that have a vector in s, in the
// order in which they are given first: those of the vocabulary, and those that are
// composed of n-grams, with a count of 0 if there are counts. The words that have no
// vector are missing. If n-grams are left out, so are context vectors. Rows are made
// when they are asked for.
func (s *Set) SelectComposed(words []string) (selected *Set, missing []string) {
	if s.subword == nil {
		return s.Select(words)
	}
	selected = s
	s.file.Guard(func() { selected, missing = s.selectComposed(words) })
	return selected, missing
}

// selectComposed is SelectComposed of a set with n-grams where faults are looked after.
func (s *Set) selectComposed(words []string) (selected *Set, missing []string) {
	var found []string
	for _, word := range distinct(words) {
		if _, source := s.find(word); source == fromNothing {
			missing = append(missing, word)
		} else {
			found = append(found, word)
		}
	}
	selected, _ = s.SelectRows(found, RowOptions{})
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
func (s *Set) find(word string) (uint32, wordSource) {
	if id, ok := s.ID(word); ok {
		return uint32(id), fromVocabulary
	}
	if s.subword != nil && len(s.subword.Append(nil, word)) > 0 {
		return 0, fromNgrams
	}
	return 0, fromNothing
}

// pickInOrder is pick for distinct ids in any order. What can only be read in the order
// of the file is read so, into memory.
func (s *Set) pickInOrder(ids []uint32) *Set {
	if !s.sequential() || slices.IsSorted(ids) {
		return s.pick(ids)
	}
	rising := slices.Clone(ids)
	slices.Sort(rising)
	order := make([]uint32, len(ids))
	for i, id := range ids {
		at, _ := slices.BinarySearch(rising, id)
		order[i] = uint32(at)
	}
	return s.pick(rising).withRows(Matrix.inMemory).pick(order)
}

// inMemory returns the matrix with all its rows in memory.
func (m Matrix) inMemory() Matrix {
	if m.Data != nil || m.Rows == 0 {
		return m
	}
	rows := NewMatrix(m.Rows, m.Cols)
	for r := range m.Rows {
		m.Read(rows.Row(r), r)
	}
	return rows.withDType(m.DType())
}
