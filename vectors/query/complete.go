package query

import (
	"cmp"
	"slices"
	"strings"

	"github.com/w2v-go/w2v/vectors"
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

// Parse returns the expression that a text stands for, as vectors.ParseExpression does: a text that is
// a word of the vocabulary is that word. Words are as they were asked for. The error is a
// *vectors.ExpressionError.
func (f *Finder) Parse(text string) (vectors.Expression, error) {
	return vectors.ParseExpression(text, f.known)
}

// ParseCompact is Parse for where white space is unhandy, as in a URL: it also reads
// "king-man+woman", if the pieces between + and - are words of the vocabulary. A piece may have these signs
// itself, as "well-known" does: of several readings, that with the longest first piece is taken. A factor
// is part of a piece: "0.5*king-man". There may be up to 16 signs.
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

// A compact expression has no more bytes and signs than these, which bounds the time for the readings that
// are tried. Others have white space around their signs.
const maxCompact, maxSigns = 4 << 10, 16

// white is what separates the terms of an expression.
const white = " \t\r\n\v\f"

// A sign is an operator in a text.
type sign struct {
	at, after int // where it begins, and where what follows begins
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

// compact returns the expression of a text without white space around its signs, nil if there is no such
// reading.
func (f *Finder) compact(text string) vectors.Expression {
	text = strings.Trim(text, white)
	signs := signsOf(text)
	if len(signs) == 0 || len(text) > maxCompact {
		return nil
	}
	if signs[0].at > 0 {
		signs = slices.Insert(signs, 0, sign{weight: 1}) // the first word has none
	}
	ends := append(signs[1:len(signs):len(signs)], sign{at: len(text)})
	hopeless := make([]bool, len(signs)) // signs behind which nothing can be read to the end
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

// term returns the word of the vocabulary, perhaps with a factor, that a piece is.
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
