package chart

import (
	"fmt"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

type heading struct {
	title, subtitle string
	legend          []entry
}

type entry struct {
	name   string
	group  int // −1 for no group
	kind   swatch
	glyph  draw.GlyphDrawer // of dots
	dashed bool
}

type swatch int

const (
	dot swatch = iota
	line
	ring
	arrowed
)

const (
	titleSize    vg.Length = 13
	subtitleSize vg.Length = 9
	legendSize   vg.Length = 9
	axisSize     vg.Length = 9
	tickSize     vg.Length = 8
	margin       vg.Length = 14
)

func (c *canvas) picture(p Picture, s Style) error {
	h := p.heading()
	if s.Title != "" {
		h.title = s.Title
	}
	c.Canvas = draw.Crop(c.Canvas, margin, -margin, margin, -margin)
	c.above(h.title, c.fonts.style(bold(titleSize), c.ink, 0, -1), 4)
	c.above(h.subtitle, c.fonts.style(regular(subtitleSize), c.muted, 0, -1), 5)
	if len(h.legend) > 0 {
		c.legend(h.legend)
	}
	return p.draw(c)
}

func (c *canvas) above(text string, sty draw.TextStyle, gap vg.Length) {
	if text == "" {
		return
	}
	for _, line := range c.wrap(titled(text), sty.Font) {
		c.FillText(sty, vg.Point{X: c.Min.X, Y: c.Max.Y}, line)
		c.Max.Y -= sty.Height(line)
	}
	c.Max.Y -= gap
}

const maxTitle = 400

func titled(t string) string {
	runes := []rune(clean(t))
	return string(runes[:min(len(runes), maxTitle)])
}

func (c *canvas) wrap(t string, of font.Font) []string {
	room := c.Max.X - c.Min.X
	fits := func(t string) bool { w, _, _ := c.fonts.Box(t, of); return w <= room }
	var lines []string
	for len(lines) < 2 && !fits(t) {
		cut := 0
		for i, r := range t {
			if r == ' ' && i > 0 && fits(t[:i]) {
				cut = i
			}
		}
		if cut == 0 {
			break
		}
		lines, t = append(lines, t[:cut]), t[cut+1:]
	}
	return append(lines, c.shorten(t, of, room))
}

func (c *canvas) shorten(t string, of font.Font, room vg.Length) string {
	runes := []rune(t)
	for short := t; len(runes) > 0; short = string(runes) + "…" {
		if w, _, _ := c.fonts.Box(short, of); w <= room {
			return short
		}
		runes = runes[:len(runes)-1]
	}
	return ""
}

const maxLegend = 5

func (c *canvas) legend(entries []entry) {
	const gap, icon = 16, 20
	sty := c.fonts.style(regular(legendSize), c.ink, 0, -0.5)
	height := vg.Length(1.55 * legendSize)
	x, y, lines := c.Min.X, c.Max.Y-height/2, 1
	for i, e := range entries {
		name := c.shorten(label(e.name), sty.Font, max(c.Max.X-c.Min.X-icon, 0))
		width := icon + sty.Width(name)
		if x > c.Min.X && x+width > c.Max.X {
			if lines == maxLegend {
				y -= height
				c.FillText(c.fonts.style(regular(legendSize), c.muted, 0, -0.5), vg.Point{X: c.Min.X, Y: y}, fmt.Sprintf("and %d more", len(entries)-i))
				break
			}
			x, y, lines = c.Min.X, y-height, lines+1
		}
		c.swatch(e, vg.Point{X: x, Y: y}, icon-5)
		c.FillText(sty, vg.Point{X: x + icon, Y: y}, name)
		x += width + gap
	}
	c.Max.Y = y - height/2 - 5
}

func (c *canvas) swatch(e entry, left vg.Point, width vg.Length) {
	of := c.group(e.group)
	middle := vg.Point{X: left.X + width/2, Y: left.Y}
	right := vg.Point{X: left.X + width, Y: left.Y}
	switch e.kind {
	case line:
		sty := draw.LineStyle{Color: of, Width: 1.6}
		if e.dashed {
			sty.Dashes = dashes
		}
		c.StrokeLine2(sty, left.X, left.Y, right.X, right.Y)
		if e.glyph != nil {
			c.DrawGlyphNoClip(draw.GlyphStyle{Color: of, Radius: 2.8, Shape: e.glyph}, middle)
		}
	case ring:
		c.hollow(middle, 4)
	case arrowed:
		arrow(&c.Canvas, draw.LineStyle{Color: c.accent, Width: 1.4}, left, right, 0)
	default:
		c.DrawGlyphNoClip(draw.GlyphStyle{Color: of, Radius: 3.4, Shape: e.glyph}, middle)
	}
}

var dashes = []vg.Length{4, 3}

func (c *canvas) hollow(at vg.Point, radius vg.Length) {
	points := corner(at, radius, 4, 0)
	c.StrokeLines(draw.LineStyle{Color: c.accent, Width: 1.2}, append(points, points[0]))
}
