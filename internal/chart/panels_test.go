package chart

import (
	"bytes"
	"encoding/xml"
	"errors"
	"image/png"
	"io"
	"math"
	"strings"
	"testing"
)

// Axes contain all points and the ends of all intervals.
func TestAxesContainAll(t *testing.T) {
	nan := math.NaN()
	for name, c := range map[string]struct {
		points []Point
		log    bool
		zero   bool
		x0, x1 float64
		y0, y1 float64
	}{
		"two points":         {points: []Point{{X: 1, Y: 2}, {X: 3, Y: 5}}, x0: 1, x1: 3, y0: 2, y1: 5},
		"an interval":        {points: []Point{{X: 1, Y: 2, Low: -4, High: 7}, {X: 3, Y: 5}}, x0: 1, x1: 3, y0: -4, y1: 7},
		"a range of X":       {points: []Point{{X: 10, Y: 2, From: 1, To: 1000}}, log: true, x0: 1, x1: 1000, y0: 2, y1: 2},
		"one point":          {points: []Point{{X: 5, Y: 5}}, x0: 5, x1: 5, y0: 5, y1: 5},
		"one point at zero":  {points: []Point{{}}, x0: 0, x1: 0, y0: 0, y1: 0},
		"nothing":            {x0: 0, x1: 1, y0: 0, y1: 1},
		"no numbers":         {points: []Point{{X: nan, Y: nan}, {X: math.Inf(1), Y: math.Inf(-1)}}, x0: 0, x1: 1, y0: 0, y1: 1},
		"nearly one number":  {points: []Point{{X: 1e20, Y: 1}, {X: math.Nextafter(1e20, 2e20), Y: math.Nextafter(1, 2)}}, x0: 1e20, x1: 1e20, y0: 1, y1: 1},
		"too far away":       {points: []Point{{X: 1, Y: 2}, {X: 1e300, Y: 1e300}, {X: 2, Y: 3}}, x0: 1, x1: 2, y0: 2, y1: 3},
		"from zero":          {points: []Point{{X: 7, Y: 8}, {X: 9, Y: 10}}, zero: true, x0: 0, x1: 9, y0: 0, y1: 10},
		"below zero, from 0": {points: []Point{{X: 7, Y: -8}}, zero: true, x0: 0, x1: 7, y0: -8, y1: 0},
	} {
		t.Run(name, func(t *testing.T) {
			p := Panel{Y: "y", Lines: []Line{{Points: c.points}}, FromZero: c.zero}
			f := Panels{X: "x", LogX: c.log, FromZero: c.zero, Panels: []Panel{p}}
			if low, high := f.extentX(); !(low <= c.x0 && high >= c.x1 && low < high) {
				t.Errorf("X is from %v to %v, want %v to %v and more", low, high, c.x0, c.x1)
			}
			if low, high := p.extentY(); !(low <= c.y0 && high >= c.y1 && low < high) {
				t.Errorf("Y is from %v to %v, want %v to %v and more", low, high, c.y0, c.y1)
			}
			actions, _ := recorded(t, f, Style{})
			if len(actions) == 0 {
				t.Error("nothing is drawn")
			}
		})
	}
}

func TestTicks(t *testing.T) {
	for name, c := range map[string]struct {
		low, high float64
		ticks
		want string
	}{
		"ones":             {0, 5, ticks{wanted: 5}, "0 1 2 3 4 5"},
		"tenths":           {0.12, 0.48, ticks{wanted: 4}, "0.2 0.3 0.4"},
		"below zero":       {-1, 1, ticks{wanted: 4}, "−1 −0.5 0 0.5 1"},
		"millions":         {0, 41e6, ticks{wanted: 5}, "0 10 M 20 M 30 M 40 M"},
		"halves of a M":    {0, 1.6e6, ticks{wanted: 4}, "0 500 k 1 M 1.5 M"},
		"percent":          {0, 1, ticks{wanted: 5, percent: true}, "0 % 20 % 40 % 60 % 80 % 100 %"},
		"powers":           {0.9, 20000, ticks{log: true}, "1 10 100 1 k 10 k"},
		"a narrow log":     {3, 60, ticks{log: true}, "5 10 20 50"},
		"whole numbers":    {1, 3, ticks{wanted: 7, whole: true}, "1 2 3"},
		"small":            {0, 0.0005, ticks{wanted: 5}, "0 0.0001 0.0002 0.0003 0.0004 0.0005"},
		"nothing in it":    {2, 2, ticks{wanted: 5}, "2"},
		"learning rates":   {0, 0.025, ticks{wanted: 5}, "0 0.005 0.01 0.015 0.02 0.025"},
		"a long way apart": {1, 1e12, ticks{log: true}, "1 100 10 k 1 M 100 M 10 G 1 T"},
	} {
		t.Run(name, func(t *testing.T) {
			var texts []string
			for _, at := range c.between(c.low, c.high) {
				texts = append(texts, at.label)
				if at.value < c.low || at.value > c.high {
					t.Errorf("%v is not on the axis", at.value)
				}
			}
			if got := strings.Join(texts, " "); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

func TestScores(t *testing.T) {
	for name, f := range map[string]Scores{
		"two panels": {X: "bytes", Sets: []ScoresOf{
			{Set: "ws353", Points: []Point{{X: 1e3, Y: 0.5, Low: 0.4, High: 0.6, Label: "first"}, {X: 1e6, Y: 0.6, Label: "second"}},
				Baselines: []Point{{X: 0, Y: 0.1, Label: "chance"}, {X: 100, Y: 0.2, Low: 0.1, High: 0.3, Label: "small"}}},
			{Set: "empty"},
		}},
		"one point":        {X: "bytes", Sets: []ScoresOf{{Set: "ws353", Points: []Point{{X: 7, Y: 0.5, Low: 0.4, High: 0.6, Label: "first"}}}}},
		"nothing to pay":   {X: "bytes", Sets: []ScoresOf{{Set: "ws353", Baselines: []Point{{Label: "first"}}}}},
		"all are the same": {X: "bytes", Sets: []ScoresOf{{Set: "ws353", Points: []Point{{X: 7, Label: "first"}, {X: 7, Label: "second"}}}}},
	} {
		t.Run(name, func(t *testing.T) {
			var svg, again, image bytes.Buffer
			for _, to := range []*bytes.Buffer{&svg, &again} {
				if _, err := Write(to, f.Panels(), SVG, Style{}); err != nil {
					t.Fatal(err)
				}
			}
			if !bytes.Equal(svg.Bytes(), again.Bytes()) {
				t.Error("the same figure is another file")
			}
			for d := xml.NewDecoder(bytes.NewReader(svg.Bytes())); ; {
				if _, err := d.Token(); errors.Is(err, io.EOF) {
					break
				} else if err != nil {
					t.Fatal(err)
				}
			}
			for _, p := range f.Sets {
				for _, at := range append(p.Points, p.Baselines...) {
					if !strings.Contains(svg.String(), ">"+at.Label+"<") {
						t.Errorf("%s is not in the plot", at.Label)
					}
				}
			}
			if strings.Contains(svg.String(), "NaN") {
				t.Error("NaN")
			}
			if _, err := Write(&image, f.Panels(), PNG, Style{}); err != nil {
				t.Fatal(err)
			}
			if size, err := png.DecodeConfig(&image); err != nil || size.Width != 8*DefaultDPI {
				t.Errorf("%+v, %v", size, err)
			}
		})
	}
	if _, err := Write(io.Discard, Panels{}, SVG, Style{}); err == nil {
		t.Error("a figure of nothing")
	}
}
