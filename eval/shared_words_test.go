package eval

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
)

// plainEffect is the definition of designEffect, item by item.
func plainEffect(items []Item, influences []float64) float64 {
	alone, dependent := 0.0, 0.0
	for i, a := range items {
		alone += influences[i] * influences[i]
		for j, b := range items {
			if i == j || slices.ContainsFunc(a.Words, func(word string) bool { return slices.Contains(b.Words, word) }) {
				dependent += influences[i] * influences[j]
			}
		}
	}
	return dependent / alone
}

func TestDesignEffect(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	larger := 0
	for round := range 50 {
		items, influences := make([]Item, 60), make([]float64, 60)
		skill := make([]float64, 20)
		for i := range skill {
			skill[i] = r.NormFloat64()
		}
		for i := range items {
			for range 1 + r.IntN(4) {
				word := r.IntN(len(skill))
				items[i].Words = append(items[i].Words, fmt.Sprint(word)) // some twice
				influences[i] += skill[word]
			}
			influences[i] += r.NormFloat64()
		}
		got, want := designEffect(items, influences), plainEffect(items, influences)
		if math.Abs(got-want) > 1e-9 {
			t.Errorf("round %d: %v, want %v", round, got, want)
		}
		if want > 1 {
			larger++
		}
	}
	if larger < 40 {
		t.Errorf("only %d effects are larger than 1", larger)
	}
}

// Items that share words and differ in opposite directions make a difference more certain, and no score:
// the variance of resamples is that of independent items, times the design effect within its bounds.
func TestBoundsOfDesignEffects(t *testing.T) {
	const n = 400
	values := make([]float64, n)
	for i := range values {
		values[i] = float64(i%2) - 0.5
	}
	score := func(weights []float64) (sum float64) {
		for i, w := range weights {
			sum += w * values[i] / n
		}
		return sum
	}
	for _, test := range []struct {
		shared     int // of each four items
		difference bool
		want       float64
	}{{0, true, 1}, {0, false, 1}, {4, true, 0.7}, {4, false, 1}, {2, true, 0.7}} {
		items := unrelated(n)
		for i := range items {
			if i%4 < test.shared {
				items[i].Words = []string{strconv.Itoa(i / 2)}
			}
		}
		r := resampling{items: items, score: score, difference: test.difference}
		d := r.draw(Rules{Resamples: 4000, Seed: 1})
		variance := 0.0
		for _, x := range d.scores {
			variance += x * x / float64(len(d.scores)) * n / 0.25
		}
		if math.Abs(variance/test.want-1) > 0.07 {
			t.Errorf("%+v: the variance is %.3f times that of independent items", test, variance)
		}
	}
}

func TestDesignEffectOfIndependentItems(t *testing.T) {
	long := []string{"1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11"}
	for name, items := range map[string][]Item{
		"no words":         {{}, {}, {}},
		"different words":  {{Words: []string{"a", "b"}}, {Words: []string{"c"}}, {Words: []string{"d"}}},
		"a word twice":     {{Words: []string{"a", "a"}}, {Words: []string{"c"}}, {Words: []string{"d"}}},
		"sentences":        {{Words: long}, {Words: long}, {Words: long}},
		"short and longer": {{Words: long}, {Words: []string{"1"}}, {}},
	} {
		if shareWords(items) {
			t.Errorf("%s: items share words", name)
		}
		if got := designEffect(items, []float64{1, 1, 1}); got != 1 {
			t.Errorf("%s: %v", name, got)
		}
	}
	if !shareWords([]Item{{Words: []string{"a", "b"}}, {Words: []string{"b"}}}) {
		t.Error("b is not found to be shared")
	}
}
