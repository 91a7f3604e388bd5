// Package classify sorts texts into labels with a linear classifier over words, n-grams and runs of words:
//
//	m, err := classify.Open("lid.176.ftz")
//	…
//	defer m.Close()
//	best, err := m.Predict("Wie geht es dir?", 1, 0) // __label__de
//
// The vector of a text is the mean of the rows of its words, of their n-grams of characters, and of its runs of
// words; or the mean and, behind it, their largest and smallest numbers by column: see Options.Pooling. The score of a
// label is the product of this vector and the label's row. Models of fastText, .bin and .ftz, give the numbers that fastText
// gives: every sum is computed in its order, and rounded where it rounds.
// See Joulin and others, "Bag of tricks for efficient text classification", 2017.
package classify

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/w2v-go/w2v/classify/internal/scorer"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
)

// A Model predicts labels. It does not change, and its methods may be called by several goroutines.
type Model struct {
	set        *vectors.Set
	core       *scorer.Model
	labels     []string
	predictors sync.Pool
}

// A predictor is for one goroutine.
type predictor struct {
	*scorer.Predictor
	m     *Model
	named []Prediction
}

// ErrNoLabels says that a model has no labels.
var ErrNoLabels = errors.New("the model is no classifier: it has vectors and no labels")

// Open opens a model of any format that holds labels: w2v's own, or fastText's .bin and .ftz.
func Open(path string) (*Model, error) {
	set, err := format.Open(path)
	if err != nil {
		return nil, err
	}
	m, err := New(set)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), set.Close())
	}
	return m, nil
}

// New returns the model of a set with labels. The set must stay open; Close closes it. Without labels, the
// error is ErrNoLabels. A text is cut as the model records; without a record, at white space as in fastText.
func New(set *vectors.Set) (*Model, error) {
	l := set.Labels()
	if l == nil {
		return nil, ErrNoLabels
	}
	core, err := scorer.New(set)
	if err != nil {
		return nil, err
	}
	m := &Model{set: set, core: core, labels: l.Names.Strings()}
	m.predictors.New = func() any { return &predictor{Predictor: scorer.NewPredictor(core), m: m} }
	return m, nil
}

// Set returns the words and rows of the model.
func (m *Model) Set() *vectors.Set { return m.set }

// Labels returns the names of all labels, in the order of their ids.
func (m *Model) Labels() []string { return slices.Clone(m.labels) }

// Close closes the set.
func (m *Model) Close() error { return m.set.Close() }

// A Prediction is a label of a text.
type Prediction struct {
	ID          int // of the label, see Model.Labels; -1 for Unknown
	Label       string
	Probability float32 // as fastText has it: up to 1.00001
}

// ErrNaN says that a score is not a number.
var ErrNaN = scorer.ErrNaN

// Predict returns the k most probable labels of a text, the most probable first, without those whose
// probability is less than threshold; all of them if k is less than 1, such as fastText's -1. A line of labels and words, as in a
// corpus, is sorted by its words. A text without any known word or n-gram has the label that the
// end of its line speaks for, as in fastText, and none if the model has no row of that.
//
// If the model has a threshold of its own, see Calibrate, a text without a label that reaches it is Unknown instead, with
// the probability that its best label is wrong; so is a text without any known word or n-gram.
func (m *Model) Predict(text string, k int, threshold float32) (best []Prediction, err error) {
	p := m.predictors.Get().(*predictor)
	defer m.predictors.Put(p)
	err = m.set.Guard(func() error {
		p.Read([]byte(text), true)
		return p.Predict(k, threshold)
	})
	if err != nil {
		return nil, err
	}
	return p.name(nil), nil
}

func (p *predictor) name(best []Prediction) []Prediction {
	if p.Unknown {
		return append(best, Prediction{ID: -1, Label: Unknown, Probability: p.Doubt})
	}
	for _, e := range p.Best {
		best = append(best, Prediction{ID: e.ID, Label: p.m.labels[e.ID], Probability: scorer.Probability(e.Score)})
	}
	return best
}
