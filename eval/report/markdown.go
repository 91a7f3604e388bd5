package report

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode"

	"github.com/w2v-go/w2v/eval"
	"github.com/w2v-go/w2v/internal/wording"
)

// Markdown writes the title, a table with a row for each set, a table of the parts of each set
// that has any, and the facts.
func (e Evaluation) Markdown(w io.Writer) error {
	var m markdown
	m.heading(2, e.title())
	if len(e.entries) == 0 {
		m.paragraph("There are no sets.")
	}
	m.table(summaryTable(e.entries))
	for _, entry := range e.entries {
		s, facts := entry.summary, entry.allFacts()
		words := e.ListMissing && len(s.Missing) > 0
		if len(s.Parts)+len(entry.scores)+len(entry.bands)+len(entry.byWords)+len(s.Notes)+len(entry.details)+len(facts) == 0 && !words {
			continue
		}
		m.heading(3, s.Set)
		for _, note := range s.Notes {
			m.paragraph(note)
		}
		m.table(scoredTable(entry.scores))
		m.table(partTable(s.Parts))
		m.table(bandTable(byRarest, entry.bands))
		m.table(bandTable(byKnown, entry.byWords))
		for _, d := range entry.details {
			if !d.Long {
				m.table(d.table())
			}
		}
		if words {
			m.paragraph("Words without vectors: " + strings.Join(s.Missing, ", "))
		}
		m.facts(facts)
	}
	m.rules(e.facts)
	return m.writeTo(w)
}

type column struct {
	Name   string
	Number bool
}

type table struct {
	columns []column
	rows    [][]string
}

func tableOf[T any](values []T, columns []column, cells func(T) []string) table {
	t := table{columns: columns}
	for _, v := range values {
		t.rows = append(t.rows, cells(v))
	}
	return t
}

func summaryTable(entries []entry) table {
	columns := []column{
		{"set", false}, {"task", false}, {"metric", false}, {"score", true}, {"95 % interval", true}, {"items", true}, {"used", true}, {"composed", true}, {"missing words", true},
	}
	return tableOf(entries, columns, func(e entry) []string {
		s := e.summary
		return []string{
			s.Set, string(s.Task), s.Metric, decimals(float64(s.Score)), span(s.Interval), wording.Thousands(s.Items), wording.Thousands(s.Used), wording.Thousands(s.Composed), wording.Thousands(len(s.Missing)),
		}
	})
}

func partTable(parts []eval.Part) table {
	columns := []column{{"part", false}, {"metric", false}, {"score", true}, {"95 % interval", true}, {"items", true}, {"used", true}}
	return tableOf(parts, columns, func(p eval.Part) []string {
		return []string{p.Name, p.Metric, printed(p), span(p.Interval), wording.Thousands(p.Items), wording.Thousands(p.Used)}
	})
}

// printed is the score of a part, which may be a p-value. A p-value of 0 is exact: no partition has
// a larger statistic. Rounded to decimals it would look like a small p-value.
func printed(p eval.Part) string {
	switch {
	case p.Metric == "p_value" && p.Score == 0:
		return "0"
	case p.Metric == "p_value":
		return probability(float64(p.Score))
	}
	return decimals(float64(p.Score))
}

func scoredTable(scores []scored) table {
	columns := []column{{"convention", false}, {"score", true}, {"95 % interval", true}, {"used", true}}
	return tableOf(scores, columns, func(s scored) []string {
		return []string{s.name, decimals(float64(s.Score)), span(s.Interval), wording.Thousands(s.Used)}
	})
}

func bandTable(title string, bands []eval.Band) table {
	return tableOf(bands, []column{{title, false}, {"items", true}, {"score", true}}, func(b eval.Band) []string {
		return []string{b.Name, wording.Thousands(b.Items), decimals(float64(b.Score))}
	})
}

const (
	byRarest = "rank of the rarest word"
	byKnown  = "items whose words are"
)

type markdown struct{ strings.Builder }

func (m *markdown) block() {
	if m.Len() > 0 {
		m.WriteByte('\n')
	}
}

func (m *markdown) heading(level int, text string) {
	m.block()
	fmt.Fprintf(m, "%s %s\n", strings.Repeat("#", level), escape(text))
}

func (m *markdown) paragraph(text string) {
	m.block()
	fmt.Fprintln(m, escape(text))
}

func (m *markdown) rules(facts []Fact) {
	if len(facts) > 0 {
		m.heading(3, "Rules")
		m.facts(facts)
	}
}

func (m *markdown) facts(facts []Fact) {
	if len(facts) > 0 {
		m.block()
	}
	for _, f := range facts {
		fmt.Fprintf(m, "- %s: %s\n", escape(f.Name), escape(f.Value))
	}
}

func (m *markdown) table(t table) {
	if len(t.rows) == 0 {
		return
	}
	m.block()
	names, rules := make([]string, len(t.columns)), make([]string, len(t.columns))
	for i, c := range t.columns {
		names[i], rules[i] = escape(c.Name), "---"
		if c.Number {
			rules[i] = "---:"
		}
	}
	line := func(cells []string) { fmt.Fprintf(m, "| %s |\n", strings.Join(cells, " | ")) }
	line(names)
	line(rules)
	for _, row := range t.rows {
		cells := make([]string, len(row))
		for i, cell := range row {
			cells[i] = escape(cell)
		}
		line(cells)
	}
}

func (m *markdown) writeTo(w io.Writer) error {
	_, err := io.WriteString(w, m.String())
	return err
}

// escape escapes text so that Markdown shows it unchanged: sets may contain any characters.
func escape(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case r == '&':
			b.WriteString("&amp;")
		case r == '<':
			b.WriteString("&lt;")
		case r == '>':
			b.WriteString("&gt;")
		case unicode.IsControl(r):
			b.WriteByte(' ')
		case strings.ContainsRune("\\`*_[]|~$#!", r):
			b.WriteByte('\\')
			b.WriteRune(r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

const absent = "–"

// decimals writes a score with three decimals. An interval of a usual set is some hundredths wide,
// so a fourth decimal says nothing.
func decimals(x float64) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return absent
	}
	text := strconv.FormatFloat(x, 'f', 3, 64)
	if strings.Trim(text, "-0.") == "" {
		text = "0.000"
	}
	return strings.Replace(text, "-", "−", 1)
}

func signed(x float64) string {
	if decimals(x) == "0.000" {
		return "0.000"
	}
	return plus(x, decimals)
}

// plus writes a sign before positive numbers, too: the numbers are differences.
func plus(x float64, written func(float64) string) string {
	if text := written(x); !(x > 0) || text == absent {
		return text
	}
	return "+" + written(x)
}

func exists(i eval.Interval) bool {
	return i.Known && !math.IsNaN(i.Low) && !math.IsNaN(i.High)
}

func span(i eval.Interval) string { return spanOf(i, decimals) }

func spanOf(i eval.Interval, written func(float64) string) string {
	if !exists(i) {
		return absent
	}
	return written(i.Low) + " … " + written(i.High)
}

func probability(p float64) string {
	switch {
	case math.IsNaN(p):
		return absent
	case p < 0.001:
		return "< 0.001"
	case p < 0.1:
		return strconv.FormatFloat(p, 'f', 3, 64)
	}
	return strconv.FormatFloat(p, 'f', 2, 64)
}

func percent(share float64) string { return fmt.Sprintf("%.2f%%", 100*share) }

func plain(x float64) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return ""
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}

func ends(i eval.Interval) (low, high string) {
	if !exists(i) {
		return "", ""
	}
	return plain(i.Low), plain(i.High)
}
