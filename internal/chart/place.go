package chart

import (
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
)

type tag struct {
	at            vg.Point
	radius        vg.Length // of the symbol at the point
	width, height vg.Length // of the text
}

// A spot is the place of a label. The zero spot means that there is no room.
type spot struct {
	vg.Rectangle
	ok     bool
	leader bool // a line leads from the point to the label
}

type segment struct{ a, b vg.Point }

// places finds places for labels, the most important labels first. Each label takes the best free place, and
// never overlaps the edge or a label placed before. Places are beside, above and below the point, in the
// order of preference of Imhof, "Positioning Names on Maps", 1975. This is the greedy method of Christensen,
// Marks and Shieber, "An Empirical Study of Algorithms for Point-Feature Label Placement", 1995. If all these
// places cover another point or a line, places further off with a leader are tried. Labels should cover
// neither points nor lines.
func places(tags []tag, points []tag, lines []segment, area vg.Rectangle, leaders bool) []spot {
	p := placer{area: area, lines: lines}
	for _, at := range points {
		p.points.add(around(at.at, 0), len(p.discs))
		p.discs = append(p.discs, at)
		p.radius = max(p.radius, at.radius)
	}
	spots := make([]spot, len(tags))
	for i, t := range tags {
		spots[i] = p.place(t, leaders)
		if s := spots[i]; s.ok {
			p.labels.add(s.Rectangle, len(p.taken))
			p.taken = append(p.taken, s.Rectangle)
			if s.leader {
				p.lines = append(p.lines, segment{t.at, nearest(s.Rectangle, t.at)})
			}
		}
	}
	return spots
}

type placer struct {
	area           vg.Rectangle
	points, labels grid
	discs          []tag
	radius         vg.Length // of the largest disc
	taken          []vg.Rectangle
	lines          []segment
}

// beside lists the places of a label next to its point: the direction from the point to the label, and the
// position of the point relative to the label, from 0 at its left or lower end to 1.
var beside = []struct{ dx, dy, ax, ay vg.Length }{
	{1, 0, 0, 0.5}, {0.75, 0.75, 0, 0.2}, {0.75, -0.75, 0, 0.8}, {0, 1, 0.5, 0}, {0, -1, 0.5, 1},
	{-1, 0, 1, 0.5}, {-0.75, 0.75, 1, 0.2}, {-0.75, -0.75, 1, 0.8},
	{0.3, 1, 0.15, 0}, {0.3, -1, 0.15, 1}, {-0.3, 1, 0.85, 0}, {-0.3, -1, 0.85, 1},
}

const (
	gap        vg.Length = 2    // between a point and its label
	apart      vg.Length = 1    // between labels
	noLabel              = 1e9  // the cost of an impossible place
	leaderCost           = 2    // less than crossing a line or covering a point
	crowded              = 15   // from this cost on, a label covers three points
	preference           = 0.05 // for each step down the order of preference
)

func (p *placer) place(t tag, leaders bool) spot {
	best, cost := spot{}, noLabel
	for i, b := range beside {
		from := t.radius + gap
		low := vg.Point{X: t.at.X + b.dx*from - b.ax*t.width, Y: t.at.Y + b.dy*from - b.ay*t.height}
		r := vg.Rectangle{Min: low, Max: low.Add(vg.Point{X: t.width, Y: t.height})}
		if x := p.cost(r, t, cost) + preference*float64(i); x < cost {
			best, cost = spot{Rectangle: r, ok: true}, x
		}
	}
	if !leaders && cost >= crowded {
		return spot{} // in a crowd, a reader would take the label for another point's
	}
	if !leaders || cost < leaderCost {
		return best
	}
	for ring := range 10 {
		away := t.radius + gap + 9 + vg.Length(ring)*8
		for i := range 16 {
			sin, cos := math.Sincos(2 * math.Pi * (float64(i) + 0.5) / 16)
			end := t.at.Add(vg.Point{X: away * vg.Length(cos), Y: away * vg.Length(sin)})
			// The label begins at the end of the leader, on the side away from the point.
			low := vg.Point{X: end.X - t.width*vg.Length(0.5-0.5*clamp(1.6*cos, -1, 1)), Y: end.Y - t.height*vg.Length(0.5-0.5*clamp(1.6*sin, -1, 1))}
			r := vg.Rectangle{Min: low, Max: low.Add(vg.Point{X: t.width, Y: t.height})}
			x := leaderCost + 0.3*float64(ring) + 0.01*float64(i)
			if x >= cost {
				continue
			}
			leader := segment{t.at, nearest(r, t.at)}
			if slices.ContainsFunc(p.labels.near(bounds(leader)), func(i int) bool { return crosses(leader, p.taken[i]) }) {
				continue
			}
			if x += p.cost(r, t, cost) + p.crossed(leader); x < cost {
				best, cost = spot{Rectangle: r, ok: true, leader: true}, x
			}
		}
	}
	return best
}

