package tune

import (
	"fmt"
	"math"
	"slices"

	"github.com/w2v-go/w2v/classify"
	"github.com/w2v-go/w2v/internal/halving"
	"github.com/w2v-go/w2v/sgns"
)

// A setting is one that is searched for.
type setting struct {
	name string
	halving.Axis
	of func(*classify.Options) *int // nil for those that are not whole numbers
}

var losses = []sgns.Loss{sgns.Softmax, sgns.OneVersusAll}

// settings are in the order in which they are drawn.
var settings = []setting{
	{"epochs", halving.Axis{Low: 1, High: 100, Step: 0.8, Log: true}, func(o *classify.Options) *int { return &o.Epochs }},
	{"lr", halving.Axis{Low: 0.01, High: 10, Step: 0.7, Log: true}, nil},
	{"dim", halving.Axis{Low: 4, High: 300, Step: 0.7, Log: true}, func(o *classify.Options) *int { return &o.Dim }},
	{"word-ngrams", halving.Axis{Low: 1, High: 5, Step: 1}, func(o *classify.Options) *int { return &o.WordNgrams }},
	{"minn", halving.Axis{Low: 1, High: 4, Step: 0.8}, func(o *classify.Options) *int { return &o.MinN }},
	{"maxn", halving.Axis{Low: 1, High: 7, Step: 1.2}, func(o *classify.Options) *int { return &o.MaxN }},
	{"buckets", halving.Axis{Low: 1 << 14, High: 1 << 23, Step: 0.7, Log: true}, func(o *classify.Options) *int { return &o.Buckets }},
	{"min-count", halving.Axis{Low: 1, High: 10, Step: 0.7, Log: true}, func(o *classify.Options) *int { return &o.MinCount }},
	{"loss", halving.Axis{Low: 0, High: 1, Step: 0.5}, nil},
}

// Settings returns the names of the settings that are searched for, which are flags of w2v classify train.
func Settings() (names []string) {
	for _, s := range settings {
		names = append(names, s.name)
	}
	return names
}

// point returns the values of the axes.
func (t *tuner) point() (point []float64) {
	for _, s := range t.axes {
		switch {
		case s.of != nil:
			point = append(point, float64(*s.of(&t.start)))
		case s.name == "lr":
			point = append(point, t.start.LearningRate)
		default:
			point = append(point, float64(slices.Index(losses, t.start.Loss)))
		}
	}
	return point
}

// options returns the settings of a point.
func (t *tuner) options(point []float64) classify.Options {
	o := t.start
	free := map[string]bool{}
	for i, s := range t.axes {
		free[s.name] = true
		switch {
		case s.of != nil:
			*s.of(&o) = int(math.Round(point[i]))
		case s.name == "lr":
			o.LearningRate = point[i]
		default:
			o.Loss = losses[int(point[i])]
		}
	}
	switch {
	case free["maxn"] && o.MaxN < 2: // n-grams of one character tell nothing
		o.MaxN = 0
	case free["minn"] && o.MaxN > 0:
		o.MinN = min(max(o.MinN, 1), o.MaxN)
	case o.MaxN > 0:
		o.MaxN = max(o.MaxN, o.MinN)
	}
	if free["dim"] && o.Dim > 8 {
		o.Dim = (o.Dim + 4) / 8 * 8
	}
	if free["lr"] {
		if o.Loss != t.start.Loss { // points have the rate of the first loss
			o.LearningRate *= usualRate(o.Loss, t.labels) / usualRate(t.start.Loss, t.labels)
		}
		o.LearningRate = halving.Rounded(o.LearningRate, 3)
	}
	return o
}

// key returns the same text for points with the same settings at a level.
func (t *tuner) key(point []float64, level int) string {
	o := scaled(t.options(point), math.Pow(halving.Reduction, float64(level+1-len(t.levels))))
	if o.MaxN == 0 {
		o.MinN = 0
	}
	return fmt.Sprint(o.Epochs, o.LearningRate, o.Dim, o.WordNgrams, o.MinN, o.MaxN, o.Buckets, o.MinCount, o.Loss)
}

// usualRate returns the learning rate that suits a loss and so many labels of short texts.
func usualRate(loss sgns.Loss, labels int) float64 {
	return classify.Options{Loss: loss}.Suited(classify.Contents{Labels: labels}).LearningRate
}
