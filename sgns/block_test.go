package sgns

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/sgns/internal/random"
	"github.com/w2v-go/w2v/subword"
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

// planned returns the table of a vocabulary, and how to divide the work on it: in
// blocks of 16 centres where c does not say, however much words overlap.
func planned(t testing.TB, c Config, v *vocab.Vocab) (*subword.Table, shape) {
	t.Helper()
	if c.blockCentres == 0 {
		c.blockCentres = maxCentres
	}
	table, shape, _, err := c.plan(v, v.KeepProbabilities(c.Sample), 1, 0, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	shape.contexts = toyContexts
	return table, shape
}

// toyContexts is how many contexts a centre of CBOW is said to have on the average.
const toyContexts = 2.5

// A toy trains centres of a text with a worker's own.
type toy struct{ *worker }

// train trains the centres at positions first to last-1 as one block.
func (s toy) train(t text, first, last int, rate float32) (pairs int, loss float64) {
	if s.composed == nil {
		t.rows = t.ids
		return s.block.train(t, first, last, last, rate, true)
	}
	t.rows = make([]uint32, len(t.ids))
	from, to := max(first-s.composed.margin, 0), min(last+s.composed.margin, len(t.ids))
	s.composed.begin(t.rows[from:to], t.ids[from:to], first-from, last-from, last-first)
	s.composed.compose(0)
	defer s.composed.release(0)
	return s.block.train(t, first, last, last, rate, true)
}

// toyStep returns a step over random parameters of the toy vocabulary.
func toyStep(t testing.TB, c Config) toy { return toyStepOf(t, c, func(*parameters) {}) }

// toyStepOf returns a step over such parameters after a change.
func toyStepOf(t testing.TB, c Config, change func(*parameters)) toy {
	t.Helper()
	v := toyVocab(t)
	table, shape := planned(t, c, v)
	p := c.newParameters(v, table)
	random := rand.New(rand.NewPCG(c.Seed, 1))
	for _, m := range p.matrices() {
		for row := range m.Rows {
			for k := range m.Cols {
				m.Row(row)[k] = float32(random.NormFloat64()) / float32(math.Sqrt(float64(c.Dim)))
			}
		}
	}
	change(&p)
	r := &run{parameters: p, shape: shape, config: c, counters: make([]counters, 1), total: 1 << 40, ignorant: 100}
	w := r.newWorker(0)
	w.load()
	return toy{w}
}

// toyText is sentences of 9, 1, 2 and 6 tokens, with words that repeat closely.
func toyText() text {
	var t text
	for _, sentence := range [][]uint32{{0, 3, 1, 1, 5, 2, 6, 0, 7}, {4}, {2, 2}, {3, 0, 6, 6, 1, 4}} {
		from, to := int32(len(t.ids)), int32(len(t.ids)+len(sentence))
		t.ids = append(t.ids, sentence...)
		for range sentence {
			t.from, t.to = append(t.from, from), append(t.to, to)
		}
	}
	return t
}

// The mean weight of a word as negative of a centre is what K fresh draws for
// each true pair give, those that hit the pair's own context not counted.
func TestSharedNegativesAreUnbiased(t *testing.T) {
	c := Defaults()
	c.sharedNegatives = 6
	b := toyStep(t, c).block
	text := toyText()
	const first, centres, window = 0, 16, 2
	const rounds = 40000
	shared := make([][]float64, centres)
	fresh := make([][]float64, centres)
	for i := range centres {
		shared[i], fresh[i] = make([]float64, len(toyWords)), make([]float64, len(toyWords))
	}
	random := random.Stream(99, 0)
	text.rows = text.ids
	for range rounds {
		b.drawAhead()
		b.prepare(text, first, first+centres, window, 1)
		// Errors as they are where every σ is 1: minus the weights.
		errors := b.negative.errors[0]
		for j := range b.now {
			for i := range centres {
				errors[j*simd.Lanes+i] = -b.negative.weights[i]
			}
		}
		b.spare(false, nil)
		for i := range centres {
			for j, id := range b.now {
				shared[i][id] -= float64(errors[j*simd.Lanes+i]) / rounds
			}
			for j := int(text.from[i]); j < int(text.to[i]); j++ {
				if j == i || j < i-window || j > i+window {
					continue
				}
				for range c.Negatives {
					if id := b.noise.Draw(random.Next()); id != text.ids[j] {
						fresh[i][id] += 1.0 / rounds
					}
				}
			}
		}
	}
	for i := range centres {
		for id := range toyWords {
			// 6 draws of weight 4·5/6 and probability below 1/4 have a standard
			// deviation below 3.6, their mean over all rounds one below 0.02.
			if d := math.Abs(shared[i][id] - fresh[i][id]); d > 0.12 {
				t.Errorf("centre %d, negative %q: weight %.3f shared, %.3f fresh", i, toyWords[id], shared[i][id], fresh[i][id])
			}
		}
	}
}

func TestTrainingDoesNotAllocate(t *testing.T) {
	for _, v := range allowed() {
		v.LearningRate = 0.01
		w := newTwin(t, v.Config, 0, 0).worker
		text := w.text
		toy := toyText()
		text.ids, text.from, text.to = toy.ids, toy.from, toy.to
		train := func() {
			w.text = text
			if err := w.train(); err != nil {
				t.Fatal(err)
			}
		}
		if n := testing.AllocsPerRun(10, train); n != 0 {
			t.Errorf("%s: %v allocations a text", v.name, n)
		}
	}
}
