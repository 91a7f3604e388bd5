package chart

import (
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// content is what a panel shows between its axes.
type content struct {
	c      *canvas
	figure Panels
	panel  Panel
	frame  frame
}

// draw draws on the area of the panel.
func (p content) draw(at draw.Canvas) {
	x := func(v float64) vg.Length { return at.X(p.frame.x.share(v)) }
	y := func(v float64) vg.Length { return at.Y(p.frame.y.share(v)) }
	grid := draw.LineStyle{Color: p.c.grid, Width: 0.6}
	for _, t := range p.frame.y.ticks {
		at.StrokeLine2(grid, at.Min.X, y(t.value), at.Max.X, y(t.value))
	}
	p.marks(at, x)
	var lines []segment
	var points []named
	for i := len(p.panel.Lines) - 1; i >= 0; i-- { // the first one is above the others
		l, t := p.line(at, p.panel.Lines[i], x, y)
		lines, points = append(lines, l...), append(t, points...)
	}
	p.labels(at, points, lines)
}

// marks draws where something happened, and says what.
func (p content) marks(at draw.Canvas, x func(float64) vg.Length) {
	end := at.Min.X // of the last text
	for _, m := range p.figure.Marks {
		if !drawable(m.X, p.figure.LogX) {
			continue
		}
		px := x(m.X)
		sty := draw.LineStyle{Color: p.c.muted, Width: 0.8, Dashes: []vg.Length{2, 2.5}}
		if len(p.figure.Series) > 1 {
			sty.Color = p.c.group(m.Series)
		}
		at.StrokeLine2(sty, px, at.Min.Y, px, at.Max.Y)
		if text := p.c.fonts.style(regular(tickSize), sty.Color, 0, -1); p.panel.Y == p.figure.Panels[0].Y && px >= end && px+3+text.Width(m.Label) < at.Max.X {
			at.FillText(text, vg.Point{X: px + 3, Y: at.Max.Y - 1}, m.Label)
			end = px + 6 + text.Width(m.Label)
		}
	}
}

// line draws a line with its points and intervals, and returns what labels should not cover.
func (p content) line(at draw.Canvas, l Line, x, y func(float64) vg.Length) (lines []segment, points []named) {
	of := p.c.group(l.Series)
	sty := draw.LineStyle{Color: of, Width: 1.5}
	if l.Dashed || l.Series >= 8 {
		sty.Dashes = dashes
	}
	dots := draw.GlyphStyle{Color: of, Radius: 3, Shape: shape(l.Series)}
	var run []vg.Point
	flush := func() {
		if len(run) > 1 && !l.Loose {
			at.StrokeLines(sty, run)
		} else if len(run) == 1 && !l.Dots && !l.Loose {
			at.DrawGlyphNoClip(dots, run[0])
		}
		run = nil
	}
	for _, point := range l.Points {
		if !drawable(point.X, p.figure.LogX) || !drawable(point.Y, p.panel.LogY) {
			flush()
			continue
		}
		px, py := x(point.X), y(point.Y)
		here := vg.Point{X: px, Y: py}
		run = append(run, here)
		if point.From < point.To && drawable(point.From, p.figure.LogX) && drawable(point.To, p.figure.LogX) {
			at.StrokeLine2(draw.LineStyle{Color: p.c.faded(of, 0.55), Width: 1}, x(point.From), py, x(point.To), py)
		}
		if point.interval() && drawable(point.Low, p.panel.LogY) && drawable(point.High, p.panel.LogY) {
			low, high := y(point.Low), y(point.High)
			bar := draw.LineStyle{Color: of, Width: 1.1}
			at.StrokeLine2(bar, px, low, px, high)
			at.StrokeLine2(bar, px-3, low, px+3, low)
			at.StrokeLine2(bar, px-3, high, px+3, high)
			lines = append(lines, segment{vg.Point{X: px, Y: low}, vg.Point{X: px, Y: high}})
		}
		if l.Dots || l.Loose {
			at.DrawGlyphNoClip(dots, here)
		}
		t := named{tag{at: here, radius: dots.Radius}, label(point.Label)}
		if point.Label != "" {
			w, h, d := p.c.fonts.Box(t.text, regular(tickSize))
			t.width, t.height = w, h+d
		}
		points = append(points, t)
	}
	flush()
	return lines, points
}

// A named is a tag with its text.
type named struct {
	tag
	text string
}

// labels draws the texts of points where there is room.
func (p content) labels(at draw.Canvas, points []named, lines []segment) {
	var all, tags []tag
	var texts []string
	for _, t := range points {
		all = append(all, t.tag)
		if t.text != "" {
			tags, texts = append(tags, t.tag), append(texts, t.text)
		}
	}
	for i, s := range places(tags, all, lines, at.Rectangle, true) {
		if !s.ok {
			p.c.drawn.Unlabelled = append(p.c.drawn.Unlabelled, texts[i])
			continue
		}
		if s.leader {
			end := nearest(s.Rectangle, tags[i].at)
			at.StrokeLine2(draw.LineStyle{Color: p.c.faded(p.c.muted, 0.35), Width: 0.6}, tags[i].at.X, tags[i].at.Y, end.X, end.Y)
		}
		at.FillText(p.c.fonts.style(regular(tickSize), p.c.ink, 0, -0.5), vg.Point{X: s.Min.X, Y: (s.Min.Y + s.Max.Y) / 2}, texts[i])
	}
}
