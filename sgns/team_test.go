package sgns

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/internal/demo"
	"github.com/w2v-go/w2v/sgns/internal/random"
)

// A plan says how many threads there are going to be: a variant that repeats itself has one.
func TestPlannedThreads(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(8))
	v, ids := indexed(t, sentences(30))
	for name, change := range variants {
		c := small(func(c *Config) {
			c.Dim, c.Threads, c.Deterministic, c.Epochs = 128, 2, true, 1
			change(c)
			if c.Nested != nil {
				c.Nested[len(c.Nested)-1] = c.Dim
			}
		})
		want := 1
		if name == "words" || name == "n-grams" || name == "floret" {
			want = 2
		}
		var got Plan
		if _, err := Train(t.Context(), Data{IDs: ids, Vocab: v}, c, Hooks{Start: func(p Plan) error { got = p; return nil }}); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got.Threads != want {
			t.Errorf("%s: %d threads, want %d", name, got.Threads, want)
		}
	}
}

// However many threads there are, the same seed and corpus give the same bits.
func TestDeterministicInParallel(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(8))
	v, ids := indexed(t, sentences(250))
	for _, test := range []struct {
		name   string
		dims   []int
		change func(*Config)
	}{
		{"words", []int{1, 7, 16, 37, 100, 300}, func(c *Config) {}},
		{"subwords", []int{1, 7, 16, 37, 100, 300}, func(c *Config) { c.Subword = fastText }},
		{"words, eight blocks a round", []int{100}, func(c *Config) { c.roundBlocks = 8 }},
		{"subwords, five blocks a round", []int{40}, func(c *Config) { c.Subword, c.roundBlocks = fastText, 5 }},
		{"blocks of seven centres", []int{33}, func(c *Config) { c.blockCentres, c.roundBlocks = 7, 3 }},
		{"no subsampling", []int{20}, func(c *Config) { c.Sample, c.roundBlocks = 0, 4 }},
	} {
		for _, dim := range test.dims {
			c := small(func(c *Config) { c.Dim, c.Epochs, c.Deterministic = dim, 1, true })
			test.change(&c)
			c.Threads = 1
			want, err := Train(t.Context(), Data{IDs: ids, Vocab: v}, c, Hooks{})
			if err != nil {
				t.Fatal(err)
			}
			for _, c.Threads = range []int{2, 3, 4, 8, 8} {
				got, err := Train(t.Context(), Data{IDs: ids, Vocab: v}, c, Hooks{})
				if err != nil {
					t.Fatal(err)
				}
				what := fmt.Sprintf("%s, %d dimensions, %d threads", test.name, dim, c.Threads)
				if !bytes.Equal(numbers(got.Vectors.Input()), numbers(want.Vectors.Input())) {
					t.Fatalf("%s: input rows differ from those of one thread", what)
				}
				if !bytes.Equal(numbers(got.Vectors.Output()), numbers(want.Vectors.Output())) {
					t.Fatalf("%s: output rows differ from those of one thread", what)
				}
				if g, w := got.Progress, want.Progress; g.Loss != w.Loss || g.Tokens != w.Tokens {
					t.Fatalf("%s: loss %v of %d tokens, with one thread %v of %d", what, g.Loss, g.Tokens, w.Loss, w.Tokens)
				}
			}
		}
	}
}

