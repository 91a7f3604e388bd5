package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/vectors/convert"
	"github.com/w2v-go/w2v/vectors/format"
)

// convertFlags say which of a model's vectors are written, and how.
type convertFlags struct {
	options convert.Options
	list    wordList
	post    postFlags
	bridge  bridgeFlags
	skip    skipFlag
}

// convertHelp is the part of the command's help about these flags.
const convertHelp = `These flags apply in this order. --vectors takes the context vectors, or both kinds,
instead of the input vectors. --top or --words select words. --first takes the first
dimensions, unchanged; or --dim reduces dimensions by principal components. --center
subtracts the mean of all vectors. --abtt subtracts it and removes the first
principal components. --whiten subtracts it and makes dimensions uncorrelated, of
variance 1. --normalize scales each vector to length 1. Mean, components and
covariance are those of the vectors of the selected words, each counted once. Queries
and eval have these flags too, and show what a file with such vectors would answer.

N-grams are kept, except with --vectors and --normalize, and with --dim, --center,
--abtt and --whiten those of hash embeddings. If they are not kept, --words also
composes words outside the vocabulary. Nodes of hierarchical softmax are kept only
together with all words. The time of --dim, --abtt and --whiten grows with the third
power of the model's dimensions: about a second for 1,000, half a minute for 3,000.

` + listHelp

func (f *convertFlags) add(c *cobra.Command) {
	flags := c.Flags()
	flags.IntVar(&f.options.Top, "top", 0, "keep only the `N` most frequent words, or the first N if there are no counts")
	f.list.add(c)
	f.post.add(c)
	f.bridge.add(c)
	f.skip.add(c)
}

// check looks for what makes no sense whatever the model is, and completes the options but
// for the words of a list.
func (f *convertFlags) check(c *cobra.Command) error {
	if c.Flags().Changed("top") && f.options.Top < 1 {
		return fmt.Errorf("--top must be at least 1, is %d", f.options.Top)
	}
	if err := f.post.check(c); err != nil {
		return err
	}
	if f.options.Top > 0 && f.list.file != "" {
		return errors.New("--top and --words exclude each other")
	}
	if err := f.list.check(c); err != nil {
		return err
	}
	top := f.options.Top
	f.options = f.post.options
	f.options.Top, f.options.SkipUnwritable = top, f.skip.on
	return f.bridge.options(&f.options)
}

// read reads what the command line names.
func (f *convertFlags) read(s streams) (err error) {
	f.options.Words, err = f.list.read(s.in)
	return err
}

// fits looks for what a format has no use for.
func (f *convertFlags) fits(outFormat format.Format) error {
	err := f.options.Fits(outFormat)
	if e, ok := errors.AsType[*convert.FitError](err); ok {
		if e.Option == "OneMatrix" {
			return fmt.Errorf("--tied needs the format %s, not %s", format.Torch, outFormat)
		}
		return fmt.Errorf("--dtype: %s", e.Reason)
	}
	return err
}

// notFiniteBecome says what becomes of rows that are not finite.
func (f *convertFlags) notFiniteBecome(outFormat format.Format) string {
	switch {
	case f.options.Normalize:
		return "--normalize makes such vectors zeros"
	case outFormat == format.Projector:
		return "they are written as they are, and the Embedding Projector may not show anything"
	}
	return "they are written as they are"
}
