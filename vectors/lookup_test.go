package vectors_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/vectors"
)

func named(words ...string) *vectors.Set {
	return newSet(vectors.Parts{Words: vectors.NewWords(words...), Input: vectors.NewMatrix(len(words), 1)})
}

func TestLookup(t *testing.T) {
	lower := named("paris", "straße", "東京")
	mixed := named("paris", "Paris", "Rom", "Ωmega")
	said := named("paris", "Rom") // of a vocabulary that was given
	said = with(said, func(p *vectors.Parts) { p.Training.Set("lowercase", true) })
	tests := []struct {
		set      *vectors.Set
		rule     vectors.Case
		ignores  bool
		word     string
		spelling string
		id       int
	}{
		{lower, vectors.CaseAuto, true, "paris", "paris", 0},
		{lower, vectors.CaseAuto, true, "PARIS", "paris", 0},
		{lower, vectors.CaseAuto, true, "STRAßE", "straße", 1},
		{lower, vectors.CaseAuto, true, "東京", "東京", 2},
		{lower, vectors.CaseAuto, true, "Oslo", "oslo", -1}, // n-grams compose the word in lower case
		{lower, vectors.CaseKept, false, "PARIS", "PARIS", -1},
		{mixed, vectors.CaseAuto, false, "PARIS", "PARIS", -1},
		{mixed, vectors.CaseAuto, false, "Paris", "Paris", 1},
		{mixed, vectors.CaseIgnored, true, "Paris", "Paris", 1}, // as it is comes first
		{mixed, vectors.CaseIgnored, true, "PARIS", "paris", 0},
		{mixed, vectors.CaseIgnored, true, "ROM", "rom", -1},
		{named("x", "ǅ"), vectors.CaseAuto, false, "X", "X", -1},
		{named("x", "a\xffΩ"), vectors.CaseAuto, false, "X", "X", -1},
		{named("x", "ª\xff"), vectors.CaseAuto, true, "X", "x", 0},
		{said, vectors.CaseAuto, true, "PARIS", "paris", 0},
		{said, vectors.CaseAuto, true, "Rom", "Rom", 1},
		{named(), vectors.CaseAuto, true, "A", "a", -1},
	}
	for _, test := range tests {
		l, err := test.set.Lookup(test.rule)
		if err != nil {
			t.Fatal(err)
		}
		if spelling, id := l.Find(test.word); spelling != test.spelling || id != test.id || l.IgnoresCase() != test.ignores {
			t.Errorf("%v, rule %d: %q is %q, %d, ignoring %v; want %q, %d, %v",
				test.set.Words(), test.rule, test.word, spelling, id, l.IgnoresCase(), test.spelling, test.id, test.ignores)
		}
	}
	if _, err := lower.Lookup(7); err == nil {
		t.Error("no error for an unknown rule")
	}
}

func TestSuggest(t *testing.T) {
	set := named("the", "paris", "parish", "pairs", "Hungary", "hungry", "of", "naïve", "new york", "internationalisation", "a", "tree", "Paris")
	tests := []struct {
		word string
		want []string
	}{
		{"pariss", []string{"paris", "parish", "Paris"}}, // all at 1, in their order
		{"apris", []string{"paris", "Paris", "parish"}},  // an exchange is one change
		{"PARIS", []string{"paris", "Paris", "parish"}},  // case alone comes first
		{"teh", []string{"the"}},
		{"hungray", []string{"Hungary", "hungry"}},
		{"naive", []string{"naïve"}},
		{"newyork", []string{"new york"}},
		{"internationalizatoin", []string{"internationalisation"}},
		{"fo", nil}, // too short for more than case
		{"OF", []string{"of"}},
		{"", nil},
		{"zzzzzz", nil},
		{"the", nil}, // nothing else is near
		{strings.Repeat("x", 65), nil},
		{strings.Repeat("ß", 200), nil},
	}
	for _, test := range tests {
		if got := set.Suggest(test.word, 3); !slices.Equal(got, test.want) {
			t.Errorf("%q: %q, want %q", test.word, got, test.want)
		}
	}
	set = with(set, func(p *vectors.Parts) { p.Counts = make([]uint64, set.Len()) })
	set.Counts()[2] = 9 // parish
	if got, want := set.Suggest("pariss", 2), []string{"parish", "paris"}; !slices.Equal(got, want) {
		t.Errorf("by counts: %q, want %q", got, want)
	}
	if got := set.Suggest("pariss", 0); len(got) > 0 {
		t.Errorf("no suggestions asked for, got %q", got)
	}
	if got := named().Suggest("paris", 3); len(got) > 0 {
		t.Errorf("an empty vocabulary suggests %q", got)
	}
}