// Texts of no tokens, which subsampling may leave, change nothing and hold up nobody.
func TestTeamsAndEmptyTexts(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	outcome := func(threads, empty int) []byte {
		c := Defaults()
		c.Deterministic, c.Threads, c.LearningRate, c.Dim = true, threads, 0.05, 40
		w := toyStep(t, c).worker
		defer w.close()
		toy := toyText()
		for range 200 {
			w.text.ids, w.text.from, w.text.to = append(w.text.ids, toy.ids...), append(w.text.from, toy.from...), append(w.text.to, toy.to...)
			for range 1 + empty {
				if err := w.train(); err != nil {
					t.Fatal(err)
				}
			}
		}
		w.store()
		return append(numbers(w.input), numbers(w.output)...)
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
	before := slices.Concat(s.input.Data, s.output.Data)
	train()
	s.store()
	moved := make([]float64, len(before))
	for i, x := range slices.Concat(s.input.Data, s.output.Data) {
		moved[i] = float64(x) - float64(before[i])
	}
	return moved
}

// A round is one step: what each of its blocks would do if it were alone, all added up.
// A round of one block does what that block does.
func TestRoundIsTheSumOfItsBlocks(t *testing.T) {
	const rate = 1.0
	for _, blocks := range []int{1, 2, 3, 8} {
		for _, threads := range []int{1, 2} {
			for name, change := range map[string]func(*Config){
				"words":    func(c *Config) {},
				"subwords": func(c *Config) { c.Subword, c.separateRows = fastText, true },
			} {
				c := Defaults()
				c.Dim, c.Seed, c.Deterministic, c.Threads = 37, 3, true, threads
				c.blockCentres, c.roundBlocks = 6, blocks
				change(&c)
				text := toyText() // of three blocks
				if blocks == 1 {
					text.ids, text.from, text.to = text.ids[:6], text.from[:6], slices.Repeat([]int32{6}, 6)
				} else if blocks == 2 {
					text.ids, text.from, text.to = text.ids[:12], text.from[:12], text.to[:12]
				}
				text.rows = make([]uint32, len(text.ids))
				if c.Subword == nil {
					text.rows = text.ids
				}
				together := toyStep(t, c)
				got := together.changes(func() { together.team.train(text, rate) })
				together.close()

				want := make([]float64, len(got))
				for i := range (len(text.ids) + 5) / 6 {
					c.Deterministic = false
					alone := toyStep(t, c) // from the same parameters
					b := alone.block
					b.random = random.Stream(random.Mix(c.Seed), uint64(i))
					b.drawAhead()
					first, last := 6*i, min(6*i+6, len(text.ids))
					for k, d := range alone.changes(func() {
						if alone.composed == nil {
							b.train(text, first, last, last, rate, false)
							return
						}
						alone.composed.begin(text.rows[first:last], text.ids[first:last], 0, last-first, 6)
						alone.composed.compose(0)
						b.train(text, first, last, last, rate, false)
						alone.composed.release(0)
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

// cycle is a text in which each word is one of the three after the last one, of so many
// in a circle.
func cycle(words, tokens int) string {
	r := rand.New(rand.NewPCG(3, 4))
	var b strings.Builder
	at := 0
	for n := range tokens {
		at = (at + 1 + r.IntN(3)) % words
		fmt.Fprintf(&b, "item%d ", at)
		if n%30 == 29 {
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// Rounds do not move words too far, however few words there are.
func TestTeamsLearnAsMuchAsOneWorker(t *testing.T) {
	grammar, err := io.ReadAll(demo.Corpus(6000, 1))
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name, text string
		change     func(*Config)
	}{
		{"sentences", string(grammar), func(c *Config) { c.Epochs = 4 }},
		{"sentences with n-grams", string(grammar), func(c *Config) { c.Epochs, c.Subword = 4, fastText }},
		{"fifty words", cycle(50, 40_000), func(c *Config) { c.Epochs, c.Sample = 2, 0 }},
		{"three words", cycle(3, 20_000), func(c *Config) { c.Epochs, c.Sample = 2, 0 }},
	} {
		one := train(t, test.text, small(test.change))
		team := train(t, test.text, small(func(c *Config) {
			test.change(c)
			c.Deterministic = true
		}))
		if a, b := one.Progress.Loss, team.Progress.Loss; b > 1.02*a {
			t.Errorf("%s: loss %.4f with one worker, %.4f with a team", test.name, a, b)
		}
	}
}

// Scoring alone changes no parameters, and the same random numbers give the same loss.
func TestScoreChangesNothing(t *testing.T) {
	c := Defaults()
	c.Dim = 20
	s := toyStep(t, c)
	text := toyText()
	text.rows = text.ids
	measure := func() (pairs int, loss float64) {
		s.block.random = random.Stream(99, 0)
		s.block.drawAhead()
		for first := 0; first < len(text.ids); first += s.block.centres {
			last := min(first+s.block.centres, len(text.ids))
			p, l := s.block.score(text, first, last, s.block.draw(), nil, 1, true)
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

func TestTeamsDoNotAllocate(t *testing.T) {
	for _, threads := range []int{1, 2} {
		c := Defaults()
		c.Deterministic, c.Threads, c.LearningRate = true, threads, 0.01
		w := toyStep(t, c).worker
		defer w.close()
		text := w.text
		toy := toyText()
		text.ids, text.from, text.to = toy.ids, toy.from, toy.to
		if n := testing.AllocsPerRun(100, func() {
			w.text = text
			if err := w.train(); err != nil {
				t.Fatal(err)
			}
		}); n != 0 {
			t.Errorf("%d threads: %v allocations a text", threads, n)
		}
	}
}

// Who looks at the parameters while a team trains sees them as they are then.
func TestEvaluationsOfTeams(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	v, ids := indexed(t, sentences(2000))
	d := Data{IDs: ids, Vocab: v}
	d.IDs, d.HeldOut = split(t, ids, 0.05)
	var want []float64
	for _, threads := range []int{1, 2, 4} {
		all, _ := evaluations(t, d, small(func(c *Config) {
			c.Dim, c.Epochs, c.Deterministic, c.Threads = 100, 2, true, threads
			c.Subword, c.EvaluateEvery = fastText, d.IDs.Tokens()/4
		}), Hooks{})
		var losses []float64
		for _, e := range all {
			losses = append(losses, e.Loss)
		}
		if want == nil {
			want = losses
		}
		if len(losses) < 8 || !slices.Equal(losses, want) || losses[0] == losses[1] {
			t.Errorf("%d threads: losses %v, with one %v", threads, losses, want)
		}
	}
}
