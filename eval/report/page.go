package report

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html"
	"io"
	"strings"
	"unicode"
)

// A page is sections below a title.
type page struct {
	Title    string
	Lead     string // one sentence below the title
	Sections []section
}

// A section is blocks below a heading. A page of several sections lists them at its beginning.
type section struct {
	ID     string // the target of links; unique on the page
	Title  string
	Note   string // beside the heading
	Blocks []block
}

// A block is one of these.
type block struct {
	Text    string
	Table   *table
	Chart   *chart
	Scatter *scatter
	Facts   []Fact
	Words   *words
}

// A table has a heading for each column. The first cell of a row is the heading of the row.
type table struct {
	Caption string
	Columns []column
	Rows    []row
	Folded  bool // up, until a reader asks for it
}

type row struct {
	Link  string // where the first cell leads to, or ""
	Cells []string
}

// words are folded up until a reader asks for them.
type words struct {
	Summary string
	List    []string
}

//go:embed page.css
var style string

// write writes the page, with rules as its last section. It builds the whole page first, so it
// writes either a complete page or nothing.
func (p page) write(w io.Writer, rules []Fact) error {
	if len(rules) > 0 {
		p.Sections = append(p.Sections, section{ID: "rules", Title: "Rules", Blocks: []block{{Facts: rules}}})
	}
	var h hypertext
	h.page(p)
	_, err := io.WriteString(w, strings.Map(legible, h.String()))
	return err
}

func (h *hypertext) page(p page) {
	sum := sha256.Sum256([]byte(style))
	policy := "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'; base-uri 'none'; form-action 'none'"
	h.WriteString("<!DOCTYPE html>\n")
	h.begin("html", "lang", "en")
	h.line()
	h.begin("head")
	for _, meta := range [][]string{
		{"charset", "utf-8"},
		{"http-equiv", "Content-Security-Policy", "content", policy},
		{"name", "viewport", "content", "width=device-width, initial-scale=1"},
		{"name", "color-scheme", "content", "light dark"},
		{"name", "referrer", "content", "no-referrer"},
	} {
		h.line()
		h.empty("meta", meta...)
	}
	h.line()
	h.element("title", p.Title)
	h.line()
	h.begin("style")
	h.WriteString(style)
	h.end("style")
	h.line()
	h.end("head")
	h.line()
	h.begin("body")
	h.line()
	h.begin("header")
	h.line()
	h.element("h1", p.Title)
	if p.Lead != "" {
		h.line()
		h.element("p", p.Lead)
	}
	h.line()
	h.end("header")
	if len(p.Sections) > 2 {
		h.navigation(p.Sections)
	}
	h.line()
	h.begin("main")
	for _, s := range p.Sections {
		h.section(s)
	}
	h.line()
	h.end("main")
	h.line()
	h.end("body")
	h.line()
	h.end("html")
	h.line()
}

// navigation lists sections.
func (h *hypertext) navigation(sections []section) {
	h.line()
	h.begin("nav", "aria-label", "Sections")
	h.line()
	h.begin("ul")
	for _, s := range sections {
		h.line()
		h.begin("li")
		h.link(s.ID, s.Title)
		h.end("li")
	}
	h.line()
	h.end("ul")
	h.line()
	h.end("nav")
}

// legible replaces characters that HTML must not have. Bytes that are no UTF-8 come here as the
// replacement character.
func legible(r rune) rune {
	if unicode.IsControl(r) && r != '\n' && r != '\t' || r == 0xfffe || r == 0xffff {
		return unicode.ReplacementChar
	}
	return r
}

// newTable makes a table of rows without links, or a block without anything if there are none.
func newTable(caption string, columns []column, rows [][]string) block {
	if len(rows) == 0 {
		return block{}
	}
	t := &table{Caption: caption, Columns: columns}
	for _, cells := range rows {
		t.Rows = append(t.Rows, row{Cells: cells})
	}
	return block{Table: t}
}

// section writes a section with its blocks.
func (h *hypertext) section(s section) {
	h.line()
	h.begin("section", "id", s.ID, "aria-labelledby", s.ID+"-title")
	h.line()
	h.begin("h2", "id", s.ID+"-title")
	h.isolated(s.Title)
	if s.Note != "" {
		h.text(" ")
		h.element("small", s.Note)
	}
	h.end("h2")
	for _, b := range s.Blocks {
		h.block(b)
	}
	h.line()
	h.end("section")
}

