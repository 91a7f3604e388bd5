package chart

import (
	"image/color"
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

type colour = color.Color

// bar draws a bar of the colours of numbers on the right, and takes its room off the canvas.
func (c *canvas) bar(name string, low, high float64, of func(float64) colour, written func(float64) string) {
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

// steps returns round numbers from low to high, about as many as wanted.
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
		at = append(at, i*step+0) // no −0
	}
	return at
}
