// Package wordbreak defines the words of the unicode tokenizer, also as regular expressions for exported tokenizers.
//
// Text is cut at Unicode's word boundaries (UAX #29, as of Unicode 17). A segment is a word if it has a letter, a number or
// a pictograph, as package unicode defines them.
package wordbreak

import (
	"bytes"
	_ "embed"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/words"
	"golang.org/x/text/cases"
	"golang.org/x/text/language"
)

// MaxBytes is the largest length of a word in bytes. Real words are much shorter; web addresses may have 8 KiB. It is a
// quarter of the bytes by which the format of a file is recognized, so that these include some numbers of the first row.
const MaxBytes = 16 << 10

// Word returns the word in a segment between two word boundaries, without white space at its beginning, or nil if there
// is none. A byte that is not UTF-8 makes a segment a word.
func Word(segment []byte) []byte {
	word := bytes.TrimLeftFunc(segment, isBlank)
	if !bytes.ContainsFunc(word, isGood) {
		return nil
	}
	return word
}

// Visible is Word for segments in which there is anything but white space, control and format characters, and marks.
func Visible(segment []byte) []byte {
	visible := bytes.TrimLeftFunc(segment, isBlank)
	if !bytes.ContainsFunc(visible, func(r rune) bool { return !unicode.In(r, unicode.Z, unicode.Cc, unicode.Cf, unicode.M) }) {
		return nil
	}
	return visible
}

// IsWord reports whether a text is exactly one word.
func IsWord(text string) bool {
	plain := text != ""
	for i := 0; i < len(text) && plain; i++ {
		c := text[i] | ('a' - 'A')
		plain = 'a' <= c && c <= 'z' || '0' <= text[i] && text[i] <= '9'
	}
	if plain {
		return true
	}
	segments := words.FromString(text)
	return segments.Next() && segments.Value() == text && len(Word([]byte(text))) == len(text)
}

// isGood reports letters, numbers and pictographs. U+FFFD, as which a byte is read that is not UTF-8, is a pictograph.
func isGood(r rune) bool { return unicode.In(r, unicode.L, unicode.N, unicode.So) }

// isBlank reports a tab, a zero byte, and UAX #29's WSegSpace.
func isBlank(r rune) bool {
	switch r {
	case 0, '\t', ' ', '\u1680', '\u205f', '\u3000':
		return true
	}
	return '\u2000' <= r && r <= '\u200a' && r != '\u2007'
}

// Split returns the words of a text.
func Split(text string) []string {
	var found []string
	for segments := words.FromString(text); segments.Next(); {
		if word := Word([]byte(segments.Value())); word != nil {
			found = append(found, string(word))
		}
	}
	return found
}

// Lower maps a letter to lower case by Unicode's simple mapping, which maps one letter to one letter
// regardless of the letters around it. It knows the letters of Unicode 17.
func Lower(r rune) rune {
	if l := unicode.ToLower(r); l != r || r < firstNew {
		return l
	}
	for _, n := range newLetters {
		if n.first <= r && r <= n.last && (r-n.first)%n.step == 0 {
			return r + n.add
		}
	}
	return r
}

const firstNew = 0x1c89

// newLetters are the letters with a lower case that Unicode 16 and 17 added, which package unicode does
// not know yet. Source: UnicodeData.txt of Unicode 17.
var newLetters = []struct{ first, last, step, add rune }{
	{0x1c89, 0x1c89, 1, 1},
	{0xa7cb, 0xa7cb, 1, 0x264 - 0xa7cb},
	{0xa7cc, 0xa7ce, 2, 1},
	{0xa7d2, 0xa7d4, 2, 1},
	{0xa7da, 0xa7da, 1, 1},
	{0xa7dc, 0xa7dc, 1, 0x19b - 0xa7dc},
	{0x10d50, 0x10d65, 1, 0x20},
	{0x16ea0, 0x16eb8, 1, 0x1b},
}

