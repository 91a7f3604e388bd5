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

// Unwritable returns the words of s that a file in format f cannot hold.
func (s *Set) Unwritable(f Format) (words []*UnwritableWord, err error) {
	if s == nil {
		return nil, errNoSet
	}
	c, err := codecOf(f)
	if err != nil {
		return nil, err
	}
	err = s.file.Guarded(func() error {
		for id, word := range s.words.All() {
			if other := c.unwritable(s, id, word); other != nil {
				words = append(words, other)
			}
		}
		return nil
	})
	return words, err
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
