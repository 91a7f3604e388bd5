package vectors

import (
	"cmp"
	"fmt"
	"math/bits"
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

// maxQuery is the most code points of a word that suggestions are made for.
const maxQuery = 64

// Suggest returns up to k words of the vocabulary that are spelt nearly as word is, the
// nearest first, and of equally near ones the most frequent first, or the lower id if there
// are no counts. How near two words are is the number of code points that have to be
// inserted, left out, replaced or exchanged with their neighbour to make one of the other,
// whatever their case: up to 2, up to 1 for words of 3 or 4 code points, and 0, which is
// case alone, for shorter ones. (Optimal string alignment: Damerau 1964, Levenshtein 1966,
// without further changes between two that were exchanged.)
//
// The whole vocabulary is searched, on all cores; most words are passed over by their length
// and letters. There are no suggestions for words of more than 64 code points.
func (s *Set) Suggest(word string, k int) []string {
	q, ok := newNearSpelling(word)
	if !ok || k <= 0 {
		return nil
	}
	var mu sync.Mutex
	var found []suggestion
	s.inParallel(s.Len(), func(first, last int) {
		mine := *q // with scratch of its own
		mine.rows, mine.other = [3][maxQuery + 1]int8{}, nil
		var near []suggestion
		for id := first; id < last; id++ {
			candidate := s.words.list.word(id)
			if d, ok := mine.distance(candidate); ok && candidate != word {
				near = append(near, suggestion{id: id, distance: d})
			}
			if len(near) >= 4*k+64 {
				near = s.nearest(near, k)
			}
		}
		mu.Lock()
		defer mu.Unlock()
		found = s.nearest(append(found, near...), k)
	})
	words := make([]string, len(found))
	for i, f := range found {
		words[i] = s.words.At(f.id)
	}
	return words
}

// A suggestion is a word that is near to another.
type suggestion struct{ id, distance int }

// nearest returns the k best suggestions.
func (s *Set) nearest(all []suggestion, k int) []suggestion {
	count := func(id int) uint64 {
		if id < len(s.counts) {
			return s.counts[id]
		}
		return 0
	}
	slices.SortFunc(all, func(a, b suggestion) int {
		return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(count(b.id), count(a.id)), cmp.Compare(a.id, b.id))
	})
	return all[:min(k, len(all))]
}

// nearSpelling measures how far words are from one word.
type nearSpelling struct {
	word    []rune // in lower case
	letters uint64 // see lettersOf
	limit   int    // of the distance
	other   []rune
	rows    [3][maxQuery + 1]int8 // of the table of distances
}

func newNearSpelling(word string) (*nearSpelling, bool) {
	if len(word) > maxQuery*utf8.UTFMax {
		return nil, false
	}
	n := &nearSpelling{word: appendLower(nil, word)}
	switch length := len(n.word); {
	case length == 0 || length > maxQuery:
		return nil, false
	case length > 4:
		n.limit = 2
	case length > 2:
		n.limit = 1
	}
	n.letters = lettersOf(n.word)
	return n, true
}

// appendLower appends the code points of a word in lower case.
func appendLower(to []rune, word string) []rune {
	for _, r := range word {
		if r < utf8.RuneSelf {
			if 'A' <= r && r <= 'Z' {
				r += 'a' - 'A'
			}
		} else {
			r = unicode.ToLower(r)
		}
		to = append(to, r)
	}
	return to
}

// lettersOf returns a set of what code points there are, each in one of 64 places.
func lettersOf(word []rune) uint64 {
	var letters uint64
	for _, r := range word {
		letters |= 1 << (uint32(r) & 63)
	}
	return letters
}

// distance returns how far a candidate is from the word, if that is within the limit.
func (n *nearSpelling) distance(candidate string) (int, bool) {
	length := len(n.word)
	if len(candidate) < length-n.limit || len(candidate) > (length+n.limit)*utf8.UTFMax {
		return 0, false
	}
	n.other = appendLower(n.other[:0], candidate)
	if d := len(n.other) - length; d > n.limit || -d > n.limit {
		return 0, false
	}
	// A change brings one code point at most, and takes away one.
	letters := lettersOf(n.other)
	if bits.OnesCount64(letters&^n.letters) > n.limit || bits.OnesCount64(n.letters&^letters) > n.limit {
		return 0, false
	}
	d := n.align()
	return d, d <= n.limit
}

// align returns the distance of word and other, or more than the limit if it is more.
func (n *nearSpelling) align() int {
	before, above, row := &n.rows[0], &n.rows[1], &n.rows[2]
	for j := range n.word {
		above[j+1] = int8(j + 1)
	}
	above[0] = 0
	for i, r := range n.other {
		row[0] = int8(i + 1)
		least := row[0]
		for j, q := range n.word {
			d := min(above[j+1], row[j]) + 1
			if r == q {
				d = min(d, above[j])
			} else {
				d = min(d, above[j]+1)
			}
			if i > 0 && j > 0 && r == n.word[j-1] && n.other[i-1] == q {
				d = min(d, before[j-1]+1)
			}
			row[j+1] = d
			least = min(least, d)
		}
		if int(least) > n.limit+1 { // an exchange looks back two rows
			return int(least)
		}
		before, above, row = above, row, before
	}
	return int(above[len(n.word)])
}
