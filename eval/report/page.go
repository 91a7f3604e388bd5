package report

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html"
	"io"
	"slices"
	"strings"
	"unicode"
)

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

// A block writes itself. A nil block is left out.
type block func(h *hypertext)

// hypertext is HTML that is being made. Package html/template would escape texts, too, but then the
// linker could not remove any exported method of the program, because templates call methods by name.
type hypertext struct{ strings.Builder }

// A markup is HTML that put does not escape.
type markup string

// put formats values, whose strings it escapes.
func (h *hypertext) put(format string, values ...any) {
	for i, v := range values {
		if text, ok := v.(string); ok {
			values[i] = html.EscapeString(text)
		}
	}
	fmt.Fprintf(h, format, values...)
}

// link returns a text, as a link if it has a target section. A text may run from right to left, so bdi
// isolates it from its neighbours.
func link(id, text string) markup {
	text = "<bdi>" + html.EscapeString(text) + "</bdi>"
	if id != "" {
		text = `<a href="#` + html.EscapeString(id) + `">` + text + "</a>"
	}
	return markup(text)
}

var (
	//go:embed page.css
	style string
	//go:embed page.html
	head string
)

// write writes the page, with rules as its last section. It builds the whole page first, so it
// writes either a complete page or nothing.
func (p page) write(w io.Writer, rules []Fact) error {
	if len(rules) > 0 {
		p.Sections = append(p.Sections, section{ID: "rules", Title: "Rules", Blocks: []block{factList(rules)}})
	}
	sum := sha256.Sum256([]byte(style))
	policy := "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'; base-uri 'none'; form-action 'none'"
	var h hypertext
	h.put(head, policy, p.Title, markup(style), p.Title)
	if p.Lead != "" {
		h.put("<p>%s</p>\n", p.Lead)
	}
	h.put("</header>")
	if len(p.Sections) > 2 {
		h.put("\n<nav aria-label=\"Sections\">\n<ul>")
		for _, s := range p.Sections {
			h.put("\n<li>%s</li>", link(s.ID, s.Title))
		}
		h.put("\n</ul>\n</nav>")
	}
	h.put("\n<main>")
	for _, s := range p.Sections {
		h.put(`
<section id="%[1]s" aria-labelledby="%[1]s-title">
<h2 id="%[1]s-title">%[2]s`, s.ID, link("", s.Title))
		if s.Note != "" {
			h.put(" <small>%s</small>", s.Note)
		}
		h.put("</h2>")
		for _, b := range s.Blocks {
			if b != nil {
				b(&h)
			}
		}
		h.put("\n</section>")
	}
	h.put("\n</main>\n</body>\n</html>\n")
	_, err := io.WriteString(w, strings.Map(legible, h.String()))
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

func paragraph(text string) block {
	return func(h *hypertext) { h.put("\n<p>%s</p>", text) }
}

func factList(facts []Fact) block {
	if len(facts) == 0 {
		return nil
	}
	return func(h *hypertext) {
		h.put("\n<dl>")
		for _, f := range facts {
			h.put("\n<div><dt>%s</dt><dd>%s</dd></div>", f.Name, link("", f.Value))
		}
		h.put("\n</dl>")
	}
}

func folded(summary string, b block) block {
	if b == nil {
		return nil
	}
	return func(h *hypertext) {
		h.put("\n<details>\n<summary>%s</summary>", summary)
		b(h)
		h.put("\n</details>")
	}
}

// together returns one block of several; nil if there are none.
func together(blocks []block) block {
	blocks = slices.DeleteFunc(blocks, func(b block) bool { return b == nil })
	if len(blocks) == 0 {
		return nil
	}
	return func(h *hypertext) {
		for _, b := range blocks {
			b(h)
		}
	}
}

func wordList(words []string) block {
	return func(h *hypertext) {
		h.put("\n<ul class=\"words\">")
		for _, word := range words {
			h.put("\n<li>%s</li>", link("", word))
		}
		h.put("\n</ul>")
	}
}

// block draws the table. The first cell of a row is its heading, and leads to the section of the row. Metrics have
// their titles, which are words.
func (t table) block(caption string, sections ...string) block {
	if len(t.rows) == 0 {
		return nil
	}
	return func(h *hypertext) {
		h.put(`
<div class="wide" tabindex="0" role="region" aria-label="%[1]s">
<table>
<caption>%[1]s</caption>
<thead>
<tr>`, caption)
		for _, c := range t.columns {
			h.put(`<th scope="col"%s>%s</th>`, c.class(), c.Name)
		}
		h.put("</tr>\n</thead>\n<tbody>")
		first := func(cell string) string { return cell }
		if t.columns[0].Name == "part" { // which may be a further metric
			first = metricTitle
		}
		for i, row := range t.rows {
			section := ""
			if len(sections) > 0 {
				section = sections[i]
			}
			h.put("\n<tr><th scope=\"row\">%s</th>", link(section, first(row[0])))
			for k, cell := range row[1:] {
				if t.columns[k+1].Name == "metric" {
					cell = metricTitle(cell)
				}
				h.put("<td%s>%s</td>", t.columns[k+1].class(), link("", cell))
			}
			h.put("</tr>")
		}
		h.put("\n</tbody>\n</table>\n</div>")
	}
}

func (c column) class() markup {
	if c.Number {
		return ` class="number"`
	}
	return ""
}
