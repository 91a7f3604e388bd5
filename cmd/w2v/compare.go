package main

import (
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/eval"
	"github.com/w2v-go/w2v/eval/report"
	"github.com/w2v-go/w2v/internal/wording"
)

type compareCommand struct {
	evalCommand
	how  eval.CompareOptions
	sets pathsFlag
}

func newCompare(s streams) *cobra.Command {
	f := &compareCommand{evalCommand: evalCommand{tasks: &taskFlags{}}}
	c := &cobra.Command{
		Use:   "compare [flags] MODEL MODEL... --sets FILE|FOLDER...",
		Short: "Say by how much models differ, and what of it is noise",
		Long: `Score the models on the same sets, and print the differences: the score of each later
model less that of the first one, or of each pair with --all-pairs. All files and folders
after --sets are sets of any task; without --sets, sets follow the models.

A paired bootstrap draws the same items for both models, 10,000 times. It gives a 95 %
interval and a p-value. Items that share words are not independent, which widens the
interval. A difference counts if the p-value is below 0.05 after Holm's correction for
the number of comparisons. An interval is of its row alone: if it excludes 0 and the
corrected p-value is not below 0.05, the difference is not significant after Holm. The
rest is noise. Models of one setting that differ by their seeds should give noise.

Scores are over the items that both models can score. With --own-vocabulary, each model
is scored on all items that it can score. The exit code is 1 if models could not be
compared on a set.

` + foldHelp + "\n\n" + postHelp + "\n\n" + reportHelp,
		Example: `  w2v compare base.w2v larger.w2v --sets wordsim353.tsv questions-words.txt
  w2v compare base.w2v a.w2v b.w2v --sets sets/ --json
  w2v compare base.w2v larger.w2v --sets sets/ --html differences.html`,
		Args: usage(cobra.MinimumNArgs(1)),
		RunE: func(c *cobra.Command, args []string) error { return f.run(c, s, args) },
	}
	flags := c.Flags()
	f.sets.add(c, "sets", "evaluation sets, and folders of them: all arguments that follow")
	flags.BoolVar(&f.how.OwnVocabulary, "own-vocabulary", false, "score each model on all items that it can score, not only on those of both")
	flags.BoolVar(&f.how.AllPairs, "all-pairs", false, "compare each two models, not all with the first")
	flags.IntVar(&f.how.Resamples, "resamples", eval.DefaultResamples, "draw the items this many times")
	limit(flags, 1, math.Inf(1), "resamples")
	flags.Uint64Var(&f.how.Seed, "seed", 0, "seed of the draws")
	f.post.add(c)
	f.words.add(c)
	f.report.add(c)
	addTask(c, &f.task)
	f.tasks.add(c, &f.options)
	f.answers.addMethod(c, eval.RelationMethods())
	addRestrict(c, &f.options.Restrict, ", in sets and as answers")
	return c
}

func (f *compareCommand) run(c *cobra.Command, s streams, args []string) error {
	models, paths, err := f.sets.split(args)
	f.evalCommand.options.Seed = f.how.Seed
	if err == nil && len(models) < 2 {
		err = errors.New("name two models or more before the sets")
	}
	measured, unread, err := f.measureAll(c, s, models, paths, err)
	if err != nil {
		return err
	}
	all, err := eval.Compare(measured, f.how)
	if err != nil {
		return err
	}
	if err := writeReport(&f.report, s.out, report.NewComparison(measured, all), all, func(w io.Writer) { printComparisons(w, all) }); err != nil {
		return err
	}
	for _, c := range all {
		if !c.Difference.Defined() {
			err = errors.Join(err, fmt.Errorf("%s: no scores of %s and %s to compare: they can both score %d of its %s items",
				c.Set, c.A, c.B, c.Items, wording.Thousands(c.SetItems)))
		}
	}
	return errors.Join(err, unread)
}

