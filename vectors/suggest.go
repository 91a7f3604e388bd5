package vectors

import (
	"cmp"
	"math/bits"
	"slices"
	"sync"
	"unicode"
	"unicode/utf8"
)

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
