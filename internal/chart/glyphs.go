package chart

import (
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Filled shapes of about the same area.
type (
	disc     struct{}
	square   struct{}
	diamond  struct{}
	triangle struct{}
)

func (disc) DrawGlyph(c *draw.Canvas, s draw.GlyphStyle, at vg.Point) {
	draw.CircleGlyph{}.DrawGlyph(c, s, at)
}

func (square) DrawGlyph(c *draw.Canvas, s draw.GlyphStyle, at vg.Point) {
	polygon(c, s, at, 4, 1.2, math.Pi/4)
}

func (diamond) DrawGlyph(c *draw.Canvas, s draw.GlyphStyle, at vg.Point) {
	polygon(c, s, at, 4, 1.3, 0)
}

func (triangle) DrawGlyph(c *draw.Canvas, s draw.GlyphStyle, at vg.Point) {
	polygon(c, s, at, 3, 1.35, math.Pi/2)
}

// polygon fills a regular polygon, whose corners are so many radii of the style away.
func polygon(c *draw.Canvas, s draw.GlyphStyle, at vg.Point, corners int, radii, turn float64) {
	c.FillPolygon(s.Color, corner(at, s.Radius*vg.Length(radii), corners, turn))
}

func corner(at vg.Point, radius vg.Length, corners int, turn float64) []vg.Point {
	points := make([]vg.Point, corners)
	for i := range points {
		sin, cos := math.Sincos(turn + 2*math.Pi*float64(i)/float64(corners))
		points[i] = vg.Point{X: at.X + radius*vg.Length(cos), Y: at.Y + radius*vg.Length(sin)}
	}
	return points
}

// head is how long the head of an arrow is.
const head = 7 * vg.Length(1)

// arrow draws an arrow that begins and ends exactly on circles around two points.
func arrow(c *draw.Canvas, line draw.LineStyle, from, to vg.Point, radius vg.Length) {
	d := to.Sub(from)
	length := vg.Length(math.Hypot(float64(d.X), float64(d.Y))) - 2*radius
	if length <= 0 {
		return
	}
	along := d.Scale(1 / (length + 2*radius))
	from, to = from.Add(along.Scale(radius)), to.Sub(along.Scale(radius))
	across := vg.Point{X: -along.Y, Y: along.X}
	size := min(head, length)
	neck := to.Sub(along.Scale(size * 0.8))
	c.StrokeLine2(line, from.X, from.Y, neck.X, neck.Y)
	base := to.Sub(along.Scale(size))
	c.FillPolygon(line.Color, []vg.Point{to, base.Add(across.Scale(size * 0.36)), neck, base.Sub(across.Scale(size * 0.36))})
}
