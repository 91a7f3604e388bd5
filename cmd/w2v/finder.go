package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/query"
)

const caseHelp = `Words are looked up as they are, and then in lower case if the model is in lower
case; --ignore-case overrides this.`

// caseFlag says whether words are looked up in lower case, too.
type caseFlag struct {
	ignore bool
	flag   *pflag.Flag
}

func (f *caseFlag) add(c *cobra.Command) {
	const name = "ignore-case"
	c.Flags().BoolVar(&f.ignore, name, false, "if a word is not in the vocabulary, look it up in lower case (default true if the model was trained with --lowercase, or its vocabulary has no upper-case letters)")
	f.flag = c.Flags().Lookup(name)
}

// rule returns the flag's setting: automatic, yes or no.
func (f *caseFlag) rule() vectors.Case {
	switch {
	case !f.flag.Changed:
		return vectors.CaseAuto
	case f.ignore:
		return vectors.CaseIgnored
	}
	return vectors.CaseKept
}

// searches is the maximum number of searches for similar words in place of missing ones. With millions of
// words, each search takes some tenths of a second.
const searches = 10

// A finder looks up words in a model, and records which words were found in another spelling.
type finder struct {
	*query.Finder
	set         *vectors.Set
	out         buffered // standard output
	suggestions *query.Suggester
	lowered     []string // words that were looked up in lower case, each once
	seen        map[string]bool
}

// spelling returns how the model spells a word.
func (f *finder) spelling(word string) string {
	spelling, id := f.Spelling(word)
	if id >= 0 {
		f.spelt(word, spelling)
	}
	return spelling
}

func (f *finder) spelt(asked, spelling string) {
	if spelling != asked && !f.seen[asked] {
		f.seen[asked] = true
		f.lowered = append(f.lowered, asked)
	}
}

// find is Find, or Express for an expression that is not nil, and records how words were found.
func (f *finder) find(v []float32, text string, e vectors.Expression) (w query.Found, err error) {
	if e == nil {
		if e, err = f.Parse(text); err != nil {
			return f.Find(v, text)
		}
	}
	if w, err = f.Express(v, text, e); err != nil || w.Missing() {
		return w, err
	}
	for i, spelling := range w.Words() {
		if _, known := f.set.ID(spelling); known {
			f.spelt(e[i].Word, spelling)
		}
	}
	return w, nil
}

const expressionHelp = `A WORD may be an expression such as "king - man + woman", with spaces around + and -:
the sum of the words' vectors, each scaled to length 1. A word may have a factor, as in
0.5*man. A text that is a word of the vocabulary is that word, and so is one between
double quotes.`

// checkExpressions returns a usage error if a text of the command line is neither a word nor an expression.
func (f *finder) checkExpressions(texts ...string) error {
	for _, text := range texts {
		if _, err := f.Parse(text); err != nil {
			return misuse(err)
		}
	}
	return f.set.Err()
}

type missing struct {
	to    io.Writer
	model string
	one   string // what is asked for, singular: "word"
	what  string // plural: "words"
	lack  string // what is missing: "vector"
	why   string
	n     int
	wrong int // number of queries that are not expressions
	all   int
}

func newMissing(s streams, path string, set *vectors.Set) *missing {
	why := "not in the vocabulary"
	switch {
	case set.Learned().Any():
		why = "not in the vocabulary, and without n-grams that were trained"
	case set.Subword() != nil:
		why = "not in the vocabulary, and without n-grams"
	}
	return &missing{to: s.err, model: path, one: "word", what: "words", lack: "vector", why: why}
}

// add counts and reports a query without an answer, with suggestions.
func (m *missing) add(query string, suggestions ...string) {
	m.say(query, suggestions)
	m.n++
}

func (m *missing) say(query string, suggestions []string) {
	fmt.Fprintf(m.to, "w2v: %s: %.80q is %s%s%s\n", m.model, query, m.why, orElse(suggestions), spacesFor(query))
}

// spacesFor returns how to write something that looks like an expression without white space.
func spacesFor(query string) string {
	if first, rest, ok := strings.Cut(query, "+"); !ok || first == "" || rest == "" || strings.ContainsAny(query, " \t") {
		return ""
	}
	return `; an expression has spaces around + and -, as in "king - man + woman"`
}

func (m *missing) addFound(w query.Found, suggestions []string) {
	m.count(w.Wrong != nil)
	m.sayFound(w, suggestions)
}

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

func (m *missing) tooLong(p piece) {
	where := ""
	if p.line > 0 {
		where = fmt.Sprintf("standard input: line %d: ", p.line)
	}
	fmt.Fprintf(m.to, "w2v: %s%.20q… has %d bytes, and no word has more than %d\n", where, p.text, p.size, vectors.MaxWord)
	m.n++
	m.all++
}

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

func orElse(words []string) string {
	quoted := make([]string, len(words))
	for i, word := range words {
		quoted[i] = fmt.Sprintf("%.80q", word)
	}
	return didYouMean("", anyOf(quoted))
}
