// Package chart draws pictures of numbers about vectors: maps, heat maps and line charts. It gets texts and
// numbers and does not depend on package vectors. The same input always makes the same file.
package chart

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Panels are line charts below each other that share one horizontal axis.
type Panels struct {
	Title, Subtitle string
	X               string // title of the axis
	LogX            bool
	Panels          []Panel
	Series          []string // names for the legend; Line.Series is an index of Series
	Marks           []Mark
	FromZero        bool // the axis begins at 0
	Whole           bool // the axis has whole numbers only
}

// A Panel has a vertical axis of its own.
type Panel struct {
	Y        string // title of the axis
	Lines    []Line
	FromZero bool // the axis begins at 0
	Percent  bool // numbers from 0 to 1 are written as percentages
}

// A Line is a series of points.
type Line struct {
	Series int
	Points []Point // in the order of X; a Y of NaN interrupts the line
	Dots   bool    // also draw the points
	Dashed bool
	Loose  bool // draw only the points
}

// A Point is a number with its interval and range.
type Point struct {
	X, Y      float64
	Low, High float64 // ends of its interval; both 0, or both Y, for no interval
	From, To  float64 // range of X that the number covers; both 0 if it covers X alone
	Label     string
}

func (p Point) interval() bool { return p.Low < p.High }

// A Mark is an event, drawn in all panels.
type Mark struct {
	X      float64
	Series int
	Label  string
}

func (f Panels) size() (width, height float64, shaped bool) {
	each := 2.2
	if len(f.Panels) == 1 {
		each = 4
	}
	return 8, each*float64(len(f.Panels)) + 0.8, false
}

func (f Panels) labels() []string {
	all := append([]string{}, f.Series...)
	for _, p := range f.Panels {
		all = append(all, p.Y)
		for _, l := range p.Lines {
			for _, at := range l.Points {
				all = append(all, at.Label)
			}
		}
	}
	return all
}

func (f Panels) heading() heading {
	h := heading{title: f.Title, subtitle: f.Subtitle}
	for i, s := range f.Series {
		e := entry{name: s, group: i, kind: line}
		for _, p := range f.Panels {
			for _, l := range p.Lines {
				if l.Series != i {
					continue
				}
				if l.Dots || l.Loose {
					e.glyph = shape(i)
				}
				if l.Loose {
					e.kind = dot
				}
			}
		}
		if e.dashed = e.kind == line && i >= 8; s != "" {
			h.legend = append(h.legend, e)
		}
	}
	return h
}

func (f Panels) draw(c *canvas) error {
	if len(f.Panels) == 0 {
		return errors.New("a figure without panels cannot be drawn")
	}
	if each := (c.Max.Y-c.Min.Y)/vg.Length(len(f.Panels)) - 14; each < leastPanel || c.Max.X-c.Min.X < 2*leastPanel {
		return errRoom(fmt.Sprintf("%d panels", len(f.Panels)))
	}
	low, high := f.extentX()
	frames := make([]frame, len(f.Panels))
	for i, p := range f.Panels {
		x, y := axis{scale: scale{low, high, f.LogX}}, axis{text: label(p.Y)}
		y.low, y.high = p.extentY()
		y.ticks = ticks{percent: p.Percent, wanted: 5}.between(y.low, y.high)
		if i == len(f.Panels)-1 { // the shared horizontal axis
			x.text = f.X
			x.ticks = ticks{log: f.LogX, wanted: 7, whole: f.Whole}.between(low, high)
		}
		frames[i] = frame{c, x, y}
	}
	for i, area := range stacked(frames, c.Rectangle) {
		frames[i].across(area)
		frames[i].upright(area)
		content{c: c, figure: f, panel: f.Panels[i], frame: frames[i]}.draw(draw.Canvas{Canvas: c.Canvas.Canvas, Rectangle: area})
	}
	return nil
}

const leastPanel = 28

func (f Panels) extentX() (low, high float64) {
	r := empty
	for _, p := range f.Panels {
		for _, l := range p.Lines {
			for _, at := range l.Points {
				r.add(f.LogX, at.X)
				if at.From < at.To {
					r.add(f.LogX, at.From, at.To)
				}
			}
		}
	}
	for _, m := range f.Marks {
		r.add(f.LogX, m.X)
	}
	if f.FromZero && r.low <= r.high && !f.LogX {
		r.add(false, 0)
	}
	return r.wider(f.LogX, 0.02)
}

func (p Panel) extentY() (low, high float64) {
	r := empty
	for _, l := range p.Lines {
		for _, at := range l.Points {
			r.add(false, at.Y)
			if at.interval() {
				r.add(false, at.Low, at.High)
			}
		}
	}
	if p.FromZero && r.low <= r.high {
		r.add(false, 0)
	}
	low, high = r.wider(false, 0.07)
	if p.FromZero && low < 0 && low > -0.1*(high-low) {
		low = 0
	}
	return low, high
}