// languages have rules for lower case beyond Lower: the dots of i and j in Azerbaijani, Lithuanian and Turkish, and the
// sigma at the end of Greek words. Afrikaans and Dutch have the lower case of Unicode as a whole.
var languages = map[string]language.Tag{
	"af": language.Afrikaans, "az": language.Azerbaijani, "el": language.Greek, "lt": language.Lithuanian, "nl": language.Dutch, "tr": language.Turkish,
}

// Languages returns the codes of the languages that LowerText knows.
func Languages() []string { return slices.Sorted(maps.Keys(languages)) }

// LowerText returns a text in lower case by the rules of a language. Bytes that are not UTF-8 stay as they are.
func LowerText(of string, text []byte) []byte {
	// All in one call: package cases forgets within a word that it is one if the space for the result ends.
	lower := make([]byte, 3*len(text)) // no letter becomes longer
	n, _, err := cases.Lower(languages[of]).Transform(lower, text, true)
	if err != nil {
		panic(fmt.Errorf("wordbreak: lower case of %d bytes: %w", len(text), err))
	}
	if lower = lower[:n]; !bytes.ContainsFunc(lower, func(r rune) bool { return Lower(r) != r }) {
		return lower
	}
	return AppendLower(nil, lower) // with letters that are newer than those of package cases
}

// AppendLower appends a text with each letter mapped by Lower. Bytes that are not UTF-8 stay as they are.
func AppendLower(dst, text []byte) []byte {
	for i := 0; i < len(text); {
		if c := text[i]; c < utf8.RuneSelf {
			if 'A' <= c && c <= 'Z' {
				c += 'a' - 'A'
			}
			dst = append(dst, c)
			i++
			continue
		}
		r, size := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && size == 1 {
			dst = append(dst, text[i])
		} else {
			dst = utf8.AppendRune(dst, Lower(r))
		}
		i += size
	}
	return dst
}

// LowerApart returns up to where a text has a lower case that does not depend on what follows, and conversely: the last
// white space or, in a long text without, the last letter that has no case.
func LowerApart(text []byte) int {
	if at := bytes.LastIndexFunc(text, func(r rune) bool { return r <= ' ' }); at >= 0 {
		return at + 1
	}
	if len(text) <= 2*MaxBytes {
		return 0
	}
	const firstEast = 0x2e80 // from here on, no such letter has a case
	at := bytes.LastIndexFunc(text[:len(text)-utf8.UTFMax], func(r rune) bool { return r >= firstEast && unicode.Is(unicode.Lo, r) })
	if at < 0 {
		at = len(text) - 2*utf8.UTFMax
	}
	for at++; at < len(text)-1 && !utf8.RuneStart(text[at]); {
		at++
	}
	return at
}

// quotedExpressions has a quoted expression a line. TestExpressions makes them, and says how.
//
//go:embed expressions.txt
var quotedExpressions string

// Expressions returns regular expressions that find the words of a text in several steps. The first
// one is applied to the text, the second one to each match of the first, and so on. The matches of
// the last one are the words. The text must be valid UTF-8.
//
// Oniguruma and JavaScript (flags g and u) find the same words.
func Expressions() (all []string) {
	for line := range strings.Lines(quotedExpressions) {
		expression, err := strconv.Unquote(strings.TrimSpace(line))
		if err != nil {
			panic(fmt.Errorf("wordbreak: expressions.txt: %w", err)) // it is a part of the program
		}
		all = append(all, expression)
	}
	return all
}

// SameExpressions reports whether these are Expressions, perhaps of another version of Unicode.
func SameExpressions(expressions []string) bool {
	withoutCharacters := func(e string) string { return characters.ReplaceAllLiteralString(e, "[]") }
	return slices.EqualFunc(expressions, Expressions(), func(e, own string) bool { return withoutCharacters(e) == withoutCharacters(own) })
}

var characters = regexp.MustCompile(`\[[^\]]*\]`)
