package query

import (
	"cmp"
	"slices"
	"strings"

	"github.com/w2v-go/w2v/vectors"
)

// A Completion lists the words of a vocabulary that begin with a text.
type Completion struct {
	Start  int      // where the text begins in the line
	Words  []string // some of the words, the most frequent first, or without counts the first of the vocabulary
	Common string   // longest common beginning of all words, at least the text
	Total  int      // number of all words that begin with the text
}

// Complete returns words that complete the end of a line: the text after the last white space or, if no word
// begins with that, after a quotation mark, after the "*" of a factor or after the ":" of an analogy. If case
// is ignored, Complete also tries the text in lower case. Words has at most this many words. An empty text
// has no completions. It is an error if the file behind the set cannot be read. Complete scans the whole
// vocabulary.
func (f *Finder) Complete(line string, most int) (c Completion, err error) {
	c.Start = len(line)
	err = f.set.Guard(func() error { // counts may lie in the file
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

func (f *Finder) beginning(text string, most int) (c Completion) {
	counts, words := f.set.Counts(), f.set.Words()
	first := func(a, b int) int {
		if a < len(counts) && b < len(counts) && counts[a] != counts[b] {
			return cmp.Compare(counts[b], counts[a])
		}
		return cmp.Compare(a, b)
	}
	var best []int
	for id, word := range words.All() {
		if !strings.HasPrefix(word, text) {
			continue
		}
		if c.Total++; c.Total == 1 {
			c.Common = word
		}
		c.Common = common(c.Common, word)
		if at, _ := slices.BinarySearchFunc(best, id, first); at < most {
			best = slices.Insert(best, at, id)
			best = best[:min(len(best), most)]
		}
	}
	for _, id := range best {
		c.Words = append(c.Words, words.At(id))
	}
	return c
}

// common returns the common beginning of two words, in whole code points.
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

// Parse parses an expression like vectors.ParseExpression: a text that is a word of the vocabulary is that
// word. Words keep the spelling of the text. The error is a *vectors.ExpressionError.
func (f *Finder) Parse(text string) (vectors.Expression, error) {
	return vectors.ParseExpression(text, f.known)
}

// ParseCompact is Parse that also accepts expressions without white space, such as in a URL:
// "king-man+woman", if the pieces between + and - are words of the vocabulary, with or without a factor. A
// piece may contain these signs, as in "well-known": ParseCompact takes the way to read the text with the
// longest first piece. There may be up to 16 signs.
func (f *Finder) ParseCompact(text string) (vectors.Expression, error) {
	e, err := f.Parse(text)
	if err == nil && !slices.ContainsFunc(e, func(t vectors.Term) bool { return !f.known(t.Word) }) {
		return e, nil
	}
	if compact := f.compact(text); compact != nil {
		return compact, nil
	}
	return e, err
}

// maxCompact and maxSigns are the largest length in bytes and number of signs of a compact expression, which
// limits the time to try all ways to read it. Longer expressions need white space around their signs.
const maxCompact, maxSigns = 4 << 10, 16

const white = " \t\r\n\v\f"

type sign struct {
	at, after int // where the sign begins, and where the text after it begins
	weight    float64
}

// signsOf returns the operators of a text; nil if there are too many.
func signsOf(text string) (signs []sign) {
	for i, r := range text {
		weight := 1.0
		switch r {
		case '-', '−':
			weight = -1
		case '+':
		default:
			continue
		}
		if len(signs) == maxSigns {
			return nil
		}
		signs = append(signs, sign{i, i + len(string(r)), weight})
	}
	return signs
}

// compact parses a text without white space around its signs; nil if there is no way to read it.
func (f *Finder) compact(text string) vectors.Expression {
	text = strings.Trim(text, white)
	signs := signsOf(text)
	if len(signs) == 0 || len(text) > maxCompact {
		return nil
	}
	if signs[0].at > 0 {
		signs = slices.Insert(signs, 0, sign{weight: 1}) // an implied + before the first word
	}
	ends := append(signs[1:len(signs):len(signs)], sign{at: len(text)})
	hopeless := make([]bool, len(signs)) // signs after which the rest cannot be parsed
	var terms vectors.Expression
	var read func(s int) bool
	read = func(s int) bool {
		for end := len(ends) - 1; end >= s && !hopeless[s]; end-- {
			term, ok := f.term(text[signs[s].after:ends[end].at])
			if !ok {
				continue
			}
			term.Weight *= signs[s].weight
			terms = append(terms, term)
			if end == len(ends)-1 || read(end+1) {
				return true
			}
			terms = terms[:len(terms)-1]
		}
		hopeless[s] = true
		return false
	}
	if !read(0) {
		return nil
	}
	return terms
}

func (f *Finder) term(piece string) (vectors.Term, bool) {
	if piece != strings.Trim(piece, white) {
		return vectors.Term{}, false
	}
	e, err := f.Parse(piece)
	if err != nil || len(e) != 1 || !f.known(e[0].Word) {
		return vectors.Term{}, false
	}
	return e[0], true
}
