package query

import (
	"slices"
	"strings"

	"github.com/w2v-go/w2v/vectors"
)

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
