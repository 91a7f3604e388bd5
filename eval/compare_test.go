package eval

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
)

func TestHolmCorrectsPValues(t *testing.T) {
	nan := Score(math.NaN())
	all := make([]Comparison, 5)
	for i, p := range []Score{0.04, 0.01, nan, 0.03, 0.9} {
		all[i].PValue = p
	}
	Holm(all)
	// 4 × 0.01, 3 × 0.03, and 2 × 0.04 is smaller than what is before it.
	for i, want := range []Score{0.09, 0.04, nan, 0.09, 0.9} {
		if got := all[i].HolmPValue; math.Abs(float64(got-want)) > 1e-12 || got.Defined() != want.Defined() {
			t.Errorf("%v becomes %v, want %v", all[i].PValue, got, want)
		}
		if differs := want < 0.05; all[i].Differs != differs {
			t.Errorf("%v differs: %t", all[i].PValue, all[i].Differs)
		}
	}
}

// answers is a model's result on questions: 1 is right, 0 wrong, and any other letter is a question
// that it cannot answer.
func answersOf(name, text string) Measured {
	var s Sample
	for i, c := range text {
		if c == '0' || c == '1' {
			s.Items = append(s.Items, Item{Key: strconv.Itoa(i), Words: []string{strconv.Itoa(i)}})
			s.Values = append(s.Values, float64(c-'0'))
		}
	}
	s.Score = weightedMean(s.Values)
	return Measured{name, []Record{{Summary: Summary{Set: "set", Metric: "accuracy", Items: len(text)}, Result: Result{Sample: s}}}}
}

func TestCompareSharedAndOwnVocabulary(t *testing.T) {
	models := []Measured{answersOf("a", "1100--1100"), answersOf("b", "11111---0-")}
	for _, test := range []struct {
		own   bool
		items int
		a, b  Score
	}{
		{false, 5, 0.4, 0.8}, // questions 0 to 3 and 8
		{true, 9, 0.5, 5. / 6},
	} {
		all, err := Compare(models, CompareOptions{OwnVocabulary: test.own, Resamples: 500})
		if err != nil || len(all) != 1 {
			t.Fatal(all, err)
		}
		c := all[0]
		if c.Items != test.items || c.ItemsA != 8 || c.ItemsB != 6 || c.SetItems != 10 || c.A != "a" || c.B != "b" {
			t.Errorf("own %t: %+v", test.own, c)
		}
		if math.Abs(float64(c.ScoreA-test.a)) > 1e-12 || math.Abs(float64(c.ScoreB-test.b)) > 1e-12 || c.Difference != c.ScoreB-c.ScoreA {
			t.Errorf("own %t: %v and %v, difference %v", test.own, c.ScoreA, c.ScoreB, c.Difference)
		}
		if !(c.Interval.Low < float64(c.Difference) && float64(c.Difference) < c.Interval.High) {
			t.Errorf("own %t: difference %v, interval %v", test.own, c.Difference, c.Interval)
		}
	}
}

// A model does not differ from itself, and neither do models that answer equally many questions.
func TestModelsOfOneScoreHaveThePValueOne(t *testing.T) {
	ranked := func(name string) Measured {
		x, y := []float64{1, 2, 3, 4, 5}, []float64{2, 1, 3, 5, 4}
		s := Sample{Items: unrelated(5), Score: newRankCorrelation(x, y).score}
		return Measured{name, []Record{{Summary: Summary{Set: "set", Metric: "spearman", Items: 5}, Result: Result{Sample: s}}}}
	}
	for _, test := range []struct {
		a, b Measured
		same bool // item for item
	}{
		{answersOf("a", "110100"), answersOf("a", "110100"), false},
		{answersOf("a", "1100"), answersOf("b", "0011"), false},
		{ranked("a"), ranked("a"), true},
	} {
		all, err := Compare([]Measured{test.a, test.b}, CompareOptions{Resamples: 300})
		if err != nil || len(all) != 1 {
			t.Fatal(all, err)
		}
		c := all[0]
		if c.Difference != 0 || c.PValue != 1 || c.HolmPValue != 1 || c.Differs || !c.Interval.Known {
			t.Errorf("%s and %s: %+v", test.a.Name, test.b.Name, c)
		}
		if test.same && c.Interval != Between(0, 0) {
			t.Errorf("a model and itself: the interval is %v", c.Interval)
		}
	}
}

// Models may differ in how words are looked up. A comparison says so.
func TestCompareHasTheSettingsOfBoth(t *testing.T) {
	a, b := answersOf("a", "10"), answersOf("b", "11")
	for _, ignored := range []bool{false, true} {
		b.Records[0].Settings.IgnoreCase = ignored
		all, err := Compare([]Measured{a, b}, CompareOptions{Resamples: 100, Seed: 3})
		if err != nil || len(all) != 1 {
			t.Fatal(all, err)
		}
		if of := all[0].SettingsB; (of != nil) != ignored || of != nil && !(of.IgnoreCase && of.Resamples == 100 && of.Seed == 3) {
			t.Errorf("b ignores case: %t; its settings are %+v", ignored, of)
		}
	}
}

