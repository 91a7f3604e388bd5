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
	rows := make([][]string, len(e.entries))
	for i, entry := range e.entries {
		rows[i] = summaryCells(entry.summary)
	}
	m.table(summaryColumns, rows)
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
		m.table(scoredColumns, scoredRows(entry.scores))
		m.table(partColumns, partRows(s.Parts))
		m.table(bandColumns, bandRows(entry.bands))
		m.table(wordsColumns, bandRows(entry.byWords))
		for _, d := range entry.details {
			if !d.Long {
				m.table(d.columns(), d.Rows)
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

// A column has a heading; numbers stand at its right end.
type column struct {
	Name   string
	Number bool
}

var summaryColumns = []column{
	{"set", false}, {"task", false}, {"metric", false}, {"score", true}, {"95 % interval", true}, {"items", true}, {"used", true}, {"composed", true}, {"missing words", true},
}

func summaryCells(s eval.Summary) []string {
	return []string{
		s.Set, string(s.Task), s.Metric, decimals(float64(s.Score)), span(s.Interval), wording.Thousands(s.Items), wording.Thousands(s.Used), wording.Thousands(s.Composed), wording.Thousands(len(s.Missing)),
	}
}

var partColumns = []column{{"part", false}, {"metric", false}, {"score", true}, {"95 % interval", true}, {"items", true}, {"used", true}}

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

func partRows(parts []eval.Part) [][]string {
	rows := make([][]string, len(parts))
	for i, p := range parts {
		rows[i] = []string{p.Name, p.Metric, printed(p), span(p.Interval), wording.Thousands(p.Items), wording.Thousands(p.Used)}
	}
	return rows
}

var scoredColumns = []column{{"convention", false}, {"score", true}, {"95 % interval", true}, {"used", true}}

func scoredRows(scores []scored) [][]string {
	rows := make([][]string, len(scores))
	for i, s := range scores {
		rows[i] = []string{s.name, decimals(float64(s.Score)), span(s.Interval), wording.Thousands(s.Used)}
	}
	return rows
}

var (
	bandColumns  = []column{{"rank of the rarest word", false}, {"items", true}, {"score", true}}
	wordsColumns = []column{{"items whose words are", false}, {"items", true}, {"score", true}}
)

func bandRows(bands []eval.Band) [][]string {
	rows := make([][]string, len(bands))
	for i, b := range bands {
		rows[i] = []string{b.Name, wording.Thousands(b.Items), decimals(float64(b.Score))}
	}
	return rows
}

// markdown is a text in GitHub's dialect. Its blocks are separated by blank lines.
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

// rules writes facts below a heading of their own.
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

func (m *markdown) table(columns []column, rows [][]string) {
	if len(rows) == 0 {
		return
	}
	m.block()
	names, rules := make([]string, len(columns)), make([]string, len(columns))
	for i, c := range columns {
		names[i], rules[i] = escape(c.Name), "---"
		if c.Number {
			rules[i] = "---:"
		}
	}
	line := func(cells []string) { fmt.Fprintf(m, "| %s |\n", strings.Join(cells, " | ")) }
	line(names)
	line(rules)
	for _, row := range rows {
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

// absent stands for a missing value in tables for people.
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

// signed is decimals with a sign on positive numbers: the numbers are differences.
func signed(x float64) string {
	text := decimals(x)
	if text != absent && text != "0.000" && x > 0 {
		text = "+" + text
	}
	return text
}

// exists reports whether there is an interval.
func exists(i eval.Interval) bool {
	return i.Known && !math.IsNaN(i.Low) && !math.IsNaN(i.High)
}

func span(i eval.Interval) string {
	if !exists(i) {
		return absent
	}
	return decimals(i.Low) + " … " + decimals(i.High)
}

// probability formats a p-value with two significant digits.
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

// percent formats a share for CSS and SVG.
func percent(share float64) string { return fmt.Sprintf("%.2f%%", 100*share) }

// plain writes a number for programs, or nothing if there is none.
func plain(x float64) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return ""
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}

// ends writes an interval for programs.
func ends(i eval.Interval) (low, high string) {
	if !exists(i) {
		return "", ""
	}
	return plain(i.Low), plain(i.High)
}
