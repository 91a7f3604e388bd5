package main

import (
	"errors"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/eval"
	"github.com/w2v-go/w2v/vectors"
)

func newEvalAnalogy(s streams) *cobra.Command {
	var options eval.AnalogyOptions
	var words spellingFlags
	var first beginning
	var asJSON bool
	c := &cobra.Command{
		Use:   "analogy [flags] MODEL SET...",
		Short: "Score a model on analogy questions",
		Long: `For each SET and its sections, print how many questions "a is to b as c is to d" the
model answers with d. Each line of a set has four words; sections begin with
": name". Words outside the vocabulary are composed from n-grams if the model has
them. A question is counted as missing and not scored if a word has no vector or is
not among the --restrict most frequent words. The exit code is 1 if no question of a
set could be scored.

` + foldHelp,
		Example: `  w2v eval analogy model.w2v questions-words.txt --restrict 30000
  w2v eval analogy model.w2v questions-words.txt --fold-vocab --restrict 300000`,
		Args: usage(cobra.MinimumNArgs(2)),
		RunE: func(c *cobra.Command, args []string) error {
			spelling, err := words.spelling(c)
			if err := errors.Join(first.check(c), checkRestrict(options.Restrict), err); err != nil {
				return &usageError{c.CommandPath(), err}
			}
			options.Spelling = spelling
			sets, err := readSets(args[1:], eval.ReadQuestions)
			if err != nil {
				return err
			}
			return first.withModel(args[0], s.err, func(set *vectors.Set) error {
				if set.Len() == 0 {
					return errNoAnswers(args[0])
				}
				var results []eval.AnalogyResult
				var none unusable
				for _, questions := range sets {
					r, err := eval.Analogy(c.Context(), set, questions, options)
					if err != nil {
						return err
					}
					r.Set = eval.SetName(r.Set)
					results = append(results, r)
					none.add(r.Set, r.Questions, r.Used, r.Accuracy, "questions")
				}
				print := printAnalogies
				if asJSON {
					print = func(w io.Writer, results []eval.AnalogyResult) error {
						return eachJSON(w, results, func(_ int, r eval.AnalogyResult) any { return r })
					}
				}
				return errors.Join(print(s.out, results), none.err())
			})
		},
	}
	addAnalogyMethod(c, &options.Method)
	addRestrict(c, &options.Restrict, ", in questions and as answers")
	first.add(c)
	words.add(c)
	addJSON(c, &asJSON)
	return c
}

func printAnalogies(w io.Writer, results []eval.AnalogyResult) error {
	for _, r := range results {
		t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
		fmt.Fprintln(t, "section\tquestions\tused\tcorrect\taccuracy")
		row := func(name string, tally eval.Tally) {
			fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%s\n", name, tally.Questions, tally.Used, tally.Correct, score(tally.Accuracy))
		}
		for _, section := range r.Sections {
			row(section.Name, section.Tally)
		}
		if r.Semantic != nil {
			row("semantic", *r.Semantic)
		}
		if r.Syntactic != nil {
			row("syntactic", *r.Syntactic)
		}
		row(r.Set, r.Tally)
		if err := t.Flush(); err != nil {
			return err
		}
		among := "all words"
		if r.Restrict > 0 {
			among = fmt.Sprintf("the %s most frequent words", thousands(uint64(r.Restrict)))
		}
		fmt.Fprintf(w, "%s among %s, 95 %% interval %s; %d questions left out; %s\n",
			r.Method, among, interval(r.CI95), r.OOV, caseNote(r.IgnoreCase, r.FoldVocab))
		if v := r.InVocabulary; v != nil && r.Composed > 0 {
			fmt.Fprintf(w, "without the %d questions with composed words: %d of %d, %s\n", r.Composed, v.Correct, v.Used, score(v.Accuracy))
		}
	}
	return nil
}
