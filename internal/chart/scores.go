// Package chart draws pictures of numbers about vectors: maps, heat maps, and lines above axes. It
// knows their texts and numbers, and nothing of vectors. The same picture is always the same file.
package chart

import "math"

// Scores are numbers against what they cost, in a panel for each set. A scale of orders of magnitude
// is taken where costs differ by that.
type Scores struct {
	Title string
	X     string // what the axis says
	Sets  []ScoresOf
}

// ScoresOf are the scores on a set.
type ScoresOf struct {
	Set       string
	Points    []Point // of models
	Baselines []Point // with which they are compared, drawn as lines; an X of 0 if they cost nothing
}

// Panels returns what is drawn.
func (s Scores) Panels() Panels {
	f := Panels{Title: s.Title, X: s.X}
	least, most := math.Inf(1), 0.0
	baselines := false
	for _, set := range s.Sets {
		for _, at := range append(append([]Point{}, set.Points...), set.Baselines...) {
			if at.X > 0 {
				least, most = min(least, at.X), max(most, at.X)
			}
		}
		baselines = baselines || len(set.Baselines) > 0
	}
	if least > most { // nothing took anything
		least, most = 0.5, 1
	}
	f.LogX = most/least >= 10
	left, right := wider(least, most, f.LogX, 0.12)
	for _, set := range s.Sets {
		p := Panel{Y: set.Set, Lines: []Line{{Series: 0, Loose: true, Points: paid(set.Points)}}}
		p.Lines = append(p.Lines, Line{Series: 1, Loose: true, Points: paid(set.Baselines)})
		for _, at := range set.Baselines {
			level := Line{Series: 1, Dashed: true, Points: []Point{{X: left, Y: at.Y}, {X: right, Y: at.Y}}}
			if at.X <= 0 {
				level.Points[0].Label = at.Label
			}
			p.Lines = append(p.Lines, level)
		}
		f.Panels = append(f.Panels, p)
	}
	if baselines {
		f.Series = []string{"models", "baselines"}
	}
	return f
}

// paid returns the points that cost something.
func paid(points []Point) (all []Point) {
	for _, at := range points {
		if at.X > 0 {
			all = append(all, at)
		}
	}
	return all
}

func (s Scores) size() (width, height float64, shaped bool) { return s.Panels().size() }
func (s Scores) labels() []string                           { return s.Panels().labels() }
func (s Scores) heading() heading                           { return s.Panels().heading() }
func (s Scores) draw(c *canvas) error                       { return s.Panels().draw(c) }
