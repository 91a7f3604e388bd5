package sweep

import (
	"fmt"
	"io"
	"path/filepath"

	"github.com/w2v-go/w2v/internal/atomicfile"
	"github.com/w2v-go/w2v/internal/chart"
)

// write writes the table and the plots to the folder of the results.
func (r *Report) write(folder string) error {
	err := atomicfile.Write(filepath.Join(folder, "results.md"), func(w io.Writer) error {
		_, err := io.WriteString(w, r.Table().Markdown())
		return err
	})
	if err != nil {
		return err
	}
	for _, p := range []struct {
		name, axis string
		of         func(Result) float64
	}{
		{"parameters", "parameters of the vectors", func(r Result) float64 { return float64(r.Parameters) }},
		{"bytes", "bytes of a native file of the vectors", func(r Result) float64 { return float64(r.Bytes) }},
		{"time", "CPU seconds of training", func(r Result) float64 { return r.CPUSeconds }},
	} {
		figure := r.figure(p.axis, p.of)
		for ext, write := range map[string]func(chart.Figure, io.Writer) error{".svg": chart.Figure.SVG, ".png": chart.Figure.PNG} {
			path := filepath.Join(folder, p.name+ext)
			if err := atomicfile.Write(path, func(w io.Writer) error { return write(figure, w) }); err != nil {
				return err
			}
		}
	}
	return nil
}

// figure plots every set's scores against something.
func (r *Report) figure(axis string, of func(Result) float64) chart.Figure {
	f := chart.Figure{X: axis}
	sets, _ := r.sets()
	for i, set := range sets {
		panel := chart.Panel{Y: set}
		for _, o := range r.Points {
			s := o.Summary(i)
			if !s.Score.Defined() {
				continue
			}
			y := chart.Point{X: mean(o.models(), of), Y: float64(s.Score), Low: s.CI95[0], High: s.CI95[1], Label: o.short()}
			if s.CI95[0] == s.CI95[1] {
				y.Low, y.High = y.Y, y.Y
			}
			if o.Baseline != "" {
				panel.Baselines = append(panel.Baselines, y)
			} else {
				panel.Points = append(panel.Points, y)
			}
		}
		if len(panel.Points)+len(panel.Baselines) > 0 {
			f.Panels = append(f.Panels, panel)
		}
	}
	return f
}

// short is what a point is called in a plot.
func (o Outcome) short() string {
	if o.Variant != "" && o.Baseline == "" {
		return o.Variant
	}
	if o.Baseline != "" {
		return string(o.Baseline)
	}
	return fmt.Sprint(o.Number)
}
