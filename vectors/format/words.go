package format

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format/internal/codec"
)

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

// CheckWords returns an error that names the first word that a file in format f
// cannot hold, an *UnwritableWord. It is for knowing before training what Write would
// say after it.
func CheckWords(words []string, f Format) error {
	c, err := codecOf(f)
	if err != nil {
		return err
	}
	for i, word := range words {
		if err := checkWord(c, word); err != nil {
			return &UnwritableWord{i, word, err}
		}
	}
	return nil
}

// checkWord says why a format cannot hold a word, wherever it stands; nil if it can.
func checkWord(c codec.Codec, word string) error {
	switch {
	case len(word) > vectors.MaxWord:
		return fmt.Errorf("has %d bytes, at most %d are possible", len(word), vectors.MaxWord)
	case c.Word != nil:
		return c.Word(word)
	}
	return nil
}

// Unwritable returns the words of s that a file in format f cannot hold, in their order. A
// set without them can be written. Words are not changed, so that no word gets the vector of
// another one. It is an error if no word would be left.
func Unwritable(s *vectors.Set, f Format) (words []*UnwritableWord, err error) {
	if s == nil {
		return nil, errNoSet
	}
	c, err := codecOf(f)
	if err != nil {
		return nil, err
	}
	err = s.SharedParts().File.Guarded(func() error {
		for id, word := range s.Words().All() {
			if other := unwritable(c, s, id, word); other != nil {
				words = append(words, other)
			}
		}
		return nil
	})
	if err == nil && len(words) > 0 && len(words) == s.Len() {
		err = fmt.Errorf("the format %s can hold none of the %d words: %w", f, len(words), words[0])
	}
	return words, err
}

// Misread says what other programs read otherwise than w2v in a file of s in format f: words with blanks, in
// a text whose columns have blanks between them, and text in lower case by rules that a tokenizer cannot have.
func Misread(s *vectors.Set, f Format) (notes []string) {
	if s == nil {
		return nil
	}
	if c, _ := codecOf(f); c.Misread != nil {
		return c.Misread(s)
	}
	if f != Text && f != GloVe {
		return nil
	}
	n, first := 0, ""
	for _, word := range s.Words().All() {
		if strings.ContainsFunc(word, unicode.IsSpace) {
			if n++; n == 1 {
				first = word
			}
		}
	}
	if n == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%s blanks, such as %.40q: w2v reads such a text, counting numbers from the right, and other programs take a part of the word for a number", wording.Count(n, "word has", "words have"), first)}
}

// unwritable says why a format cannot hold a word of s; nil if it can.
func unwritable(c codec.Codec, s *vectors.Set, id int, word string) *UnwritableWord {
	if err := checkWord(c, word); err != nil {
		return &UnwritableWord{id, word, err}
	}
	if c.Distinct != "" {
		if first, _ := s.ID(word); first != id {
			return &UnwritableWord{id, word, fmt.Errorf("stands there twice, first as word %d, which %s cannot hold", first, c.Distinct)}
		}
	}
	return nil
}

// checkWords returns an error that names the first word that a format cannot hold.
func checkWords(c codec.Codec, s *vectors.Set) error {
	for id, word := range s.Words().All() {
		if other := unwritable(c, s, id, word); other != nil {
			return other
		}
	}
	return nil
}
