package sweep

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/w2v-go/w2v/sgns"
)

// A Point is settings to train with, or a baseline.
type Point struct {
	Number   int      // from 1; 0 for baselines
	Variant  string   // the name of the variant, if it has one
	Baseline Baseline // empty for none
	Settings Settings
	// Skipped says why there can be no such model; empty if there can.
	Skipped string

	config sgns.Config
}

// A Baseline is what scores are to be compared with. Its value is its name.
type Baseline string

const (
	// RandomVectors were never trained: what a score is by chance, words that are looked up
	// without n-grams.
	RandomVectors Baseline = "random vectors"
	// Dim8 is the first point with 8 dimensions, and without a rank and nested dimensions
	// if these do not fit so few: what it takes next to nothing to get.
	Dim8 Baseline = "dim 8"
)

// maxPoints is the most points of a sweep: what nobody will wait for is a slip.
const maxPoints = 100_000

// Points returns the points of a sweep: the baselines, then the others in the order
// in which they are trained. It is an error if there are none that can be.
func (c Config) Points(configure Configure) ([]Point, error) {
	var points []Point
	var err error
	if c.Search == Random {
		points, err = c.drawn(configure)
	} else {
		points, err = c.grid(configure)
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
	return slices.Concat(baselines(points[first], configure), points), nil
}

// baselines returns those for the first point.
func baselines(first Point, configure Configure) []Point {
	random := Point{Baseline: RandomVectors, Settings: Settings{{"dim", strconv.Itoa(first.config.Dim)}}}
	random.config.Dim = first.config.Dim
	settings := first.Settings.with("dim", "8")
	small := newPoint(first.Variant, settings, configure)
	if small.Skipped != "" {
		small = newPoint(first.Variant, settings.without("rank", "nested"), configure)
	}
	small.Baseline = Dim8
	return []Point{random, small}
}

// newPoint returns the point of these settings.
func newPoint(variant string, s Settings, configure Configure) Point {
	p := Point{Variant: variant, Settings: s}
	config, usual, err := configure(s)
	if err != nil {
		p.Skipped = err.Error()
		return p
	}
	p.config, p.Settings = config, usual
	return p
}

// grid returns all combinations of each variant's settings; the last setting changes the
// fastest.
func (c Config) grid(configure Configure) ([]Point, error) {
	var points []Point
	for _, s := range c.spaces {
		count := 1
		for _, a := range s.axes {
			if count *= len(a.values); count+len(points) > maxPoints {
				return nil, fmt.Errorf("the grid has more than %d points: search = %q tries some of them", maxPoints, Random)
			}
		}
		for i := range count {
			settings := make(Settings, len(s.axes))
			rest := i
			for k := len(s.axes) - 1; k >= 0; k-- {
				values := s.axes[k].values
				settings[k] = Setting{s.axes[k].name, values[rest%len(values)]}
				rest /= len(values)
			}
			p := newPoint(s.name, settings, configure)
			p.Number = len(points) + 1
			points = append(points, p)
		}
	}
	return points, nil
}

// drawn returns as many points as there are to be trials, all different, and those that
// were drawn among them and cannot be trained. Point i depends on the seed and what was
// drawn before it: more trials are the same ones, and more.
func (c Config) drawn(configure Configure) ([]Point, error) {
	if c.Trials > maxPoints {
		return nil, fmt.Errorf("%d trials, at most %d are possible", c.Trials, maxPoints)
	}
	r := rand.New(rand.NewPCG(uint64(c.Seed), 0))
	var points []Point
	seen := make(map[string]bool)
	for good, in := 0, 0; good < c.Trials; {
		s := c.spaces[r.IntN(len(c.spaces))]
		var settings Settings
		for _, a := range s.axes {
			settings = append(settings, Setting{a.name, a.draw(r)})
		}
		p := newPoint(s.name, settings, configure)
		if key := s.name + "\x00" + p.Settings.String(); seen[key] {
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
