package eval

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
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
