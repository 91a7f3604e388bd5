package vectors

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/w2v-go/w2v/internal/wordbreak"
)

// Case says whether a word that is not in the vocabulary is looked up again in lower case.
//
// A word is looked up as it is written, then lower-cased if case is ignored. If neither is
// in the vocabulary, n-grams compose it, of the lower-cased word if case is ignored.
type Case int

const (
	// CaseAuto ignores case when the set's text was lower-cased, as far as Training says,
	// or no word of the vocabulary has an upper-case or title-case letter.
	CaseAuto Case = iota
	// CaseIgnored looks words up as they are and then lower-cased.
	CaseIgnored
	// CaseKept looks words up as they are only.
	CaseKept
)

// A Lookup finds words in the vocabulary of a set by a rule for their case. It may be used
// from several goroutines.
type Lookup struct {
	set    *Set
	ignore func() bool
}

// Lookup returns a look-up by that rule. The vocabulary is not searched for capitals before
// somebody needs to know. It is an error if the rule is unknown, or if s is nil or its sizes do not fit
// together.
func (s *Set) Lookup(rule Case) (*Lookup, error) {
	if err := s.usable(); err != nil {
		return nil, err
	}
	l := &Lookup{set: s}
	switch rule {
	case CaseAuto:
		l.ignore = sync.OnceValue(func() bool { return s.training.Bool("lowercase") || !s.words.hasCapitals() })
	case CaseIgnored, CaseKept:
		l.ignore = func() bool { return rule == CaseIgnored }
	default:
		return nil, fmt.Errorf("vectors: unknown case rule %d", int(rule))
	}
	return l, nil
}

// IgnoresCase reports whether words are looked up in lower case too.
func (l *Lookup) IgnoresCase() bool { return l.ignore() }

// Lower returns a word in lower case, by the rules of the language that the set's text was lower-cased in,
// as far as Training says.
func (l *Lookup) Lower(word string) string {
	if language := l.set.training.Text("lowercase_language"); slices.Contains(wordbreak.Languages(), language) {
		return string(wordbreak.LowerText(language, []byte(word)))
	}
	return strings.ToLower(word)
}

// Find returns the spelling by which the set knows a word, and the word's id; or, for a
// word that is not in the vocabulary, the spelling of which n-grams compose it, and -1.
func (l *Lookup) Find(word string) (spelling string, id int) {
	if id, ok := l.set.ID(word); ok {
		return word, id
	}
	lower := l.Lower(word)
	if lower == word || !l.ignore() {
		return word, -1
	}
	if id, ok := l.set.ID(lower); ok {
		return lower, id
	}
	return lower, -1
}

// hasCapitals reports whether a word has an upper-case or title-case letter.
func (w Words) hasCapitals() (has bool) {
	if w.Len() == 0 {
		return false
	}
	w.list.behind.Guard(func() {
		for id := 0; id < w.Len() && !has; id++ {
			has = hasCapital(w.list.word(id))
		}
	})
	return has
}

func hasCapital(word string) bool {
	for i := 0; i < len(word); i++ {
		switch c := word[i]; {
		case 'A' <= c && c <= 'Z':
			return true
		case c >= utf8.RuneSelf:
			return strings.ContainsFunc(word[i:], func(r rune) bool { return unicode.IsUpper(r) || unicode.IsTitle(r) })
		}
	}
	return false
}
