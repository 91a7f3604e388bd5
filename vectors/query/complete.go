package query

import (
	"cmp"
	"slices"
	"strings"
)

// A Completion is the words of a vocabulary that begin with a text.
type Completion struct {
	Start  int      // where the text begins, in the line that it ends
	Words  []string // some of them, the most frequent first, or the first of the vocabulary if there are no counts
	Common string   // what all of them begin with, at least the text
	Total  int      // how many there are
}

// Complete returns the words that a line may go on with: those that begin with what stands behind its last
// white space or, where no word does, behind a quotation mark, a factor's "*" or an analogy's ":" after it.
// If case is ignored and no word begins with that text as it is, words that begin with it in lower case are
// found. Words has at most so many of them. Nothing goes on from an empty text. It is an error if the file
// behind the set could not be read.
//
// The whole vocabulary is looked at.
func (f *Finder) Complete(line string, most int) (Completion, error) {
	c := Completion{Start: len(line)}
	err := f.set.Guard(func() error { // counts may lie in the file
		c = f.complete(line, most)
		return nil
	})
	return c, err
}

func (f *Finder) complete(line string, most int) Completion {
	for start := strings.LastIndexAny(line, white) + 1; start < len(line); {
		typed := line[start:]
		texts := []string{typed}
		if lower := f.words.Lower(typed); lower != typed && f.IgnoresCase() {
			texts = append(texts, lower)
		}
		for _, text := range texts {
			if c := f.beginning(text, most); c.Total > 0 {
				c.Start = start
				return c
			}
		}
		next := strings.IndexAny(typed, `*:"`)
		if next < 0 {
			break
		}
		start += next + 1
	}
	return Completion{Start: len(line)}
}

// beginning returns the words that begin with a text.
func (f *Finder) beginning(text string, most int) (c Completion) {
	counts := f.set.Counts()
	count := func(id int) uint64 {
		if id < len(counts) {
			return counts[id]
		}
		return 0
	}
	first := func(a, b int) int { return cmp.Or(cmp.Compare(count(b), count(a)), cmp.Compare(a, b)) }
	var best []int
	words := f.set.Words()
	for id, word := range words.All() {
		if !strings.HasPrefix(word, text) {
			continue
		}
		if c.Total++; c.Total == 1 {
			c.Common = word
		}
		c.Common = common(c.Common, word)
		at, _ := slices.BinarySearchFunc(best, id, first)
		if at < most {
			best = slices.Insert(best, at, id)
			best = best[:min(len(best), most)]
		}
	}
	for _, id := range best {
		c.Words = append(c.Words, words.At(id))
	}
	return c
}

// common returns what two words begin with, in whole code points.
func common(a, b string) string {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	for n > 0 && n < len(a) && a[n]&0xc0 == 0x80 {
		n--
	}
	return a[:n]
}
