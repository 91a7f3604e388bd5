package plots

import (
	"errors"
	"math"
	"slices"

	"github.com/w2v-go/w2v/internal/chart"
)

// An Against is what the horizontal axis of a training is. Its value is the name that the command line
// knows it by.
type Against string

// Axes of a training.
const (
	AgainstTokens  Against = "tokens"  // trained, of all epochs
	AgainstShare   Against = "share"   // of all tokens that are to be trained
	AgainstSeconds Against = "seconds" // of training
)

// Axes returns all axes.
func Axes() []Against { return []Against{AgainstTokens, AgainstShare, AgainstSeconds} }

// A Training is the curves of runs: loss, held-out loss, scores, learning rate and speed, those that
// the logs have.
type Training struct {
	Title   string  `json:"-"`
	Against Against `json:"against"`
	Runs    []*Run  `json:"runs"`
}

// NewTraining returns the picture of runs, of which there is one at least.
func NewTraining(runs []*Run, against Against) (*Training, error) {
	switch {
	case len(runs) == 0:
		return nil, errors.New("plots: there are no runs")
	case against == "":
		against = AgainstTokens
	case !slices.Contains(Axes(), against):
		return nil, errors.New("plots: there is no such axis of a training: " + string(against))
	}
	return &Training{Against: against, Runs: runs}, nil
}

// x is where something is on the axis.
func (t *Training) x(r *Run, tokens uint64, seconds float64) float64 {
	switch {
	case t.Against == AgainstSeconds:
		return seconds
	case t.Against == AgainstShare && r.Total > 0:
		return float64(tokens) / float64(r.Total)
	case t.Against == AgainstShare:
		return math.NaN()
	}
	return float64(tokens)
}

// most is how many points of a curve are drawn: more do not fit beside each other.
const most = 600

// thinned returns means of neighbouring points, if there are too many. Interruptions stay.
func thinned(all []chart.Point) []chart.Point {
	if len(all) <= most {
		return all
	}
	size := (len(all) + most - 1) / most
	var few []chart.Point
	for chunk := range slices.Chunk(all, size) {
		var x, y, n float64
		for _, p := range chunk {
			x += p.X
			if !math.IsNaN(p.Y) {
				y, n = y+p.Y, n+1
			}
		}
		few = append(few, chart.Point{X: x / float64(len(chunk)), Y: y / n})
	}
	return few
}

func (t *Training) chart() chart.Picture {
	c := chart.Panels{Title: t.Title, FromZero: true, X: map[Against]string{AgainstTokens: "tokens trained", AgainstShare: "share of the training", AgainstSeconds: "seconds of training"}[t.Against]}
	progress := func(of func(Progress) float64) func(*Run) []chart.Point {
		return func(r *Run) (all []chart.Point) {
			for _, p := range r.Progress {
				if y := of(p); !math.IsNaN(y) {
					all = append(all, chart.Point{X: t.x(r, p.Tokens, p.Seconds), Y: y})
				}
			}
			return all
		}
	}
	evaluations := func(of func(Evaluation) float64) func(*Run) []chart.Point {
		return func(r *Run) (all []chart.Point) {
			for _, e := range r.Evaluations {
				if y := of(e); !math.IsNaN(y) {
					all = append(all, chart.Point{X: t.x(r, e.Tokens, e.Seconds), Y: y})
				}
			}
			return all
		}
	}
	t.panel(&c, chart.Panel{Y: "loss"}, progress(func(p Progress) float64 { return number(p.Loss) }))
	t.panel(&c, chart.Panel{Y: "held-out loss"}, evaluations(func(e Evaluation) float64 { return number(e.HeldOut) }))
	for _, set := range t.sets() {
		t.panel(&c, chart.Panel{Y: set}, evaluations(func(e Evaluation) float64 {
			for _, s := range e.Scores {
				if s.Set == set {
					return number(s.Score)
				}
			}
			return math.NaN()
		}))
	}
	t.panel(&c, chart.Panel{Y: "learning rate", FromZero: true}, progress(func(p Progress) float64 { return p.LearningRate }))
	t.panel(&c, chart.Panel{Y: "tokens/s", FromZero: true}, progress(func(p Progress) float64 { return number(p.Speed) }))
	for i, r := range t.Runs {
		if len(t.Runs) > 1 { // the title names one
			c.Series = append(c.Series, r.Name)
		}
		for _, e := range r.Events {
			c.Marks = append(c.Marks, chart.Mark{X: t.x(r, e.Tokens, e.Seconds), Series: i, Label: string(e.Kind)})
		}
	}
	slices.SortStableFunc(c.Marks, func(a, b chart.Mark) int {
		if a.X < b.X {
			return -1
		} else if a.X > b.X {
			return 1
		}
		return 0
	})
	return c
}

// panel adds a panel, if a run has something for it.
func (t *Training) panel(c *chart.Panels, p chart.Panel, of func(*Run) []chart.Point) {
	some := false
	for i, r := range t.Runs {
		points := thinned(of(r))
		some = some || len(points) > 0
		p.Lines = append(p.Lines, chart.Line{Series: i, Points: points, Dots: len(points) <= 25})
	}
	if some {
		c.Panels = append(c.Panels, p)
	}
}

// maxSets is how many evaluation sets have a panel.
const maxSets = 6

// sets returns the names of evaluation sets, in the order in which they come first.
func (t *Training) sets() (names []string) {
	for _, r := range t.Runs {
		for _, e := range r.Evaluations {
			for _, s := range e.Scores {
				if !slices.Contains(names, s.Set) && len(names) < maxSets {
					names = append(names, s.Set)
				}
			}
		}
	}
	return names
}
