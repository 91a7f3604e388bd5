// Package wordbreak says what the unicode tokenizer takes for a word, and says the
// same as regular expressions, for programs that read an exported tokenizer.
//
// A text is cut at Unicode's word boundaries (UAX #29, as of Unicode 17). A piece that
// has a letter, a number or a pictograph is a word. Letters, numbers and pictographs
// are those of package unicode.
package wordbreak

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/words"
)

// Word returns the word in a piece between two word boundaries, nil if there is none.
// White space at the beginning, which marks may follow, is not part of it. A byte that
// is not UTF-8 makes a piece a word.
func Word(segment []byte) []byte {
	word := bytes.TrimLeftFunc(segment, isBlank)
	for i := 0; i < len(word); {
		r, size := utf8.DecodeRune(word[i:])
		if isGood(r) || (r == utf8.RuneError && size == 1) {
			return word
		}
		i += size
	}
	return nil
}

// IsWord tells whether a text is a word and nothing else.
func IsWord(text string) bool {
	segments := words.FromString(text)
	return segments.Next() && segments.Value() == text && len(Word([]byte(text))) == len(text)
}

// isGood tells whether a character makes a piece of text a word.
func isGood(r rune) bool { return unicode.In(r, unicode.L, unicode.N, unicode.So) }

// isBlank tells whether a character is dropped from the beginning of a word: tab, a zero
// byte, which ends a token too, and UAX #29's WSegSpace.
func isBlank(r rune) bool {
	switch r {
	case 0, '\t', ' ', '\u1680', '\u205f', '\u3000':
		return true
	}
	return '\u2000' <= r && r <= '\u200a' && r != '\u2007'
}
