package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/eval"
	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/vectors"
)

func newEvalAnalogy(s streams) *cobra.Command {
	f := &evalCommand{task: eval.TaskAnalogy, print: printAnalogies}
	c := &cobra.Command{
		Use:   "analogy [flags] MODEL SET...",
		Short: "Score a model on analogy questions",
		Long: `For each SET and its sections, print how many questions "a is to b as c is to d" the
model answers with d. Each line of a set has four words; sections begin with
": name". Several right answers are written d1/d2. Words outside the vocabulary are composed from n-grams if the model has
them. A question is counted as missing and not scored if a word has no vector or is
not among the --restrict most frequent words. The exit code is 1 if no question of a
set could be scored. --answers writes the model's answer to every question.

` + foldHelp,
		Example: `  w2v eval analogy model.w2v questions-words.txt --restrict 30000
  w2v eval analogy model.w2v questions-words.txt --fold-vocab --restrict 300000`,
		Args: modelAndSets,
		RunE: func(c *cobra.Command, args []string) error { return fileCalled(c, args, f.run(c, s, args)) },
	}
	f.answers.add(c, vectors.AnalogyMethods())
	addRestrict(c, &f.options.Restrict, ", in questions and as answers")
	f.add(c)
	return c
}

func printAnalogies(w io.Writer, records []eval.Record) error {
	for _, r := range resultsOf[eval.AnalogyResult](records) {
		if err := printAnalogy(w, r); err != nil {
			return err
		}
	}
	return nil
}

func printAnalogy(w io.Writer, r eval.AnalogyResult) error {
	t := newTable(w)
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
		among = fmt.Sprintf("the %s most frequent words", wording.Thousands(r.Restrict))
	}
	fmt.Fprintf(w, "%s among %s, 95 %% interval %s; %s left out; %s\n",
		r.Method, among, interval(r.CI95), wording.Count(r.OOV, "question", "questions"), caseNote(r.IgnoreCase, r.FoldVocab))
	if v := r.InVocabulary; v != nil && r.Composed > 0 {
		fmt.Fprintf(w, "without the %s with composed words: %d of %d, %s\n", wording.Count(r.Composed, "question", "questions"), v.Correct, v.Used, score(v.Accuracy))
	}
	return nil
}
