package sweep

import (
	"fmt"
	"io"
	"path/filepath"

	"github.com/w2v-go/w2v/internal/atomicfile"
	"github.com/w2v-go/w2v/internal/chart"
)

// Write writes the table, results.md, and plots to the folder of the results. There must be
// a model.
func (r *Report) Write(folder string) error {
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
		for _, to := range chart.Formats() {
			path := filepath.Join(folder, p.name+"."+string(to))
			err := atomicfile.Write(path, func(w io.Writer) error {
				_, err := chart.Write(w, figure, to, chart.Style{})
				return err
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// figure plots every set's scores against something.
func (r *Report) figure(axis string, of func(Result) float64) chart.Scores {
	f := chart.Scores{X: axis}
	sets, differ := r.sets()
	for i, set := range sets {
		f.Sets = append(f.Sets, r.scores(set, of, func(o Outcome) Summary { return o.Summary(i) }))
		if differ[i] {
			f.Sets = append(f.Sets, r.scores(set+", in vocabulary", of, func(o Outcome) Summary { return o.inVocabulary(i) }))
		}
	}
	return f
}

// scores are those on a set.
func (r *Report) scores(set string, of func(Result) float64, summary func(Outcome) Summary) chart.ScoresOf {
	all := chart.ScoresOf{Set: set}
	for _, o := range r.Points {
		s := summary(o)
		if !s.Score.Defined() {
			continue
		}
		at := chart.Point{X: mean(o.models(), of), Y: float64(s.Score), Low: s.CI95.Low, High: s.CI95.High, Label: r.short(o)}
		if o.Baseline != "" {
			all.Baselines = append(all.Baselines, at)
		} else {
			all.Points = append(all.Points, at)
		}
	}
	return all
}

// short is what a point is called in a plot: its variant, if no other has that, or its number.
func (r *Report) short(o Outcome) string {
	same := 0
	for _, other := range r.Points {
		if other.Baseline == "" && other.Variant == o.Variant {
			same++
		}
	}
	switch {
	case o.Baseline != "":
		return string(o.Baseline)
	case o.Variant != "" && same == 1:
		return o.Variant
	case o.Variant != "":
		return fmt.Sprintf("%d, %s", o.Number, o.Variant)
	}
	return fmt.Sprint(o.Number)
}
