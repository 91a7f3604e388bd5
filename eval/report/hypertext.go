package report

import (
	"html"
	"strings"
)

// hypertext is HTML that is being made. Texts and values of attributes stay texts, whatever is in
// them. Package html/template would do the same and keep every exported method of the program from
// being left out by the linker, because templates call methods by their names.
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

// isolated writes a text that may run from right to left beside others.
func (h *hypertext) isolated(text string) { h.element("bdi", text) }
