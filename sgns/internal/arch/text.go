package arch

import (
	"errors"

	"github.com/w2v-go/w2v/sgns/internal/capability"
	"github.com/w2v-go/w2v/sgns/internal/params"
	"github.com/w2v-go/w2v/sgns/internal/settings"
	"github.com/w2v-go/w2v/sgns/internal/step"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
)

// Text is the architecture of classifiers: the mean of all rows of a text predicts its labels (Joulin et al. 2017, "Bag
// of tricks for efficient text classification"), or the mean with the extremes of each column. Rows are those of its words,
// of their n-grams, and of runs of words. Each gets its share of the mean's gradient. The weight of a text is divided among
// its labels.
var Text = Kind{
	Name: "supervised",
	Help: "the labels of a text from the mean of all its rows",
	New:  func(r settings.Run) Architecture { return text{run: r} },
}

type text struct {
	bare
	run settings.Run
}

func (a text) Check() error {
	switch {
	case a.run.PositionWeights:
		return errors.New("position weights belong to the contexts of a centre, and a text has none")
	case a.run.WordNgrams > 1 && !a.sharesBuckets():
		return errors.New("runs of words have the buckets of fastText's n-grams: as many, or no n-grams of another kind")
	case a.run.Halves():
		return errors.New("precision f16 is not for texts with labels")
	}
	return nil
}

// sharesBuckets reports whether n-grams and runs of words have the same buckets.
func (a text) sharesBuckets() bool {
	of, ok := a.run.Subword.(subword.FastText)
	return ok && of.Buckets == a.run.WordBuckets
}

func (text) Capabilities() capability.Part {
	return capability.Part{
		Needs: map[capability.Capability]string{capability.Sums: "a text is the mean of all rows of its words"},
		Lacks: map[capability.Capability]string{
			capability.OneRow:      "an input is a whole text, and an output is a label",
			capability.OutputWords: "outputs are labels",
			capability.Projects:    "the rows of texts with labels are as wide as their vectors",
			capability.Divides:     "texts share the rows of words",
			capability.Turns:       "the vectors of texts are those that predict labels",
		},
	}
}

// Rates are the same for all sizes: the learning rate of texts is a setting of package classify.
func (text) Rates() Rates {
	rate := Rate{Usual: textRate, Most: textRate}
	return Rates{Words: rate, Subwords: rate, ByCentre: true}
}

const textRate = 0.5

func (text) Traits(centres int) step.Traits {
	return step.Traits{Targets: centres * step.MaxLabels, Heads: 1, Rows: true, Texts: true}
}

func (text) Draws(usual int) int { return usual }

func (a text) Output(labels int) params.Matrix {
	return params.Matrix{
		Name: "labels", Title: "vectors of labels", Role: params.Output, Labels: true, Rows: labels, Cols: a.run.Hidden(),
		Fits: func(*vectors.Set) bool { return false }, // other labels may have the same numbers
	}
}

func (a text) Worker(p step.Parts) step.Architecture {
	t := a.Traits(p.Division.Centres)
	return &textWorker{centres{p.Source, t}, make([]uint32, 0, step.WholeLines(t.Targets)), make([]uint16, 0, step.WholeLines(t.Targets))}
}

func (a text) Bytes(centres int) float64 {
	return (4 + 2) * step.LineItems(float64(a.Traits(centres).Targets))
}

type textWorker struct {
	centres
	labels []uint32
	inputs []uint16
}

// Select makes the labels of the texts the targets.
func (w *textWorker) Select(b *step.Batch) {
	labels, inputs, t := w.labels[:0], w.inputs[:0], b.Text.Texts
	for c := b.First; c < b.Last; c++ {
		i, of := c-b.First, t.LabelsOf(c)
		for _, label := range of {
			labels, inputs = append(labels, label), append(inputs, 1<<i)
		}
		b.Each[i], b.Weight[i] = float32(len(of)), t.Weights[c]/float32(max(len(of), 1))
	}
	b.Words, b.Inputs, b.Number = labels, inputs, b.Last-b.First
}
