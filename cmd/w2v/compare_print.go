package main

import (
	"fmt"
	"io"

	"github.com/w2v-go/w2v/eval"
	"github.com/w2v-go/w2v/internal/wording"
)

// printComparisons prints a table for each two models, and says what differs.
func printComparisons(w io.Writer, all []eval.Comparison) error {
	for first := 0; first < len(all); {
		end := first
		for end < len(all) && all[end].A == all[first].A && all[end].B == all[first].B {
			end++
		}
		if first > 0 {
			fmt.Fprintln(w)
		}
		if err := printPair(w, all[first:end]); err != nil {
			return err
		}
		first = end
	}
	if len(all) == 0 {
		return nil
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
	over := "items that both can score"
	if all[0].OwnVocabulary {
		over = "the items that each can score"
	}
	_, err := fmt.Fprintf(w, "scores over %s; %s paired resamples; Holm's correction for %s; %s\n", over,
		wording.Thousands(all[0].Settings.Resamples), wording.Count(tested, "comparison", "comparisons"), words)
	return err
}

// printPair prints the comparisons of two models.
func printPair(w io.Writer, all []eval.Comparison) error {
	fmt.Fprintf(w, "a = %s\nb = %s\n", all[0].A, all[0].B)
	t := newTable(w)
	fmt.Fprintln(t, "set\tmetric\titems\tcompared\ta\tb\tb − a\t95 %\tp\tp (Holm)\tresult")
	higher, lower, alone, noise := 0, 0, 0, 0
	for _, c := range all {
		result := "noise"
		switch {
		case !c.PValue.Defined():
			result = "-"
		case c.Differs && c.Difference > 0:
			result = "b is higher"
			higher++
		case c.Differs:
			result = "b is lower"
			lower++
		case c.Interval.Excludes(0):
			result = "not significant after Holm"
			alone++
		default:
			noise++
		}
		fmt.Fprintf(t, "%s\t%s\t%d\t%d\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", c.Set, c.Metric, c.SetItems, c.Items,
			score(c.ScoreA), score(c.ScoreB), signed(c.Difference), signedInterval(c), pValue(c.PValue), pValue(c.HolmPValue), result)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	text := fmt.Sprintf("b is higher on %s and lower on %s; %s noise", wording.Count(higher, "set", "sets"), wording.Count(lower, "set", "sets"), wording.Count(noise, "set is", "sets are"))
	if alone > 0 {
		text += fmt.Sprintf("; %s an interval that excludes 0, and a difference that is not significant after Holm's correction", wording.Count(alone, "set has", "sets have"))
	}
	if untested := len(all) - higher - lower - alone - noise; untested > 0 {
		text += fmt.Sprintf("; %s no p-value", wording.Count(untested, "set has", "sets have"))
	}
	_, err := fmt.Fprintln(w, text)
	return err
}

func signed(s eval.Score) string {
	if !s.Defined() {
		return "-"
	}
	return fmt.Sprintf("%+.4f", float64(s))
}

func signedInterval(c eval.Comparison) string {
	if !c.PValue.Defined() {
		return "-"
	}
	return fmt.Sprintf("%+.3f…%+.3f", c.Interval.Low, c.Interval.High)
}

// pValue writes a p-value. Resamples cannot tell smaller ones apart.
func pValue(p eval.Score) string {
	switch {
	case !p.Defined():
		return "-"
	case p < 0.001:
		return "<0.001"
	}
	return fmt.Sprintf("%.3f", float64(p))
}
