package vectors

import "fmt"

// An UnwritableWord is a word that a format cannot hold. It is the error of writing a
// set that has it.
type UnwritableWord struct {
	ID     int // in the set
	Word   string
	Reason error
}

// Error returns the word and the reason.
func (w *UnwritableWord) Error() string {
	return fmt.Sprintf("word %d, %.40q, %v", w.ID, w.Word, w.Reason)
}

// Unwrap returns the reason.
func (w *UnwritableWord) Unwrap() error { return w.Reason }

// Writable returns the set of the words of s that a file in format f can hold, in their
// order, and the others. It is s if there are no others. Rows are read when they are asked
// for, and n-grams stay. Words are not changed, so that no word gets the vector of another
// one. It is an error if no word is left.
func (s *Set) Writable(f Format) (writable *Set, others []*UnwritableWord, err error) {
	if s == nil {
		return nil, nil, errNoSet
	}
	c, err := codecOf(f)
	if err != nil {
		return nil, nil, err
	}
	err = s.file.Guarded(func() (err error) {
		writable, others, err = c.writable(s)
		return err
	})
	return writable, others, err
}

// writable is Writable where faults are looked after.
func (c codec) writable(s *Set) (writable *Set, others []*UnwritableWord, err error) {
	var ids []uint32
	for id, word := range s.words.All() {
		if other := c.unwritable(s, id, word); other != nil {
			others = append(others, other)
		} else {
			ids = append(ids, uint32(id))
		}
	}
	switch {
	case len(others) == 0:
		return s, nil, nil
	case len(ids) == 0:
		return nil, others, fmt.Errorf("the format %s can hold none of the %d words: %w", c.format, len(others), others[0])
	}
	return s.pick(ids), others, nil
}

// unwritable says why the format cannot hold a word of s; nil if it can.
func (c codec) unwritable(s *Set, id int, word string) *UnwritableWord {
	if err := c.checkWord(word); err != nil {
		return &UnwritableWord{id, word, err}
	}
	if c.distinct != "" {
		if first, _ := s.ID(word); first != id {
			return &UnwritableWord{id, word, fmt.Errorf("stands there twice, first as word %d, which %s cannot hold", first, c.distinct)}
		}
	}
	return nil
}

// checkWords returns an error that names the first word that the format cannot hold.
func (c codec) checkWords(s *Set) error {
	for id, word := range s.words.All() {
		if other := c.unwritable(s, id, word); other != nil {
			return other
		}
	}
	return nil
}
