package report

import (
	"fmt"
	"io"
	"strconv"

	"github.com/w2v-go/w2v/eval"
	"github.com/w2v-go/w2v/internal/wording"
)

// Runs are several models of one setting, which differ by their seeds or resamples, on the same
// sets.
type Runs struct {
	Models []string
	Facts  []Fact // what holds for all, in the order of the report
	Sets   []SetRuns
}

// A SetRuns has the scores of all models on a set.
type SetRuns struct {
	Set       string
	Task      eval.Task
	Metric    string
	Scores    []eval.Score // one a model, in the order of Runs.Models
	Mean      eval.Score
	Deviation eval.Score    // sample standard deviation of Scores
	Interval  eval.Interval // 95 % interval of the mean
}

var runsHeader = []string{"set", "task", "metric", "model", "score", "deviation", "low", "high", "runs"}

// CSV writes a row for each set, with the mean and no model, followed by a row for each model.
func (r Runs) CSV(w io.Writer) error {
	rows := [][]string{runsHeader}
	for _, s := range r.Sets {
		low, high := ends(s.Interval)
		runs := strconv.Itoa(len(s.Scores))
		rows = append(rows, []string{s.Set, string(s.Task), s.Metric, "", plain(float64(s.Mean)), plain(float64(s.Deviation)), low, high, runs})
		for i, score := range s.Scores {
			rows = append(rows, []string{s.Set, string(s.Task), s.Metric, r.Models[i], plain(float64(score)), "", "", "", runs})
		}
	}
	return writeCSV(w, rows)
}

func (r Runs) title() string { return "Scores of " + wording.Count(len(r.Models), "run", "runs") }

var meanColumns = []column{{"set", false}, {"task", false}, {"metric", false}, {"mean", true}, {"deviation", true}, {"95 % interval of the mean", true}}

func (r Runs) meanRows() [][]string {
	rows := make([][]string, len(r.Sets))
	for i, s := range r.Sets {
		rows[i] = []string{s.Set, string(s.Task), s.Metric, decimals(float64(s.Mean)), decimals(float64(s.Deviation)), span(s.Interval)}
	}
	return rows
}

// runTable has a row for each model and a column for each set.
func (r Runs) runTable() ([]column, [][]string) {
	columns := []column{{"model", false}}
	for _, s := range r.Sets {
		columns = append(columns, column{s.Set, true})
	}
	rows := make([][]string, len(r.Models))
	for i, model := range r.Models {
		rows[i] = []string{model}
		for _, s := range r.Sets {
			rows[i] = append(rows[i], decimals(float64(s.Scores[i])))
		}
	}
	return columns, rows
}

// Markdown writes a table of the means, one of all scores, and the facts.
func (r Runs) Markdown(w io.Writer) error {
	var m markdown
	m.heading(2, r.title())
	if len(r.Sets) == 0 {
		m.paragraph("There are no sets.")
	}
	m.table(meanColumns, r.meanRows())
	if len(r.Sets) > 0 {
		m.heading(3, "Runs")
		m.table(r.runTable())
	}
	if len(r.Facts) > 0 {
		m.heading(3, "Rules")
		m.facts(r.Facts)
	}
	return m.writeTo(w)
}

// HTML writes a page that draws the mean of each set with its interval, and each run as a point.
func (r Runs) HTML(w io.Writer) error {
	s := section{ID: "sets", Title: "All sets"}
	var metrics []string
	marks := map[string][]mark{}
	for _, set := range r.Sets {
		if marks[set.Metric] == nil {
			metrics = append(metrics, set.Metric)
		}
		m := mark{
			name: set.Set, score: float64(set.Mean), interval: set.Interval, value: decimals(float64(set.Mean)),
			note: fmt.Sprintf("standard deviation %s of %s", decimals(float64(set.Deviation)), wording.Count(len(set.Scores), "run", "runs")),
		}
		for _, score := range set.Scores {
			m.runs = append(m.runs, float64(score))
		}
		marks[set.Metric] = append(marks[set.Metric], m)
	}
	for _, metric := range metrics {
		s.Blocks = append(s.Blocks, drawn(metricTitle(metric)+": mean with its 95 % interval; each run is a hollow point", marks[metric], false))
	}
	s.Blocks = append(s.Blocks, newTable("Means", meanColumns, r.meanRows()))
	columns, rows := r.runTable()
	p := page{
		Title: r.title(), Lead: "Models of one setting, which differ by chance. Intervals are 95 % intervals of the mean over runs.",
		Sections: []section{s, {ID: "runs", Title: "Runs", Blocks: []block{newTable("Scores of each run", columns, rows)}}},
	}
	if len(r.Facts) > 0 {
		p.Sections = append(p.Sections, section{ID: "rules", Title: "Rules", Blocks: []block{{Facts: r.Facts}}})
	}
	return p.write(w)
}
