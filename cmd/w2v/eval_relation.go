package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/eval"
	"github.com/w2v-go/w2v/internal/wording"
)

func newEvalRelation(s streams) *cobra.Command {
	f := &evalCommand{task: eval.TaskRelation, print: printRelations}
	c := &cobra.Command{
		Use:   "relation [flags] MODEL SET|FOLDER...",
		Short: "Score a model on relations of word pairs, as in BATS",
		Long: `For each relation of each SET, print how many questions about its pairs the model
answers. A file has one relation; a line has a word, a tab, and its answers, with
slashes between several right ones. The files of a FOLDER are one set.

With 3cosadd, 3cosmul and pairdirection, each two pairs make two questions, "a is to b
as c is to ?". With 3cosavg and lrcos, each pair makes one: what is to its word as in
all other pairs. lrcos learns which words are answers by logistic regression; the
words that it takes as examples of other words depend on --seed and are in the JSON.
--answers writes the model's answer to every question.

` + foldHelp,
		Example: `  w2v eval relation model.w2v BATS/ --method 3cosavg
  w2v eval relation model.w2v capitals.txt --method lrcos --answers answers.tsv`,
		Args: modelAndSets,
		RunE: func(c *cobra.Command, args []string) error { return fileCalled(c, args, f.run(c, s, args)) },
	}
	f.answers.add(c, eval.RelationMethods())
	addRestrict(c, &f.options.Restrict, ", in pairs and as answers")
	c.Flags().Uint64Var(&f.options.Seed, "seed", 0, "seed of intervals and of the other words of lrcos")
	f.add(c)
	return c
}

func printRelations(w io.Writer, records []eval.Record) error {
	for _, r := range resultsOf[eval.RelationResult](records) {
		if err := printAnalogy(w, r.AnalogyResult); err != nil {
			return err
		}
		if _, err := fmt.Fprintf(w, "%s, of which %s a missing word\n", wording.Count(r.Pairs, "pair", "pairs"), wording.Count(r.Unpaired, "has", "have")); err != nil {
			return err
		}
	}
	return nil
}
