package report

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/w2v-go/w2v/eval"
	"github.com/w2v-go/w2v/internal/wording"
)

// A Comparison is differences between models on the same items of the same sets.
type Comparison struct {
	facts       []Fact // what holds for all differences, in the order of the report
	differences []eval.Comparison
}

var differenceHeader = []string{
	"set", "task", "metric", "a", "b", "score_a", "score_b", "difference", "low", "high", "p_value", "p_holm", "differs", "items",
}

// CSV writes a row for each difference.
func (c Comparison) CSV(w io.Writer) error {
	rows := [][]string{differenceHeader}
	for _, d := range c.differences {
		low, high := ends(d.Interval)
		rows = append(rows, []string{
			d.Set, string(d.Task), d.Metric, d.A, d.B, plain(float64(d.ScoreA)), plain(float64(d.ScoreB)), plain(float64(d.Difference)), low, high,
			plain(float64(d.PValue)), plain(float64(d.HolmPValue)), strconv.FormatBool(d.Differs), strconv.Itoa(d.Items),
		})
	}
	return writeCSV(w, rows)
}

type pairOfModels struct {
	a, b string // short names
	all  []eval.Comparison
}

func (c Comparison) byModels() []pairOfModels {
	var names []string
	for _, d := range c.differences {
		names = append(names, d.A, d.B)
	}
	short := shortNames(names)
	var pairs []pairOfModels
	at := map[[2]string]int{}
	for _, d := range c.differences {
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

func (p pairOfModels) verdict() string {
	higher, lower, alone, noise, untested := 0, 0, 0, 0, 0
	for _, d := range p.all {
		switch {
		case !d.Difference.Defined():
		case !d.PValue.Defined():
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

func (p pairOfModels) table() table {
	columns := []column{
		{"set", false}, {"metric", false}, {"items", true}, {p.a, true}, {p.b, true}, {"difference", true}, {"95 % interval", true}, {"p", true}, {"p (Holm)", true}, {"result", false},
	}
	return tableOf(p.all, columns, func(d eval.Comparison) []string {
		return []string{
			d.Set, d.Metric, wording.Thousands(d.Items), decimals(float64(d.ScoreA)), decimals(float64(d.ScoreB)), signed(float64(d.Difference)), spanOf(d.Interval, signed),
			probability(float64(d.PValue)), probability(float64(d.HolmPValue)), verdictOf(d),
		}
	})
}

func verdictOf(d eval.Comparison) string {
	switch {
	case !d.Difference.Defined(), !d.PValue.Defined():
		return absent
	case d.Differs:
		return "differs"
	case d.Interval.Excludes(0):
		return "not significant after Holm"
	}
	return "noise"
}

// Markdown writes a table for each two models, and the facts.
func (c Comparison) Markdown(w io.Writer) error {
	var m markdown
	m.heading(2, "Comparison of models")
	if len(c.differences) == 0 {
		m.paragraph("There are no sets.")
	}
	for _, p := range c.byModels() {
		m.heading(3, p.title())
		m.paragraph(p.verdict())
		m.table(p.table())
	}
	m.rules(c.facts)
	return m.writeTo(w)
}

// HTML writes a page with a forest plot for each two models: the differences with their intervals
// around zero.
func (c Comparison) HTML(w io.Writer) error {
	p := page{Title: "Comparison of models", Lead: "Differences with 95 % intervals of a paired bootstrap. A difference counts if its p-value is below 0.05 after Holm’s correction for the number of differences. An interval is of its row alone, and may exclude 0 where the difference is not significant after Holm."}
	for i, pair := range c.byModels() {
		s := section{ID: fmt.Sprintf("models-%d", i+1), Title: pair.title(), Blocks: []block{paragraph(pair.verdict())}}
		s.Blocks = append(s.Blocks, pair.forests()...)
		s.Blocks = append(s.Blocks, pair.table().block("Scores and differences"))
		p.Sections = append(p.Sections, s)
	}
	return p.write(w, c.facts)
}

func (p pairOfModels) forests() []block {
	var all byMetric
	for _, d := range p.all {
		m := mark{
			name: d.Set, score: float64(d.Difference), interval: d.Interval, value: signed(float64(d.Difference)),
			note: "no p-value", class: "noise",
		}
		if d.PValue.Defined() {
			m.note = fmt.Sprintf("p after Holm %s, %s", probability(float64(d.HolmPValue)), verdictOf(d))
		}
		if d.Differs {
			m.class = ""
		}
		all.add(d.Metric, m)
	}
	return all.drawn(func(metric string, marks []mark) block {
		caption := fmt.Sprintf("%s: ← %s is higher · %s is higher →. Filled dots differ, hollow dots are noise, not significant after Holm, or have no p-value.", metricTitle(metric), p.a, p.b)
		return drawn(caption, marks, false, 0)
	})
}

// NewComparison returns the report of what eval.Compare found of models.
func NewComparison(models []eval.Measured, all []eval.Comparison) Comparison {
	c := Comparison{differences: all}
	if len(models) == 0 || len(all) == 0 {
		return c
	}
	items := "those that both models can score"
	if all[0].OwnVocabulary {
		items = "for each model those that it can score"
	}
	c.facts = append(c.facts, Fact{"items", items})
	var rules []eval.Record
	for _, r := range models[0].Records {
		r.Settings.Resamples, r.Settings.Seed = all[0].Settings.Resamples, all[0].Settings.Seed
		rules = append(rules, r)
	}
	c.facts = append(c.facts, rulesOfModels(models, rules)...)
	return c
}

// NewRuns returns the report of what eval.Runs found of models.
func NewRuns(models []eval.Measured, all []eval.RunScores) Runs {
	r := Runs{sets: all}
	for _, m := range models {
		r.models = append(r.models, m.Name)
	}
	if len(models) > 0 {
		for _, fact := range rulesOfModels(models, models[0].Records) {
			if fact.Name == "intervals" { // there, of one score
				fact.Value = "95 %, of the mean over runs, by Student’s t"
			}
			r.facts = append(r.facts, fact)
		}
	}
	return r
}

func rulesOfModels(models []eval.Measured, records []eval.Record) []Fact {
	var shared []eval.Record
	for _, r := range records {
		r.ModelFile = eval.Source{}
		shared = append(shared, r)
	}
	facts := Rules(shared)
	for _, m := range models {
		if len(m.Records) > 0 && len(records) > 0 {
			words, first := wordsOf(m.Records[0].Settings), wordsOf(records[0].Settings)
			if words != first {
				facts = append(facts, Fact{"words of " + m.Name, words})
			}
		}
		if len(m.Records) > 0 && m.Records[0].ModelFile.SHA256 != "" {
			facts = append(facts, Fact{m.Name, "SHA-256 " + m.Records[0].ModelFile.SHA256})
		}
	}
	return facts
}

// wordsOf describes how word lookup may differ between models scored with the same flags.
func wordsOf(s eval.Settings) string {
	return lookedUp(s) + "; outside the vocabulary " + outside(s)
}

// shortNames returns the shortest path suffixes that are distinct, with the same number of folders
// for all paths.
func shortNames(paths []string) map[string]string {
	slashed := func(path string) string { return strings.ReplaceAll(path, `\`, "/") }
	for folders := 0; ; folders++ {
		short, taken, whole := map[string]string{}, map[string]bool{}, true
		for _, path := range paths {
			if _, ok := short[path]; ok {
				continue
			}
			parts := strings.Split(slashed(path), "/")
			whole = whole && len(parts) <= folders+1
			short[path] = strings.Join(parts[max(0, len(parts)-1-folders):], "/")
			taken[short[path]] = true
		}
		if len(taken) == len(short) || whole {
			return short
		}
	}
}

// Runs are several models of one setting, which differ by their seeds or resamples, on the same
// sets.
type Runs struct {
	models []string
	facts  []Fact // what holds for all, in the order of the report
	sets   []eval.RunScores
}

var runsHeader = []string{"set", "task", "metric", "model", "score", "deviation", "low", "high", "runs"}

// CSV writes a row for each set, with the mean and no model, followed by a row for each model.
func (r Runs) CSV(w io.Writer) error {
	rows := [][]string{runsHeader}
	for _, s := range r.sets {
		low, high := ends(s.Interval)
		runs := strconv.Itoa(len(s.Scores))
		rows = append(rows, []string{s.Set, string(s.Task), s.Metric, "", plain(float64(s.Mean)), plain(float64(s.Deviation)), low, high, runs})
		for i, score := range s.Scores {
			rows = append(rows, []string{s.Set, string(s.Task), s.Metric, r.models[i], plain(float64(score)), "", "", "", runs})
		}
	}
	return writeCSV(w, rows)
}

func (r Runs) title() string { return "Scores of " + wording.Count(len(r.models), "run", "runs") }

func (r Runs) meanTable() table {
	columns := []column{{"set", false}, {"task", false}, {"metric", false}, {"mean", true}, {"deviation", true}, {"95 % interval of the mean", true}}
	return tableOf(r.sets, columns, func(s eval.RunScores) []string {
		return []string{s.Set, string(s.Task), s.Metric, decimals(float64(s.Mean)), decimals(float64(s.Deviation)), span(s.Interval)}
	})
}

func (r Runs) runTable() table {
	t := table{columns: []column{{"model", false}}}
	for _, s := range r.sets {
		t.columns = append(t.columns, column{s.Set, true})
	}
	for i, model := range r.models {
		row := []string{model}
		for _, s := range r.sets {
			row = append(row, decimals(float64(s.Scores[i])))
		}
		t.rows = append(t.rows, row)
	}
	return t
}

// Markdown writes a table of the means, one of all scores, and the facts.
func (r Runs) Markdown(w io.Writer) error {
	var m markdown
	m.heading(2, r.title())
	if len(r.sets) == 0 {
		m.paragraph("There are no sets.")
	}
	m.table(r.meanTable())
	if len(r.sets) > 0 {
		m.heading(3, "Runs")
		m.table(r.runTable())
	}
	m.rules(r.facts)
	return m.writeTo(w)
}

// HTML writes a page that draws the mean of each set with its interval, and each run as a point.
func (r Runs) HTML(w io.Writer) error {
	s := section{ID: "sets", Title: "All sets"}
	var all byMetric
	for _, set := range r.sets {
		m := mark{
			name: set.Set, score: float64(set.Mean), interval: set.Interval, value: decimals(float64(set.Mean)),
			note: fmt.Sprintf("standard deviation %s of %s", decimals(float64(set.Deviation)), wording.Count(len(set.Scores), "run", "runs")),
		}
		for _, score := range set.Scores {
			m.runs = append(m.runs, float64(score))
		}
		all.add(set.Metric, m)
	}
	s.Blocks = all.drawn(func(metric string, marks []mark) block {
		return drawn(metricTitle(metric)+": mean with its 95 % interval; each run is a hollow point", marks, false)
	})
	s.Blocks = append(s.Blocks, r.meanTable().block("Means"))
	p := page{
		Title: r.title(), Lead: "Models of one setting, which differ by chance. Intervals are 95 % intervals of the mean over runs.",
		Sections: []section{s, {ID: "runs", Title: "Runs", Blocks: []block{r.runTable().block("Scores of each run")}}},
	}
	return p.write(w, r.facts)
}
