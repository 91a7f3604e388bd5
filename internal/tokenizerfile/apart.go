package tokenizerfile

import (
	"slices"
	"strings"
	"unicode"
)

// CutsApart reports whether what stands between blanks of a text (spaces, tabs and ends of lines) is cut without regard for
// what else stands there: the tokens of the text are those of its parts. Parts must not begin with a mark or a format character,
// which would belong to the blank. It returns false if that is not sure.
func (t *Tokenizer) CutsApart() bool {
	spaced := func(text string) bool { return strings.ContainsFunc(text, unicode.IsSpace) }
	if slices.ContainsFunc(t.raw.texts, spaced) || slices.ContainsFunc(t.added.texts, spaced) {
		return false
	}
	for _, n := range t.normalize {
		switch n := n.(type) {
		case mapped, strip:
		case replacement:
			if of, ok := n.pattern.(literal); !ok || spaced(string(of)) {
				return false
			}
		default: // a charsmap replaces grapheme clusters, some of which have a blank
			return false
		}
	}
	if len(t.split) == 0 {
		return false
	}
	first, ok := t.split[0].(cut)
	return ok && first.spaces && !slices.ContainsFunc(t.split, func(s splitter) bool {
		m, ok := s.(metaspace)
		return ok && m.prepend == "first"
	})
}
