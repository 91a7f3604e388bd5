package plots

import (
	"errors"
	"fmt"
	"math"

	"github.com/w2v-go/w2v/eval"
	"github.com/w2v-go/w2v/internal/chart"
)

// A Frequency is scores on parts of evaluation sets, by how frequent their words are.
type Frequency struct {
	Title string         `json:"-"`
	Sets  []FrequencySet `json:"sets"`
}

// A FrequencySet is the scores on a set.
type FrequencySet struct {
	Set      string        `json:"set"`
	Task     eval.Task     `json:"task"`
	Metric   string        `json:"metric"`
	Score    eval.Score    `json:"score"`
	Interval eval.Interval `json:"interval,omitzero"`
	// Bands are the parts: an item counts where the rank of its rarest word is.
	Bands []eval.Band `json:"bands"`
}

// NewFrequency returns the picture of records, of which there is one at least. They have intervals if
// eval.Options.BandIntervals was set.
func NewFrequency(records []eval.Record) (*Frequency, error) {
	if len(records) == 0 {
		return nil, errors.New("plots: there are no scores")
	}
	f := &Frequency{}
	for _, r := range records {
		f.Sets = append(f.Sets, FrequencySet{r.Set, r.Task, r.Metric, r.Score, r.Interval, r.Bands})
	}
	return f, nil
}

// leastItems is how many items a band needs to be drawn: the score of fewer is chance.
const leastItems = 5

func (f *Frequency) chart() chart.Picture {
	c := chart.Panels{Title: f.Title, Subtitle: fmt.Sprintf("by the rank of an item's rarest word; bars are 95 %% intervals; bands with fewer than %d items are not drawn", leastItems), X: "rank in the vocabulary", LogX: true}
	at := map[string]int{} // panels of metrics
	for i, s := range f.Sets {
		p, known := at[s.Metric]
		if !known {
			p = len(c.Panels)
			at[s.Metric] = p
			c.Panels = append(c.Panels, chart.Panel{Y: s.Metric})
		}
		l := chart.Line{Series: i, Dots: true}
		// Sets beside each other: each has a place of its own within a band.
		share := (float64(i) + 1) / (float64(len(f.Sets)) + 1)
		for _, b := range s.Bands {
			if b.Items < leastItems || !b.Score.Defined() {
				continue
			}
			from, to := float64(b.From), float64(b.To)
			point := chart.Point{X: from * math.Pow(to/from, share), Y: float64(b.Score), From: from, To: to}
			if b.Interval.Known {
				point.Low, point.High = b.Interval.Low, b.Interval.High
			}
			l.Points = append(l.Points, point)
		}
		c.Panels[p].Lines = append(c.Panels[p].Lines, l)
		c.Series = append(c.Series, s.Set)
	}
	return c
}
