package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/eval"
	"github.com/w2v-go/w2v/internal/compression"
	"github.com/w2v-go/w2v/vectors"
)

func newEval(s streams) *cobra.Command {
	c := &cobra.Command{
		Use:   "eval",
		Short: "Score a model on similarity and analogy sets",
		Example: `  w2v eval similarity model.bin wordsim353.tsv
  w2v eval analogy model.bin questions-words.txt
  w2v eval similarity nested.w2v wordsim353.tsv --first 32`,
		Args: usage(cobra.NoArgs),
		RunE: func(c *cobra.Command, _ []string) error {
			return &usageError{c.CommandPath(), errors.New("say what to evaluate: similarity or analogy")}
		},
	}
	c.AddCommand(newSimilarity(s), newAnalogies(s))
	return c
}

// caseRule is what --ignore-case says: nothing, yes or no.
func caseRule(c *cobra.Command, ignore bool) eval.Case {
	switch {
	case !c.Flags().Changed("ignore-case"):
		return eval.CaseAuto
	case ignore:
		return eval.CaseIgnored
	}
	return eval.CaseKept
}

func addIgnoreCase(c *cobra.Command, to *bool) {
	c.Flags().BoolVar(to, "ignore-case", false, "look words up in lower case if they are not there as they are (default true if the vocabulary has no upper-case letters)")
}

// readSets reads all sets, so that a bad one is known before anything is scored.
func readSets[T any](paths []string, parse func(r io.Reader, name string) (T, error)) ([]T, error) {
	var sets []T
	for _, path := range paths {
		set, err := readFile(path, func(r io.Reader) (T, error) { return parse(r, path) })
		if _, ok := errors.AsType[*eval.ParseError](err); ok { // names the file
			return nil, err
		}
		if err != nil {
			return nil, named(path, err)
		}
		sets = append(sets, set)
	}
	return sets, nil
}

func newSimilarity(s streams) *cobra.Command {
	var first beginning
	var ignoreCase, asJSON bool
	c := &cobra.Command{
		Use:   "similarity [flags] MODEL SET...",
		Short: "Correlate cosines with human judgements of word pairs",
		Long: `Print for each SET the Spearman and Pearson correlation of cosines with the set's
numbers. A set is lines of two words and a number. Words that are not in the
vocabulary are composed from n-grams if the model has them; pairs with a word
that still has no vector are counted as missing and not scored.`,
		Example: `  w2v eval similarity model.bin wordsim353.tsv simlex999.tsv`,
		Args:    usage(cobra.MinimumNArgs(2)),
		RunE: func(c *cobra.Command, args []string) error {
			if err := first.check(c); err != nil {
				return &usageError{c.CommandPath(), err}
			}
			sets, err := readSets(args[1:], eval.ReadPairs)
			if err != nil {
				return err
			}
			return first.withModel(args[0], s.err, func(set *vectors.Set) error {
				var results []eval.SimilarityResult
				for _, pairs := range sets {
					r, err := eval.Similarity(set, pairs, eval.SimilarityOptions{Case: caseRule(c, ignoreCase)})
					if err != nil {
						return err
					}
					r.Set = setName(r.Set)
					results = append(results, r)
				}
				if asJSON {
					return eachJSON(s.out, results, func(_ int, r eval.SimilarityResult) any { return r })
				}
				return printSimilarity(s.out, results)
			})
		},
	}
	first.add(c)
	addIgnoreCase(c, &ignoreCase)
	addJSON(c, &asJSON)
	return c
}

func newAnalogies(s streams) *cobra.Command {
	var options eval.AnalogyOptions
	var first beginning
	var ignoreCase, asJSON bool
	c := &cobra.Command{
		Use:   "analogy [flags] MODEL SET...",
		Short: "Count the analogies that a model answers",
		Long: `Print for each SET and its sections how many questions "a is to b as c is to d" are
answered with d. A set is lines of four words, in sections that begin with
": name". Questions with a word that is missing, or not among the --restrict most
frequent words, are counted and not scored. Words that are not in the vocabulary
are composed from n-grams if the model has them.`,
		Example: `  w2v eval analogy model.bin questions-words.txt --restrict 30000`,
		Args:    usage(cobra.MinimumNArgs(2)),
		RunE: func(c *cobra.Command, args []string) error {
			if err := first.check(c); err != nil {
				return &usageError{c.CommandPath(), err}
			}
			if options.Restrict < 0 {
				return &usageError{c.CommandPath(), fmt.Errorf("--restrict must not be negative, is %d", options.Restrict)}
			}
			options.Case = caseRule(c, ignoreCase)
			sets, err := readSets(args[1:], eval.ReadQuestions)
			if err != nil {
				return err
			}
			return first.withModel(args[0], s.err, func(set *vectors.Set) error {
				var results []eval.AnalogyResult
				for _, questions := range sets {
					r, err := eval.Analogy(c.Context(), set, questions, options)
					if err != nil {
						return err
					}
					r.Set = setName(r.Set)
					results = append(results, r)
				}
				if asJSON {
					return eachJSON(s.out, results, func(_ int, r eval.AnalogyResult) any { return r })
				}
				return printAnalogies(s.out, results)
			})
		},
	}
	addAnalogyMethod(c, &options.Method)
	c.Flags().IntVar(&options.Restrict, "restrict", 0, "only the `N` most frequent words count, in questions and as answers; 0 for all")
	first.add(c)
	addIgnoreCase(c, &ignoreCase)
	addJSON(c, &asJSON)
	return c
}

// setName is the name of a set for reports: its file's, without folder and
// extension.
func setName(path string) string {
	name, _ := compression.SplitExt(filepath.Base(path))
	return strings.TrimSuffix(name, filepath.Ext(name))
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

func caseNote(ignored bool) string {
	if ignored {
		return "words looked up as they are, then in lower case"
	}
	return "words looked up as they are"
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
	_, err := fmt.Fprintln(w, caseNote(results[0].IgnoreCase))
	return err
}

func interval(i eval.Interval) string {
	if i == (eval.Interval{}) {
		return "-"
	}
	return fmt.Sprintf("%.3f…%.3f", i[0], i[1])
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
			r.Method, among, interval(r.CI95), r.OOV, caseNote(r.IgnoreCase))
		if v := r.InVocabulary; v != nil && r.Composed > 0 {
			fmt.Fprintf(w, "without the %d questions with composed words: %d of %d, %s\n", r.Composed, v.Correct, v.Used, score(v.Accuracy))
		}
	}
	return nil
}
