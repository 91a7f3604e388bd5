package main

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/eval"
	"github.com/w2v-go/w2v/train"
	"github.com/w2v-go/w2v/vectors"
)

// taskHelp is the part of a command's help about the tasks that it scores.
const taskHelp = `Categories are scored by clustering the words (purity, V-measure), sets of outliers by
accuracy and OPP, word lists by WEAT and RND, and pairs of sentences by the cosines of
their mean and SIF vectors. A WEAT test is refused if one of its lists loses more
than --max-lost of its words; notes name the words that are missing. Sentences are
cut as the training text was, if the model records how.`

// taskFlags are the settings of single tasks.
type taskFlags struct{ tokenizer string }

func (f *taskFlags) add(c *cobra.Command, o *eval.Options) {
	flags := c.Flags()
	grouped(flags, "Task", func() {
		flags.IntVar(&o.Categories.Repeats, "repeats", eval.DefaultRepeats, "`N` clusterings of categories, of which the one with the smallest inertia is scored")
		flags.BoolVar(&o.Outliers.Published, "published", false, "score outliers as the script published with 8-8-8 does: words outside the vocabulary are means of their parts between underscores, or zeros")
		flags.Float64Var(&o.Bias.MaxLost, "max-lost", eval.DefaultMaxLost, "the largest `SHARE` of its words that a list of WEAT may lose")
		flags.IntVar(&o.Bias.Permutations, "permutations", eval.DefaultPermutations, "partitions of a WEAT test to draw if there are more than `N`; else p is exact")
		o.Sentences.Method = eval.SentenceMean
		addEnum(flags, &o.Sentences.Method, "sentences", "the vectors of sentences that give the score", choicesOf([]eval.SentenceMethod{eval.SentenceMean, eval.SentenceSIF}, nil))
		flags.StringVar(&f.tokenizer, "tokenizer", "", "the `FILE` tokenizer.json that the model was trained with, for sets of sentences")
	})
}

// check changes options from what flags say to what the library means, and returns an error if a
// flag is invalid.
func (f *taskFlags) check(o *eval.Options) error {
	if f == nil {
		return nil
	}
	var err error
	if o.Categories.Repeats < 1 {
		err = fmt.Errorf("--repeats must be positive, is %d", o.Categories.Repeats)
	}
	if !(o.Bias.MaxLost >= 0 && o.Bias.MaxLost <= 1) {
		err = errors.Join(err, fmt.Errorf("--max-lost must be from 0 to 1, is %v", o.Bias.MaxLost))
	}
	if o.Bias.MaxLost == 0 {
		o.Bias.MaxLost = -1 // 0 is the default there
	}
	if o.Bias.Permutations < 1 {
		err = errors.Join(err, fmt.Errorf("--permutations must be positive, is %d", o.Bias.Permutations))
	}
	return err
}

// tokens sets how sentences are cut for a model, if one of the sets has sentences.
func (f *taskFlags) tokens(o *eval.Options, model string, set *vectors.Set, sets []eval.SetFile) error {
	if o.Sentences.Tokens = nil; f == nil || !slices.ContainsFunc(sets, func(s eval.SetFile) bool { return s.Set.Task() == eval.TaskSentences }) {
		return nil
	}
	options, err := train.TextOptions(set.Training())
	if err == nil {
		options, err = train.WithTokenizerFile(options, f.tokenizer)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", model, asFlags(err))
	}
	if bare := (corpus.Options{Lowercase: options.Lowercase}); options == bare {
		return nil // text without punctuation, or unknown: words are found within tokens
	}
	o.Sentences.Tokens = func(sentence string) ([]string, error) {
		tokens, _, err := options.Tokens(sentence)
		return tokens, err
	}
	return nil
}

// notes says what scores do not show. Of several models, whose begins with the name of each.
func notes(s streams, whose string, records []eval.Record) {
	for _, r := range records {
		for _, note := range r.Notes {
			s.note(whose + r.Set + ": " + note)
		}
	}
}
