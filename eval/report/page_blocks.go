package report

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

// link writes a text that leads to a section, if it does.
func (h *hypertext) link(id, text string) {
	if id == "" {
		h.isolated(text)
		return
	}
	h.begin("a", "href", "#"+id)
	h.isolated(text)
	h.end("a")
}
