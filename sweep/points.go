package sweep

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/w2v-go/w2v/train"
)

// A Point is settings to train with, or a baseline.
type Point struct {
	Number   int      // from 1; 0 for baselines
	Variant  string   // the name of the variant, if it has one
	Baseline Baseline // empty for none
	Settings Settings
	// Skipped says why there can be no such model; empty if there can.
	Skipped string

	settings train.Settings // all of them
}

// A Baseline is a model that scores are compared with. Its value is its name.
type Baseline string

const (
	// RandomVectors were never trained. Their score is what chance gives, for words without
	// n-grams.
	RandomVectors Baseline = "random vectors"
	// Dim8 is the first point with 8 dimensions. Settings about dimensions are left out if they
	// do not fit so few. Its score is what costs next to nothing.
	Dim8 Baseline = "dim 8"
)

// maxPoints is the most points of a sweep. More than that is a mistake in its configuration.
const maxPoints = 100_000

// Points returns the points of a sweep: the baselines, then the others in the order
// in which they are trained. It is an error if there are none that can be.
func (c Config) Points() ([]Point, error) {
	if len(c.Variants) == 0 {
		c.Variants = []Variant{{}}
	}
	var points []Point
	var err error
	if c.Search == Random {
		points, err = c.drawn()
	} else {
		points, err = c.grid()
	}
	if err != nil {
		return nil, err
	}
	first := slices.IndexFunc(points, func(p Point) bool { return p.Skipped == "" })
	if first < 0 {
		if len(points) == 0 {
			return nil, fmt.Errorf("there are no points to train")
		}
		return nil, fmt.Errorf("none of %d points can be trained, the first because: %s", len(points), points[0].Skipped)
	}
	return slices.Concat(c.baselines(points[first]), points), nil
}

// baselines returns those for the first point.
func (c *Config) baselines(first Point) []Point {
	dim := first.settings.Model.Dim
	random := Point{Baseline: RandomVectors, Settings: Settings{{"dim", strconv.Itoa(dim)}}}
	random.settings.Model.Dim = dim
	settings := first.Settings.with("dim", "8")
	small := c.point(first.Variant, settings)
	if small.Skipped != "" {
		small = c.point(first.Variant, settings.without(ofDimensions()...))
	}
	small.Baseline = Dim8
	return []Point{random, small}
}

// ofDimensions are the settings that are about some of the dimensions, and may not fit fewer.
func ofDimensions() []string {
	var names []string
	for _, row := range train.Table() {
		if row.OfDimensions {
			names = append(names, row.Name)
		}
	}
	return names
}

// point returns the point of these settings.
func (c *Config) point(variant string, s Settings) Point {
	p := Point{Variant: variant, Settings: s}
	settings, usual, err := c.configured(s)
	if err != nil {
		p.Skipped = err.Error()
		return p
	}
	p.settings, p.Settings = settings, usual
	return p
}

// grid returns all combinations of each variant's settings; the last setting changes the
// fastest.
func (c *Config) grid() ([]Point, error) {
	var points []Point
	for _, v := range c.Variants {
		count := 1
		for _, a := range v.Axes {
			if count *= len(a.Values); count+len(points) > maxPoints {
				return nil, fmt.Errorf("the grid has more than %d points: search = %q tries some of them", maxPoints, Random)
			}
		}
		for i := range count {
			settings := make(Settings, len(v.Axes))
			rest := i
			for k := len(v.Axes) - 1; k >= 0; k-- {
				values := v.Axes[k].Values
				settings[k] = Setting{v.Axes[k].Setting, values[rest%len(values)]}
				rest /= len(values)
			}
			p := c.point(v.Name, settings)
			p.Number = len(points) + 1
			points = append(points, p)
		}
	}
	return points, nil
}

// drawn returns as many points as there are to be trials, all different, and those that
// were drawn among them and cannot be trained. Point i depends on the seed and what was
// drawn before it: more trials are the same ones, and more.
func (c *Config) drawn() ([]Point, error) {
	if c.Trials > maxPoints {
		return nil, fmt.Errorf("%d trials, at most %d are possible", c.Trials, maxPoints)
	}
	r := rand.New(rand.NewPCG(uint64(c.Draw), 0))
	var points []Point
	seen := make(map[string]bool)
	for good, in := 0, 0; good < c.Trials; {
		v := c.Variants[r.IntN(len(c.Variants))]
		var settings Settings
		for _, a := range v.Axes {
			settings = append(settings, Setting{a.Setting, a.draw(r)})
		}
		p := c.point(v.Name, settings)
		if key := v.Name + "\x00" + p.Settings.String(); seen[key] {
			if in++; in >= 1000 { // the space has no more of them, or hardly any
				break
			}
			continue
		} else {
			seen[key] = true
		}
		if in++; p.Skipped == "" {
			good, in = good+1, 0
		} else if in >= 1000 {
			break
		}
		p.Number = len(points) + 1
		points = append(points, p)
	}
	return points, nil
}
