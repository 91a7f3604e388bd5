package chart

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Panels are lines and points above one horizontal axis, in panels below each other.
type Panels struct {
	Title, Subtitle string
	X               string // what the axis says
	LogX            bool
	Panels          []Panel
	Series          []string // names for the legend, of which Line.Series is an index
	Marks           []Mark
	FromZero        bool // the axis begins at 0
	Whole           bool // there is nothing between the whole numbers of the axis
}

// A Panel has a vertical axis of its own.
type Panel struct {
	Y        string // what the axis says
	Lines    []Line
	FromZero bool // the axis begins at 0
	Percent  bool // numbers from 0 to 1 are written as percentages
	LogY     bool
}

// A Line is a series of points.
type Line struct {
	Series int
	Points []Point // in the order of X; a Y of NaN interrupts the line
	Dots   bool    // points are drawn, too
	Dashed bool
	Loose  bool // only the points are drawn
}

// A Point is a number, and what is known of it.
type Point struct {
	X, Y      float64
	Low, High float64 // ends of its interval; both 0, or both Y, if there is none
	From, To  float64 // of the axis that the number is about; both 0 if that is X alone
	Label     string
}

// interval reports whether there is an interval.
func (p Point) interval() bool { return p.Low < p.High }

// A Mark is where something happened, in all panels.
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
				if l.Series == i && (l.Dots || l.Loose) {
					e.glyph = shape(i)
				}
				if l.Series == i && l.Loose {
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
		frames[i] = c.frame(f, p, low, high, i == len(f.Panels)-1)
	}
	for i, area := range stacked(frames, c.Rectangle) {
		frames[i].draw(area)
		content{c: c, figure: f, panel: f.Panels[i], frame: frames[i]}.draw(draw.Canvas{Canvas: c.Canvas.Canvas, Rectangle: area})
	}
	return nil
}

// leastPanel is the smallest height of a panel.
const leastPanel = 28

// extentX returns the ends of the horizontal axis.
func (f Panels) extentX() (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	add := func(x float64) {
		if drawable(x, f.LogX) {
			low, high = min(low, x), max(high, x)
		}
	}
	for _, p := range f.Panels {
		for _, l := range p.Lines {
			for _, at := range l.Points {
				add(at.X)
				if at.From < at.To {
					add(at.From)
					add(at.To)
				}
			}
		}
	}
	for _, m := range f.Marks {
		add(m.X)
	}
	if f.FromZero && low <= high && !f.LogX {
		low, high = min(low, 0), max(high, 0)
	}
	return wider(low, high, f.LogX, 0.02)
}

// extentY returns the ends of a panel's vertical axis: of all points and intervals.
func (p Panel) extentY() (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, l := range p.Lines {
		for _, at := range l.Points {
			ys := []float64{at.Y}
			if at.interval() {
				ys = append(ys, at.Low, at.High)
			}
			for _, y := range ys {
				if drawable(y, p.LogY) {
					low, high = min(low, y), max(high, y)
				}
			}
		}
	}
	if p.FromZero && low <= high && !p.LogY {
		low, high = min(low, 0), max(high, 0)
	}
	low, high = wider(low, high, p.LogY, 0.07)
	if p.FromZero && !p.LogY && low < 0 && low > -0.1*(high-low) {
		low = 0
	}
	return low, high
}

// drawable reports whether a number can have a place on an axis, whatever the others are.
func drawable(x float64, log bool) bool {
	const most = 1e30
	return math.Abs(x) <= most && (!log || x > 1/most) // NaN is not
}

// wider returns a range with room at both ends, also of nothing and of one number.
func wider(low, high float64, log bool, room float64) (float64, float64) {
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
	case high-low <= 1e-9*max(math.Abs(low), math.Abs(high)):
		by := max(math.Abs(low)*0.1, 1e-3)
		return low - by, high + by
	}
	by := room * (high - low)
	return low - by, high + by
}

// frame makes the axes of a panel. The last one has the horizontal axis of all.
func (c *canvas) frame(f Panels, p Panel, low, high float64, last bool) frame {
	x, y := axis{scale: scale{low, high, f.LogX}}, axis{text: label(p.Y)}
	y.low, y.high = p.extentY()
	y.log = p.LogY
	y.ticks = ticks{log: p.LogY, percent: p.Percent, wanted: 5}.between(y.low, y.high)
	if last {
		x.text = f.X
		x.ticks = ticks{log: f.LogX, wanted: 7, whole: f.Whole}.between(low, high)
	}
	return frame{c, x, y}
}
