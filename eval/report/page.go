package report

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
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

// write writes the page. It is complete or there is an error: nothing is written before all of it
// is made.
func (p page) write(w io.Writer) error {
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
