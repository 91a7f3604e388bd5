package report

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"io"
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

//go:embed page.html.tmpl
var pageTemplate string

//go:embed page.css
var style string

// write writes the page. It is complete or there is an error: nothing is written before all of it
// is made.
func (p page) write(w io.Writer) error {
	t, err := template.New("page").Funcs(template.FuncMap{"rest": func(cells []string) []string { return cells[1:] }, "next": func(i int) int { return i + 1 }}).Parse(pageTemplate)
	if err != nil {
		return err
	}
	sum := sha256.Sum256([]byte(style))
	var b bytes.Buffer
	err = t.Execute(&b, struct {
		page
		Style  template.CSS
		Policy string
	}{p, template.CSS(style), "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'; base-uri 'none'; form-action 'none'"})
	if err != nil {
		return err
	}
	_, err = w.Write(bytes.Map(legible, b.Bytes()))
	return err
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
