package engine

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/sgns/internal/params"
	"github.com/w2v-go/w2v/sgns/internal/step"
	"github.com/w2v-go/w2v/vocab"
)

// toyWords share n-grams, and letters only one of them has.
var toyWords = []string{"walk", "walked", "walks", "talk", "talked", "naïve", "a", "oooo"}

// toyVocab counts toyWords 8, 7, 6 … times.
func toyVocab(t testing.TB) *vocab.Vocab {
	t.Helper()
	var lines strings.Builder
	for i, w := range toyWords {
		fmt.Fprintf(&lines, "%s %d\n", w, len(toyWords)-i)
	}
	v, err := vocab.Read(strings.NewReader(lines.String()), vocab.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// toyContexts is how many contexts a centre of CBOW is said to have on the average.
const toyContexts = 2.5

// fill fills parameters with random numbers.
func fill(values *params.Values, c config) {
	random := rand.New(rand.NewPCG(c.Seed, 1))
	for _, m := range values.Owned() {
		for row := range m.Rows {
			for k := range m.Cols {
				m.Row(row)[k] = float32(random.NormFloat64() / math.Sqrt(float64(c.Dim)))
			}
		}
	}
}

// A toy trains centres of a text with a worker's own.
type toy struct{ *Worker }

// train trains the centres at positions first to last-1 as one block.
func (s toy) train(t step.Text, first, last int, rate float32) (pairs int, loss float64) {
	c := s.parts.Composition
	t.Rows = make([]uint32, len(t.IDs))
	c.Begin(t, first, last, last-first)
	c.Compose(0)
	defer c.Scatter(0, 0)
	return s.step.Train(t, first, last, last, rate, true)
}

// toyStep returns a step over random parameters of the toy vocabulary.
func toyStep(t testing.TB, c config) toy { return toyStepOf(t, c, func(*params.Values) {}) }

// toyStepOf returns a step over such parameters after a change, in blocks of 16 centres where
// c does not say, however much words overlap.
func toyStepOf(t testing.TB, c config, change func(*params.Values)) toy {
	t.Helper()
	v := toyVocab(t)
	if c.blockCentres == 0 {
		c.blockCentres = MaxCentres
	}
	table := c.table(v)
	d := Divide(c.variant(t), v, table, v.KeepProbabilities(1e-3), c.given())
	d.Contexts = toyContexts
	r := c.newRun(t, v, table, d)
	fill(r.Values, c)
	change(r.Values)
	w := r.NewWorker(0, 0)
	w.Load()
	return toy{w}
}

// toyText is sentences of 9, 1, 2 and 6 tokens, with words that repeat closely.
func toyText() step.Text {
	var t step.Text
	for _, sentence := range [][]uint32{{0, 3, 1, 1, 5, 2, 6, 0, 7}, {4}, {2, 2}, {3, 0, 6, 6, 1, 4}} {
		from, to := int32(len(t.IDs)), int32(len(t.IDs)+len(sentence))
		t.IDs = append(t.IDs, sentence...)
		for range sentence {
			t.From, t.To = append(t.From, from), append(t.To, to)
		}
	}
	return t
}

func TestTrainingDoesNotAllocate(t *testing.T) {
	for _, v := range allowed() {
		v.LearningRate = 0.01
		w := newTwin(t, v.config, 0, 0).Worker
		text := w.text
		toy := toyText()
		text.IDs, text.From, text.To = toy.IDs, toy.From, toy.To
		train := func() {
			w.text = text
			w.train()
		}
		if n := testing.AllocsPerRun(10, train); n != 0 {
			t.Errorf("%s: %v allocations a text", v.name, n)
		}
	}
}
