package plots

import (
	"errors"
	"fmt"

	"github.com/w2v-go/w2v/internal/chart"
	"github.com/w2v-go/w2v/vectors/inspect"
)

// A Scree is the spectra of models: how much of their vectors each principal component has.
type Scree struct {
	Title  string       `json:"-"`
	Models []ScreeModel `json:"models"`
}

// A ScreeModel is the spectrum of a model.
type ScreeModel struct {
	Model string `json:"model"`
	inspect.Spectrum
	Components90 int `json:"components_90"` // that hold 90 % of the variance
}

// NewScree returns the picture of spectra, of which there is one at least.
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
