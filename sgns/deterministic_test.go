package sgns

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/internal/demo"
	"github.com/w2v-go/w2v/internal/longtest"
	"github.com/w2v-go/w2v/sgns/internal/config"
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
		if name == "words" || name == "n-grams" || name == "floret" || name == "directional" {
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
	threads := []int{2, 3, 8}
	if longtest.Enabled() {
		threads = []int{2, 3, 4, 8, 8}
	}
	for _, test := range []struct {
		name   string
		dims   []int
		change func(*Config)
	}{
		{"words", []int{1, 16, 37, 300}, func(c *Config) {}},
		{"subwords", []int{7, 37, 100}, func(c *Config) { c.Subword = fastText }},
		{"directional", []int{37}, func(c *Config) { c.Loss = Directional }},
		{"words, eight blocks a round", []int{100}, func(c *Config) { config.TuningOf(c).Division.SuperStep = 8 }},
		{"subwords, five blocks a round", []int{40}, func(c *Config) { c.Subword, config.TuningOf(c).Division.SuperStep = fastText, 5 }},
		{"blocks of seven centres", []int{33}, func(c *Config) { config.TuningOf(c).Division.Centres, config.TuningOf(c).Division.SuperStep = 7, 3 }},
		{"no subsampling", []int{20}, func(c *Config) { c.Sample, config.TuningOf(c).Division.SuperStep = 0, 4 }},
	} {
		for _, dim := range test.dims {
			c := small(func(c *Config) { c.Dim, c.Epochs, c.Deterministic = dim, 1, true })
			test.change(&c)
			c.Threads = 1
			want, err := Train(t.Context(), Data{IDs: ids, Vocab: v}, c, Hooks{})
			if err != nil {
				t.Fatal(err)
			}
			for _, c.Threads = range threads {
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
		a := train(t, test.text, small(test.change)).Progress.Loss
		b := train(t, test.text, small(func(c *Config) { test.change(c); c.Deterministic = true })).Progress.Loss
		if b > 1.02*a {
			t.Errorf("%s: loss %.4f with one worker, %.4f with a group", test.name, a, b)
		}
	}
}

// Who looks at the parameters while a group trains sees them as they are then.
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
