package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/query"
)

// missing counts queries without an answer and says which they are.
type missing struct {
	to    io.Writer
	model string
	one   string // what is asked for: "word"
	what  string // several of it: "words"
	lack  string // what some of these are without
	why   string
	n     int
	wrong int // that are no expressions
	all   int
}

func newMissing(s streams, path string, set *vectors.Set) *missing {
	why := "not in the vocabulary"
	switch {
	case set.Composition() == subword.Weighted:
		why = "not in the vocabulary, and without n-grams that were trained"
	case set.Subword() != nil:
		why = "not in the vocabulary, and without n-grams"
	}
	return &missing{to: s.err, model: path, one: "word", what: "words", lack: "vector", why: why}
}

// add counts a query without an answer and says so, and what may have been meant.
func (m *missing) add(query string, suggestions ...string) {
	m.say(query, suggestions)
	m.n++
}

func (m *missing) say(query string, suggestions []string) {
	fmt.Fprintf(m.to, "w2v: %s: %.80q is %s%s%s\n", m.model, query, m.why, orElse(suggestions), spacesFor(query))
}

// spacesFor says how to write what looks like an expression without white space.
func spacesFor(query string) string {
	if first, rest, ok := strings.Cut(query, "+"); !ok || first == "" || rest == "" || strings.ContainsAny(query, " \t") {
		return ""
	}
	return `; an expression has spaces around + and -, as in "king - man + woman"`
}

// addFound counts a query without a vector and says why, and what may have been meant.
func (m *missing) addFound(w query.Found, suggestions []string) {
	m.count(w.Wrong != nil)
	m.sayFound(w, suggestions)
}

// count counts a query without an answer, or one that is wrong.
func (m *missing) count(wrong bool) {
	if wrong {
		m.wrong++
	} else {
		m.n++
	}
}

func (m *missing) sayFound(w query.Found, suggestions []string) {
	switch {
	case w.Wrong != nil:
		fmt.Fprintf(m.to, "w2v: %s: %v\n", m.model, w.Wrong)
	case w.Terms != nil:
		fmt.Fprintf(m.to, "w2v: %s: %.80q: %.80q has no vector, or one that is zero or not finite%s\n", m.model, w.Asked, w.Lacking, orElse(suggestions))
	default:
		m.say(w.Asked, suggestions)
	}
}

// tooLong counts what is longer than any word.
func (m *missing) tooLong(p piece) {
	where := ""
	if p.line > 0 {
		where = fmt.Sprintf("standard input: line %d: ", p.line)
	}
	fmt.Fprintf(m.to, "w2v: %s%.20q… has %d bytes, and no word has more than %d\n", where, p.text, p.size, vectors.MaxWord)
	m.n++
	m.all++
}

// noDirection counts a query whose vector nothing is near to.
func (m *missing) noDirection(query string) {
	fmt.Fprintf(m.to, "w2v: %s: the vector of %.80q is zero or not finite, and no other is near to it\n", m.model, query)
	m.n++
}

func (m *missing) err() error {
	var lacking, wrong error
	if m.n > 0 {
		lacking = errors.New(wording.Of(m.n, m.all, m.one, m.what, "has no "+m.lack, "have no "+m.lack))
	}
	if m.wrong > 0 {
		wrong = errors.New(wording.Of(m.wrong, m.all, m.one, m.what, "cannot be read", "cannot be read"))
	}
	return errors.Join(lacking, wrong)
}

// orElse asks for one of these words, if there are any.
func orElse(words []string) string {
	quoted := make([]string, len(words))
	for i, word := range words {
		quoted[i] = fmt.Sprintf("%.80q", word)
	}
	return didYouMean("", anyOf(quoted))
}
