package eval

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"unicode"

	"github.com/w2v-go/w2v/vectors"
)

// Case says whether a word that is not in the vocabulary is looked up again in
// lower case.
//
// A word is looked up as it is written, then lower-cased if case is ignored,
// and then composed from its n-grams if the set has subwords: from the
// lower-cased word if case is ignored. The first of these that gives a vector
// is taken. A vector that is not finite is none, so a word that has such a one
// is missing; a vector of zeros is one, and its cosine with any other is 0.
type Case int

const (
	// CaseAuto ignores case when no word of the vocabulary has an upper-case
	// or title-case letter.
	CaseAuto Case = iota
	// CaseIgnored looks words up as they are and then lower-cased.
	CaseIgnored
	// CaseKept looks words up as they are only.
	CaseKept
)

// ignored resolves CaseAuto for the vocabulary of s.
func (c Case) ignored(s *vectors.Set) (bool, error) {
	switch c {
	case CaseAuto:
		for _, w := range s.Words.All() {
			if strings.ContainsFunc(w, isCapital) {
				return false, nil
			}
		}
		return true, nil
	case CaseIgnored:
		return true, nil
	case CaseKept:
		return false, nil
	}
	return false, fmt.Errorf("eval: unknown case rule %d", int(c))
}

func isCapital(r rune) bool { return unicode.IsUpper(r) || unicode.IsTitle(r) }

// A lookup finds the words of an evaluation set in a set of vectors, each once.
type lookup struct {
	set        *vectors.Set
	ignoreCase bool
	known      map[string]entry
}

// An entry is what a lookup found for a word.
type entry struct {
	vector []float32 // nil if the word is missing
	id     int       // position in the vocabulary; -1 for a composed or missing word
}

func (e entry) missing() bool  { return e.vector == nil }
func (e entry) composed() bool { return e.vector != nil && e.id < 0 }

func newLookup(s *vectors.Set, rule Case) (*lookup, error) {
	if s == nil {
		return nil, errors.New("eval: there is no set of vectors to evaluate: it is nil")
	}
	if err := s.Check(); s.Len() > 0 && err != nil {
		return nil, fmt.Errorf("eval: the set of vectors is not valid: %w", err)
	}
	ignore, err := rule.ignored(s)
	if err != nil {
		return nil, err
	}
	return &lookup{set: s, ignoreCase: ignore, known: make(map[string]entry)}, nil
}

// composes reports whether words that are not in the vocabulary can have
// vectors.
func (l *lookup) composes() bool { return l.set.Subword != nil }

func (l *lookup) find(word string) entry {
	e, ok := l.known[word]
	if !ok {
		e = l.search(word)
		l.known[word] = e
	}
	return e
}

func (l *lookup) search(word string) entry {
	id, ok := l.set.ID(word)
	if !ok && l.ignoreCase {
		word = strings.ToLower(word)
		id, ok = l.set.ID(word)
	}
	if !ok {
		id = -1
	}
	v := make([]float32, l.set.Dim())
	if !l.set.Vector(v, word) || !finite(v) {
		return entry{id: -1}
	}
	return entry{vector: v, id: id}
}

func finite(v []float32) bool {
	for _, x := range v {
		if !(x >= -math.MaxFloat32 && x <= math.MaxFloat32) { // NaN is not either
			return false
		}
	}
	return true
}

// A roll lists words once each, in the order of their first mention.
type roll struct {
	words []string
	seen  map[string]bool
}

func newRoll() *roll { return &roll{words: []string{}, seen: make(map[string]bool)} }

func (r *roll) add(word string) {
	if !r.seen[word] {
		r.seen[word] = true
		r.words = append(r.words, word)
	}
}
