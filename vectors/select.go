package vectors

import "slices"

// Select returns the set of those of the words that are in the vocabulary of s, in
// its order, and which of them have no vector in it, in the order in which they
// were given. N-grams stay, so that other words that have a vector in s have it in
// the result; they are not missing. Rows are read when they are asked for.
func (s *Set) Select(words []string) (selected *Set, missing []string) {
	selected = s
	s.file.guard(func() { selected, missing = s.selectKnown(words) })
	return selected, missing
}

// selectKnown is Select where faults are looked after.
func (s *Set) selectKnown(words []string) (selected *Set, missing []string) {
	ids, _, missing := s.look(words)
	return s.pick(ids), missing
}

// SelectComposed returns the plain set of the words that have a vector in s: those
// of the vocabulary first, in its order, and then those that are composed of
// n-grams, in the order in which they were given, with a count of 0 if there are
// counts. The words that have no vector are missing. If n-grams are left out, so
// are context vectors. Rows are made when they are asked for.
func (s *Set) SelectComposed(words []string) (selected *Set, missing []string) {
	if s.Subword == nil {
		return s.Select(words)
	}
	selected = s
	s.file.guard(func() { selected, missing = s.selectComposed(words) })
	return selected, missing
}

// selectComposed is SelectComposed of a set with n-grams where faults are looked after.
func (s *Set) selectComposed(words []string) (selected *Set, missing []string) {
	ids, unknown, missing := s.look(words)
	p := s.chosen(ids)
	var list wordsBuilder
	list.grow(int64(len(ids) + len(unknown)))
	for _, id := range ids {
		list.add(s.Words.list.word(int(id)))
	}
	for _, word := range unknown {
		list.add(word)
	}
	p.Words = list.words()
	if s.Counts != nil {
		p.Counts = append(p.Counts, make([]uint64, len(unknown))...)
	}
	p.Input = stored(p.Len(), s.Dim(), selectedRows{s, s.wordVectors(), ids, unknown})
	return p, missing
}

// look returns the ids of words, rising, those that are composed of n-grams alone,
// and those that have no vector. No word is there twice.
func (s *Set) look(words []string) (ids []uint32, unknown, missing []string) {
	seen := make(map[string]bool, len(words))
	for _, word := range words {
		if seen[word] {
			continue
		}
		seen[word] = true
		if id, ok := s.ID(word); ok {
			ids = append(ids, uint32(id))
		} else if s.Subword != nil && len(s.Subword.Append(nil, word)) > 0 {
			unknown = append(unknown, word)
		} else {
			missing = append(missing, word)
		}
	}
	slices.Sort(ids)
	return ids, unknown, missing
}

// selectedRows are the vectors of some words of the vocabulary, and then of some
// others.
type selectedRows struct {
	set     *Set
	words   Matrix // the vector of every word of the vocabulary
	ids     []uint32
	unknown []string
}

func (m selectedRows) Read(dst []float32, r int) {
	if r < len(m.ids) {
		m.words.Read(dst, int(m.ids[r]))
		return
	}
	var c composer
	c.unknown(dst, m.set, m.unknown[r-len(m.ids)])
	evictor{m.set.file}.saw(c.looked(m.set))
}