type extent struct{ low, high float64 }

var empty = extent{math.Inf(1), math.Inf(-1)}

func (r *extent) add(log bool, numbers ...float64) {
	for _, x := range numbers {
		if drawable(x, log) {
			r.low, r.high = min(r.low, x), max(r.high, x)
		}
	}
}

func drawable(x float64, log bool) bool {
	const most = 1e30
	return math.Abs(x) <= most && (!log || x > 1/most) // false for NaN
}

// wider returns the range with margins at both ends, also for an empty range or a single number.
func (r extent) wider(log bool, room float64) (low, high float64) {
	low, high = r.low, r.high
	switch {
	case low > high && log:
		return 1, 10
	case low > high:
		return 0, 1
	case log && high/low < 1+1e-9:
		return low / 2, high * 2
	case log:
		by := math.Pow(high/low, room)
		return low / by, high * by
	}
	by := room * (high - low)
	if high-low <= 1e-9*max(math.Abs(low), math.Abs(high)) {
		by = max(math.Abs(low)*0.1, 1e-3)
	}
	return low - by, high + by
}

type content struct {
	c      *canvas
	figure Panels
	panel  Panel
	frame  frame
}

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
	for i := len(p.panel.Lines) - 1; i >= 0; i-- { // from the last to the first, so that the first line is on top
		l, t := p.line(at, p.panel.Lines[i], x, y)
		lines, points = append(lines, l...), append(t, points...)
	}
	p.labels(at, points, lines)
}

func (p content) marks(at draw.Canvas, x func(float64) vg.Length) {
	end := at.Min.X // of the text before
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

// line returns the lines and points that labels should not cover.
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
		if !drawable(point.X, p.figure.LogX) || !drawable(point.Y, false) {
			flush()
			continue
		}
		px, py := x(point.X), y(point.Y)
		here := vg.Point{X: px, Y: py}
		run = append(run, here)
		if point.From < point.To && drawable(point.From, p.figure.LogX) && drawable(point.To, p.figure.LogX) {
			at.StrokeLine2(draw.LineStyle{Color: p.c.faded(of, 0.55), Width: 1}, x(point.From), py, x(point.To), py)
		}
		if point.interval() && drawable(point.Low, false) && drawable(point.High, false) {
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

type named struct {
	tag
	text string
}

func (p content) labels(at draw.Canvas, points []named, lines []segment) {
	var all, tags []tag
	for _, t := range points {
		all = append(all, t.tag)
	}
	points = slices.DeleteFunc(points, func(t named) bool { return t.text == "" })
	for _, t := range points {
		tags = append(tags, t.tag)
	}
	for i, s := range places(tags, all, lines, at.Rectangle, true) {
		if !s.ok {
			p.c.drawn.Unlabelled = append(p.c.drawn.Unlabelled, points[i].text)
			continue
		}
		p.c.leader(s, tags[i])
		p.c.FillText(p.c.fonts.style(regular(tickSize), p.c.ink, 0, -0.5), vg.Point{X: s.Min.X, Y: (s.Min.Y + s.Max.Y) / 2}, points[i].text)
	}
}

// Scores plots scores against costs, by their logarithms if they differ much, in a panel for each set.
type Scores struct {
	X    string // title of the cost axis
	Sets []ScoresOf
}

// ScoresOf are the scores on one set.
type ScoresOf struct {
	Set       string
	Points    []Point // of models
	Baselines []Point // reference scores, drawn as lines; an X of 0 means no cost
}

// Panels returns the panels to draw.
func (s Scores) Panels() Panels {
	f := Panels{X: s.X}
	costs := empty
	for _, set := range s.Sets {
		for _, at := range paid(slices.Concat(set.Points, set.Baselines)) {
			costs = extent{min(costs.low, at.X), max(costs.high, at.X)}
		}
		if len(set.Baselines) > 0 {
			f.Series = []string{"models", "baselines"}
		}
	}
	if costs == empty {
		costs = extent{0.5, 1}
	}
	f.LogX = costs.high/costs.low >= 10
	left, right := costs.wider(f.LogX, 0.12)
	for _, set := range s.Sets {
		p := Panel{Y: set.Set, Lines: []Line{{Series: 0, Loose: true, Points: paid(set.Points)}, {Series: 1, Loose: true, Points: paid(set.Baselines)}}}
		for _, at := range set.Baselines {
			level := Line{Series: 1, Dashed: true, Points: []Point{{X: left, Y: at.Y}, {X: right, Y: at.Y}}}
			if at.X <= 0 {
				level.Points[0].Label = at.Label
			}
			p.Lines = append(p.Lines, level)
		}
		f.Panels = append(f.Panels, p)
	}
	return f
}

func paid(points []Point) []Point {
	return slices.DeleteFunc(slices.Clone(points), func(p Point) bool { return !(p.X > 0) })
}
