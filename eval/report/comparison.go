package report

import (
	"fmt"
	"io"
	"strconv"

	"github.com/w2v-go/w2v/eval"
	"github.com/w2v-go/w2v/internal/wording"
)

// A Comparison is differences between models on the same items of the same sets.
type Comparison struct {
	Facts       []Fact // what holds for all differences, in the order of the report
	Differences []Difference
}

// A Difference is what two models differ by on a set. Scores are over the items that both could
// answer.
type Difference struct {
	Set            string
	Task           eval.Task
	Metric         string
	A, B           string // the models' names
	ScoreA, ScoreB eval.Score
	Difference     eval.Score    // ScoreB − ScoreA
	Interval       eval.Interval // of Difference alone, by drawing the same items for both models
	P              eval.Score    // p-value of "there is no difference"; NaN if there is none
	Holm           eval.Score    // P after Holm's correction for the number of differences
	Differs        bool          // what Holm's procedure says
	Items          int           // items that both models could answer
}

var differenceHeader = []string{
	"set", "task", "metric", "a", "b", "score_a", "score_b", "difference", "low", "high", "p_value", "p_holm", "differs", "items",
}

// CSV writes a row for each difference.
func (c Comparison) CSV(w io.Writer) error {
	rows := [][]string{differenceHeader}
	for _, d := range c.Differences {
		low, high := ends(d.Interval)
		rows = append(rows, []string{
			d.Set, string(d.Task), d.Metric, d.A, d.B, plain(float64(d.ScoreA)), plain(float64(d.ScoreB)), plain(float64(d.Difference)), low, high,
			plain(float64(d.P)), plain(float64(d.Holm)), strconv.FormatBool(d.Differs), strconv.Itoa(d.Items),
		})
	}
	return writeCSV(w, rows)
}

// A pairOfModels has the differences of two models.
type pairOfModels struct {
	a, b string // short names
	all  []Difference
}

// byModels returns the differences of each two models, in the order of their first mention.
func (c Comparison) byModels() []pairOfModels {
	var names []string
	for _, d := range c.Differences {
		names = append(names, d.A, d.B)
	}
	short := shortNames(names)
	var pairs []pairOfModels
	at := map[[2]string]int{}
	for _, d := range c.Differences {
		key := [2]string{d.A, d.B}
		i, ok := at[key]
		if !ok {
			i = len(pairs)
			at[key] = i
			pairs = append(pairs, pairOfModels{a: short[d.A], b: short[d.B]})
		}
		pairs[i].all = append(pairs[i].all, d)
	}
	return pairs
}

func (p pairOfModels) title() string { return p.b + " against " + p.a }

// verdict says in sentences what differs. A higher score is not a better one for every task.
func (p pairOfModels) verdict() string {
	higher, lower, alone, noise, untested := 0, 0, 0, 0, 0
	for _, d := range p.all {
		switch {
		case !d.Difference.Defined():
		case !d.P.Defined():
			untested++
		case d.Differs && d.Difference > 0:
			higher++
		case d.Differs:
			lower++
		case d.Interval.Excludes(0):
			alone++
		default:
			noise++
		}
	}
	text := fmt.Sprintf("Of %s, %s scores higher on %s and lower on %s. On %s the difference is noise.",
		wording.Count(len(p.all), "set", "sets"), p.b, wording.Thousands(higher), wording.Thousands(lower), wording.Thousands(noise))
	if alone > 0 {
		text += fmt.Sprintf(" On %s the interval excludes 0, and the difference is not significant after Holm’s correction.", wording.Thousands(alone))
	}
	if untested > 0 {
		text += fmt.Sprintf(" On %s the difference has no p-value.", wording.Thousands(untested))
	}
	if none := len(p.all) - higher - lower - alone - noise - untested; none > 0 {
		text += fmt.Sprintf(" On %s there is no score to compare.", wording.Thousands(none))
	}
	return text
}

