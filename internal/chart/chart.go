// Package chart draws what a sweep has found: scores with their intervals, against what they
// cost.
package chart

import (
	"errors"
	"fmt"
	"image/color"
	"io"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// A Figure is panels below each other, with one kind of horizontal axis.
type Figure struct {
	X      string // what the axis says
	Panels []Panel
}

// A Panel is a set's scores.
type Panel struct {
	Y         string  // the set
	Points    []Point // of models
	Baselines []Point // with which they are compared: drawn as lines too
}

// A Point is a score.
type Point struct {
	X, Y      float64
	Low, High float64 // ends of its interval
	Label     string
}

// The size of a figure.
const (
	width  = 8 * vg.Inch
	height = 4 * vg.Inch // of a panel
	dpi    = 120
)

// SVG writes the figure as such.
func (f Figure) SVG(w io.Writer) error {
	c := vgsvg.New(width, f.height())
	if err := f.draw(draw.New(c)); err != nil {
		return err
	}
	_, err := c.WriteTo(w)
	return err
}

// PNG writes the figure as such.
func (f Figure) PNG(w io.Writer) error {
	c := vgimg.NewWith(vgimg.UseWH(width, f.height()), vgimg.UseDPI(dpi))
	if err := f.draw(draw.New(c)); err != nil {
		return err
	}
	_, err := vgimg.PngCanvas{Canvas: c}.WriteTo(w)
	return err
}

func (f Figure) height() vg.Length { return height * vg.Length(max(1, len(f.Panels))) }

func (f Figure) draw(c draw.Canvas) error {
	if len(f.Panels) == 0 {
		return errors.New("a figure without panels cannot be drawn")
	}
	rows := make([][]*plot.Plot, len(f.Panels))
	for i, p := range f.Panels {
		drawn, err := p.plot(f.X)
		if err != nil {
			return fmt.Errorf("plotting %s: %w", p.Y, err)
		}
		rows[i] = []*plot.Plot{drawn}
	}
	pad := vg.Points(8)
	tiles := draw.Tiles{Rows: len(rows), Cols: 1, PadTop: pad, PadBottom: pad, PadLeft: pad, PadRight: 3 * pad, PadY: pad}
	for i, row := range plot.Align(rows, tiles, c) {
		rows[i][0].Draw(row[0])
	}
	return nil
}

var (
	blue = color.RGBA{R: 0x1f, G: 0x5a, B: 0xa6, A: 0xff}
	grey = color.RGBA{R: 0x77, G: 0x77, B: 0x77, A: 0xff}
)

func (p Panel) plot(x string) (*plot.Plot, error) {
	c := plot.New()
	c.X.Label.Text, c.Y.Label.Text = x, p.Y
	c.Add(plotter.NewGrid())
	least, most := math.Inf(1), math.Inf(-1)
	for _, s := range [][]Point{p.Points, p.Baselines} {
		for _, at := range s {
			if at.X > 0 {
				least, most = min(least, at.X), max(most, at.X)
			}
		}
	}
	if least > most { // nothing took anything
		least, most = 0.5, 1
	}
	// Room for labels; orders of magnitude have a scale of their own.
	if c.X.Min, c.X.Max = least-0.08*(most-least+least/10), most+0.15*(most-least+least/10); most/least >= 10 {
		c.X.Scale, c.X.Tick.Marker = plot.LogScale{}, plot.LogTicks{Prec: -1}
		c.X.Min, c.X.Max = least/1.3, most*2
	}
	shown := func(points []Point) (in []Point) {
		for _, at := range points {
			if at.X > 0 {
				in = append(in, at)
			}
		}
		return in
	}
	for _, at := range p.Baselines {
		line, err := plotter.NewLine(plotter.XYs{{X: c.X.Min, Y: at.Y}, {X: c.X.Max, Y: at.Y}})
		if err != nil {
			return nil, err
		}
		line.Color, line.Dashes = grey, []vg.Length{vg.Points(4), vg.Points(3)}
		c.Add(line)
		if at.X > 0 {
			continue // its point has the label
		}
		if err := labels(c, []Point{{X: c.X.Min, Y: at.Y, Label: at.Label}}, grey); err != nil {
			return nil, err
		}
	}
	if err := series(c, shown(p.Baselines), grey, draw.TriangleGlyph{}); err != nil {
		return nil, err
	}
	if err := series(c, shown(p.Points), blue, draw.CircleGlyph{}); err != nil {
		return nil, err
	}
	room := 0.08 * (c.Y.Max - c.Y.Min) // for labels above points
	c.Y.Min, c.Y.Max = c.Y.Min-room/2, c.Y.Max+room
	return c, nil
}

// series adds points with their intervals and labels.
func series(c *plot.Plot, points []Point, of color.Color, glyph draw.GlyphDrawer) error {
	if len(points) == 0 {
		return nil
	}
	bars, err := plotter.NewYErrorBars(intervals(points))
	if err != nil {
		return err
	}
	bars.Color = of
	dots, err := plotter.NewScatter(intervals(points))
	if err != nil {
		return err
	}
	dots.GlyphStyle = draw.GlyphStyle{Color: of, Radius: vg.Points(3), Shape: glyph}
	c.Add(bars, dots)
	return labels(c, points, of)
}

func labels(c *plot.Plot, points []Point, of color.Color) error {
	all := plotter.XYLabels{XYs: make(plotter.XYs, len(points)), Labels: make([]string, len(points))}
	for i, at := range points {
		all.XYs[i], all.Labels[i] = plotter.XY{X: at.X, Y: at.Y}, at.Label
	}
	l, err := plotter.NewLabels(all)
	if err != nil {
		return err
	}
	l.Offset = vg.Point{X: vg.Points(5), Y: vg.Points(3)}
	for i := range l.TextStyle {
		l.TextStyle[i].Color = of
		l.TextStyle[i].Font.Size = vg.Points(9)
	}
	c.Add(l)
	return nil
}

// intervals are points as package plotter asks for them.
type intervals []Point

func (p intervals) Len() int                         { return len(p) }
func (p intervals) XY(i int) (x, y float64)          { return p[i].X, p[i].Y }
func (p intervals) YError(i int) (low, high float64) { return p[i].Y - p[i].Low, p[i].High - p[i].Y }
