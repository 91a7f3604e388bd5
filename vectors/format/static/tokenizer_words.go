package static

import (
	"strings"

	"github.com/w2v-go/w2v/internal/wordbreak"
)

// A tokenizerRule is what a written tokenizer.json does to text before its words are
// looked up.
type tokenizerRule struct {
	lowercase bool     // text is lower-cased
	unicode   bool     // the text is cut by wordbreak.Expressions, not at white space
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
	if r.lowercase && strings.ContainsFunc(word, func(c rune) bool { return wordbreak.Lower(c) != c }) {
		return true, true
	}
	if r.unicode {
		return !wordbreak.IsWord(word), false
	}
	return strings.ContainsAny(word, "\x00\t\n\v\f\r "), false
}
