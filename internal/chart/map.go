package chart

import (
	"errors"
	"fmt"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A Map shows words as points in a plane. Both axes have the same scale.
type Map struct {
	Title, Subtitle string
	X, Y            string // titles of the axes; empty for none
	Points          []Place
	Groups          []string // Place.Group is an index of Groups
	Ramp            string   // title of Place.Value; empty if points have no values
	Relations       []Relation
}

// A Place is a word on a map.
type Place struct {
	Label  string
	X, Y   float64
	Group  int     // −1 for no group
	Value  float64 // determines the colour if the map has a Ramp; NaN for no value
	Strong bool    // the label is bold
}

// A Relation is pairs of points, joined by arrows. Dashed lines join each pair with the one before it. A mark shows
// where its second point would be if they made a parallelogram.
type Relation [][2]int

// Corner returns the fourth corner of the parallelogram with a side from a to b and a parallel side from c.
func Corner(a, b, c [2]float64) (x, y float64) { return c[0] + b[0] - a[0], c[1] + b[1] - a[1] }

func (r Relation) corner(points []Place, pair int) (x, y float64) {
	at := func(i int) [2]float64 { return [2]float64{points[i].X, points[i].Y} }
	return Corner(at(r[0][0]), at(r[0][1]), at(r[pair][0]))
}

func (m Map) size() (width, height float64, shaped bool) {
	switch n := len(m.Points); {
	case n > 400:
		return 12, 9, true
	case n > 120:
		return 10, 7.5, true
	}
	return 8, 6, true
}

func (m Map) labels() []string {
	all := make([]string, len(m.Points))
	for i, p := range m.Points {
		all[i] = p.Label
	}
	return append(all, m.Groups...)
}

func (m Map) heading() heading {
	h := heading{title: m.Title, subtitle: m.Subtitle}
	used := map[int]bool{}
	for _, p := range m.Points {
		used[p.Group] = true
	}
	if m.Ramp == "" {
		for i, g := range m.Groups {
			if used[i] {
				h.legend = append(h.legend, entry{name: g, group: i, glyph: shape(i)})
			}
		}
		if len(h.legend) > 0 && used[-1] {
			h.legend = append(h.legend, entry{name: "others", group: -1, glyph: shape(-1)})
		}
	}
	if len(m.Relations) > 0 {
		h.legend = append(h.legend, entry{name: "the relation", kind: arrowed}, entry{name: "where a parallelogram would end", kind: ring})
	}
	return h
}

func (m Map) extents() (x, y extent) {
	x, y = empty, empty
	for _, p := range m.Points {
		x.add(false, p.X)
		y.add(false, p.Y)
	}
	for _, r := range m.Relations {
		for pair := 1; pair < len(r); pair++ {
			cx, cy := r.corner(m.Points, pair)
			x.add(false, cx)
			y.add(false, cy)
		}
	}
	return x, y
}

func (m Map) check() error {
	if len(m.Points) == 0 {
		return errors.New("a map without words cannot be drawn")
	}
	for _, p := range m.Points {
		if !drawable(p.X, false) || !drawable(p.Y, false) {
			return fmt.Errorf("the place of %q is not finite, or too far away", p.Label)
		}
	}
	return nil
}

func (m Map) mapped(area vg.Rectangle) func(x, y float64) vg.Point {
	x, y := m.extents()
	size := area.Size()
	scale := min(max(float64(size.X), 1)/(x.high-x.low), max(float64(size.Y), 1)/(y.high-y.low))
	if math.IsInf(scale, 1) {
		scale = 1 // a single point
	}
	middle := vg.Point{X: (area.Min.X + area.Max.X) / 2, Y: (area.Min.Y + area.Max.Y) / 2}
	return func(px, py float64) vg.Point {
		return vg.Point{X: middle.X + vg.Length((px-(x.low+x.high)/2)*scale), Y: middle.Y + vg.Length((py-(y.low+y.high)/2)*scale)}
	}
}

func look(words int) (radius, text vg.Length) {
	switch {
	case words <= 80:
		return 3.2, 9.5
	case words <= 300:
		return 2.6, 8.5
	case words <= 1000:
		return 2, 7.5
	}
	return 1.4, 7
}

func (m Map) draw(c *canvas) error {
	if err := m.check(); err != nil {
		return err
	}
	low, high := m.values()
	shades := func(x float64) color.Color {
		switch {
		case math.IsNaN(x):
			return c.muted
		case low == high:
			return c.ramp(1)
		}
		return c.ramp((x - low) / (high - low))
	}
	if m.Ramp != "" {
		c.bar(m.Ramp, low, high, shades, func(x float64) string { return fmt.Sprintf("%.4g", x) })
	}
	area := m.frame(c)
	radius, size := look(len(m.Points))
	// Labels need a margin, but only a narrow one in a small picture.
	side := area.Size()
	if min(side.X, side.Y) < 40 {
		return errRoom("a map")
	}
	inner := area
	padX, padY := min(3.2*size, side.X*0.12), min(1.6*size, side.Y*0.12)
	inner.Min, inner.Max = inner.Min.Add(vg.Point{X: padX, Y: padY}), inner.Max.Sub(vg.Point{X: padX, Y: padY})
	to := m.mapped(inner)
	at := make([]vg.Point, len(m.Points))
	for i, p := range m.Points {
		at[i] = to(p.X, p.Y)
	}
	lines, corners := m.relations(c, at, to)
	for i := len(m.Points) - 1; i >= 0; i-- { // from the last to the first, so that the most important points are on top
		p := m.Points[i]
		if len(m.Groups) == 0 {
			p.Group = 0
		}
		sty := draw.GlyphStyle{Color: c.group(p.Group), Radius: radius, Shape: shape(p.Group)}
		if m.Ramp != "" {
			sty.Color, sty.Shape = shades(p.Value), draw.CircleGlyph{}
		}
		c.DrawGlyphNoClip(sty, at[i])
	}
	m.drawLabels(c, at, lines, corners, area)
	return nil
}

func (m Map) frame(c *canvas) vg.Rectangle {
	area := c.Rectangle
	if m.Y != "" {
		sty := c.fonts.style(regular(axisSize), c.muted, -0.5, -1)
		sty.Rotation = math.Pi / 2
		c.FillText(sty, vg.Point{X: area.Min.X, Y: (area.Min.Y + area.Max.Y) / 2}, c.shorten(m.Y, sty.Font, area.Size().Y))
		area.Min.X += axisSize + 6
	}
	if m.X != "" {
		sty := c.fonts.style(regular(axisSize), c.muted, -0.5, 0)
		c.FillText(sty, vg.Point{X: (area.Min.X + area.Max.X) / 2, Y: area.Min.Y}, c.shorten(m.X, sty.Font, area.Size().X))
		area.Min.Y += axisSize + 6
	}
	corners := []vg.Point{area.Min, {X: area.Max.X, Y: area.Min.Y}, area.Max, {X: area.Min.X, Y: area.Max.Y}, area.Min}
	c.StrokeLines(draw.LineStyle{Color: c.grid, Width: 1}, corners)
	return area
}

func (m Map) relations(c *canvas, at []vg.Point, to func(x, y float64) vg.Point) (lines []segment, corners []tag) {
	side := draw.LineStyle{Color: c.accent, Width: 1.5}
	across := draw.LineStyle{Color: c.muted, Width: 0.9, Dashes: dashes}
	for _, r := range m.Relations {
		for pair, p := range r {
			from, end := at[p[0]], at[p[1]]
			if pair > 0 {
				for i := range 2 {
					a, b := at[r[pair-1][i]], at[p[i]]
					c.StrokeLine2(across, a.X, a.Y, b.X, b.Y)
					lines = append(lines, segment{a, b})
				}
				x, y := r.corner(m.Points, pair)
				meant := to(x, y)
				c.StrokeLine2(draw.LineStyle{Color: c.accent, Width: 0.7, Dashes: []vg.Length{1.5, 2}}, end.X, end.Y, meant.X, meant.Y)
				c.hollow(meant, 4.5)
				corners = append(corners, tag{at: meant, radius: 4.5})
			}
			radius, _ := look(len(m.Points))
			arrow(&c.Canvas, side, from, end, radius)
			lines = append(lines, segment{from, end})
		}
	}
	return lines, corners
}

const mostLeaders = 250 // with more words, a reader cannot see which point a leader belongs to

// order puts points of relations first, then strong ones.
func (m Map) order() []int {
	order, rank := make([]int, len(m.Points)), make([]int, len(m.Points))
	for i, p := range m.Points {
		order[i], rank[i] = i, 2
		if p.Strong {
			rank[i] = 1
		}
	}
	for _, r := range m.Relations {
		for _, pair := range r {
			rank[pair[0]], rank[pair[1]] = 0, 0
		}
	}
	slices.SortStableFunc(order, func(i, j int) int { return rank[i] - rank[j] })
	return order
}

func (m Map) drawLabels(c *canvas, at []vg.Point, lines []segment, corners []tag, area vg.Rectangle) {
	radius, size := look(len(m.Points))
	order := m.order()
	tags, words, fonts := make([]tag, len(order)), make([]string, len(order)), make([]font.Font, len(order))
	points := corners
	for i, p := range order {
		words[i], fonts[i] = label(m.Points[p].Label), regular(size)
		if m.Points[p].Strong {
			fonts[i] = bold(size)
		}
		w, h, d := c.fonts.Box(words[i], fonts[i])
		tags[i] = tag{at: at[p], radius: radius, width: w, height: 0.92 * (h + d)}
		points = append(points, tags[i])
	}
	spots := places(tags, points, lines, grow(area, -4), len(order) <= mostLeaders)
	for i, s := range spots { // leaders are below the texts
		c.leader(s, tags[i])
	}
	for i, s := range spots {
		if s.ok {
			c.FillText(c.fonts.style(fonts[i], c.ink, 0, -0.5), vg.Point{X: s.Min.X, Y: (s.Min.Y + s.Max.Y) / 2}, words[i])
		} else if words[i] != "" {
			c.drawn.Unlabelled = append(c.drawn.Unlabelled, m.Points[order[i]].Label)
		}
	}
}

func (c *canvas) leader(s spot, t tag) {
	if s.leader {
		end := nearest(s.Rectangle, t.at)
		c.StrokeLine2(draw.LineStyle{Color: c.faded(c.muted, 0.35), Width: 0.6}, t.at.X, t.at.Y, end.X, end.Y)
	}
}

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
