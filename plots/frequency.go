package plots

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/w2v-go/w2v/eval"
	"github.com/w2v-go/w2v/internal/chart"
	"github.com/w2v-go/w2v/vectors/inspect"
)

// A Frequency shows scores on parts of evaluation sets, by the frequency of their words.
type Frequency struct {
	Title string         `json:"-"`
	Sets  []FrequencySet `json:"sets"`
}

// A FrequencySet has the scores on one set.
type FrequencySet struct {
	Set      string        `json:"set"`
	Task     eval.Task     `json:"task"`
	Metric   string        `json:"metric"`
	Score    eval.Score    `json:"score"`
	Interval eval.Interval `json:"interval,omitzero"`
	// Bands are the parts of the set. An item belongs to the band of its rarest word.
	Bands []eval.Band `json:"bands"`
}

// NewFrequency returns the picture of at least one record. It shows intervals if eval.Options.BandIntervals
// was set.
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

const leastItems = 5 // with fewer items in a band, scores are mostly chance

func (f *Frequency) chart() chart.Picture {
	c := chart.Panels{Title: f.Title, Subtitle: fmt.Sprintf("by the rank of an item's rarest word; bars are 95 %% intervals; bands with fewer than %d items are not drawn", leastItems), X: "rank in the vocabulary", LogX: true}
	for i, s := range f.Sets {
		p := slices.IndexFunc(c.Panels, func(p chart.Panel) bool { return p.Y == s.Metric })
		if p < 0 {
			p = len(c.Panels)
			c.Panels = append(c.Panels, chart.Panel{Y: s.Metric})
		}
		l := chart.Line{Series: i, Dots: true}
		// Each set has its own place within a band, so that sets are side by side.
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

// A Scree shows the spectra of models: the share of variance of each principal component.
type Scree struct {
	Title  string       `json:"-"`
	Models []ScreeModel `json:"models"`
}

// A ScreeModel is the spectrum of one model.
type ScreeModel struct {
	Model string `json:"model"`
	inspect.Spectrum
	Components90 int `json:"components_90"` // components that explain 90 % of the variance
}

// NewScree returns the picture of at least one spectrum.
func NewScree(names []string, spectra []*inspect.Spectrum) (*Scree, error) {
	if len(spectra) == 0 || len(names) != len(spectra) {
		return nil, errors.New("plots: a scree plot needs a model at least, and a name for each")
	}
	s := &Scree{}
	for i, of := range spectra {
		s.Models = append(s.Models, ScreeModel{Model: names[i], Spectrum: *of, Components90: of.Components(0.9)})
	}
	return s, nil
}

func (s *Scree) chart() chart.Picture {
	values := chart.Panel{Y: "singular value ÷ the first", FromZero: true}
	kept := chart.Panel{Y: "cumulative variance", FromZero: true, Percent: true}
	c := chart.Panels{Title: s.Title, X: "principal component", Whole: true}
	for i, m := range s.Models {
		a, b := chart.Line{Series: i}, chart.Line{Series: i}
		var sum float64
		for k, v := range m.Variance {
			sum += v
			x := float64(k + 1)
			if first := m.SingularValues[0]; first > 0 {
				a.Points = append(a.Points, chart.Point{X: x, Y: m.SingularValues[k] / first})
				b.Points = append(b.Points, chart.Point{X: x, Y: min(1, sum)})
			}
		}
		a.Dots, b.Dots = m.Dim <= 40, m.Dim <= 40
		values.Lines, kept.Lines = append(values.Lines, a), append(kept.Lines, b)
		c.Series = append(c.Series, fmt.Sprintf("%s: 90 %% in %d of %d components", m.Model, m.Components90, m.Dim))
	}
	c.Panels = []chart.Panel{values, kept}
	return c
}
