package report

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/w2v-go/w2v/eval"
	"github.com/w2v-go/w2v/eval/labels"
	"github.com/w2v-go/w2v/internal/wording"
)

// A Classifier is a model that was tested on labelled texts.
type Classifier struct {
	Name    string
	Result  *labels.Result
	Metrics labels.Estimates
}

// A Classification is how well classifiers predict the labels of the same texts.
type Classification struct {
	models []Classifier
	pairs  []pairOfModels
	all    []eval.Comparison
	facts  []Fact
}

// NewClassification returns the report of classifiers, and of what labels.Compare found of them.
func NewClassification(models []Classifier, all []eval.Comparison, facts []Fact) Classification {
	return Classification{models, Comparison{differences: all}.byModels(), all, facts}
}

type classMetric struct {
	key, name string
	eval.Estimate
}

func (c Classifier) metrics() []classMetric {
	m := c.Metrics
	all := []classMetric{
		{"accuracy", "accuracy", m.Accuracy}, {"precision", "precision", m.Precision}, {"recall", "recall", m.Recall},
		{"micro_f1", "micro F1", m.F1}, {"macro_f1", "macro F1", m.MacroF1},
		{"calibration_error", "calibration error", eval.Estimate{Value: eval.Score(c.Result.CalibrationError())}},
	}
	if c.Result.HasAUC() {
		all = append(all, classMetric{"macro_auc", "macro AUC", eval.Estimate{Value: eval.Score(c.Result.MacroAUC())}})
	}
	return all
}

// leftOut returns why texts do not count.
func (c Classifier) leftOut() (all []Fact) {
	for _, of := range []struct {
		name string
		n    uint64
	}{
		{"without a label", c.Result.Unlabeled}, {"with no label that the model knows", c.Result.Unknown},
		{"with no word or n-gram that the model knows", c.Result.Wordless},
	} {
		if of.n > 0 {
			all = append(all, Fact{of.name, wording.Thousands(of.n)})
		}
	}
	return all
}

var classificationHeader = []string{"model", "kind", "label", "predicted", "metric", "value", "low", "high", "texts"}

// CSV writes rows of metrics, of the metrics of each label, of pairs of labels, of labels that the model does not know, of
// texts by the probability of the label, and of differences between models. Their kinds are "metric", "label",
// "confusion", "unknown", "probability" and "difference". The value of a difference is that of predicted, a model, minus that of
// model, and its p-value follows.
func (c Classification) CSV(w io.Writer) error {
	rows := [][]string{classificationHeader}
	count := func(n uint64) string { return strconv.FormatUint(n, 10) }
	for _, m := range c.models {
		add := func(kind, label, predicted, metric string, value float64, at eval.Interval, texts uint64) {
			low, high := ends(at)
			rows = append(rows, []string{m.Name, kind, label, predicted, metric, plain(value), low, high, count(texts)})
		}
		for _, of := range m.metrics() {
			add("metric", "", "", of.key, float64(of.Value), of.Interval, m.Result.Texts)
		}
		for i, l := range m.Result.Labels {
			add("label", l.Name, "", "precision", l.Precision(), eval.Interval{}, l.Own)
			add("label", l.Name, "", "recall", l.Recall(), eval.Interval{}, l.Own)
			add("label", l.Name, "", "f1", l.F1(), eval.Interval{}, l.Own)
			if m.Result.HasAUC() {
				add("label", l.Name, "", "auc", m.Result.LabelAUC(i), eval.Interval{}, l.Own)
			}
		}
		for _, p := range m.Result.Confusions() {
			add("confusion", p.Own, p.Predicted, "texts", float64(p.Texts), eval.Interval{}, p.Texts)
		}
		for _, label := range slices.Sorted(maps.Keys(m.Result.UnknownLabels)) {
			n := m.Result.UnknownLabels[label]
			add("unknown", label, "", "texts", float64(n), eval.Interval{}, n)
		}
		for _, b := range m.Result.Bins {
			if b.Texts > 0 {
				add("probability", "", "", "probability", b.Probability(), eval.Interval{}, b.Texts)
				add("probability", "", "", "accuracy", b.Accuracy(), eval.Interval{}, b.Texts)
			}
		}
	}
	for _, d := range c.all {
		low, high := ends(d.Interval)
		rows = append(rows,
			[]string{d.A, "difference", "", d.B, d.Metric, plain(float64(d.Difference)), low, high, strconv.Itoa(d.Items)},
			[]string{d.A, "difference", "", d.B, d.Metric + "_p_holm", plain(float64(d.HolmPValue)), "", "", strconv.Itoa(d.Items)})
	}
	return writeCSV(w, rows)
}