func (h *hypertext) block(b block) {
	if b.Text != "" {
		h.line()
		h.element("p", b.Text)
	}
	if b.Chart != nil {
		h.chart(b.Chart)
	}
	if b.Scatter != nil {
		h.scatter(b.Scatter)
	}
	if t := b.Table; t != nil && t.Folded {
		h.line()
		h.begin("details")
		h.line()
		h.element("summary", t.Caption)
		h.table(t)
		h.line()
		h.end("details")
	} else if t != nil {
		h.table(t)
	}
	if len(b.Facts) > 0 {
		h.line()
		h.begin("dl")
		for _, f := range b.Facts {
			h.line()
			h.begin("div")
			h.element("dt", f.Name)
			h.begin("dd")
			h.isolated(f.Value)
			h.end("dd", "div")
		}
		h.line()
		h.end("dl")
	}
	if b.Words != nil {
		h.words(b.Words)
	}
}

func (h *hypertext) words(w *words) {
	h.line()
	h.begin("details")
	h.line()
	h.element("summary", w.Summary)
	h.line()
	h.begin("ul", "class", "words")
	for _, word := range w.List {
		h.line()
		h.begin("li")
		h.isolated(word)
		h.end("li")
	}
	h.line()
	h.end("ul")
	h.line()
	h.end("details")
}

func (h *hypertext) table(t *table) {
	h.line()
	h.begin("div", "class", "wide", "tabindex", "0", "role", "region", "aria-label", t.Caption)
	h.line()
	h.begin("table")
	h.line()
	h.element("caption", t.Caption)
	h.line()
	h.begin("thead")
	h.line()
	h.begin("tr")
	for _, c := range t.Columns {
		h.element("th", c.Name, append([]string{"scope", "col"}, c.class()...)...)
	}
	h.end("tr")
	h.line()
	h.end("thead")
	h.line()
	h.begin("tbody")
	for _, r := range t.Rows {
		h.line()
		h.begin("tr")
		h.begin("th", "scope", "row")
		h.link(r.Link, r.Cells[0])
		h.end("th")
		for i, cell := range r.Cells[1:] {
			h.begin("td", t.Columns[i+1].class()...)
			h.isolated(cell)
			h.end("td")
		}
		h.end("tr")
	}
	h.line()
	h.end("tbody")
	h.line()
	h.end("table")
	h.line()
	h.end("div")
}

// class is the attribute of a column's cells.
func (c column) class() []string {
	if c.Number {
		return []string{"class", "number"}
	}
	return nil
}

// link writes a text, as a link if it has a target section.
func (h *hypertext) link(id, text string) {
	if id == "" {
		h.isolated(text)
		return
	}
	h.begin("a", "href", "#"+id)
	h.isolated(text)
	h.end("a")
}

// hypertext is HTML that is being made. It escapes all texts and attribute values. Package
// html/template would, too, but then the linker could not remove any exported method of the
// program, because templates call methods by name.
type hypertext struct{ strings.Builder }

// begin begins an element with attributes, which are pairs of a name and a value.
func (h *hypertext) begin(name string, attributes ...string) {
	h.tag(name, attributes)
	h.WriteString(">")
}

func (h *hypertext) tag(name string, attributes []string) {
	h.WriteString("<" + name)
	for i := 0; i < len(attributes); i += 2 {
		h.WriteString(" " + attributes[i] + `="` + html.EscapeString(attributes[i+1]) + `"`)
	}
}

// end ends elements, the innermost first.
func (h *hypertext) end(names ...string) {
	for _, name := range names {
		h.WriteString("</" + name + ">")
	}
}

func (h *hypertext) text(text string) { h.WriteString(html.EscapeString(text)) }

// element writes an element that holds nothing but a text.
func (h *hypertext) element(name, text string, attributes ...string) {
	h.begin(name, attributes...)
	h.text(text)
	h.end(name)
}

// empty writes an element without content.
func (h *hypertext) empty(name string, attributes ...string) {
	h.tag(name, attributes)
	h.WriteString("/>")
}

// line begins a new line.
func (h *hypertext) line() { h.WriteString("\n") }

// isolated writes a text that may run from right to left, isolated from its neighbours.
func (h *hypertext) isolated(text string) { h.element("bdi", text) }