// Suggestions are those that a full table of distances of every word finds.
func TestSuggestAgainstWholeTables(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	word := func() string {
		w := make([]rune, 1+rng.IntN(8))
		for i := range w {
			w[i] = []rune("abcäB")[rng.IntN(5)]
		}
		return string(w)
	}
	words := map[string]bool{}
	var list []string
	for len(list) < 1500 {
		if w := word(); !words[w] {
			words[w] = true
			list = append(list, w)
		}
	}
	set := named(list...)
	for range 60 {
		asked := word()
		limit := 0
		if n := len([]rune(asked)); n > 4 {
			limit = 2
		} else if n > 2 {
			limit = 1
		}
		var want []string
		for d := 0; d <= limit; d++ {
			for _, w := range list {
				if w != asked && alignment(asked, w) == d && len(want) < 20 {
					want = append(want, w)
				}
			}
		}
		if got := set.Suggest(asked, 20); !slices.Equal(got, want) {
			t.Fatalf("%q: %q, want %q", asked, got, want)
		}
	}
}

// alignment is the optimal string alignment distance of two words, whatever their case.
func alignment(a, b string) int {
	x, y := []rune(strings.ToLower(a)), []rune(strings.ToLower(b))
	d := map[[2]int]int{}
	for i := 0; i <= len(x); i++ {
		for j := 0; j <= len(y); j++ {
			switch {
			case i == 0 || j == 0:
				d[[2]int{i, j}] = i + j
				continue
			}
			cost := 1
			if x[i-1] == y[j-1] {
				cost = 0
			}
			least := min(d[[2]int{i - 1, j}]+1, d[[2]int{i, j - 1}]+1, d[[2]int{i - 1, j - 1}]+cost)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				least = min(least, d[[2]int{i - 2, j - 2}]+1)
			}
			d[[2]int{i, j}] = least
		}
	}
	return d[[2]int{len(x), len(y)}]
}

func TestCosine(t *testing.T) {
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	for _, test := range []struct {
		a, b []float32
		want float64
	}{
		{[]float32{1, 0}, []float32{3, 4}, 0.6},
		{[]float32{1, 0}, []float32{-2, 0}, -1},
		{[]float32{math.MaxFloat32, 0}, []float32{math.MaxFloat32, math.MaxFloat32}, 1 / math.Sqrt2},
		{[]float32{0, 0}, []float32{1, 1}, math.NaN()},
		{[]float32{inf, 0}, []float32{1, 1}, math.NaN()},
		{[]float32{nan, 0}, []float32{1, 1}, math.NaN()},
	} {
		if got := vectors.Cosine(test.a, test.b); math.Abs(got-test.want) > 1e-15 && !(math.IsNaN(got) && math.IsNaN(test.want)) {
			t.Errorf("cosine of %v and %v is %v, want %v", test.a, test.b, got, test.want)
		}
	}
}

func BenchmarkSuggest(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	words := make([]string, 3_000_000)
	for i := range words {
		w := make([]byte, 3+rng.IntN(12))
		for j := range w {
			w[j] = "etaoinshrdlucmfwypvbgkjqxz"[min(25, int(math.Abs(rng.NormFloat64())*9))]
		}
		words[i] = fmt.Sprint(string(w), i%10)
	}
	set := named(words...)
	for b.Loop() {
		set.Suggest("internatoinal", 3)
	}
}
