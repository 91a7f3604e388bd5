package vectors

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A tokenizerRule is what a written tokenizer.json does to text before its words are
// looked up.
type tokenizerRule struct {
	lowercase bool     // the normaliser is Lowercase
	unicode   bool     // the text is split by unicodeWord, not at white space
	specials  []string // are cut out of the text first, wherever they stand
}

// cuts says whether the tokenizer makes something else of a text that is the word
// alone than the word, so that only an added token is found as it; and whether that
// token must be looked for in the text as it was before normalising, since the word
// is not in what comes out of it.
func (r *tokenizerRule) cuts(word string) (added, raw bool) {
	for _, special := range r.specials {
		// Of several tokens the leftmost and longest is taken, of those in the raw text first.
		if strings.Contains(word, special) {
			return true, true
		}
	}
	if r.lowercase && strings.ContainsFunc(word, func(c rune) bool { return unicode.ToLower(c) != c }) {
		return true, true
	}
	if r.unicode {
		return unicodeWordPrefix(word) != len(word), false
	}
	return strings.ContainsFunc(word, unicode.IsSpace), false
}

// unicodeWordPrefix returns how many bytes of text unicodeWord matches at its start,
// where nothing stands before it. Package regexp cannot, since it looks neither ahead
// nor behind. The expression's alternatives are taken in turn, and none of their
// repetitions ever has to give back what it took.
func unicodeWordPrefix(text string) int {
	first, size := utf8.DecodeRuneInString(text)
	switch {
	case size == 0:
		return 0
	case isIdeograph(first) || isHiragana(first):
		return size + prefixIn(text[size:], unicode.M)
	case isKatakana(first):
		return len(text) - len(strings.TrimLeftFunc(text, isKatakana))
	}
	if n := letterRun(text); n > 0 {
		return n
	}
	return pictographs(text)
}

// letterRun is the alternative of letters and digits and what stands inside a word.
func letterRun(text string) int {
	var before rune // 0, which is in no class, at the start
	for at := 0; at < len(text); {
		c, size := utf8.DecodeRuneInString(text[at:])
		after, left := utf8.DecodeRuneInString(text[at+size:])
		if left == 0 {
			after = 0
		}
		var ok bool
		switch {
		case unicode.In(c, unicode.L, unicode.N):
			ok = !isIdeograph(c) && !isHiragana(c) && !isKatakana(c)
		case c == '_' && unicode.In(after, unicode.L, unicode.N):
			ok = true
		case c == '_' || unicode.Is(unicode.M, c):
			ok = before == '_' || unicode.In(before, unicode.L, unicode.M, unicode.N)
		default:
			ok = strings.ContainsRune(".:\u00b7'\u2019", c) && unicode.In(before, unicode.L, unicode.M) && unicode.Is(unicode.L, after) ||
				strings.ContainsRune(".,;'\u2019", c) && unicode.Is(unicode.N, before) && unicode.Is(unicode.N, after)
		}
		if !ok {
			return at
		}
		before = c
		at += size
	}
	return len(text)
}

// pictographs is the alternative of pictographs, which zero-width joiners join.
func pictographs(text string) int {
	const joiner = "\u200d"
	at := 0
	for {
		next := at
		if at > 0 {
			if !strings.HasPrefix(text[at:], joiner) {
				return at
			}
			next += len(joiner)
		}
		c, size := utf8.DecodeRuneInString(text[next:])
		if size == 0 || !unicode.Is(unicode.So, c) {
			return at
		}
		at = next + size
		at += prefixIn(text[at:], unicode.M, unicode.Sk)
	}
}

// prefixIn returns how many bytes at the start of text are characters of the tables.
func prefixIn(text string, tables ...*unicode.RangeTable) int {
	return len(text) - len(strings.TrimLeftFunc(text, func(c rune) bool { return unicode.In(c, tables...) }))
}

// The ranges of unicodeWord.
func isIdeograph(c rune) bool {
	return c >= 0x3400 && c <= 0x4dbf || c >= 0x4e00 && c <= 0x9fff || c >= 0xf900 && c <= 0xfaff
}
func isHiragana(c rune) bool { return c >= 0x3041 && c <= 0x309f }
func isKatakana(c rune) bool { return c >= 0x30a0 && c <= 0x30ff }
