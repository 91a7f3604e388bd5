package report

import (
	"fmt"
	"io"

	"github.com/w2v-go/w2v/eval"
	"github.com/w2v-go/w2v/internal/wording"
)

// HTML writes a page: all sets with their intervals, then a section for each set with its parts,
// its pairs and its missing words, then the rules.
func (e Evaluation) HTML(w io.Writer) error {
	p := page{Title: e.title(), Lead: e.lead(), Sections: []section{e.overview()}}
	for i, entry := range e.Entries {
		p.Sections = append(p.Sections, entry.section(setID(i)))
	}
	if facts := e.Facts; len(facts) > 0 {
		p.Sections = append(p.Sections, section{ID: "rules", Title: "Rules", Blocks: []block{{Facts: facts}}})
	}
	return p.write(w)
}

func setID(i int) string { return fmt.Sprintf("set-%d", i+1) }

func (e Evaluation) lead() string {
	return fmt.Sprintf("%s. Intervals are 95 %% bootstrap intervals.", wording.Count(len(e.Entries), "set", "sets"))
}

// overview draws the sets of each metric on one axis, and has a table of all.
func (e Evaluation) overview() section {
	s := section{ID: "sets", Title: "All sets"}
	var metrics []string
	marks := map[string][]mark{}
	t := &table{Caption: "Scores", Columns: summaryColumns}
	for i, entry := range e.Entries {
		sum := entry.Summary
		if marks[sum.Metric] == nil {
			metrics = append(metrics, sum.Metric)
		}
		marks[sum.Metric] = append(marks[sum.Metric], mark{
			name: sum.Set, link: setID(i), score: float64(sum.Score), interval: sum.Interval, value: decimals(float64(sum.Score)), note: used(sum.Used, sum.Items),
		})
		t.Rows = append(t.Rows, row{Link: setID(i), Cells: summaryCells(sum)})
	}
	for _, metric := range metrics {
		s.Blocks = append(s.Blocks, drawn(metricTitle(metric)+" with 95 % interval", marks[metric], false, bounds(metric)...))
	}
	s.Blocks = append(s.Blocks, block{Table: t})
	return s
}

func used(used, items int) string {
	return fmt.Sprintf("%s of %s used", wording.Thousands(used), wording.Thousands(items))
}

// metricTitle returns the name of a metric as a heading has it.
func metricTitle(metric string) string {
	switch metric {
	case "spearman":
		return "Spearman’s correlation"
	case "pearson":
		return "Pearson’s correlation"
	case "accuracy":
		return "Accuracy"
	case "purity":
		return "Purity"
	case "v_measure":
		return "V-measure"
	case "homogeneity":
		return "Homogeneity"
	case "completeness":
		return "Completeness"
	case "opp":
		return "Outlier position percentage"
	case "effect_size":
		return "Effect size"
	}
	return metric
}

func (e Entry) section(id string) section {
	sum := e.Summary
	s := section{ID: id, Title: sum.Set, Note: string(sum.Task)}
	s.Blocks = append(s.Blocks, block{Text: fmt.Sprintf("%s: %s, 95 %% interval %s; %s, %s with composed words.",
		metricTitle(sum.Metric), decimals(float64(sum.Score)), span(sum.Interval), used(sum.Used, sum.Items), wording.Thousands(sum.Composed))})
	for _, note := range e.Notes {
		s.Blocks = append(s.Blocks, block{Text: note})
	}
	same, further := partsOf(sum)
	s.Blocks = append(s.Blocks,
		newTable("By each convention about missing words", scoredColumns, scoredRows(e.Scores)),
		partsChart(sum, same), newTable("Parts", partColumns, partRows(same)), furtherChart(further), newTable("Further scores", partColumns, partRows(further)))
	s.Blocks = append(s.Blocks, judgementBlocks(e.Judgements)...)
	s.Blocks = append(s.Blocks, bandsChart(sum.Metric, e.Bands), newTable("By frequency", bandColumns, bandRows(e.Bands)), newTable("By vocabulary", wordsColumns, bandRows(e.ByWords)))
	for _, d := range e.Details {
		s.Blocks = append(s.Blocks, d.block())
	}
	if n := len(sum.Missing); n > 0 {
		s.Blocks = append(s.Blocks, block{Words: &words{wording.Count(n, "word without a vector", "words without vectors"), sum.Missing}})
	}
	s.Blocks = append(s.Blocks, block{Facts: e.facts()})
	return s
}

// partsOf returns the sections of a set, which have its metric, and further scores, which have no
// common axis with it.
func partsOf(s eval.Summary) (same, further []eval.Part) {
	for _, p := range s.Parts {
		if p.Metric == s.Metric {
			same = append(same, p)
		} else {
			further = append(further, p)
		}
	}
	return same, further
}

func partsChart(s eval.Summary, parts []eval.Part) block {
	var marks []mark
	for _, p := range parts {
		marks = append(marks, mark{name: p.Name, score: float64(p.Score), interval: p.Interval, value: decimals(float64(p.Score)), note: used(p.Used, p.Items)})
	}
	return drawn(metricTitle(s.Metric)+" by part, with 95 % interval", marks, true, bounds(s.Metric)...)
}

// furtherChart draws further scores if there are several, all from 0 to 1.
func furtherChart(parts []eval.Part) block {
	var marks []mark
	for _, p := range parts {
		if len(bounds(p.Metric)) < 2 {
			return block{}
		}
		marks = append(marks, mark{name: p.Name, score: float64(p.Score), interval: p.Interval, value: decimals(float64(p.Score)), note: used(p.Used, p.Items)})
	}
	if len(marks) < 2 {
		return block{}
	}
	return drawn("Further scores with 95 % interval", marks, false, 0, 1)
}

// bandsChart draws the bands in which there is a score, if there are several.
func bandsChart(metric string, bands []eval.Band) block {
	var marks []mark
	for _, b := range bands {
		if b.Score.Defined() {
			marks = append(marks, mark{name: b.Name + ", " + wording.Count(b.Items, "item", "items"), score: float64(b.Score), value: decimals(float64(b.Score))})
		}
	}
	if len(marks) < 2 {
		return block{}
	}
	return drawn(metricTitle(metric)+" by the rank of an item’s rarest word", marks, true, bounds(metric)...)
}
