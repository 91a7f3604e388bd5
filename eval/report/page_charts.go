package report

import "strconv"

func (h *hypertext) chart(c *chart) {
	h.line()
	h.begin("figure")
	h.line()
	h.element("figcaption", c.Caption)
	for _, r := range c.Rows {
		h.chartRow(r, c.Ticks)
	}
	h.line()
	h.begin("div", "class", "row axis", "aria-hidden", "true")
	h.line()
	h.element("span", "", "class", "name")
	h.element("span", "", "class", "value")
	h.line()
	h.begin("svg", "class", "plot")
	for _, t := range c.Ticks {
		h.element("text", t.Label, "x", t.At, "y", "1em")
	}
	h.end("svg")
	h.line()
	h.end("div")
	h.line()
	h.end("figure")
}

func (h *hypertext) chartRow(r chartRow, ticks []tick) {
	h.line()
	h.begin("div", "class", "row "+r.Class)
	h.line()
	h.begin("span", "class", "name")
	h.link(r.Link, r.Name)
	h.end("span")
	h.line()
	h.element("span", r.Value, "class", "value")
	h.line()
	h.begin("svg", "class", "plot", "role", "img")
	h.element("title", r.Title)
	h.upright(ticks)
	if r.Bar {
		h.empty("rect", "class", "bar", "x", r.From, "width", r.Width, "y", "25%", "height", "50%")
	}
	if r.Low != "" {
		h.empty("line", "class", "whisker", "x1", r.Low, "x2", r.High, "y1", "50%", "y2", "50%")
		h.empty("line", "class", "whisker", "x1", r.Low, "x2", r.Low, "y1", "30%", "y2", "70%")
		h.empty("line", "class", "whisker", "x1", r.High, "x2", r.High, "y1", "30%", "y2", "70%")
	}
	for _, run := range r.Runs {
		h.empty("circle", "class", "run", "cx", run, "cy", "50%", "r", "3")
	}
	if r.At != "" && !r.Bar {
		h.empty("circle", "class", "dot", "cx", r.At, "cy", "50%", "r", "5")
	}
	h.end("svg")
	h.line()
	h.end("div")
}

// upright draws the lines of a grid for the ticks of a horizontal axis.
func (h *hypertext) upright(ticks []tick) {
	for _, t := range ticks {
		h.empty("line", "class", t.class(), "x1", t.At, "x2", t.At, "y1", "0", "y2", "100%")
	}
}

func (t tick) class() string {
	if t.Zero {
		return "zero"
	}
	return "grid"
}

func (h *hypertext) scatter(s *scatter) {
	h.line()
	h.begin("figure", "class", "scatter")
	h.line()
	h.element("figcaption", s.Caption)
	h.line()
	h.begin("p", "class", "key")
	h.begin("svg", "class", "mark", "aria-hidden", "true")
	h.empty("circle", "class", "above", "cx", "50%", "cy", "50%", "r", "5")
	h.end("svg")
	h.text(" " + s.AboveKey + " ")
	h.begin("svg", "class", "mark", "aria-hidden", "true")
	h.empty("rect", "class", "below", "x", "3", "y", "3", "width", "8", "height", "8")
	h.end("svg")
	h.text(" " + s.BelowKey)
	h.end("p")
	h.line()
	h.begin("div", "class", "field")
	h.line()
	h.begin("svg", "class", "upright", "aria-hidden", "true")
	h.element("text", s.Y, "class", "title", "x", "0", "y", "-0.9em")
	for _, t := range s.YTicks {
		h.element("text", t.Label, "x", "100%", "dx", "-6", "y", t.At, "dy", "0.35em")
	}
	h.end("svg")
	h.line()
	h.points(s)
	h.line()
	h.begin("svg", "class", "across", "aria-hidden", "true")
	for _, t := range s.XTicks {
		h.element("text", t.Label, "x", t.At, "y", "1.2em")
	}
	h.element("text", s.X, "class", "title", "x", "100%", "y", "2.6em")
	h.end("svg")
	h.line()
	h.end("div")
	h.line()
	h.end("figure")
}

func (h *hypertext) points(s *scatter) {
	h.begin("svg", "class", "points", "role", "img")
	h.element("title", s.Title)
	h.upright(s.XTicks)
	for _, t := range s.YTicks {
		h.empty("line", "class", t.class(), "x1", "0", "x2", "100%", "y1", t.At, "y2", t.At)
	}
	for _, p := range s.Points {
		h.line()
		h.begin("circle", "class", "point", "cx", p.X, "cy", p.Y, "r", "3.5")
		h.element("title", p.Title)
		h.end("circle")
	}
	for _, p := range s.Worst {
		h.line()
		h.worst(p)
	}
	h.end("svg")
}

// worst draws one of the points that are named.
func (h *hypertext) worst(p point) {
	if p.Above {
		h.begin("circle", "class", "above", "cx", p.X, "cy", p.Y, "r", "5")
		h.element("title", p.Title)
		h.end("circle")
	} else {
		h.begin("svg", "class", "at", "x", p.X, "y", p.Y)
		h.begin("rect", "class", "below", "x", "-4", "y", "-4", "width", "8", "height", "8")
		h.element("title", p.Title)
		h.end("rect", "svg")
	}
	if p.Label.Anchor == "" {
		return
	}
	h.begin("text", "class", "label "+p.Label.Anchor, "x", p.X, "y", p.Y, "dx", strconv.Itoa(p.Label.DX), "dy", strconv.Itoa(p.Label.DY))
	h.text(strconv.Itoa(p.Number))
	if !p.Label.NumberOnly {
		h.element("tspan", " "+p.Name, "class", "pair")
	}
	h.end("text")
}
