package report

import (
	"fmt"
	"math"
	"slices"

	"github.com/w2v-go/w2v/eval"
)

// A chart has a row for each value. Rows are SVGs of their own, whose places are in per cent, so
// that text keeps its size on narrow screens.
type chart struct {
	Caption string
	Ticks   []tick
	Rows    []chartRow
}

type chartRow struct {
	Name, Link, Value, Title, Class string
	At, Low, High                   string // in per cent; empty if there is none
	Bar                             bool
	From, Width                     string   // of the bar
	Runs                            []string // in per cent
}

// A mark is what a chart shows of one value.
type mark struct {
	name, link string
	score      float64
	interval   eval.Interval
	value      string    // how the value is printed
	note       string    // what the hover text says after the value
	class      string    // the row's look, or ""
	runs       []float64 // of which the score is the mean
}

// drawn returns the chart of marks, with bars from zero or dots. The axis has
// the bounds, too.
func drawn(caption string, marks []mark, bars bool, bounds ...float64) block {
	if len(marks) == 0 {
		return block{}
	}
	values := slices.Clone(bounds)
	for _, m := range marks {
		values = append(append(values, m.score), m.runs...)
		if exists(m.interval) {
			values = append(values, m.interval.Low, m.interval.High)
		}
	}
	a := newAxis(7, values...)
	c := &chart{Caption: caption, Ticks: a.ticks(a.at)}
	for _, m := range marks {
		r := chartRow{Name: m.name, Link: m.link, Value: m.value, Class: m.class, Bar: bars, Title: m.name + ": " + m.value}
		if exists(m.interval) {
			r.Low, r.High = a.at(m.interval.Low), a.at(m.interval.High)
			r.Title += fmt.Sprintf(", 95 %% interval %s", span(m.interval))
		}
		for _, run := range m.runs {
			if !math.IsNaN(run) {
				r.Runs = append(r.Runs, a.at(run))
			}
		}
		if m.note != "" {
			r.Title += ", " + m.note
		}
		if math.IsNaN(m.score) {
			r.Bar = false
		} else {
			zero := a.share(0)
			r.At = a.at(m.score)
			r.From, r.Width = percent(min(zero, a.share(m.score))), percent(math.Abs(a.share(m.score)-zero))
		}
		c.Rows = append(c.Rows, r)
	}
	return block{Chart: c}
}

// bounds returns the values that the axis of a metric always has, so that a chart does not make a
// small difference look large. Effect sizes have none but zero.
func bounds(metric string) []float64 {
	switch metric {
	case "spearman", "pearson", "accuracy", "purity", "v_measure", "homogeneity", "completeness", "opp":
		return []float64{0, 1}
	}
	return []float64{0}
}