func (c Classification) title() string {
	if len(c.models) == 1 {
		return "Classification by " + c.models[0].Name
	}
	return "Comparison of classifiers"
}

// metricTable has a row for each metric, and columns for each model.
func (c Classification) metricTable() table {
	t := table{columns: []column{{"metric", false}}}
	for _, m := range c.models {
		name := either(len(c.models) > 1, m.Name, "value")
		t.columns = append(t.columns, column{name, true}, column{"95 % interval", true})
		for i, of := range m.metrics() {
			if i == len(t.rows) {
				t.rows = append(t.rows, []string{of.name})
			}
			t.rows[i] = append(t.rows[i], decimals(float64(of.Value)), span(of.Interval))
		}
	}
	return t
}

func either(first bool, a, b string) string {
	if first {
		return a
	}
	return b
}

func (c Classifier) labelTable() table {
	columns := []column{{"label", false}, {"texts", true}, {"predicted", true}, {"precision", true}, {"recall", true}, {"F1", true}}
	areas := c.Result.HasAUC()
	if areas {
		columns = append(columns, column{"AUC", true})
	}
	all := c.byFrequency()
	return tableOf(all[:min(mostListed, len(all))], columns, func(id int) []string {
		l := c.Result.Labels[id]
		row := []string{l.Name, wording.Thousands(l.Own), wording.Thousands(l.Predicted), decimals(l.Precision()), decimals(l.Recall()), decimals(l.F1())}
		if areas {
			row = append(row, decimals(c.Result.LabelAUC(id)))
		}
		return row
	})
}

// listed is the title of the table of labels.
func (c Classifier) listed() string {
	if n := len(c.byFrequency()); n > mostListed {
		return fmt.Sprintf("The %s most frequent of %s labels", wording.Thousands(mostListed), wording.Thousands(n))
	}
	return "Labels"
}

// byFrequency returns the numbers of labels that a text has or that were predicted, the most frequent first.
func (c Classifier) byFrequency() (all []int) {
	of := c.Result.Labels
	for id, l := range of {
		if l.Own+l.Predicted > 0 {
			all = append(all, id)
		}
	}
	slices.SortStableFunc(all, func(a, b int) int {
		return cmp.Or(cmp.Compare(of[b].Own, of[a].Own), cmp.Compare(of[b].Predicted, of[a].Predicted))
	})
	return all
}

// confused returns the pairs of different labels, the most frequent first.
func (c Classifier) confused() table {
	wrong := slices.DeleteFunc(c.Result.Confusions(), func(p labels.Confusion) bool { return p.Own == p.Predicted })
	return tableOf(wrong[:min(mostConfused, len(wrong))], []column{{"label", false}, {"predicted", false}, {"texts", true}}, func(p labels.Confusion) []string {
		return []string{p.Own, cmp.Or(p.Predicted, absent), wording.Thousands(p.Texts)}
	})
}

const (
	mostConfused = 20    // pairs that are listed
	mostDrawn    = 30    // labels in a chart
	mostListed   = 1_000 // labels in a table
)

func (c Classifier) unknown() table {
	unknown := slices.SortedFunc(maps.Keys(c.Result.UnknownLabels), func(a, b string) int {
		return cmp.Or(cmp.Compare(c.Result.UnknownLabels[b], c.Result.UnknownLabels[a]), cmp.Compare(a, b))
	})
	return tableOf(unknown[:min(mostListed, len(unknown))], []column{{"label", false}, {"texts", true}}, func(label string) []string {
		return []string{label, wording.Thousands(c.Result.UnknownLabels[label])}
	})
}

