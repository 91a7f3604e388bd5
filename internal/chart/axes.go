package chart

import (
	"fmt"
	"image/color"
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

type scale struct {
	low, high float64
	log       bool
}

func (s scale) share(x float64) float64 {
	if s.log {
		return math.Log(x/s.low) / math.Log(s.high/s.low)
	}
	return (x - s.low) / (s.high - s.low)
}

type axis struct {
	scale
	ticks []tick
	text  string
}

type frame struct {
	c    *canvas
	x, y axis
}

const (
	tickLength  vg.Length = 3
	textPadding vg.Length = 3 // between an axis and its text
	axisWidth   vg.Length = 1
	panelGap    vg.Length = 10
	rightMargin vg.Length = 4
)

func (c *canvas) lineHeight(size vg.Length) vg.Length {
	e := c.fonts.Extents(regular(size))
	return e.Ascent + e.Descent
}

func (c *canvas) descent(size vg.Length) vg.Length { return c.fonts.Extents(regular(size)).Descent }

func (c *canvas) width(text string, size vg.Length) vg.Length {
	w, _, _ := c.fonts.Box(text, regular(size))
	return w
}

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

// right returns the width that texts of the horizontal axis need beyond its end, of axis and margin together.
func (f frame) right(width vg.Length) (room vg.Length) {
	for _, t := range f.x.ticks {
		room = max(room, beyond(f.x.share(t.value), f.c.width(t.label, tickSize)/2, width))
	}
	return max(room, beyond(0.5, f.c.width(f.x.text, axisSize)/2, width))
}

// top is right for the heights of the vertical axis.
func (f frame) top(height vg.Length) (room vg.Length) {
	for _, t := range f.y.ticks {
		room = max(room, beyond(f.y.share(t.value), (1+yTickAlign)*f.c.lineHeight(tickSize), height))
	}
	return max(room, beyond(0.5, f.c.width(f.y.text, axisSize)/2, height))
}

const yTickAlign = -0.7

// beyond returns by how much an axis is shorter than the whole, so that a text at a share of the axis fits.
func beyond(share float64, reach, whole vg.Length) vg.Length {
	if share <= 0 {
		return 0
	}
	return whole - (whole-reach)/vg.Length(share)
}

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

type ticks struct {
	log, percent bool
	whole        bool // only whole numbers make sense
	wanted       int
}

type tick struct {
	value float64
	label string
}

func (t ticks) between(low, high float64) []tick {
	var at []float64
	if t.log && high/low >= 8 {
		at = powers(low, high)
	} else {
		wanted := t.wanted
		if t.whole {
			wanted = min(wanted, max(1, int(high-low)))
		}
		at = steps(low, high, wanted)
	}
	var all []tick
	span := high - low
	for _, x := range at {
		if x < low || x > high || t.whole && x != math.Trunc(x) {
			continue
		}
		text := large(x, span)
		if t.percent {
			text = minus(trim(strconv.FormatFloat(100*x, 'f', decimals(100*span), 64))) + " %"
		} else if t.log {
			text = large(x, 0)
		}
		all = append(all, tick{x, text})
	}
	return all
}

// powers returns powers of ten, and their multiples by 2 and 5 if there are few.
func powers(low, high float64) (at []float64) {
	from, to := math.Floor(math.Log10(low)), math.Ceil(math.Log10(high))
	stride := max(1, math.Ceil((to-from)/8))
	for e := from; e <= to; e += stride {
		for _, by := range []float64{1, 2, 5} {
			if x := by * math.Pow(10, e); x >= low && x <= high && (by == 1 || to-from <= 2) {
				at = append(at, x)
			}
		}
	}
	return at
}

func decimals(span float64) int {
	if !(span > 0) {
		return 3
	}
	return min(max(2-int(math.Floor(math.Log10(span))), 0), 12)
}

// large formats a number on an axis: millions with an M, and as many digits as distinguish steps of a span.
// The span is 0 if the number stands alone.
func large(x, span float64) string {
	if math.Abs(x) >= 1e15 || span >= 1e16 {
		return minus(fmt.Sprintf("%.3g", x))
	}
	for _, unit := range []struct {
		by     float64
		letter string
	}{{1e12, " T"}, {1e9, " G"}, {1e6, " M"}, {1e3, " k"}} {
		if size := max(math.Abs(x), span/2); size >= unit.by && x != 0 && (unit.by > 1e3 || size >= 1e4 || span == 0) {
			digits := 6
			if span > 0 {
				digits = decimals(span / unit.by)
			}
			return minus(trim(strconv.FormatFloat(x/unit.by, 'f', digits, 64))) + unit.letter
		}
	}
	if x != 0 && math.Abs(x) < 1e-3 {
		return minus(strings.Replace(fmt.Sprintf("%.3g", x), "e-0", "e-", 1))
	}
	if span == 0 {
		return minus(fmt.Sprintf("%.4g", x))
	}
	return minus(trim(strconv.FormatFloat(x, 'f', decimals(span), 64)))
}

func trim(number string) string {
	if strings.Contains(number, ".") {
		number = strings.TrimRight(strings.TrimRight(number, "0"), ".")
	}
	return number
}

// bar draws a colour bar on the right, and takes its width off the canvas.
func (c *canvas) bar(name string, low, high float64, of func(float64) color.Color, written func(float64) string) {
	const width, slices = 9, 48
	if high <= low {
		high = low + 1
	}
	ticks := steps(low, high, 5)
	sty := c.fonts.style(regular(tickSize), c.muted, 0, -0.5)
	room := vg.Length(0)
	for _, x := range ticks {
		room = max(room, sty.Width(written(x)))
	}
	right := c.Max.X - room - 4
	titled := c.fonts.style(regular(axisSize), c.muted, -0.5, -1)
	titled.Rotation = math.Pi / 2
	size := c.Max.Y - c.Min.Y
	length := min(size, 220)
	top, bottom := c.Max.Y-(size-length)/2, c.Min.Y+(size-length)/2
	left := right - width
	step := (top - bottom) / slices
	for i := range slices {
		y := bottom + vg.Length(i)*step
		x := low + (high-low)*(float64(i)+0.5)/slices
		c.FillPolygon(of(x), []vg.Point{{X: left, Y: y}, {X: right, Y: y}, {X: right, Y: min(y+step+0.3, top)}, {X: left, Y: min(y+step+0.3, top)}})
	}
	for _, x := range ticks {
		y := bottom + (top-bottom)*vg.Length((x-low)/(high-low))
		c.StrokeLine2(draw.LineStyle{Color: c.muted, Width: 0.6}, right, y, right+2, y)
		c.FillText(sty, vg.Point{X: right + 4, Y: y}, written(x))
	}
	if name != "" {
		name = c.shorten(label(name), titled.Font, length)
		c.FillText(titled, vg.Point{X: left - axisSize - 6, Y: (top + bottom) / 2}, name)
		left -= axisSize + 6
	}
	c.Max.X = left - 12
}

func steps(low, high float64, wanted int) (at []float64) {
	span := high - low
	if !(span > 0) || math.IsInf(span, 0) || wanted < 1 {
		return []float64{low}
	}
	unit := math.Pow(10, math.Floor(math.Log10(span/float64(wanted))))
	step := unit
	for _, by := range []float64{1, 2, 2.5, 5, 10} {
		if step = by * unit; span/step <= float64(wanted)+0.5 {
			break
		}
	}
	for i := math.Ceil(low/step - 1e-9); i*step <= high+1e-9*span && len(at) < 100; i++ {
		at = append(at, i*step+0) // +0 avoids −0
	}
	return at
}
