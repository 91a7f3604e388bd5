package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/vectors"
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

const (
	suggested = 3  // words, in place of one that is missing
	searches  = 10 // of the vocabulary for such words: among millions each takes some tenths of a second
)

// A finder finds the words that are asked for in a model, and remembers what is to be said
// of them.
type finder struct {
	set      *vectors.Set
	words    *vectors.Lookup
	lowered  []string // that were looked up in lower case, each once
	seen     map[string]bool
	searches int // for suggestions that may still be made
}

func newFinder(set *vectors.Set, rule vectors.Case) (*finder, error) {
	words, err := set.Lookup(rule)
	if err != nil {
		return nil, err
	}
	return &finder{set: set, words: words, seen: make(map[string]bool), searches: searches}, nil
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
	spelling, id := f.words.Find(word)
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

// suggest returns words that may have been meant by one that is missing: none for later
// ones of many, for which that would take too long.
func (f *finder) suggest(word string) []string {
	if f.searches == 0 {
		return nil
	}
	f.searches--
	return f.set.Suggest(word, suggested)
}

// report says which words were looked up in another case.
func (f *finder) report(w io.Writer) {
	if len(f.lowered) > 0 {
		fmt.Fprintf(w, "note: looked up in lower case: %s\n", some(f.lowered))
	}
}