// cost returns the cost of a place. A cost above limit need not be exact.
func (p *placer) cost(r vg.Rectangle, t tag, limit float64) float64 {
	if r.Min.X < p.area.Min.X || r.Max.X > p.area.Max.X || r.Min.Y < p.area.Min.Y || r.Max.Y > p.area.Max.Y {
		return noLabel
	}
	wide := grow(r, apart)
	for _, i := range p.labels.near(wide) {
		if overlap(wide, p.taken[i]) {
			return noLabel
		}
	}
	var cost float64
	for _, i := range p.points.near(grow(r, p.radius)) {
		if d := p.discs[i]; d.at != t.at && overlap(r, around(d.at, d.radius)) {
			if cost += 5; cost >= limit {
				return cost
			}
		}
	}
	for _, l := range p.lines {
		if crosses(l, r) {
			cost += 3
		}
	}
	return cost
}

func (p *placer) crossed(l segment) (cost float64) {
	for _, i := range p.points.near(grow(bounds(l), p.radius)) {
		if d := p.discs[i]; d.at != l.a && crosses(l, around(d.at, d.radius)) {
			cost++
		}
	}
	for _, other := range p.lines {
		if meet(l, other) {
			cost++
		}
	}
	return cost
}

func around(at vg.Point, radius vg.Length) vg.Rectangle {
	return grow(vg.Rectangle{Min: at, Max: at}, radius)
}

func grow(r vg.Rectangle, by vg.Length) vg.Rectangle {
	return vg.Rectangle{Min: vg.Point{X: r.Min.X - by, Y: r.Min.Y - by}, Max: vg.Point{X: r.Max.X + by, Y: r.Max.Y + by}}
}

func overlap(a, b vg.Rectangle) bool {
	return a.Min.X < b.Max.X && b.Min.X < a.Max.X && a.Min.Y < b.Max.Y && b.Min.Y < a.Max.Y
}

func bounds(l segment) vg.Rectangle {
	return vg.Rectangle{Min: vg.Point{X: min(l.a.X, l.b.X), Y: min(l.a.Y, l.b.Y)}, Max: vg.Point{X: max(l.a.X, l.b.X), Y: max(l.a.Y, l.b.Y)}}
}

func nearest(r vg.Rectangle, to vg.Point) vg.Point {
	return vg.Point{X: min(max(to.X, r.Min.X), r.Max.X), Y: min(max(to.Y, r.Min.Y), r.Max.Y)}
}

// crosses reports whether a segment and a rectangle intersect, by the method of Liang and Barsky.
func crosses(l segment, r vg.Rectangle) bool {
	from, to := vg.Length(0), vg.Length(1)
	d := l.b.Sub(l.a)
	for _, side := range [4][2]vg.Length{{-d.X, l.a.X - r.Min.X}, {d.X, r.Max.X - l.a.X}, {-d.Y, l.a.Y - r.Min.Y}, {d.Y, r.Max.Y - l.a.Y}} {
		switch by, room := side[0], side[1]; {
		case by == 0 && room < 0:
			return false
		case by < 0:
			from = max(from, room/by)
		case by > 0:
			to = min(to, room/by)
		}
	}
	return from <= to
}

func meet(l, m segment) bool {
	side := func(a, b, c vg.Point) vg.Length { return (b.X-a.X)*(c.Y-a.Y) - (b.Y-a.Y)*(c.X-a.X) }
	return side(l.a, l.b, m.a)*side(l.a, l.b, m.b) < 0 && side(m.a, m.b, l.a)*side(m.a, m.b, l.b) < 0
}

// A grid finds rectangles near a rectangle. The zero grid is empty.
type grid struct{ cells map[[2]int][]int }

const cell = 24

func (g *grid) add(r vg.Rectangle, number int) {
	if g.cells == nil {
		g.cells = map[[2]int][]int{}
	}
	eachCell(r, func(at [2]int) { g.cells[at] = append(g.cells[at], number) })
}

// A number may occur several times.
func (g *grid) near(r vg.Rectangle) (all []int) {
	eachCell(r, func(at [2]int) { all = append(all, g.cells[at]...) })
	return all
}

func eachCell(r vg.Rectangle, visit func(at [2]int)) {
	of := func(x vg.Length) int { return int(math.Floor(float64(x / cell))) }
	for x := of(r.Min.X); x <= of(r.Max.X); x++ {
		for y := of(r.Min.Y); y <= of(r.Max.Y); y++ {
			visit([2]int{x, y})
		}
	}
}
