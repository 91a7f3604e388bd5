package chart

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A Heatmap shows numbers from −1 to 1 of pairs of words. A number has the same colour in every picture.
type Heatmap struct {
	Title, Subtitle string
	Scale           string // name of the numbers
	Words           []string
	Values          [][]float64 // row by row; NaN for a missing number
	// Tree joins neighbouring words and groups, and is drawn above the columns; nil draws no tree.
	Tree []Join
}

// A Join merges two neighbouring groups, or single words. Words are numbered from 0 in their order; the i-th
// join has the number of words plus i.
type Join struct {
	A, B   int
	Height float64 // not negative, and not smaller than the heights of A and B
}

func (h Heatmap) size() (width, height float64, shaped bool) {
	n := float64(len(h.Words))
	side := clamp(n*0.36, 3.2, 7)
	if n > 30 {
		side = clamp(n*0.17, 7, 16)
	}
	names := 0.0
	for _, w := range h.Words {
		names = max(names, min(float64(len([]rune(label(w))))*0.075, 2))
	}
	return side + names + 1.2, side + names + 1, true
}

func (h Heatmap) labels() []string { return h.Words }

func (h Heatmap) heading() heading { return heading{title: h.Title, subtitle: h.Subtitle} }

func (h Heatmap) check() error {
	if len(h.Words) == 0 {
		return errors.New("a heat map without words cannot be drawn")
	}
	if len(h.Values) != len(h.Words) {
		return fmt.Errorf("a heat map of %d words has %d rows", len(h.Words), len(h.Values))
	}
	for i, row := range h.Values {
		if len(row) != len(h.Words) {
			return fmt.Errorf("row %d of a heat map of %d words has %d numbers", i, len(h.Words), len(row))
		}
	}
	return nil
}

func (h Heatmap) draw(c *canvas) error {
	if err := h.check(); err != nil {
		return err
	}
	var all extent // which has 0
	for _, row := range h.Values {
		all.add(false, row...)
	}
	c.bar(h.Scale, max(-1, all.low), 1, c.cosine, func(x float64) string { return minus(fmt.Sprintf("%.4g", x)) })
	n := vg.Length(len(h.Words))
	area := c.Rectangle
	treeRoom := vg.Length(0)
	if len(h.Tree) > 0 {
		treeRoom = min(46, area.Size().Y/6)
	}
	// Names take up to two fifths of the picture; their text is as large as cells allow.
	names := func(size vg.Length) (room vg.Length) {
		for _, w := range h.Words {
			width, _, _ := c.fonts.Box(label(w), regular(size))
			room = max(room, width)
		}
		return min(room, 0.4*min(area.Size().X, area.Size().Y)) + 5
	}
	side := func(room vg.Length) vg.Length {
		return max(min(area.Size().X-room, area.Size().Y-room-treeRoom), 1) / n
	}
	size := min(9.5, max(side(names(9.5))*0.82, 1))
	named := size >= 4.5 // smaller text cannot be read
	room := vg.Length(0)
	if named {
		room = names(size)
	}
	cell := side(room)
	if min(area.Size().X, area.Size().Y) < 40 || cell <= 1 && len(h.Words) < 40 {
		return errRoom("a heat map")
	}
	left := area.Min.X + room + max(0, (area.Size().X-room-cell*n)/2)
	top := area.Max.Y - treeRoom - max(0, area.Size().Y-room-treeRoom-cell*n)/2
	corner := func(row, column int) vg.Point {
		return vg.Point{X: left + cell*vg.Length(column), Y: top - cell*vg.Length(row)}
	}
	h.cells(c, cell, corner)
	if named {
		h.names(c, cell, size, room, corner)
	} else {
		c.drawn.Unlabelled = append(c.drawn.Unlabelled, h.Words...)
	}
	h.tree(c, corner(0, 0), cell, treeRoom)
	return nil
}

func (h Heatmap) cells(c *canvas, cell vg.Length, corner func(row, column int) vg.Point) {
	line := vg.Length(0) // between cells
	if cell > 8 {
		line = 0.7
	}
	size := min(cell*0.36, 8.5)
	for i, row := range h.Values {
		for k, x := range row {
			at := corner(i, k)
			right, low := at.X+cell-line, at.Y-cell+line
			if line == 0 {
				right, low = right+0.15, low-0.15 // cells overlap, so that no gap shines through
			}
			of := c.cosine(x)
			c.FillPolygon(of, []vg.Point{at, {X: right, Y: at.Y}, {X: right, Y: low}, {X: at.X, Y: low}})
			if size >= 6 && !math.IsNaN(x) {
				middle := vg.Point{X: (at.X + right) / 2, Y: (at.Y + low) / 2}
				c.FillText(c.fonts.style(regular(size), over(of), -0.5, -0.5), middle, short(x))
			}
		}
	}
}

func short(x float64) string {
	t := fmt.Sprintf("%.2f", x)
	if t == "-0.00" {
		t = "0.00"
	}
	return minus(strings.Replace(t, "0.", ".", 1))
}

func minus(number string) string { return strings.Replace(number, "-", "−", 1) }

func (h Heatmap) names(c *canvas, cell, size, room vg.Length, corner func(row, column int) vg.Point) {
	left := c.fonts.style(regular(size), c.ink, -1, -0.5)
	below := c.fonts.style(regular(size), c.ink, -1, -0.5)
	below.Rotation = math.Pi / 2
	for i, w := range h.Words {
		w = c.shorten(label(w), left.Font, room-4)
		at := corner(i, 0)
		c.FillText(left, vg.Point{X: at.X - 4, Y: at.Y - cell/2}, w)
		at = corner(len(h.Words), i)
		c.FillText(below, vg.Point{X: at.X + cell/2, Y: at.Y - 4}, w)
	}
}

func (h Heatmap) tree(c *canvas, from vg.Point, cell, room vg.Length) {
	top := 0.0
	for _, j := range h.Tree {
		top = max(top, j.Height)
	}
	if top == 0 || room < 12 {
		return
	}
	at := make([]vg.Point, 0, len(h.Words)+len(h.Tree))
	for i := range h.Words {
		at = append(at, vg.Point{X: from.X + cell*(vg.Length(i)+0.5), Y: from.Y + 3})
	}
	sty := draw.LineStyle{Color: c.muted, Width: 0.8}
	for _, j := range h.Tree {
		a, b := at[j.A], at[j.B]
		y := from.Y + 3 + (room-6)*vg.Length(j.Height/top)
		c.StrokeLines(sty, []vg.Point{a, {X: a.X, Y: y}, {X: b.X, Y: y}, b})
		at = append(at, vg.Point{X: (a.X + b.X) / 2, Y: y})
	}
}