func TestComparePairsOfModels(t *testing.T) {
	models := []Measured{answersOf("a", "10"), answersOf("b", "11"), answersOf("c", "01")}
	for all, want := range map[bool]string{false: "a b, a c", true: "a b, a c, b c"} {
		found, err := Compare(models, CompareOptions{AllPairs: all, Resamples: 100})
		var got []string
		for _, c := range found {
			got = append(got, c.A+" "+c.B)
		}
		if err != nil || strings.Join(got, ", ") != want {
			t.Errorf("%q, %v, want %q", got, err, want)
		}
	}
}

func TestCompareRefusesWhatCannotBeCompared(t *testing.T) {
	a, other := answersOf("a", "10"), answersOf("b", "10")
	other.Records[0].SetFile.SHA256 = "other"
	for want, call := range map[string]func() ([]Comparison, error){
		"1 models to compare": func() ([]Comparison, error) { return Compare([]Measured{a}, CompareOptions{}) },
		"must be the same":    func() ([]Comparison, error) { return Compare([]Measured{a, other}, CompareOptions{}) },
		"-1 resamples":        func() ([]Comparison, error) { return Compare([]Measured{a, a}, CompareOptions{Resamples: -1}) },
	} {
		if got, err := call(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, %v, want the error %q", got, err, want)
		}
	}
}

// Two models that know words by chance, one as well as the other, and whose answers to questions
// depend on the words that questions share, differ at 5 % in about 5 % of cases. They would in far
// more if questions were independent.
func TestModelsThatAreEqualDifferInFivePercent(t *testing.T) {
	const relations, pairs, draws = 4, 25, 150
	r := rand.New(rand.NewPCG(3, 3))
	rejected, naive := 0, 0
	for i := range draws {
		var models [2]Sample
		for m := range models {
			s := &models[m]
			for relation := range relations {
				skill := make([]float64, pairs)
				for k := range skill {
					skill[k] = r.NormFloat64()
				}
				for a := range pairs {
					for c := range pairs {
						if a == c {
							continue
						}
						name := func(pair int, side string) string { return strconv.Itoa(relation) + side + strconv.Itoa(pair) }
						words := []string{name(a, "a"), name(a, "b"), name(c, "a"), name(c, "b")}
						s.Items = append(s.Items, Item{Key: strings.Join(words, " "), Words: words})
						value := 0.0
						if skill[a]+skill[c]+r.NormFloat64() > 1 {
							value = 1
						}
						s.Values = append(s.Values, value)
					}
				}
			}
			s.Score = weightedMean(s.Values)
		}
		opt := CompareOptions{Resamples: 400, Seed: uint64(i)}
		record := func(s Sample) Record { return Record{Result: Result{Sample: s}} }
		if compare(record(models[0]), record(models[1]), opt).PValue < 0.05 {
			rejected++
		}
		models[0].Items = keysAlone(models[0].Items)
		if compare(record(models[0]), record(models[1]), opt).PValue < 0.05 {
			naive++
		}
	}
	if share := float64(rejected) / float64(draws); share < 0.025 || share > 0.08 {
		t.Errorf("%.3f of equal models differ", share)
	}
	if share := float64(naive) / float64(draws); share < 0.25 {
		t.Errorf("%.3f of equal models differ if questions are taken for independent: the simulation says nothing", share)
	}
}

// keysAlone returns items without their words.
func keysAlone(items []Item) []Item {
	var all []Item
	for _, item := range items {
		all = append(all, Item{Key: item.Key})
	}
	return all
}

func TestRunsOfOneSetting(t *testing.T) {
	var models []Measured
	for i, score := range []Score{0.5, 0.6, Score(math.NaN()), 0.7} {
		models = append(models, Measured{strconv.Itoa(i), []Record{{Summary: Summary{Set: "set", Score: score}}}})
	}
	all, err := Runs(models)
	if err != nil || len(all) != 1 {
		t.Fatal(all, err)
	}
	// The 97.5 % point of Student's distribution with two degrees of freedom is 4.302653.
	r, half := all[0], 4.302653*0.1/math.Sqrt(3)
	if r.Runs != 3 || len(r.Scores) != 4 || math.Abs(float64(r.Mean)-0.6) > 1e-12 || math.Abs(float64(r.Deviation)-0.1) > 1e-12 ||
		math.Abs(r.Interval.Low-(0.6-half)) > 1e-6 || math.Abs(r.Interval.High-(0.6+half)) > 1e-6 {
		t.Errorf("%+v", r)
	}
	one, err := Runs(models[:1])
	if err != nil || one[0].Mean != 0.5 || one[0].Deviation.Defined() || one[0].Interval != (Interval{}) {
		t.Errorf("one run: %+v, %v", one, err)
	}
	if none, err := Runs(nil); err != nil || none != nil {
		t.Errorf("no runs: %v, %v", none, err)
	}
}

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
		d := r.draw(Options{Resamples: 4000, Seed: 1})
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
