package report

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/csv"
	"encoding/xml"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/eval"
)

// An element of a page, with all text within it.
type element struct {
	name     string
	attr     map[string]string
	text     string
	children []*element
	inner    strings.Builder
}

// parse reads a page, which is well-formed XML after its first line, and checks what holds for
// every page.
func parse(t *testing.T, text string) *element {
	t.Helper()
	dec := xml.NewDecoder(strings.NewReader(text))
	root := &element{name: "document"}
	open := []*element{root}
	for {
		token, err := dec.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatalf("not well-formed: %v", err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			e := &element{name: token.Name.Local, attr: map[string]string{}}
			for _, a := range token.Attr {
				if _, twice := e.attr[a.Name.Local]; twice {
					t.Errorf("<%s> has %s twice", e.name, a.Name.Local)
				}
				e.attr[a.Name.Local] = a.Value
			}
			parent := open[len(open)-1]
			parent.children = append(parent.children, e)
			open = append(open, e)
		case xml.EndElement:
			e := open[len(open)-1]
			e.text = e.inner.String()
			open = open[:len(open)-1]
			open[len(open)-1].inner.WriteString(e.text)
		case xml.CharData:
			open[len(open)-1].inner.Write(token)
		}
	}
	checkPage(t, root)
	return root
}

// all returns the elements of a name, in the order of the page.
func (e *element) all(name string) (found []*element) {
	for _, c := range e.children {
		if c.name == name {
			found = append(found, c)
		}
		found = append(found, c.all(name)...)
	}
	return found
}

func (e *element) has(class string) bool {
	return strings.Contains(" "+e.attr["class"]+" ", " "+class+" ")
}

// checkPage checks that a page runs and fetches nothing, that its links lead somewhere, and that
// its charts and tables have names.
func checkPage(t *testing.T, root *element) {
	t.Helper()
	ids := map[string]bool{}
	var walk func(e *element)
	walk = func(e *element) {
		switch e.name {
		case "script", "iframe", "img", "link", "object", "embed", "form", "foreignObject", "image", "use":
			t.Errorf("the page has <%s>", e.name)
		}
		for name, value := range e.attr {
			switch {
			case strings.HasPrefix(name, "on") || name == "src" || name == "style":
				t.Errorf("<%s> has the attribute %s", e.name, name)
			case name == "href" && !strings.HasPrefix(value, "#"):
				t.Errorf("a link leads to %q", value)
			case name == "id":
				if ids[value] {
					t.Errorf("the id %s occurs twice", value)
				}
				ids[value] = true
			}
		}
		for _, c := range e.children {
			walk(c)
		}
	}
	walk(root)
	for _, a := range root.all("a") {
		if !ids[strings.TrimPrefix(a.attr["href"], "#")] {
			t.Errorf("the link %q leads nowhere", a.attr["href"])
		}
	}
	for _, svg := range root.all("svg") {
		if svg.attr["role"] == "img" && (svg.children[0].name != "title" || svg.children[0].text == "") {
			t.Error("a chart has no title")
		}
	}
	for _, table := range root.all("table") {
		columns := len(table.all("thead")[0].all("th"))
		if len(table.all("caption")) != 1 || columns == 0 {
			t.Error("a table has no caption or no headings")
		}
		for _, row := range table.all("tbody")[0].all("tr") {
			if len(row.children) != columns || row.children[0].attr["scope"] != "row" {
				t.Errorf("the row %q has %d cells below %d headings", row.text, len(row.children), columns)
			}
		}
	}
	place := regexp.MustCompile(`^-?[0-9.]+%$`)
	for _, name := range []string{"circle", "line", "rect"} {
		for _, e := range root.all(name) {
			for attr, value := range e.attr {
				if strings.HasSuffix(value, "%") && !place.MatchString(value) {
					t.Errorf("<%s> has %s=%q", name, attr, value)
				}
			}
		}
	}
	policy := ""
	for _, meta := range root.all("meta") {
		if meta.attr["http-equiv"] == "Content-Security-Policy" {
			policy = meta.attr["content"]
		}
	}
	sum := sha256.Sum256([]byte(root.all("style")[0].text))
	if want := "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"; !strings.HasPrefix(policy, "default-src 'none';") || !strings.Contains(policy, want) {
		t.Errorf("the policy %q does not allow the style alone, which has %s", policy, want)
	}
	for _, external := range []string{"@import", "url(", "@font-face"} {
		if strings.Contains(root.all("style")[0].text, external) {
			t.Errorf("the style has %s", external)
		}
	}
}

