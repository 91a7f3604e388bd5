package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/eval"
)

func newEval(s streams) *cobra.Command {
	f := &evalCommand{tasks: &taskFlags{}}
	runs := &runsFlags{}
	c := &cobra.Command{
		Use:   "eval [flags] MODEL SET|FOLDER...",
		Short: "Score a model on evaluation sets of any task",
		Long: `Score MODEL on each SET, whose task is recognised by its content: word similarity,
analogies, relations of pairs (BATS), categories, outliers, word lists of WEAT, and sentence similarity. Of a
FOLDER, all sets below it are used; other files are named and skipped. Files may be
compressed; - is standard input.

Each score has the number of items that were used, and of words without vectors, by
name with --show-missing. With --json, a line for each set records the score, the
conventions about missing words side by side, all settings, and the checksums of the
set and of the model. docs/evaluation.md defines every score.

The exit code is 1 if a set could not be read, or if nothing of a set could be scored.
A model in a file called like one of the commands below is ./NAME.

` + runsHelp + "\n\n" + taskHelp + "\n\n" + foldHelp + "\n\n" + postHelp + "\n\n" + reportHelp,
		Example: `  w2v eval model.w2v wordsim353.tsv questions-words.txt
  w2v eval --runs seed1.w2v seed2.w2v seed3.w2v --sets sets/
  w2v eval model.w2v sets/ --json > record.jsonl
  w2v eval model.w2v sets/ --restrict 300000 --fold-vocab
  w2v eval similarity nested.w2v wordsim353.tsv --first 32`,
		Args: func(c *cobra.Command, args []string) error {
			least := 2
			if runs.sets.from >= 0 {
				least = 1 // the set is with the flag
			}
			return usage(cobra.MinimumNArgs(least))(c, args)
		},
		RunE: func(c *cobra.Command, args []string) error {
			if runs.all {
				return f.runModels(c, s, runs, args)
			}
			if err := runs.check(c); err != nil {
				return err
			}
			return f.run(c, s, args)
		},
	}
	f.add(c)
	f.addOptions(c)
	runs.add(c)
	addEnum(c.Flags(), &f.task, "task", "the task of all sets, instead of recognising it", choicesOf(eval.Tasks(), nil))
	c.AddCommand(newEvalSimilarity(s), newEvalAnalogy(s), newEvalRelation(s), newEvalBuiltin(s))
	return c
}

// spellingFlags say how the words of sets are looked up.
type spellingFlags struct {
	letters caseFlag
	fold    bool
}

// foldHelp is the part of a command's help about --fold-vocab.
const foldHelp = `--fold-vocab treats words with the same upper-case form as one word; the first of
them in the vocabulary gives the vector. This is gensim's default.`

func (f *spellingFlags) add(c *cobra.Command) {
	f.letters.add(c)
	c.Flags().BoolVar(&f.fold, "fold-vocab", false, "treat words with the same upper-case form as one word, in sets and in the vocabulary, where the first one counts: gensim's case_insensitive=True")
}

// spelling returns what the flags say.
func (f *spellingFlags) spelling(c *cobra.Command) (eval.Spelling, error) {
	if f.fold && c.Flags().Changed("ignore-case") {
		return eval.Spelling{}, errors.New("--fold-vocab and --ignore-case exclude each other: the one is about the vocabulary, the other about the words of the set")
	}
	return eval.Spelling{Case: f.letters.rule(c), FoldVocab: f.fold}, nil
}

// addRestrict adds the flag --restrict.
func addRestrict(c *cobra.Command, to *int, what string) {
	c.Flags().IntVar(to, "restrict", 0, "use only the `N` most frequent words"+what+"; 0 uses all")
}

func checkRestrict(n int) error {
	if n < 0 {
		return fmt.Errorf("--restrict must not be negative, is %d", n)
	}
	return nil
}

// eachJSON prints a line of JSON for each item.
func eachJSON[T any](w io.Writer, items []T, value func(i int, item T) any) error {
	for i, item := range items {
		if err := printJSON(w, value(i, item)); err != nil {
			return err
		}
	}
	return nil
}

// score writes a score for people: 0.1234, or - if there is none.
func score(s eval.Score) string {
	if !s.Defined() {
		return "-"
	}
	return fmt.Sprintf("%.4f", float64(s))
}

func caseNote(ignored, folded bool) string {
	switch {
	case folded:
		return "words and vocabulary in upper case"
	case ignored:
		return "words looked up as they are, then in lower case"
	}
	return "words looked up as they are"
}

func interval(i eval.Interval) string {
	if !i.Known {
		return "-"
	}
	return fmt.Sprintf("%.3f…%.3f", i.Low, i.High)
}
