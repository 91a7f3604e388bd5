package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/eval"
	"github.com/w2v-go/w2v/internal/wording"
)

func newEvalSimilarity(s streams) *cobra.Command {
	f := &evalCommand{task: eval.TaskSimilarity, print: printSimilarity}
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
		Args: modelAndSets,
		RunE: func(c *cobra.Command, args []string) error { return fileCalled(c, args, f.run(c, s, args)) },
	}
	addRestrict(c, &f.options.Restrict, "")
	f.add(c)
	return c
}

func printSimilarity(w io.Writer, records []eval.Record) error {
	results := resultsOf[eval.SimilarityResult](records)
	t := newTable(w)
	fmt.Fprintln(t, "set\tpairs\tused\tmissing\tcomposed\tspearman\t95 %\tpearson\tspearman in vocabulary")
	for _, r := range results {
		inVocabulary := score(r.Spearman)
		if r.InVocabulary != nil {
			inVocabulary = fmt.Sprintf("%s (%s)", score(r.InVocabulary.Spearman), wording.Count(r.InVocabulary.Used, "pair", "pairs"))
		}
		fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%d\t%s\t%s\t%s\t%s\n", r.Set, r.Pairs, r.Used, r.OOV, r.Composed,
			score(r.Spearman), interval(r.CI95), score(r.Pearson), inVocabulary)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	among := ""
	if n := results[0].Restrict; n > 0 {
		among = fmt.Sprintf(", among the %s most frequent", wording.Thousands(n))
	}
	_, err := fmt.Fprintln(w, caseNote(results[0].IgnoreCase, results[0].FoldVocab)+among)
	return err
}
