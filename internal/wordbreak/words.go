// Package wordbreak defines the words of the unicode tokenizer. It also has the same definition as
// regular expressions, for programs that read an exported tokenizer.
//
// Text is cut at Unicode's word boundaries (UAX #29, as of Unicode 17). A segment is a word if it has
// a letter, a number or a pictograph, as package unicode defines them.
package wordbreak

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/words"
)

// Word returns the word in a segment between two word boundaries, or nil if there is none. White space
// at the beginning of the segment is not part of the word. A byte that is not UTF-8 makes a segment
// a word.
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

// Visible returns a segment between two word boundaries without white space at its beginning, or nil
// if there is nothing in it but white space, control and format characters, and marks. A byte that
// is not UTF-8 makes a segment visible.
func Visible(segment []byte) []byte {
	visible := bytes.TrimLeftFunc(segment, isBlank)
	for i := 0; i < len(visible); {
		r, size := utf8.DecodeRune(visible[i:])
		if !unicode.In(r, unicode.Z, unicode.Cc, unicode.Cf, unicode.M) {
			return visible
		}
		i += size
	}
	return nil
}

// IsWord reports whether a text is exactly one word.
func IsWord(text string) bool {
	segments := words.FromString(text)
	return segments.Next() && segments.Value() == text && len(Word([]byte(text))) == len(text)
}

// isGood reports whether a character makes a segment a word.
func isGood(r rune) bool { return unicode.In(r, unicode.L, unicode.N, unicode.So) }

// isBlank reports whether a character is removed from the beginning of a segment: tab, a zero byte,
// and UAX #29's WSegSpace.
func isBlank(r rune) bool {
	switch r {
	case 0, '\t', ' ', '\u1680', '\u205f', '\u3000':
		return true
	}
	return '\u2000' <= r && r <= '\u200a' && r != '\u2007'
}