// Markdown writes tables of the metrics, of labels, of confused labels, and of differences between models.
func (c Classification) Markdown(w io.Writer) error {
	var m markdown
	m.heading(2, c.title())
	m.table(c.metricTable())
	for _, p := range c.pairs {
		m.heading(3, p.title())
		m.table(p.table())
	}
	for _, model := range c.models {
		m.heading(3, model.listed()+either(len(c.models) > 1, ", "+model.Name, ""))
		m.table(model.labelTable())
		if t := model.confused(); len(t.rows) > 0 {
			m.heading(3, "Confused labels")
			m.table(t)
		}
		if t := model.unknown(); len(t.rows) > 0 {
			m.heading(3, "Labels that the model does not know")
			m.table(t)
		}
		m.facts(model.leftOut())
	}
	m.rules(c.facts)
	return m.writeTo(w)
}

// HTML writes a page: the metrics with their intervals, the differences between models, and for each model its labels,
// which labels are confused, and how far its probabilities can be believed.
func (c Classification) HTML(w io.Writer) error {
	p := page{Title: c.title(), Lead: fmt.Sprintf("%s. Intervals are 95 %% bootstrap intervals over texts.", wording.Count(c.models[0].Result.Texts, "text", "texts"))}
	s := section{ID: "metrics", Title: "Metrics"}
	var marks []mark
	for _, m := range c.models {
		for _, of := range m.metrics() {
			name := of.name
			if len(c.models) > 1 {
				name += ", " + m.Name
			}
			marks = append(marks, mark{name: name, score: float64(of.Value), interval: of.Interval, value: decimals(float64(of.Value))})
		}
	}
	s.Blocks = append(s.Blocks, drawn("Metrics with 95 % interval", marks, false, 0, 1), c.metricTable().block("Metrics"))
	p.Sections = append(p.Sections, s)
	for i, pair := range c.pairs {
		s := section{ID: fmt.Sprintf("models-%d", i+1), Title: pair.title()}
		s.Blocks = append(s.Blocks, paragraph("On the texts that count for both. P-values of accuracies are McNemar’s, exact; the others, and intervals, are those of a paired bootstrap over texts. A difference counts if its p-value is below 0.05 after Holm’s correction for the number of differences."))
		s.Blocks = append(append(s.Blocks, pair.forests()...), pair.table().block("Scores and differences"))
		p.Sections = append(p.Sections, s)
	}
	for i, m := range c.models {
		of := func(title string) section {
			return section{ID: fmt.Sprintf("%s-%d", strings.ToLower(title), i+1), Title: title + either(len(c.models) > 1, ", "+m.Name, "")}
		}
		names, confusion, calibration := of("Labels"), of("Confusion"), of("Calibration")
		var bars []mark
		all := m.byFrequency()
		for _, id := range all[:min(mostDrawn, len(all))] {
			l := m.Result.Labels[id]
			bars = append(bars, mark{name: l.Name, score: l.F1(), value: decimals(l.F1()), note: wording.Count(l.Own, "text", "texts")})
		}
		names.Blocks = []block{drawn(either(len(all) > mostDrawn, fmt.Sprintf("F1 of the %d most frequent labels", mostDrawn), "F1 of labels"), bars, true, 0, 1), m.labelTable().block(m.listed())}
		if t := m.unknown(); len(t.rows) > 0 {
			names.Blocks = append(names.Blocks, t.block("Labels that the model does not know"))
		}
		if left := m.leftOut(); len(left) > 0 {
			names.Blocks = append(names.Blocks, paragraph("Texts that do not count:"), factList(left))
		}
		confusion.Blocks = []block{m.matrix(), m.confused().block("Most frequent confusions")}
		calibration.Blocks = []block{paragraph(fmt.Sprintf("Calibration error: %s.", decimals(m.Result.CalibrationError()))), m.reliability()}
		p.Sections = append(p.Sections, names, confusion, calibration)
	}
	return p.write(w, c.facts)
}