func (p pairOfModels) columns() []column {
	return []column{
		{"set", false}, {"metric", false}, {"items", true}, {p.a, true}, {p.b, true}, {"difference", true}, {"95 % interval", true}, {"p", true}, {"p (Holm)", true}, {"result", false},
	}
}

func (p pairOfModels) rows() [][]string {
	rows := make([][]string, len(p.all))
	for i, d := range p.all {
		rows[i] = []string{
			d.Set, d.Metric, wording.Thousands(d.Items), decimals(float64(d.ScoreA)), decimals(float64(d.ScoreB)), signed(float64(d.Difference)), signedSpan(d.Interval),
			probability(float64(d.P)), probability(float64(d.Holm)), d.result(),
		}
	}
	return rows
}

func (d Difference) result() string {
	switch {
	case !d.Difference.Defined(), !d.P.Defined():
		return absent
	case d.Differs:
		return "differs"
	case d.Interval.Excludes(0):
		return "not significant after Holm"
	}
	return "noise"
}

func signedSpan(i eval.Interval) string {
	if !exists(i) {
		return absent
	}
	return signed(i.Low) + " … " + signed(i.High)
}

// Markdown writes a table for each two models, and the facts.
func (c Comparison) Markdown(w io.Writer) error {
	var m markdown
	m.heading(2, "Comparison of models")
	if len(c.Differences) == 0 {
		m.paragraph("There are no sets.")
	}
	for _, p := range c.byModels() {
		m.heading(3, p.title())
		m.paragraph(p.verdict())
		m.table(p.columns(), p.rows())
	}
	if len(c.Facts) > 0 {
		m.heading(3, "Rules")
		m.facts(c.Facts)
	}
	return m.writeTo(w)
}

// HTML writes a page with a forest plot for each two models: the differences with their intervals
// around zero.
func (c Comparison) HTML(w io.Writer) error {
	p := page{Title: "Comparison of models", Lead: "Differences with 95 % intervals of a paired bootstrap. A difference counts if its p-value is below 0.05 after Holm’s correction for the number of differences. An interval is of its row alone, and may exclude 0 where the difference is not significant after Holm."}
	for i, pair := range c.byModels() {
		s := section{ID: fmt.Sprintf("models-%d", i+1), Title: pair.title(), Blocks: []block{{Text: pair.verdict()}}}
		s.Blocks = append(s.Blocks, pair.forests()...)
		s.Blocks = append(s.Blocks, newTable("Scores and differences", pair.columns(), pair.rows()))
		p.Sections = append(p.Sections, s)
	}
	if len(c.Facts) > 0 {
		p.Sections = append(p.Sections, section{ID: "rules", Title: "Rules", Blocks: []block{{Facts: c.Facts}}})
	}
	return p.write(w)
}

// forests draws the differences of each metric on one axis.
func (p pairOfModels) forests() []block {
	var blocks []block
	var metrics []string
	marks := map[string][]mark{}
	for _, d := range p.all {
		if marks[d.Metric] == nil {
			metrics = append(metrics, d.Metric)
		}
		m := mark{
			name: d.Set, score: float64(d.Difference), interval: d.Interval, value: signed(float64(d.Difference)),
			note: "no p-value", class: "noise",
		}
		if d.P.Defined() {
			m.note = fmt.Sprintf("p after Holm %s, %s", probability(float64(d.Holm)), d.result())
		}
		if d.Differs {
			m.class = ""
		}
		marks[d.Metric] = append(marks[d.Metric], m)
	}
	for _, metric := range metrics {
		caption := fmt.Sprintf("%s: ← %s is higher · %s is higher →. Filled dots differ, hollow dots are noise, not significant after Holm, or have no p-value.", metricTitle(metric), p.a, p.b)
		blocks = append(blocks, drawn(caption, marks[metric], false, 0))
	}
	return blocks
}