func TestPageOfAnEvaluation(t *testing.T) {
	text := written(t, sampleEvaluation().HTML)
	root := parse(t, text)
	if got := root.all("h1")[0].text; got != "Evaluation of rivers.w2v" {
		t.Errorf("the heading is %q", got)
	}
	var headings []string
	for _, h := range root.all("h2") {
		headings = append(headings, h.text)
	}
	if got := strings.Join(headings, ", "); got != "All sets, pairs similarity, questions analogy, nothing similarity, Rules" {
		t.Errorf("the sections are %s", got)
	}
	sections := root.all("section")

	// All sets: a chart for each metric.
	figures := sections[0].all("figure")
	if len(figures) != 2 {
		t.Fatalf("%d charts, want one of correlations and one of accuracies", len(figures))
	}
	if got := figures[0].all("title")[0].text; got != "pairs: 0.500, 95 % interval −0.200 … 0.877, 4 of 5 used" {
		t.Errorf("the title of the first row is %q", got)
	}
	if dots := figures[0].all("circle"); len(dots) != 1 {
		t.Errorf("%d dots, want one: the other set has no score", len(dots))
	}

	// Pairs: the dots lie in the order of the numbers, and the worst are named.
	svg := sections[1].all("svg")
	var points *element
	for _, s := range svg {
		if s.has("points") {
			points = s
		}
	}
	near := func(got string, want float64) bool {
		x, err := strconv.ParseFloat(strings.TrimSuffix(got, "%"), 64)
		return err == nil && x > want-0.01 && x < want+0.01
	}
	titles := map[string]*element{}
	for _, name := range []string{"circle", "rect"} {
		for _, e := range points.all(name) {
			titles[strings.SplitN(e.text, ":", 2)[0]] = e
		}
	}
	if len(titles) != 4 {
		t.Fatalf("%d points, want 4", len(titles))
	}
	if p := titles["river – stone"]; !p.has("above") || !near(p.attr["cx"], 18.75) || !near(p.attr["cy"], 5) { // axes 1 … 9 and −0.2 … 0.8
		t.Errorf("river – stone is drawn as %v", p.attr)
	}
	if p := titles["boat – ship"]; !p.has("below") || p.text != "boat – ship: human 9 (rank 4 of 4), cosine 0.250 (rank 2)" {
		t.Errorf("boat – ship is drawn as %v, %q", p.attr, p.text)
	}
	if titles[hostile+" – stream"] == nil {
		t.Errorf("the pair of %q has no point", hostile)
	}
	var worst *element
	for _, table := range sections[1].all("table") {
		if strings.HasPrefix(table.all("caption")[0].text, "Largest") {
			worst = table
		}
	}
	if rows := worst.all("tbody")[0].all("tr"); len(rows) != 2 || rows[0].children[0].text != "1  boat – ship" || rows[0].children[5].text != "−2" {
		t.Errorf("the worst pairs are %q", worst.text)
	}

	// Questions: bars of sections that have the set's metric.
	if bars := sections[2].all("rect"); len(bars) != 2 || bars[0].attr["width"] != "100.00%" || bars[1].attr["width"] != "25.00%" {
		t.Errorf("%d bars", len(bars))
	}
	if !strings.Contains(sections[2].text, "no <b>answers</b>") {
		t.Error("the note is nowhere")
	}
	if !strings.Contains(sections[2].text, "mean rank") {
		t.Error("the further score is nowhere")
	}
	details := sections[1].all("details") // all but the score and its parts, and in that the missing words
	if len(details) != 2 || !strings.Contains(details[1].text, hostile) {
		t.Error("the missing word is not listed as it is")
	}
	if open := len(sections[1].all("table")) - len(details[0].all("table")); open != 0 {
		t.Errorf("%d tables of a set are not folded", open)
	}
	if strings.Contains(text, "<script") || strings.Contains(text, `alert("x")`) {
		t.Error("a word is markup")
	}
	if got := sections[4].text; !strings.Contains(got, "modelSHA-256 0a1b") || !strings.Contains(got, "restrictionall words") {
		t.Errorf("the rules are %q", got)
	}
}

// Whatever a name is, it stays text.
func FuzzNames(f *testing.F) {
	for _, name := range []string{
		hostile, "</title></svg>", `" onload="x`, "javascript:x", "{{.}}", "]]>", "<!--", "مرحبا", "\u202eabc", "a\x00b", "\xff", "\r\n", "\uffff", "| --- |", "# x", "",
	} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		e := sampleEvaluation()
		e.model = name
		e.facts = []Fact{{name, name}}
		first := &e.entries[0]
		first.summary.Set, first.summary.Metric, first.summary.Missing = name, name, []string{name}
		first.summary.Parts = []eval.Part{{Name: name, Metric: name, Score: 0.5}}
		first.judgements = append(first.judgements, pair(name, name, 3, 1))
		first.details = []detail{{Title: name, Columns: []string{name}, Rows: [][]string{{name}}}}
		root := parse(t, written(t, e.HTML))
		if n := len(root.all("h2")); n != 5 {
			t.Errorf("%d sections", n)
		}
		rows, err := csv.NewReader(strings.NewReader(written(t, e.CSV))).ReadAll()
		if want := strings.ReplaceAll(name, "\r\n", "\n"); err != nil || strings.ReplaceAll(rows[1][1], "\r", "") != strings.ReplaceAll(want, "\r", "") {
			t.Errorf("CSV reads back as %q, %v", rows, err)
		}
		plain := sampleEvaluation()
		plain.entries[0].summary.Parts, plain.entries[0].details = first.summary.Parts[:1:1], first.details
		if got, want := strings.Count(written(t, e.Markdown), "\n"), strings.Count(written(t, plain.Markdown), "\n")-2; got != want {
			t.Errorf("Markdown has %d lines, want %d", got, want)
		}
	})
}

func TestManyPairs(t *testing.T) {
	root := parse(t, written(t, crowded().HTML))
	for i, s := range root.all("section")[1:13] {
		if n := len(s.all("circle")) + len(s.all("rect")); n != 400+2 { // and two in the key
			t.Errorf("section %d has %d points", i, n)
		}
		if n := len(s.all("tbody")[0].all("tr")); n != worstItems {
			t.Errorf("section %d names %d pairs", i, n)
		}
	}
	if title := fmt.Sprint(root.all("title")[0].text); title != "Evaluation of crowd" {
		t.Errorf("the title is %q", title)
	}
}
