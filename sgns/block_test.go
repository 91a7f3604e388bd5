package sgns

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
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
	return table, shape
}

// A toy trains centres of a text with a worker's own.
type toy struct{ *worker }

// train trains the centres at positions first to last-1 as one block.
func (s toy) train(t text, first, last int, rate float32) (pairs int, loss float64) {
	if s.composed == nil {
		t.rows = t.ids
		return s.block.train(t, first, last, last, rate, true)
	}
	t.rows = make([]uint32, len(t.ids))
	s.composed.begin(t.rows, t.ids, first, last, last-first)
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

// reference is the loss of one block in float64, straight from the formula, as a
// function of parameters that moved from where the step began.
type reference struct {
	block         *block
	table         *subword.Table
	text          text
	first, last   int
	window        int
	input, output [][]float64
	began         [][]float64 // input when the step began
}

func rows64(m vectors.Matrix) [][]float64 {
	rows := make([][]float64, m.Rows)
	for r := range rows {
		rows[r] = make([]float64, m.Cols)
		for k, x := range m.Row(r) {
			rows[r][k] = float64(x)
		}
	}
	return rows
}

// hidden is the input vector of a word: the weighted sum of its rows as they were,
// plus all of what each row moved since, because every row of a word receives
// the word's whole gradient.
func (f *reference) hidden(word uint32) []float64 {
	h := make([]float64, len(f.input[0]))
	rows, weights := f.table.Of(word)
	for i, r := range rows {
		for k := range h {
			h[k] += float64(weights[i])*f.began[r][k] + (f.input[r][k] - f.began[r][k])
		}
	}
	return h
}

func (f *reference) loss() float64 {
	var sum float64
	softplus := func(x float64) float64 { return math.Log1p(math.Exp(x)) }
	score := func(h []float64, word uint32) (s float64) {
		for k := range h {
			s += h[k] * f.output[word][k]
		}
		return s
	}
	unit := float64(f.block.negatives) / float64(f.block.shared)
	for c := f.first; c < f.last; c++ {
		h := f.hidden(f.text.ids[c])
		for j := int(f.text.from[c]); j < int(f.text.to[c]); j++ {
			if j == c || j < c-f.window || j > c+f.window {
				continue
			}
			sum += softplus(-score(h, f.text.ids[j]))
			for _, id := range f.block.now {
				if id != f.text.ids[j] {
					sum += unit * softplus(score(h, id))
				}
			}
		}
	}
	return sum
}

func TestBlockStepIsTheGradient(t *testing.T) {
	fastText := subword.FastText{MinN: 2, MaxN: 3, Buckets: 40}
	for _, test := range []struct {
		name        string
		change      func(*Config)
		first, last int
	}{
		{"words", func(c *Config) {}, 0, 16},
		{"one dimension", func(c *Config) { c.Dim = 1 }, 0, 16},
		{"one centre", func(c *Config) { c.blockCentres = 1 }, 3, 4},
		{"one pair of sentences", func(c *Config) {}, 8, 12},
		{"a sentence of one token", func(c *Config) {}, 9, 10},
		{"seven centres, five draws", func(c *Config) { c.blockCentres, c.sharedNegatives = 7, 5 }, 5, 12},
		{"window larger than the text", func(c *Config) { c.Window = 5000 }, 0, 16},
		{"many negatives", func(c *Config) { c.Negatives = 50 }, 2, 18},
		{"subwords, rows apart", func(c *Config) { c.Subword, c.separateRows = fastText, true }, 0, 16},
		{"subwords, rows merged", func(c *Config) { c.Subword = fastText }, 0, 16},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := Defaults()
			c.Dim, c.Seed = 7, 3
			test.change(&c)
			b := toyStep(t, c)
			random := b.block.random
			f := &reference{
				block: b.block, table: b.table, text: toyText(), first: test.first, last: test.last,
				window: 1 + random.below(c.Window),
				input:  rows64(b.input), output: rows64(b.output), began: rows64(b.input),
			}
			pairs, loss := b.train(f.text, test.first, test.last, 1)
			if want := f.loss(); math.Abs(loss-want) > 1e-5*(1+want) {
				t.Errorf("loss %v, want %v", loss, want)
			}
			if pairs == 0 && test.name != "a sentence of one token" {
				t.Error("no pairs")
			}
			check := func(name string, rows [][]float64, after vectors.Matrix) {
				for r, row := range rows {
					for k, before := range row {
						const h = 1e-5
						row[k] = before + h
						up := f.loss()
						row[k] = before - h
						down := f.loss()
						row[k] = before
						want := -(up - down) / (2 * h)
						got := float64(after.Row(r)[k]) - before
						if math.Abs(got-want) > 2e-5*(1+math.Abs(want)) {
							t.Fatalf("%s row %d, number %d: moved by %v, minus the gradient is %v", name, r, k, got, want)
						}
					}
				}
			}
			check("input", f.input, b.input)
			check("output", f.output, b.output)
		})
	}
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
	random := stream(99, 0)
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
					if id := b.noise.Draw(random.next()); id != text.ids[j] {
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
	for name, indexer := range map[string]subword.Indexer{
		"words":    nil,
		"subwords": subword.FastText{MinN: 3, MaxN: 6, Buckets: 100},
	} {
		c := Defaults()
		c.Subword, c.LearningRate = indexer, 0.01
		w := toyStep(t, c).worker
		text := w.text
		toy := toyText()
		text.ids, text.from, text.to = toy.ids, toy.from, toy.to
		train := func() {
			w.text = text
			if err := w.train(); err != nil {
				t.Fatal(err)
			}
		}
		if n := testing.AllocsPerRun(100, train); n != 0 {
			t.Errorf("%s: %v allocations a text", name, n)
		}
	}
}
