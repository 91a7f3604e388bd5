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

func TestFigure(t *testing.T) {
	for name, f := range map[string]Figure{
		"two panels": {X: "bytes", Panels: []Panel{
			{Y: "ws353", Points: []Point{{1e3, 0.5, 0.4, 0.6, "first"}, {1e6, 0.6, 0.6, 0.6, "second"}},
				Baselines: []Point{{0, 0.1, -0.1, 0.3, "chance"}, {100, 0.2, 0.1, 0.3, "small"}}},
			{Y: "empty"},
		}},
		"one point":        {X: "bytes", Panels: []Panel{{Y: "ws353", Points: []Point{{7, 0.5, 0.4, 0.6, "first"}}}}},
		"nothing to pay":   {X: "bytes", Panels: []Panel{{Y: "ws353", Baselines: []Point{{0, 0, 0, 0, "first"}}}}},
		"all are the same": {X: "bytes", Panels: []Panel{{Y: "ws353", Points: []Point{{7, 0, 0, 0, "first"}, {7, 0, 0, 0, "second"}}}}},
	} {
		t.Run(name, func(t *testing.T) {
			var svg, again, image bytes.Buffer
			for _, to := range []*bytes.Buffer{&svg, &again} {
				if err := f.SVG(to); err != nil {
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
			for _, p := range f.Panels {
				for _, at := range append(p.Points, p.Baselines...) {
					if !strings.Contains(svg.String(), ">"+at.Label+"<") {
						t.Errorf("%s is not in the plot", at.Label)
					}
				}
			}
			if strings.Contains(svg.String(), "NaN") {
				t.Error("NaN")
			}
			if err := f.PNG(&image); err != nil {
				t.Fatal(err)
			}
			if size, err := png.DecodeConfig(&image); err != nil || size.Width != 960 || size.Height != 480*len(f.Panels) {
				t.Errorf("%+v, %v", size, err)
			}
		})
	}
	if err := (Figure{}).SVG(io.Discard); err == nil {
		t.Error("a figure of nothing")
	}
}
