package eval

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/language"

	"github.com/w2v-go/w2v/vectors"
)

// folded finds words regardless of case: words with the same upper-case form are the same word.
// It knows only the words that an evaluation asks for.
type folded struct {
	upper cases.Caser
	first map[string]int // by upper-case form, the lowest id of a word with that form; -1 for none
	to    map[int]int    // from the id of another word with such a form to that lowest id
}

// fold looks through the vocabulary of s for words that are the same as one of words.
func fold(s *vectors.Set, words []string) *folded {
	f := &folded{upper: cases.Upper(language.Und), first: make(map[string]int), to: make(map[int]int)}
	for _, word := range words {
		f.first[f.fold(word)] = -1
	}
	for id, word := range s.Words().All() {
		form := f.fold(word)
		switch first, asked := f.first[form]; {
		case !asked:
		case first < 0:
			f.first[form] = id
		default:
			f.to[id] = first
		}
	}
	return f
}

// fold returns the upper-case form of a word by Unicode's full mapping, in which a code point
// may become several (ß is SS), as Python's str.upper does.
func (f *folded) fold(word string) string {
	for i := range len(word) {
		if word[i] >= utf8.RuneSelf {
			return f.upper.String(word)
		}
	}
	return strings.ToUpper(word)
}

// id returns the id of the first word that is the same as word.
func (f *folded) id(word string) (int, bool) {
	id, asked := f.first[f.fold(word)]
	return id, asked && id >= 0
}

// same returns the id of the first word that is the same as word id.
func (f *folded) same(id int) int {
	if first, ok := f.to[id]; ok {
		return first
	}
	return id
}
