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

func newEvalSimilarity(s streams) *cobra.Command {
	var options eval.SimilarityOptions
	var words spellingFlags
	var first beginning
	var asJSON bool
	c := &cobra.Command{
		Use:   "similarity [flags] MODEL SET...",
		Short: "Score a model on word pairs with human judgements",
		Long: `For each SET, print the Spearman and Pearson correlation of cosines with the set's
numbers. Each line of a set has two words and a number. Words outside the vocabulary
are composed from n-grams if the model has them. A pair with a word that has no
vector is counted as missing and not scored. The exit code is 1 if no pair of a set
could be scored.

` + foldHelp,
		Example: `  w2v eval similarity model.w2v wordsim353.tsv simlex999.tsv
  w2v eval similarity model.w2v wordsim353.tsv --fold-vocab --restrict 300000`,
		Args: usage(cobra.MinimumNArgs(2)),
		RunE: func(c *cobra.Command, args []string) error {
			spelling, err := words.spelling(c)
			if err := errors.Join(first.check(c), checkRestrict(options.Restrict), err); err != nil {
				return &usageError{c.CommandPath(), err}
			}
			options.Spelling = spelling
			sets, err := readSets(args[1:], eval.ReadPairs)
			if err != nil {
				return err
			}
			return first.withModel(args[0], s.err, func(set *vectors.Set) error {
				var results []eval.SimilarityResult
				var none unusable
				for _, pairs := range sets {
					r, err := eval.Similarity(set, pairs, options)
					if err != nil {
						return err
					}
					r.Set = eval.SetName(r.Set)
					results = append(results, r)
					none.add(r.Set, r.Pairs, r.Used, r.Spearman, "pairs")
				}
				print := printSimilarity
				if asJSON {
					print = func(w io.Writer, results []eval.SimilarityResult) error {
						return eachJSON(w, results, func(_ int, r eval.SimilarityResult) any { return r })
					}
				}
				return errors.Join(print(s.out, results), none.err())
			})
		},
	}
	addRestrict(c, &options.Restrict, "")
	first.add(c)
	words.add(c)
	addJSON(c, &asJSON)
	return c
}

func printSimilarity(w io.Writer, results []eval.SimilarityResult) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "set\tpairs\tused\tmissing\tcomposed\tspearman\t95 %\tpearson\tspearman in vocabulary")
	for _, r := range results {
		inVocabulary := score(r.Spearman)
		if r.InVocabulary != nil {
			inVocabulary = fmt.Sprintf("%s (%d pairs)", score(r.InVocabulary.Spearman), r.InVocabulary.Used)
		}
		fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%d\t%s\t%s\t%s\t%s\n", r.Set, r.Pairs, r.Used, r.OOV, r.Composed,
			score(r.Spearman), interval(r.CI95), score(r.Pearson), inVocabulary)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	among := ""
	if n := results[0].Restrict; n > 0 {
		among = fmt.Sprintf(", among the %s most frequent", thousands(uint64(n)))
	}
	_, err := fmt.Fprintln(w, caseNote(results[0].IgnoreCase, results[0].FoldVocab)+among)
	return err
}
