package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/sgns"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vocab"
)

// freezeNone is what --freeze has for sgns.FreezeNone.
const freezeNone = "none"

// initFlags say which vectors training starts from.
type initFlags struct {
	path   string
	freeze string
	grow   bool // the vocabulary is that of the vectors too

	set   *vectors.Set // nil if there are none
	notes []string
}

func (f *initFlags) add(c *cobra.Command) {
	flags := c.Flags()
	flags.StringVar(&f.path, "init", "", "start from the vectors in `FILE`, of any format, by the names of words; --dim, n-grams and --rank are those of FILE unless they are given")
	f.freeze = freezeNone
	addEnum(flags, &f.freeze, "freeze", "what of --init stays as it is", []choice{
		{freezeNone, ""},
		{string(sgns.FreezeKnown), "the vectors of its words, so that new words fit to them"},
	})
	flags.BoolVar(&f.grow, "update-vocab", false, "keep all words of --init, or of --resume, with their counts, and add those of the corpus")
}

// open checks the flags, opens the file and completes flags that are not given by what
// is in it.
func (f *initFlags) open(c *cobra.Command, t *trainFlags) error {
	fail := func(format string, args ...any) error {
		return &usageError{c.CommandPath(), fmt.Errorf(format, args...)}
	}
	if f.freeze != freezeNone {
		t.config.Freeze = sgns.Freeze(f.freeze)
	}
	switch {
	case f.path == "" && (f.grow || c.Flags().Changed("freeze")):
		return fail("--freeze and --update-vocab have a meaning only with --init FILE (--update-vocab also with --resume FILE)")
	case f.path == "":
		return nil
	case f.grow && t.vocabFile != "":
		return fail("--update-vocab counts the vocabulary, and --vocab gives it: only one of them is possible")
	}
	set, err := vectors.OpenStream(f.path, nil)
	if err != nil {
		return err
	}
	f.set = set
	given := c.Flags().Changed
	t.completeDim(given)
	switch {
	case !given("dim") && !given("nested"):
		t.config.Dim = set.Dim()
	case t.config.Dim == set.Dim():
	case given("dim"):
		return fail("--dim is %d, and %s has %d dimensions: leave --dim out, or make them %d first with w2v convert --dim",
			t.config.Dim, f.path, set.Dim(), t.config.Dim)
	default:
		return fail("--nested %s ends at %d, and %s has %d dimensions: leave it out, or make them %d first with w2v convert --dim",
			t.nested, t.config.Dim, f.path, set.Dim(), t.config.Dim)
	}
	composed := &taken{changed: given}
	if set.Subword() != nil {
		t.takeCut(composed, set.Subword())
	}
	if rows, _, ok := set.Input().Factors(); ok {
		take(composed, "rank", &t.config.Rank, rows.Cols)
	}
	was, is := cutting(set.Training().Tokenizer, set.Training().Lowercase), cutting(t.corpus.options.Tokenizer.String(), t.corpus.options.Lowercase)
	if set.Training().Tokenizer != "" && was != is {
		f.note("%s was trained on text read with %s, and this one is read with %s: words may not match", f.path, was, is)
	}
	for _, text := range set.Unread() {
		f.note("what is not read of %s: %s", f.path, text)
	}
	return nil
}

// cutting names the flags that say how a text becomes words.
func cutting(tokenizer string, lowercase bool) string {
	flags := "--tokenizer " + tokenizer
	if lowercase {
		flags += " --lowercase"
	}
	return flags
}

func (f *initFlags) note(format string, args ...any) {
	f.notes = append(f.notes, fmt.Sprintf(format, args...))
}

// known returns the vocabulary that grows, nil if none does.
func (f *initFlags) known() (*vocab.Vocab, error) {
	if !f.grow {
		return nil, nil
	}
	var v *vocab.Vocab
	err := f.set.Guard(func() (err error) {
		if v, err = vocab.New(f.set.Words().Strings(), f.set.Counts()); err != nil {
			return fmt.Errorf("%s: %w", f.path, err)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if f.set.Counts() == nil {
		f.note("%s does not say how often its words were seen: each counts as once, and as often as the corpus has it", f.path)
	}
	return v, nil
}

// named puts the name of the file in an error of what is in it.
func (f *initFlags) named(err error) error {
	if e, ok := errors.AsType[*sgns.InitError](err); ok {
		return fmt.Errorf("%s: %w", f.path, e.Err)
	}
	return err
}

// close gives the file back.
func (f *initFlags) close() error {
	if f.set == nil {
		return nil
	}
	set := f.set
	f.set = nil
	return set.Close()
}

// started returns what prints what training of that configuration starts from.
func (f *initFlags) started(to io.Writer, c sgns.Config) func(sgns.Warm) {
	return func(w sgns.Warm) { f.print(to, c, w) }
}

func (f *initFlags) print(to io.Writer, c sgns.Config, w sgns.Warm) {
	text := fmt.Sprintf("started from %s: %s of %s words known", f.path, thousands(uint64(w.Known)), thousands(uint64(w.Words)))
	if w.Ngrams > 0 {
		text += fmt.Sprintf(", %s n-gram rows kept", thousands(uint64(w.Ngrams)))
	}
	switch {
	case c.Tied: // there are no others
	case w.Context:
		text += ", context vectors too"
	case f.set.Output().Rows > 0 || f.set.Matrix(vectors.MatrixNodes).Rows > 0:
		text += "; its context vectors do not fit, they start as zeros"
	default:
		text += "; it has no context vectors, they start as zeros"
	}
	fmt.Fprintf(to, "%s; learning rate %v\n", text, w.LearningRate)
	if w.Left > 0 {
		f.note("%s words of %s are not in the vocabulary and left out: --update-vocab keeps them", thousands(uint64(w.Left)), f.path)
	}
	if len(w.Unused) > 0 {
		f.note("what does not fit of %s is left out: %s", f.path, strings.Join(w.Unused, ", "))
	}
	switch {
	case w.Composed:
		n := ngramInfo{Buckets: f.set.Subword().Rows()}
		n.describe(f.set.Subword())
		text := "the model has none"
		if c.Subword != nil {
			text = "those of the model start as the mean of the known words that have them"
		}
		f.note("n-grams of %s (%s) are left out, its words start as what they are composed to: %s", f.path, n.String(), text)
	case c.Subword != nil && f.set.Subword() == nil:
		f.note("%s has no n-grams: those of the model start as the mean of the known words that have them", f.path)
	}
	for _, text := range f.notes {
		fmt.Fprintf(to, "note: %s\n", text)
	}
}
