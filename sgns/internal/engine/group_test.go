package engine

import (
	"bytes"
	"math"
	"runtime"
	"slices"
	"testing"

	"github.com/w2v-go/w2v/sgns/internal/random"
)

// Texts of no tokens, which subsampling may leave, change nothing and hold up nobody.
func TestGroupsAndEmptyTexts(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	outcome := func(threads, empty int) []byte {
		c := defaults()
		c.Deterministic, c.Threads, c.LearningRate, c.Dim = true, threads, 0.05, 40
		w := toyStep(t, c).Worker
		defer w.Close()
		toy := toyText()
		for range 200 {
			w.text.IDs, w.text.From, w.text.To = append(w.text.IDs, toy.IDs...), append(w.text.From, toy.From...), append(w.text.To, toy.To...)
			for range 1 + empty {
				w.train()
			}
		}
		w.Store()
		return append(numbersOf(w.run.Values.Matrix("input").Data), numbersOf(w.run.Values.Matrix("output").Data)...)
	}
	want := outcome(1, 0)
	for _, threads := range []int{1, 3, 4} {
		if !bytes.Equal(outcome(threads, 3), want) {
			t.Errorf("%d threads: empty texts make a difference", threads)
		}
	}
}

// changes returns by how much train moves the numbers of both matrices.
func (s toy) changes(train func()) []float64 {
	numbers := func() []float32 {
		return slices.Concat(s.run.Values.Matrix("input").Data, output(s.run.Values).Data)
	}
	before := numbers()
	train()
	s.Store()
	moved := make([]float64, len(before))
	for i, x := range numbers() {
		moved[i] = float64(x) - float64(before[i])
	}
	return moved
}

// A super-step is one step: what each of its blocks would do if it were alone, all added up.
// A super-step of one block does what that block does.
func TestSuperStepIsTheSumOfItsBlocks(t *testing.T) {
	const rate = 1.0
	for _, blocks := range []int{1, 2, 3, 8} {
		for _, threads := range []int{1, 2} {
			for name, change := range map[string]func(*config){
				"words":       func(c *config) {},
				"subwords":    func(c *config) { c.Subword, c.separateRows = fastText, true },
				"directional": func(c *config) { c.Loss = directional },
				"rounded":     func(c *config) { c.threshold = 0.7 },
			} {
				c := defaults()
				c.Dim, c.Seed, c.Deterministic, c.Threads = 37, 3, true, threads
				c.blockCentres, c.superBlocks = 6, blocks
				change(&c)
				text := toyText() // of three blocks
				if blocks == 1 {
					text.IDs, text.From, text.To = text.IDs[:6], text.From[:6], slices.Repeat([]int32{6}, 6)
				} else if blocks == 2 {
					text.IDs, text.From, text.To = text.IDs[:12], text.From[:12], text.To[:12]
				}
				text.Rows = make([]uint32, len(text.IDs))
				together := toyStep(t, c)
				got := together.changes(func() { together.engine.train(text, rate) })
				together.Close()

				want := make([]float64, len(got))
				for i := range (len(text.IDs) + 5) / 6 {
					c.Deterministic = false
					alone := toyStep(t, c) // from the same parameters
					b, comp := alone.step, alone.parts.Composition
					b.Random = random.Stream(random.Mix(c.Seed), uint64(i))
					b.DrawAhead()
					first, last := 6*i, min(6*i+6, len(text.IDs))
					for k, d := range alone.changes(func() {
						comp.Begin(text, first, last, 6)
						comp.Compose(0)
						b.Train(text, first, last, last, rate, false)
						comp.Scatter(0, 0)
					}) {
						want[k] += d
					}
				}
				for k := range want {
					if math.Abs(got[k]-want[k]) > 2e-5*(1+math.Abs(want[k])) {
						t.Fatalf("%s, %d blocks, %d threads: number %d moved by %v, its blocks move it by %v", name, blocks, threads, k, got[k], want[k])
					}
				}
			}
		}
	}
}

// Scoring alone changes no parameters, and the same random numbers give the same loss.
func TestScoreChangesNothing(t *testing.T) {
	c := defaults()
	c.Dim = 20
	s := toyStep(t, c)
	text := toyText()
	text.Rows = text.IDs
	measure := func() (pairs int, loss float64) {
		s.step.Random = random.Stream(99, 0)
		s.step.DrawAhead()
		centres := s.parts.Division.Centres
		for first := 0; first < len(text.IDs); first += centres {
			last := min(first+centres, len(text.IDs))
			p, l := s.step.Score(text, first, last, s.step.Draw(), nil, 1, true)
			pairs += p
			loss += l
		}
		return pairs, loss
	}
	var pairs int
	var loss float64
	for k, moved := range s.changes(func() { pairs, loss = measure() }) {
		if moved != 0 {
			t.Fatalf("number %d moved by %v", k, moved)
		}
	}
	if p, l := measure(); p != pairs || l != loss || pairs == 0 || !(loss > 0) {
		t.Errorf("%d pairs with a loss of %v, and %d with %v the second time", pairs, loss, p, l)
	}
	s.train(text, 0, 16, 1)
	if _, l := measure(); l == loss {
		t.Errorf("the loss is %v as before training", l)
	}
}

func TestGroupsDoNotAllocate(t *testing.T) {
	for _, threads := range []int{1, 2} {
		c := defaults()
		c.Deterministic, c.Threads, c.LearningRate = true, threads, 0.01
		w := toyStep(t, c).Worker
		defer w.Close()
		text := w.text
		toy := toyText()
		text.IDs, text.From, text.To = toy.IDs, toy.From, toy.To
		if n := testing.AllocsPerRun(100, func() {
			w.text = text
			w.train()
		}); n != 0 {
			t.Errorf("%d threads: %v allocations a text", threads, n)
		}
	}
}