// matrix draws how often texts of one label had another one as the most probable label: a row is a label, and the colour of
// a cell is its share of the row.
func (c Classifier) matrix() block {
	all := c.byFrequency()
	drawn := all[:min(mostDrawn, len(all))]
	at := map[string]int{}
	for i, id := range drawn {
		at[c.Result.Labels[id].Name] = i
	}
	n := len(drawn)
	counts, sums := make([]uint64, n*n), make([]uint64, n)
	for _, p := range c.Result.Confusions() {
		row, ok := at[p.Own]
		if !ok {
			continue
		}
		sums[row] += p.Texts
		if column, ok := at[p.Predicted]; ok {
			counts[row*n+column] += p.Texts
		}
	}
	const cell = 34
	caption := "Rows are labels of texts, columns the most probable labels. The darker a cell, the larger its share of the row"
	if n < len(all) {
		caption += fmt.Sprintf(". The %d most frequent labels", n)
	}
	return func(h *hypertext) {
		h.put(`
<div class="wide" tabindex="0" role="region" aria-label="Confusion matrix">
<table class="matrix">
<caption>%s.</caption>
<thead>
<tr><th scope="col">label</th>`, caption)
		for i := range drawn {
			h.put(`<th scope="col">%d</th>`, i+1)
		}
		h.put("</tr>\n</thead>\n<tbody>")
		for i, id := range drawn {
			l := c.Result.Labels[id]
			h.put("\n<tr><th scope=\"row\">%d  %s</th>", i+1, link("", l.Name))
			for k, id := range drawn {
				other := c.Result.Labels[id]
				count := counts[i*n+k]
				share := float64(count) / float64(max(sums[i], 1))
				h.put(`<td><svg width="%[1]d" height="%[1]d" role="img"><title>%[2]s</title><rect class="%[3]s" width="100%%" height="100%%" fill-opacity="%[4]s"/>`,
					cell, fmt.Sprintf("%s taken for %s: %s, %s of the row", l.Name, other.Name, wording.Count(count, "text", "texts"), percent(share)),
					markup(either(i == k, "right", "wrong")), strconv.FormatFloat(math.Sqrt(share), 'f', 3, 64))
				if count > 0 {
					h.put(`<text class="%s" x="50%%" y="50%%" dy="0.35em">%s</text>`, markup(either(share > 0.3, "on", "label")), compact(count))
				}
				h.put("</svg></td>")
			}
			h.put("</tr>")
		}
		h.put("\n</tbody>\n</table>\n</div>")
	}
}

// compact writes a count in at most five characters.
func compact(n uint64) string {
	switch {
	case n >= 1e7:
		return strconv.FormatUint(n/1e6, 10) + "M"
	case n >= 1e4:
		return strconv.FormatUint(n/1e3, 10) + "k"
	}
	return strconv.FormatUint(n, 10)
}

// reliability draws how often the most probable label is right, by its probability: on the diagonal, probabilities are what
// they say.
func (c Classifier) reliability() block {
	x, y := newAxis(10, 0, 1), newAxis(10, 0, 1)
	most := uint64(1)
	for _, b := range c.Result.Bins {
		most = max(most, b.Texts)
	}
	return plane{
		caption: "Reliability: how often the most probable label is right, by its probability. The larger a point, the more texts",
		title:   "Accuracy over probability as points, in 15 bins; the diagonal is where both are equal.",
		x:       x, y: y, across: "probability", upwards: "accuracy",
	}.block(func(h *hypertext) {
		h.put(`<line class="zero" x1="0" y1="100%%" x2="100%%" y2="0"/>`)
		for _, b := range c.Result.Bins {
			if b.Texts == 0 {
				continue
			}
			p, right := b.Probability(), b.Accuracy()
			h.put("\n"+`<circle class="point" cx="%s" cy="%s" r="%s"><title>%s</title></circle>`, x.at(p), y.up(right),
				strconv.FormatFloat(4+14*math.Sqrt(float64(b.Texts)/float64(most)), 'f', 1, 64),
				fmt.Sprintf("%s of mean probability %s: %s right", wording.Count(b.Texts, "text", "texts"), decimals(p), percent(right)))
		}
	})
}
