package chart

import (
	"bytes"
	"encoding/xml"
	"errors"
	"image/png"
	"io"
	"strings"
	"testing"
)

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
				if _, err := Write(to, f, SVG, Style{}); err != nil {
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
			if _, err := Write(&image, f, PNG, Style{}); err != nil {
				t.Fatal(err)
			}
			if size, err := png.DecodeConfig(&image); err != nil || size.Width != 8*DefaultDPI {
				t.Errorf("%+v, %v", size, err)
			}
		})
	}
	if _, err := Write(io.Discard, Scores{}, SVG, Style{}); err == nil {
		t.Error("a figure of nothing")
	}
}
