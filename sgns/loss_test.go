package sgns

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
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
	if _, err := Train(t.Context(), Data{IDs: ids, Vocab: v}, small(func(*Config) {}), Hooks{}); !errors.Is(err, ErrNoPairs) {
		t.Errorf("error %v, want %v", err, ErrNoPairs)
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
