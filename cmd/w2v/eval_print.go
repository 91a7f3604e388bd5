package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/w2v-go/w2v/eval"
	"github.com/w2v-go/w2v/eval/report"
)

// printLines prints a line of JSON for each record, which is the same for all commands: the fields of
// its result stand beside the others, too.
func (f *evalCommand) printLines(w io.Writer, records []eval.Record) error {
	for _, r := range records {
		line, err := joinedJSON(r.Result, r)
		if err != nil {
			return err
		}
		if err := printJSON(w, line); err != nil {
			return err
		}
	}
	return nil
}

// printTable prints the records for people.
func (f *evalCommand) printTable(w io.Writer, records []eval.Record) error {
	print := f.print
	if print == nil {
		print = printRecords
	}
	err := print(w, records)
	if f.tasks != nil {
		err = errors.Join(err, printDetails(w, records))
	}
	if f.bands != nil {
		err = errors.Join(err, printBands(w, records))
	}
	if f.showMissing {
		err = errors.Join(err, printMissing(w, records))
	}
	return err
}

// printRecords prints a line for each set, and the rules of all.
func printRecords(w io.Writer, records []eval.Record) error {
	t := newTable(w)
	fmt.Fprintln(t, "set\ttask\titems\tused\tcomposed\tmetric\tscore\t95 %\tin vocabulary\tmissing as zero")
	for _, r := range records {
		zero := "-"
		if r.Conventions.Zero != nil {
			zero = score(r.Conventions.Zero.Score)
		}
		fmt.Fprintf(t, "%s\t%s\t%d\t%d\t%d\t%s\t%s\t%s\t%s\t%s\n", r.Set, r.Task, r.Items, r.Used, r.Composed,
			r.Metric, score(r.Score), interval(r.Interval), score(r.Conventions.InVocabulary.Score), zero)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(w)
	for _, rule := range report.Rules(records) {
		fmt.Fprintf(t, "%s\t%s\n", rule.Name, rule.Value)
	}
	return t.Flush()
}

// printBands prints the scores by the rarest word of items, and by how words were found.
func printBands(w io.Writer, records []eval.Record) error {
	fmt.Fprintln(w)
	t := newTable(w)
	fmt.Fprintln(t, "set\trank of the rarest word\titems\tscore")
	for _, r := range records {
		for _, b := range append(slices.Clone(r.Bands), r.ByWords...) {
			fmt.Fprintf(t, "%s\t%s\t%d\t%s\n", r.Set, b.Name, b.Items, score(b.Score))
		}
	}
	return t.Flush()
}

// printMissing prints the words without vectors, set by set.
func printMissing(w io.Writer, records []eval.Record) error {
	for _, r := range records {
		if len(r.Missing) == 0 {
			continue
		}
		if _, err := fmt.Fprintf(w, "missing in %s: %s\n", r.Set, strings.Join(r.Missing, ", ")); err != nil {
			return err
		}
	}
	return nil
}
