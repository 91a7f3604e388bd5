package sgns

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/sgns/internal/params"
)

// The loss of some blocks stands for that of all, whatever the length of lines.
func TestLossOfPeriodicText(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	lossOf := func(length int) float64 {
		var text strings.Builder
		for range 400 {
			for i := range length {
				if i < 16 {
					fmt.Fprintf(&text, "first%d ", i)
				} else {
					fmt.Fprintf(&text, "w%d ", r.IntN(100))
				}
			}
			text.WriteString("\n")
		}
		return train(t, text.String(), small(func(c *Config) { c.Sample, c.Epochs = 0, 3 })).Progress.Loss
	}
	// Eight blocks a line, or a little less.
	if eight, less := lossOf(128), lossOf(120); math.Abs(eight-less) > 0.15 {
		t.Errorf("loss %v with lines of eight blocks, %v with others", eight, less)
	}
}

// However little text there is, the last loss is that of the last epoch.
func TestLossOfLittleText(t *testing.T) {
	lossAt := func(rate float64) float64 {
		return train(t, "a b c d e f g h i j\n", small(func(c *Config) { c.Sample, c.LearningRate = 0, rate })).Progress.Loss
	}
	if slow, fast := lossAt(1e-6), lossAt(0.2); !(fast < slow-0.01) {
		t.Errorf("loss %v at a high rate, %v at one that learns nothing", fast, slow)
	}
}

// Pairs are found wherever the only ones are.
func TestRarePairs(t *testing.T) {
	alone := "a\nb\nc\nd\ne\n"
	for n := range 20 {
		v, ids := indexed(t, strings.Repeat(alone, n)+"a b\n"+strings.Repeat(alone, 100))
		c := small(func(c *Config) { c.Sample, c.Epochs = 0, 1 })
		if _, err := Train(t.Context(), Data{IDs: ids, Vocab: v}, c, Hooks{}); err != nil {
			t.Errorf("after %d lines: %v", 5*n, err)
		}
	}
	v, ids := indexed(t, strings.Repeat(alone, 100))
	m, err := Train(t.Context(), Data{IDs: ids, Vocab: v}, small(func(*Config) {}), Hooks{})
	if err != nil || len(m.Remarks) != 1 || m.Remarks[0].Kind != RemarkNoPairs || m.Vectors.Len() != 5 {
		t.Errorf("without pairs: %+v, error %v", m, err)
	}
}

func TestTinyRates(t *testing.T) {
	for _, rate := range []float64{1e-50, 1e-44, 1e-38} {
		m := train(t, strings.Repeat("a b a c a b\n", 30), small(func(c *Config) { c.LearningRate = rate }))
		if !params.Finite(m.Vectors.Input().Data) {
			t.Errorf("rate %v: numbers are not finite", rate)
		}
	}
}

// Frequent words of a small corpus are not subsampled, and every corpus has a model.
func TestSmallCorporaAreKeptWhole(t *testing.T) {
	tiny := "tea and bread\nbread and wine\nwine and cheese or tea\ncheese on bread\n"
	for name, test := range map[string]struct {
		text  string
		whole bool
	}{
		"tiny":  {tiny, true},
		"below": {strings.Repeat("a b c d e f g h i\n", 555), true},
		"above": {strings.Repeat("a b c d e f g h i j\n", 500), false},
	} {
		for variant, change := range map[string]func(*Config){
			"skipgram": func(*Config) {},
			"cbow":     func(c *Config) { c.Arch = CBOW },
			"group":    func(c *Config) { c.Deterministic, c.Threads, c.Dim = true, 2, 32 },
		} {
			with := train(t, test.text, small(func(c *Config) { change(c); c.Sample = 1e-4 }))
			without := train(t, test.text, small(func(c *Config) { change(c); c.Sample = 0 }))
			if same := bytes.Equal(numbers(with.Vectors.Input()), numbers(without.Vectors.Input())); same != test.whole {
				t.Errorf("%s, %s: the same as without subsampling: %v", name, variant, same)
			}
		}
	}
	for seed := range uint64(40) {
		m := train(t, tiny, small(func(c *Config) { c.Seed = seed }))
		if slices.ContainsFunc(m.Remarks, func(r Remark) bool { return r.Kind == RemarkNoPairs }) {
			t.Errorf("seed %d: nothing was learned", seed)
		}
	}
}
