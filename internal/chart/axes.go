package chart

import (
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A scale maps numbers to shares of an axis.
type scale struct {
	low, high float64
	log       bool
}

// share returns where a number stands: 0 is the beginning of the axis and 1 its end.
func (s scale) share(x float64) float64 {
	if s.log {
		return math.Log(x/s.low) / math.Log(s.high/s.low)
	}
	return (x - s.low) / (s.high - s.low)
}

// An axis has a scale, ticks, and a text that says what it is. It has neither ticks nor text where
// the panel below shows them.
type axis struct {
	scale
	ticks []tick
	text  string
}

// A frame is the two axes of a panel.
type frame struct {
	c    *canvas
	x, y axis
}

// Lengths around a panel.
const (
	tickLength  vg.Length = 3
	textPadding vg.Length = 3 // between an axis and what it says
	axisWidth   vg.Length = 1
	panelGap    vg.Length = 10
	rightMargin vg.Length = 4
)

// lineHeight is the height of one line of text.
func (c *canvas) lineHeight(size vg.Length) vg.Length {
	e := c.fonts.Extents(regular(size))
	return e.Ascent + e.Descent
}

func (c *canvas) descent(size vg.Length) vg.Length { return c.fonts.Extents(regular(size)).Descent }

func (c *canvas) width(text string, size vg.Length) vg.Length {
	w, _, _ := c.fonts.Box(text, regular(size))
	return w
}

// left is the room that the vertical axis takes beside the panel.
func (f frame) left() (room vg.Length) {
	if f.y.text != "" {
		room = f.c.lineHeight(axisSize) + f.c.descent(axisSize) + textPadding
	}
	if w := f.widestTick(); w > 0 {
		room += w + f.c.width(" ", axisSize)
	}
	return room
}

func (f frame) widestTick() (w vg.Length) {
	for _, t := range f.y.ticks {
		w = max(w, f.c.width(t.label, tickSize))
	}
	return w
}

// bottom is the room that the horizontal axis takes below the panel.
func (f frame) bottom() vg.Length {
	room := axisWidth / 2
	if f.x.text != "" {
		room += f.c.lineHeight(axisSize) + textPadding
	}
	if len(f.x.ticks) > 0 {
		room += f.c.lineHeight(tickSize) + tickLength
	}
	return room
}

// right is the room that the texts of the horizontal axis need beyond its end, of a width for both.
func (f frame) right(width vg.Length) (room vg.Length) {
	for _, t := range f.x.ticks {
		room = max(room, beyond(f.x.share(t.value), f.c.width(t.label, tickSize)/2, width))
	}
	return max(room, beyond(0.5, f.c.width(f.x.text, axisSize)/2, width))
}

// top is the room that the texts of the vertical axis need beyond its end, of a height for both.
func (f frame) top(height vg.Length) (room vg.Length) {
	for _, t := range f.y.ticks {
		room = max(room, beyond(f.y.share(t.value), (1+yTickAlign)*f.c.lineHeight(tickSize), height))
	}
	return max(room, beyond(0.5, f.c.width(f.y.text, axisSize)/2, height))
}

// yTickAlign puts the middle of digits at a tick.
const yTickAlign = -0.7

// beyond returns by how much an axis must be shorter than what there is, so that a text ends within it that
// stands at a share of the axis and reaches so far from there.
func beyond(share float64, reach, whole vg.Length) vg.Length {
	if share <= 0 {
		return 0
	}
	return whole - (whole-reach)/vg.Length(share)
}

// stacked returns the areas of panels below each other: as high and as wide as each other, and with
// room for their axes.
func stacked(all []frame, in vg.Rectangle) []vg.Rectangle {
	count := vg.Length(len(all))
	height := in.Max.Y - in.Min.Y - (count-1)*panelGap
	each := height / count
	area := vg.Rectangle{Min: in.Min, Max: vg.Point{X: in.Max.X - rightMargin, Y: in.Max.Y}}
	var left, right vg.Length
	for _, f := range all {
		left = max(left, f.left())
	}
	area.Min.X += left
	tops := make([]vg.Length, len(all))
	for i, f := range all {
		right = max(right, f.right(area.Max.X-area.Min.X))
		tops[i] = f.top(each - f.bottom())
		height -= tops[i] + f.bottom()
	}
	area.Max.X -= right
	var areas []vg.Rectangle
	for i, f := range all {
		area.Max.Y -= tops[i]
		area.Min.Y = area.Max.Y - height/count
		areas = append(areas, area)
		area.Max.Y = area.Min.Y - f.bottom() - panelGap
	}
	return areas
}

// draw draws the axes around an area.
func (f frame) draw(area vg.Rectangle) {
	f.across(area)
	f.upright(area)
}

func (f frame) across(area vg.Rectangle) {
	y := area.Min.Y - f.bottom()
	if f.x.text != "" {
		middle := vg.Point{X: (area.Min.X + area.Max.X) / 2, Y: y + f.c.descent(axisSize)}
		f.c.FillText(f.c.fonts.style(regular(axisSize), f.c.muted, -0.5, 0), middle, f.x.text)
		y += f.c.lineHeight(axisSize) + textPadding
	}
	line := draw.LineStyle{Color: f.c.grid, Width: axisWidth}
	if len(f.x.ticks) == 0 {
		y += axisWidth / 2
	} else {
		y += f.c.lineHeight(tickSize)
		at := func(t tick) vg.Length { return area.Min.X + vg.Length(f.x.share(t.value))*(area.Max.X-area.Min.X) }
		for _, t := range f.x.ticks {
			f.c.FillText(f.c.fonts.style(regular(tickSize), f.c.muted, -0.5, -1), vg.Point{X: at(t), Y: y + f.c.descent(tickSize)}, t.label)
		}
		for _, t := range f.x.ticks {
			f.c.StrokeLine2(line, at(t), y, at(t), y+tickLength)
		}
		y += tickLength
	}
	f.c.StrokeLine2(line, area.Min.X, y, area.Max.X, y)
}

func (f frame) upright(area vg.Rectangle) {
	x := area.Min.X - f.left()
	if f.y.text != "" {
		style := f.c.fonts.style(regular(axisSize), f.c.muted, -0.5, 0)
		style.Rotation = math.Pi / 2
		x += f.c.lineHeight(axisSize)
		f.c.FillText(style, vg.Point{X: x - f.c.descent(axisSize), Y: (area.Min.Y + area.Max.Y) / 2}, f.y.text)
		x += f.c.descent(axisSize) + textPadding
	}
	x += f.widestTick()
	for _, t := range f.y.ticks {
		y := area.Min.Y + vg.Length(f.y.share(t.value))*(area.Max.Y-area.Min.Y)
		f.c.FillText(f.c.fonts.style(regular(tickSize), f.c.muted, -1, yTickAlign), vg.Point{X: x, Y: y + f.c.descent(tickSize)}, t.label)
	}
}
