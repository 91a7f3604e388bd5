package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/eval"
	"github.com/w2v-go/w2v/eval/report"
)

// runsHelp is the part of a command's help about --runs.
const runsHelp = `With --runs, all arguments before the sets are models of one setting that differ by
their seeds: of each set, the mean of their scores, the standard deviation and the 95 %
interval of the mean by Student's distribution are printed. Files and folders after --sets
are sets; without it, they follow the models.`

// runsFlags ask for the scores of several models of one setting.
type runsFlags struct {
	all  bool
	sets pathsFlag
}

func (f *runsFlags) add(c *cobra.Command) {
	c.Flags().BoolVar(&f.all, "runs", false, "score several models of one setting that differ by their seeds: mean, deviation and interval")
	f.sets.add(c, "sets", "with --runs, evaluation sets and folders of them: all arguments that follow")
}

// check returns an error if sets are named in a way that only --runs needs.
func (f *runsFlags) check(c *cobra.Command) error {
	if c.Flags().Changed("sets") {
		return &usageError{c.CommandPath(), errors.New("--sets goes with --runs: without it, sets follow the one model")}
	}
	return nil
}

// runModels scores several models, and prints what their scores have in common.
func (f *evalCommand) runModels(c *cobra.Command, s streams, r *runsFlags, args []string) error {
	models, paths, err := r.sets.split(args)
	if f.showMissing || f.bands != nil || c.Flags().Changed("answers") {
		err = errors.Join(err, errors.New("--show-missing, --bands and --answers are about one model, and --runs is about several"))
	}
	measured, unread, err := f.measureAll(c, s, models, paths, err)
	if err != nil {
		return err
	}
	all, err := eval.Runs(measured)
	if err != nil {
		return err
	}
	asJSON := func(w io.Writer) error { return eachJSON(w, all, func(_ int, x eval.RunScores) any { return x }) }
	asTable := func(w io.Writer) error { return printRuns(w, all) }
	if err := f.report.write(s.out, report.NewRuns(measured, all), asJSON, asTable); err != nil {
		return err
	}
	return errors.Join(unscored(measured), unread)
}

// unscored is an error if nothing of a set could be scored by a model.
func unscored(measured []eval.Measured) error {
	var err error
	for _, m := range measured {
		var none unusable
		for _, r := range m.Records {
			none.add(r)
		}
		if e := none.err(); e != nil {
			err = errors.Join(err, fmt.Errorf("%s: %w", m.Name, e))
		}
	}
	return err
}

// printRuns prints a line for each set.
func printRuns(w io.Writer, all []eval.RunScores) error {
	t := newTable(w)
	fmt.Fprintln(t, "set\tmetric\truns\tmean\tdeviation\t95 % of the mean\tlowest\thighest")
	for _, r := range all {
		lowest, highest := eval.Score(r.Mean), eval.Score(r.Mean)
		for _, x := range r.Scores {
			if x.Defined() {
				lowest, highest = min(lowest, x), max(highest, x)
			}
		}
		fmt.Fprintf(t, "%s\t%s\t%d\t%s\t%s\t%s\t%s\t%s\n", r.Set, r.Metric, r.Runs, score(r.Mean), score(r.Deviation), interval(r.Interval), score(lowest), score(highest))
	}
	return t.Flush()
}
