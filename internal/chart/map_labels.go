package chart

import (
	"fmt"
	"math"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// mostLeaders is how many words a map may have whose labels may stand away from their points: among
// more one does not see what leads where.
const mostLeaders = 250

// order returns the points in the order in which they get labels: those of relations first, then
// those that are strong.
func (m Map) order() []int {
	rank := make([]int, len(m.Points))
	for i, p := range m.Points {
		rank[i] = 2
		if p.Strong {
			rank[i] = 1
		}
	}
	for _, r := range m.Relations {
		for _, pair := range r {
			rank[pair[0]], rank[pair[1]] = 0, 0
		}
	}
	var order []int
	for of := range 3 {
		for i, r := range rank {
			if r == of {
				order = append(order, i)
			}
		}
	}
	return order
}

func (m Map) drawLabels(c *canvas, at []vg.Point, lines []segment, corners []tag, area vg.Rectangle) {
	radius, size := look(len(m.Points))
	text := func(i int) (string, font.Font) {
		if m.Points[i].Strong {
			return label(m.Points[i].Label), bold(size)
		}
		return label(m.Points[i].Label), regular(size)
	}
	order := m.order()
	tags := make([]tag, len(order))
	points := corners
	for i, p := range order {
		word, of := text(p)
		w, h, d := c.fonts.Box(word, of)
		tags[i] = tag{at: at[p], radius: radius, width: w, height: 0.92 * (h + d)}
		points = append(points, tags[i])
	}
	spots := places(tags, points, lines, grow(area, -4), len(order) <= mostLeaders)
	for i, s := range spots { // below the texts
		if s.leader {
			end := nearest(s.Rectangle, tags[i].at)
			c.StrokeLine2(draw.LineStyle{Color: c.faded(c.muted, 0.35), Width: 0.6}, tags[i].at.X, tags[i].at.Y, end.X, end.Y)
		}
	}
	for i, s := range spots {
		word, of := text(order[i])
		if !s.ok {
			if word != "" {
				c.drawn.Unlabelled = append(c.drawn.Unlabelled, m.Points[order[i]].Label)
			}
			continue
		}
		c.FillText(c.fonts.style(of, c.ink, 0, -0.5), vg.Point{X: s.Min.X, Y: (s.Min.Y + s.Max.Y) / 2}, word)
	}
}

// values returns the smallest and the largest value of points.
func (m Map) values() (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, p := range m.Points {
		if !math.IsNaN(p.Value) {
			low, high = min(low, p.Value), max(high, p.Value)
		}
	}
	if low > high {
		return 0, 1
	}
	return low, high
}

// shades returns the colours of values.
func (m Map) shades(c *canvas) func(x float64) colour {
	low, high := m.values()
	return func(x float64) colour {
		switch {
		case math.IsNaN(x):
			return c.muted
		case low == high:
			return c.ramp(1)
		}
		return c.ramp((x - low) / (high - low))
	}
}

// drawRamp draws what colours mean, on the right.
func (m Map) drawRamp(c *canvas) {
	low, high := m.values()
	c.bar(m.Ramp, low, high, m.shades(c), func(x float64) string { return fmt.Sprintf("%.4g", x) })
}
