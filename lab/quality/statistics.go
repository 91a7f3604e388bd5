package main

import (
	"math"
	"slices"

	"github.com/w2v-go/w2v/lab/battery"
	"github.com/w2v-go/w2v/lab/figures"
	"github.com/w2v-go/w2v/lab/frontier"
)

// A contest is what programs were trained for: a text, a kind of models and a dimension.
type contest struct {
	Text   string   `json:"text"`
	Tokens uint64   `json:"tokens"`
	Kind   string   `json:"kind"`
	Dim    int      `json:"dim"`
	Sets   []string `json:"sets"`
	Rows   []*row   `json:"rows"`
}

// A row is a program in a contest.
type row struct {
	Program string   `json:"program"`
	Ours    bool     `json:"ours,omitempty"`
	Runs    []result `json:"runs"`             // with its own defaults, by seed
	Longer  []result `json:"longer,omitempty"` // of w2v, with other numbers of epochs
}

// The column of means, after those of the sets.
const meanColumn = "mean"

// scoresOf returns the scores of some results in a column, in the order of the results.
func scoresOf(results []result, column string) []float64 {
	var scores []float64
	for _, r := range results {
		if column == meanColumn {
			scores = append(scores, battery.Mean(r.Scores))
		}
		for _, s := range r.Scores {
			if s.Set == column {
				scores = append(scores, float64(s.Value))
			}
		}
	}
	return scores
}

// seconds is the median of the CPU times of the row's own runs: another program on the machine
// makes one of them slow.
func (r *row) seconds() float64 {
	var all []float64
	for _, x := range r.Runs {
		all = append(all, x.CPUSeconds)
	}
	return figures.Median(all)
}

// points are all trainings of w2v.
func (r *row) points() []frontier.Point {
	var all []frontier.Point
	for _, x := range slices.Concat(r.Runs, r.Longer) {
		all = append(all, frontier.Point{Epochs: x.Epochs, Seconds: x.CPUSeconds, Score: battery.Mean(x.Scores)})
	}
	return all
}

// seedDeviation is the standard deviation between seeds in a column, pooled over all groups of
// runs that differ in the seed only. It is NaN if no group has two.
func (c *contest) seedDeviation(column string) float64 {
	squares, freedom := 0.0, 0
	add := func(results []result) {
		scores := scoresOf(results, column)
		if _, deviation := figures.MeanDeviation(scores); !math.IsNaN(deviation) {
			squares += deviation * deviation * float64(len(scores)-1)
			freedom += len(scores) - 1
		}
	}
	for _, r := range c.Rows {
		add(r.Runs)
		groups := make(map[int][]result)
		for _, x := range r.Longer {
			groups[x.Epochs] = append(groups[x.Epochs], x)
		}
		for _, group := range groups {
			add(group)
		}
	}
	if freedom == 0 {
		return math.NaN()
	}
	return math.Sqrt(squares / float64(freedom))
}

// A difference is how much higher w2v scores than a peer.
type difference struct {
	Value float64
	Error float64 // standard error from the noise of seeds, NaN if that is not known
}

// worse reports whether w2v is worse by more than two standard errors.
func (d difference) worse() bool { return d.Value < -2*d.Error }

// compare takes the difference of two rows in a column. Seeds of two programs have nothing in
// common, so the standard error is that of two means of independent runs.
func (c *contest) compare(ours, theirs *row, column string) difference {
	a, _ := figures.MeanDeviation(scoresOf(ours.Runs, column))
	b, _ := figures.MeanDeviation(scoresOf(theirs.Runs, column))
	n, m := float64(len(ours.Runs)), float64(len(theirs.Runs))
	return difference{a - b, c.seedDeviation(column) * math.Sqrt(1/n+1/m)}
}

// rows returns those of w2v or those of its peers, as far as they have results.
func (c *contest) rows(ours bool) []*row {
	var all []*row
	for _, r := range c.Rows {
		if r.Ours == ours && len(r.Runs) > 0 {
			all = append(all, r)
		}
	}
	return all
}

// columns are the sets and the mean.
func (c *contest) columns() []string { return append(slices.Clone(c.Sets), meanColumn) }
