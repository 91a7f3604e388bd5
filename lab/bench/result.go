package main

import (
	"slices"
	"strings"

	"github.com/w2v-go/w2v/lab/figures"
)

// better says which of two samples wins, if any does.
type better int

const (
	neither better = iota
	larger
	smaller
)

// A metric is something that is measured of every row: a column.
type metric struct {
	Key   string `json:"key"` // of Samples
	Title string `json:"title"`
	show  func([]float64) string
	ratio better // a column of ratios follows
}

// A row is a program with a setting, and what was measured of it, a sample a round.
type row struct {
	Program string               `json:"program"`
	Setting string               `json:"setting,omitempty"`
	Samples map[string][]float64 `json:"samples"`

	// Ratios say how many times better w2v was, round by round.
	Ratios map[string][]float64 `json:"ratios,omitempty"`
	rival  *row                 // the w2v that it is compared with; nil for none
}

func (r *row) add(key string, x float64) {
	if r.Samples == nil {
		r.Samples = make(map[string][]float64)
	}
	r.Samples[key] = append(r.Samples[key], x)
}

// compare fills Ratios.
func (r *row) compare(metrics []metric) {
	if r.rival == nil {
		return
	}
	r.Ratios = make(map[string][]float64)
	for _, m := range metrics {
		switch theirs, ours := r.Samples[m.Key], r.rival.Samples[m.Key]; m.ratio {
		case larger:
			r.Ratios[m.Key] = figures.Ratios(ours, theirs)
		case smaller:
			r.Ratios[m.Key] = figures.Ratios(theirs, ours)
		}
	}
}

// A result is what a part measured.
type result struct {
	Part    string   `json:"part"`
	Title   string   `json:"title"`
	Metrics []metric `json:"metrics"`
	Rows    []*row   `json:"rows"`
	Notes   []string `json:"notes,omitempty"`
}

// markdown writes the result as a section with a table.
func (r result) markdown() string {
	rivals := slices.ContainsFunc(r.Rows, func(x *row) bool { return x.rival != nil })
	settings := slices.ContainsFunc(r.Rows, func(x *row) bool { return x.Setting != "" })
	head := []string{"program"}
	if settings {
		head = append(head, "")
	}
	for _, m := range r.Metrics {
		head = append(head, m.Title)
		if rivals && m.ratio != neither {
			head = append(head, "×")
		}
	}
	t := figures.Table{head}
	for _, x := range r.Rows {
		x.compare(r.Metrics)
		cells := []string{x.Program}
		if settings {
			cells = append(cells, x.Setting)
		}
		for _, m := range r.Metrics {
			cells = append(cells, cellOf(x.Samples[m.Key], m.show))
			if rivals && m.ratio != neither {
				cells = append(cells, cellOf(x.Ratios[m.Key], figures.MedianAndRange))
			}
		}
		t = append(t, cells)
	}
	var text strings.Builder
	text.WriteString("### " + r.Title + "\n\n" + t.Markdown())
	for _, note := range r.Notes {
		text.WriteString("\n" + note + "\n")
	}
	return text.String()
}

// cellOf shows samples; nothing if there are none.
func cellOf(samples []float64, show func([]float64) string) string {
	if len(samples) == 0 {
		return ""
	}
	return show(samples)
}
