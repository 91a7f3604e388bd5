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
// A word is first looked up as it is written and then, if case is ignored, in lower case. If neither is in
// the vocabulary, the word is composed of n-grams: those of the lower-case word if case is ignored.
type Case int

const (
	// CaseAuto ignores case if Training says that the set's text was lower-cased, or if no word of the
	// vocabulary has an upper-case or title-case letter.
	CaseAuto Case = iota
	// CaseIgnored looks words up as they are written and then in lower case.
	CaseIgnored
	// CaseKept looks words up only as they are written.
	CaseKept
)

// A Lookup finds words in the vocabulary of a set by a rule for case. It may be used from several goroutines.
type Lookup struct {
	set    *Set
	ignore func() bool
}

// Lookup returns a Lookup with that rule. The vocabulary is searched for capitals only when the answer is
// first needed. It is an error if the rule is unknown or the sizes of s do not fit together.
func (s *Set) Lookup(rule Case) (*Lookup, error) {
	if err := s.usable(); err != nil {
		return nil, err
	}
	l := &Lookup{set: s}
	switch rule {
	case CaseAuto:
		l.ignore = sync.OnceValue(func() bool { return s.parts.Training.Bool("lowercase") || !s.parts.Words.hasCapitals() })
	case CaseIgnored, CaseKept:
		l.ignore = func() bool { return rule == CaseIgnored }
	default:
		return nil, fmt.Errorf("vectors: unknown case rule %d", int(rule))
	}
	return l, nil
}

// IgnoresCase reports whether words are looked up in lower case too.
func (l *Lookup) IgnoresCase() bool { return l.ignore() }

// Lower returns a word in lower case. It uses the rules of the language in which Training says that the set's
// text was lower-cased.
func (l *Lookup) Lower(word string) string {
	if language := l.set.parts.Training.Text("lowercase_language"); slices.Contains(wordbreak.Languages(), language) {
		return string(wordbreak.LowerText(language, []byte(word)))
	}
	return strings.ToLower(word)
}

// Find returns the spelling by which the set knows a word, and the word's id. For a word that is not in the
// vocabulary, it returns the spelling whose n-grams compose it, and -1.
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

func (w Words) hasCapitals() (has bool) {
	if w.Len() == 0 {
		return false
	}
	w.list.behind.Guard(func() {
		for id := 0; id < w.Len() && !has; id++ {
			has = strings.ContainsFunc(w.list.word(id), func(r rune) bool { return unicode.IsUpper(r) || r > unicode.MaxLatin1 && unicode.IsTitle(r) })
		}
	})
	return has
}

// maxQuery is the largest number of code points of a word that gets suggestions.
const maxQuery = 64

// Suggest returns up to k words of the vocabulary whose spelling is near to word, the nearest first; of
// equally near words the most frequent first, or without counts the lower id. The distance of two words is
// the number of code points to insert, delete, replace or exchange with their neighbour to turn one word into
// the other, ignoring case. It is at most 2, for words of 3 or 4 code points 1, and for shorter words 0: they
// may differ in case only. (Optimal string alignment: Damerau 1964, Levenshtein 1966, without further edits
// between two exchanged code points.)
//
// The whole vocabulary is searched, on all cores. Words of more than 64 code points get no suggestions.
func (s *Set) Suggest(word string, k int) []string {
	q, ok := newNearSpelling(word)
	if !ok || k <= 0 {
		return nil
	}
	var mu sync.Mutex
	var found []suggestion
	s.file.Parallel(s.Len(), func(first, last int) {
		mine := *q // a copy with its own scratch space
		mine.rows, mine.other = [3][maxQuery + 1]int8{}, nil
		var near []suggestion
		for id := first; id < last; id++ {
			candidate := s.parts.Words.list.word(id)
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
		words[i] = s.parts.Words.At(f.id)
	}
	return words
}

type suggestion struct{ id, distance int }

func (s *Set) nearest(all []suggestion, k int) []suggestion {
	count := func(id int) uint64 {
		if id < len(s.parts.Counts) {
			return s.parts.Counts[id]
		}
		return 0
	}
	slices.SortFunc(all, func(a, b suggestion) int {
		return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(count(b.id), count(a.id)), cmp.Compare(a.id, b.id))
	})
	return all[:min(k, len(all))]
}

type nearSpelling struct {
	word    []rune // in lower case
	letters uint64 // see lettersOf
	limit   int    // the largest distance of interest
	other   []rune
	rows    [3][maxQuery + 1]int8 // of the distance table
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

func appendLower(to []rune, word string) []rune {
	for _, r := range word {
		if r >= utf8.RuneSelf {
			r = unicode.ToLower(r)
		} else if 'A' <= r && r <= 'Z' { // without a call, which Suggest would notice
			r += 'a' - 'A'
		}
		to = append(to, r)
	}
	return to
}

func lettersOf(word []rune) uint64 {
	var letters uint64
	for _, r := range word {
		letters |= 1 << (uint32(r) & 63)
	}
	return letters
}

func (n *nearSpelling) distance(candidate string) (int, bool) {
	length := len(n.word)
	if len(candidate) < length-n.limit || len(candidate) > (length+n.limit)*utf8.UTFMax {
		return 0, false
	}
	n.other = appendLower(n.other[:0], candidate)
	if d := len(n.other) - length; d > n.limit || -d > n.limit {
		return 0, false
	}
	// One edit adds at most one code point and removes at most one.
	letters := lettersOf(n.other)
	if bits.OnesCount64(letters&^n.letters) > n.limit || bits.OnesCount64(n.letters&^letters) > n.limit {
		return 0, false
	}
	d := n.align()
	return d, d <= n.limit
}

// align returns the distance of word and other, or a number above the limit.
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
		if int(least) > n.limit+1 { // an exchange refers to the row before the last
			return int(least)
		}
		before, above, row = above, row, before
	}
	return int(above[len(n.word)])
}
