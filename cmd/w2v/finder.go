package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/query"
)

// caseHelp is the part of a command's help about the case of words.
const caseHelp = `Words are looked up as they are, and then in lower case if the model is in lower
case; --ignore-case overrides this.`

// caseFlag says whether words are looked up in lower case, too.
type caseFlag struct{ ignore bool }

func (f *caseFlag) add(c *cobra.Command) {
	c.Flags().BoolVar(&f.ignore, "ignore-case", false, "if a word is not in the vocabulary, look it up in lower case (default true if the model was trained with --lowercase, or its vocabulary has no upper-case letters)")
}

// rule is what the flag says: nothing, yes or no.
func (f *caseFlag) rule(c *cobra.Command) vectors.Case {
	switch {
	case !c.Flags().Changed("ignore-case"):
		return vectors.CaseAuto
	case f.ignore:
		return vectors.CaseIgnored
	}
	return vectors.CaseKept
}

// searches is how often the vocabulary is searched for words in place of missing ones: among millions
// each search takes some tenths of a second.
const searches = 10

// A finder finds the words that are asked for in a model, and remembers what is to be said
// of them.
type finder struct {
	*query.Finder
	set         *vectors.Set
	suggestions *query.Suggester
	lowered     []string // that were looked up in lower case, each once
	seen        map[string]bool
}

func newFinder(set *vectors.Set, rule vectors.Case) (*finder, error) {
	words, err := query.New(set, rule)
	if err != nil {
		return nil, err
	}
	return &finder{Finder: words, set: set, suggestions: words.Suggester(searches), seen: make(map[string]bool)}, nil
}

// find opens a model, as open does, to find words in it for as long as use takes, and says
// then which were looked up in another case.
func (f *caseFlag) find(c *cobra.Command, s streams, open opener, path string, use func(*finder) error) error {
	return open(path, func(set *vectors.Set) error {
		words, err := newFinder(set, f.rule(c))
		if err != nil {
			return err
		}
		defer words.report(s.err)
		return use(words)
	})
}

// spelling returns how the model spells a word.
func (f *finder) spelling(word string) string {
	spelling, id := f.Spelling(word)
	if id >= 0 {
		f.spelt(word, spelling)
	}
	return spelling
}

// spelt remembers how a word was looked up.
func (f *finder) spelt(asked, spelling string) {
	if spelling != asked && !f.seen[asked] {
		f.seen[asked] = true
		f.lowered = append(f.lowered, asked)
	}
}

// find is Find for what the report is to say of.
func (f *finder) find(v []float32, text string) (query.Found, error) {
	e, err := f.Parse(text)
	if err != nil {
		return f.Find(v, text)
	}
	return f.express(v, text, e)
}

// express is Express for what the report is to say of.
func (f *finder) express(v []float32, text string, e vectors.Expression) (query.Found, error) {
	w, err := f.Express(v, text, e)
	if err != nil || w.Missing() {
		return w, err
	}
	for i, spelling := range w.Words() {
		if _, known := f.set.ID(spelling); known {
			f.spelt(e[i].Word, spelling)
		}
	}
	return w, nil
}

// report says which words were looked up in another case.
func (f *finder) report(w io.Writer) {
	if len(f.lowered) > 0 {
		fmt.Fprintf(w, "note: looked up in lower case: %s\n", some(f.lowered))
	}
}

// expressionHelp is the part of a command's help about expressions.
const expressionHelp = `A WORD may be an expression such as "king - man + woman", with spaces around + and -:
the sum of the words' vectors, each scaled to length 1. A word may have a factor, as in
0.5*man. A text that is a word of the vocabulary is that word, and so is one between
double quotes.`

// checkExpressions is a usage error if a text of the command line is no word and no expression.
func (f *finder) checkExpressions(c *cobra.Command, texts ...string) error {
	for _, text := range texts {
		if _, err := f.Parse(text); err != nil {
			return &usageError{c.CommandPath(), err}
		}
	}
	return f.set.Err()
}
