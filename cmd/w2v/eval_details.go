package main

import (
	"fmt"
	"io"

	"github.com/w2v-go/w2v/eval"
)

// printDetails prints the further scores of results of one task after the other.
func printDetails(w io.Writer, records []eval.Record) error {
	t := newTable(w)
	for _, table := range []struct {
		task   eval.Task
		header string
		rows   func(t io.Writer, r eval.Record)
	}{
		{eval.TaskCategorization, "categories\twords\tclusters\tpurity\tV-measure\t95 %\thomogeneity\tcompleteness", categoryRow},
		{eval.TaskOutliers, "outliers\ttests\tdetected\tOPP\t95 %", outlierRows},
		{eval.TaskBias, "WEAT test\teffect size\t95 %\tp\tRND of A\tRND of B\twords of X, Y, A, B", biasRows},
		{eval.TaskSentences, "sentences\tpairs\tmean: Spearman\t95 %\tPearson\tSIF: Spearman\t95 %\tPearson", sentenceRow},
	} {
		first := true
		for _, r := range records {
			if r.Task != table.task {
				continue
			}
			if first {
				fmt.Fprintf(t, "\n%s\n", table.header)
				first = false
			}
			table.rows(t, r)
		}
		if err := t.Flush(); err != nil {
			return err
		}
	}
	return nil
}

func categoryRow(t io.Writer, record eval.Record) {
	if r, ok := record.Result.(eval.CategoryResult); ok {
		fmt.Fprintf(t, "%s\t%d\t%d\t%s\t%s\t%s\t%s\t%s\n", r.Set, r.Used, r.Categories, score(r.Purity), score(r.VMeasure), interval(r.VMeasureCI95), score(r.Homogeneity), score(r.Completeness))
	}
}

// mostClusters is the largest number of clusters of a set that are printed one by one.
const mostClusters = 20

func outlierRows(t io.Writer, record eval.Record) {
	r, ok := record.Result.(eval.OutlierResult)
	if !ok {
		return
	}
	detected := 0
	for _, c := range r.Clusters {
		detected += c.Detected
		if len(r.Clusters) <= mostClusters {
			fmt.Fprintf(t, "%s\t%d\t%d\t%s\t-\n", c.Name, c.Used, c.Detected, score(c.OPP))
		}
	}
	fmt.Fprintf(t, "%s\t%d\t%d\t%s\t%s\n", r.Set, r.Used, detected, score(r.OPP), interval(r.OPPCI95))
}

func biasRows(t io.Writer, record eval.Record) {
	r, ok := record.Result.(eval.BiasResult)
	if !ok {
		return
	}
	rnd := func(l eval.BiasList) string {
		if l.RND == nil {
			return "-"
		}
		return score(l.RND.Mean)
	}
	for _, b := range r.Tests {
		effect := score(b.EffectSize)
		if b.Refused != "" {
			effect = "refused"
		}
		p := score(b.P)
		if b.EffectSize.Defined() && b.P == 0 {
			p = fmt.Sprintf("< %.2g", float64(b.PWithTies))
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\t", b.Name, effect, interval(b.CI95), p, rnd(b.A), rnd(b.B))
		for i, l := range []eval.BiasList{b.X, b.Y, b.A, b.B} {
			if i > 0 {
				fmt.Fprint(t, ", ")
			}
			fmt.Fprintf(t, "%d/%d", l.Used, l.Words)
		}
		fmt.Fprintln(t)
	}
}

func sentenceRow(t io.Writer, record eval.Record) {
	if r, ok := record.Result.(eval.SentenceResult); ok {
		fmt.Fprintf(t, "%s\t%d\t%s\t%s\t%s\t%s\t%s\t%s\n", r.Set, r.Used,
			score(r.Mean.Spearman), interval(r.Mean.SpearmanCI95), score(r.Mean.Pearson), score(r.SIF.Spearman), interval(r.SIF.SpearmanCI95), score(r.SIF.Pearson))
	}
}