// measureAll scores models on the same sets, one model at a time. wrong is the error of the command so far.
func (f *evalCommand) measureAll(c *cobra.Command, s streams, models, paths []string, wrong error) (all []eval.Measured, unread, err error) {
	if err := f.prepare(c, wrong); err != nil {
		return nil, nil, err
	}
	f.options.Resamples = -1 // the scores' own intervals are not needed
	sets, unread, err := readSets(s, paths, f.task)
	if err != nil {
		return nil, nil, err
	}
	for _, model := range models {
		m := eval.Measured{Name: model}
		if m.Records, err = f.measure(c, s, model, sets); err != nil {
			return nil, nil, err
		}
		notes(s, model+": ", m.Records)
		all = append(all, m)
	}
	return all, unread, nil
}

func printComparisons(w io.Writer, all []eval.Comparison) {
	for first := 0; first < len(all); {
		end := first
		for end < len(all) && all[end].A == all[first].A && all[end].B == all[first].B {
			end++
		}
		if first > 0 {
			fmt.Fprintln(w)
		}
		printPair(w, all[first:end])
		first = end
	}
	if len(all) == 0 {
		return
	}
	tested, words := 0, caseNote(all[0].Settings.IgnoreCase, all[0].Settings.FoldVocab)
	for _, c := range all {
		if c.SettingsB != nil && c.SettingsB.IgnoreCase != c.Settings.IgnoreCase {
			words = "words looked up by the case rule of each model"
		}
		if c.PValue.Defined() {
			tested++
		}
	}
	over := either(all[0].OwnVocabulary, "the items that each can score", "items that both can score")
	fmt.Fprintf(w, "scores over %s; %s paired resamples; Holm's correction for %s; %s\n", over,
		wording.Thousands(all[0].Settings.Resamples), wording.Count(tested, "comparison", "comparisons"), words)
}

func printPair(w io.Writer, all []eval.Comparison) {
	fmt.Fprintf(w, "a = %s\nb = %s\n", all[0].A, all[0].B)
	t := newTable(w)
	fmt.Fprintln(t, "set\tmetric\titems\tcompared\ta\tb\tb − a\t95 %\tp\tp (Holm)\tresult")
	const higher, lower, alone, noise, untested = "b is higher", "b is lower", "not significant after Holm", "noise", "-"
	n := map[string]int{}
	for _, c := range all {
		result, interval := noise, fmt.Sprintf("%+.3f…%+.3f", c.Interval.Low, c.Interval.High)
		switch {
		case !c.PValue.Defined():
			result, interval = untested, "-"
		case c.Differs && c.Difference > 0:
			result = higher
		case c.Differs:
			result = lower
		case c.Interval.Excludes(0):
			result = alone
		}
		n[result]++
		fmt.Fprintf(t, "%s\t%s\t%d\t%d\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", c.Set, c.Metric, c.SetItems, c.Items,
			score(c.ScoreA), score(c.ScoreB), signed(c.Difference), interval, pValue(c.PValue), pValue(c.HolmPValue), result)
	}
	t.Flush()
	fmt.Fprintf(w, "b is higher on %s and lower on %s; %s noise", wording.Count(n[higher], "set", "sets"), wording.Count(n[lower], "set", "sets"), wording.Count(n[noise], "set is", "sets are"))
	if n[alone] > 0 {
		fmt.Fprintf(w, "; %s an interval that excludes 0, and a difference that is not significant after Holm's correction", wording.Count(n[alone], "set has", "sets have"))
	}
	if n[untested] > 0 {
		fmt.Fprintf(w, "; %s no p-value", wording.Count(n[untested], "set has", "sets have"))
	}
	fmt.Fprintln(w)
}

func signed(s eval.Score) string { return either(s.Defined(), fmt.Sprintf("%+.4f", float64(s)), "-") }

// pValue formats a p-value. Resampling cannot resolve smaller values.
func pValue(p eval.Score) string {
	switch {
	case !p.Defined():
		return "-"
	case p < 0.001:
		return "<0.001"
	}
	return fmt.Sprintf("%.3f", float64(p))
}
