package main

import (
	"fmt"
	"io"

	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
)

// missing counts queries without an answer and says which they are.
type missing struct {
	to    io.Writer
	model string
	what  string // is asked for
	lack  string // what some of these are without
	why   string
	n     int
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
	return &missing{to: s.err, model: path, what: "words", lack: "vector", why: why}
}

// add counts a query without an answer and says so, and what may have been meant.
func (m *missing) add(query string, suggestions ...string) {
	m.say(query, suggestions)
	m.n++
}

func (m *missing) say(query string, suggestions []string) {
	fmt.Fprintf(m.to, "w2v: %s: %.80q is %s%s\n", m.model, query, m.why, orElse(suggestions))
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
	if m.n == 0 {
		return nil
	}
	return fmt.Errorf("%d of %d %s have no %s", m.n, m.all, m.what, m.lack)
}

// orElse asks for one of these words, if there are any.
func orElse(words []string) string {
	quoted := make([]string, len(words))
	for i, word := range words {
		quoted[i] = fmt.Sprintf("%.80q", word)
	}
	return didYouMean("", anyOf(quoted))
}
