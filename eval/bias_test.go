package eval_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/eval"
)

func TestReadBias(t *testing.T) {
	list := func(name string, words ...string) eval.WordList { return eval.WordList{Name: name, Words: words} }
	named := eval.BiasTest{Name: "garden", X: list("flowers", "aster", "rose"), Y: list("insects", "ant", "flea"), A: list("good", "joy"), B: list("bad", "woe", "evil")}
	plain := named
	plain.Name, plain.X.Name, plain.Y.Name, plain.A.Name, plain.B.Name = "test 1: X and Y, A and B", "X", "Y", "A", "B"
	unnamed := named
	unnamed.Name = "test 1: flowers and insects, good and bad"
	career := eval.BiasTest{
		Name: "WEAT 6: male_names and female_names, career and family",
		X:    list("male_names", "Ben"), Y: list("female_names", "Sue"), A: list("career", "office"), B: list("family", "home"),
	}
	tests := []struct {
		name, text string
		want       []eval.BiasTest
	}{
		{"text", ": garden\nX flowers: aster rose\nY insects: ant, flea\nA good: joy\nB bad: woe,evil\n", []eval.BiasTest{named}},
		{"text of two tests, without names", "# mine\nX: aster rose\nB: woe evil\nA: joy\nY: ant flea\n\n: garden\n\nX flowers:aster rose aster\nY insects:ant flea\nA good:joy\nB bad:woe evil\n", []eval.BiasTest{plain, named}},
		{"tests of lists in JSON", `{"lists": {"flowers": ["aster", "rose"], "insects": ["ant", "flea"], "good": ["joy"], "bad": ["woe", "evil"]},
			"tests": [{"name": "garden", "x": "flowers", "y": "insects", "a": "good", "b": "bad"}]}`, []eval.BiasTest{named}},
		{"tests of words in JSON", `{"tests": [{"x": ["aster", "rose"], "y": ["ant", "flea"], "a": ["joy"], "b": ["woe", "evil"]}]}`, []eval.BiasTest{plain}},
		{"keys in upper case", `{"X": ["aster", "rose"], "Y": ["ant", "flea"], "A": ["joy"], "B": ["woe", "evil"]}`, []eval.BiasTest{plain}},
		{"one test in JSON", `{"x": ["aster", "rose"], "y": ["ant", "flea"], "a": ["joy", "joy"], "b": ["woe", " evil", ""]}`, []eval.BiasTest{plain}},
		{"SEAT", `{"targ1": {"category": "flowers", "examples": ["aster", "rose"]}, "targ2": {"category": "insects", "examples": ["ant", "flea"]},
			"attr1": {"category": "good", "examples": ["joy"]}, "attr2": {"category": "bad", "examples": ["woe", "evil"]}}`, []eval.BiasTest{unnamed}},
		{"lists with the names of WEAT", `{"career": ["office"], "family": ["home"], "male_names": ["Ben"], "female_names": ["Sue"], "math": ["sum"]}`, []eval.BiasTest{career}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			recognizes(t, test.text, eval.TaskBias)
			set, err := eval.ReadSet(strings.NewReader(test.text), "s", eval.TaskBias)
			if err != nil || !reflect.DeepEqual(set.Tests, test.want) {
				t.Errorf("got %v, %v\nwant %v", set.Tests, err, test.want)
			}
		})
	}
}

func TestReadBiasErrors(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"nothing", "", "s: no tests: want lists X and Y of targets and A and B of attributes"},
		{"lists of other names", `{"birds": ["owl"], "tools": ["axe"]}`, "s:1: no tests"},
		{"an unknown list", `{"lists": {"a": ["b"]}, "tests": [{"x": "birds"}]}`, `s:1: there is no list "birds"`},
		{"an unknown key", `{"x": ["a"], "z": ["b"]}`, `s:1: want {"name": "…", "x": ["…"], "y": ["…"], "a": ["…"], "b": ["…"]}, not the key "z"`},
		{"a list is missing", `{"x": ["p"], "y": ["q"], "a": ["r"]}`, "s:1: want words in list B of a test"},
		{"a word in X and Y", ": t\nX: p q\nY: q r\nA: a\nB: b\n", `s:5: the test ends here: want different words in lists X and Y, and both have "q"`},
		{"a line of another kind", ": t\nX: p\nZ: q\n", `s:3: want a colon and the name of a test, or X, Y, A or B, a colon and words, not "Z: q"`},
		{"a list twice", ": t\nX: p\nX: q\n", "s:3: want a list once in a test"},
		{"a test without lists", ": t\n: u\n", "s:2: the test ends here: want words in list X of a test"},
		{"no attribute of SEAT", `{"targ1": {"examples": ["a"]}, "targ2": {"examples": ["b"]}, "attr1": {"examples": ["c"]}}`, "s:1: want targ1, targ2, attr1 and attr2, and there is no attr2"},
		{"numbers", `{"flowers": [1, 2]}`, `s:1: want words in list "flowers"`},
		{"cut off", `{"flowers": ["a",`, "s:1: want {"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := eval.ReadSet(strings.NewReader(test.text), "s", eval.TaskBias)
			if parse := (*eval.ParseError)(nil); !errors.As(err, &parse) || !strings.HasPrefix(err.Error(), test.want) {
				t.Errorf("got %v, want %s", err, test.want)
			}
		})
	}
}

func FuzzReadBias(f *testing.F) {
	for _, text := range []string{": t\nX: p\nY: q\nA: a\nB: b\n", `{"tests":[]}`, `{"lists":{},"tests":[{}]}`, `{"targ1":{}}`, `[{"x":["a"]}]`, `{"x": null}`, "{}", "X", ":"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		set, err := eval.ReadSet(strings.NewReader(text), "s", eval.TaskBias)
		if err != nil {
			return
		}
		if len(set.Tests) == 0 {
			t.Error("no tests and no error")
		}
		for _, test := range set.Tests {
			if test.Name == "" || len(test.X.Words)*len(test.Y.Words)*len(test.A.Words)*len(test.B.Words) == 0 {
				t.Errorf("%+v", test)
			}
		}
	})
}

func mustBias(t testing.TB, text string) eval.Set {
	t.Helper()
	set, err := eval.ReadSet(strings.NewReader(text), "test", eval.TaskBias)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func near(got eval.Score, want float64) bool { return math.Abs(float64(got)-want) < 1e-7 }

// A is (1, 0) and B (0, 1), so that s(w) = cos φ − sin φ for a word at the angle φ: of (4, 3) it is
// 0.2, of (3, 4) −0.2, of (1, 0) 1 and of (0, 1) −1.
func TestBias(t *testing.T) {
	s := wordSet([]string{"a", "b", "east", "north", "low", "high"},
		[]float32{2, 0}, []float32{0, 3}, []float32{1, 0}, []float32{0, 1}, []float32{4, 3}, []float32{3, 4})
	result, got, err := evaluated[eval.BiasResult](t.Context(), s, mustBias(t, ": one\nX: east low\nY: north high\nA: a\nB: b\n"), eval.Options{})
	if err != nil {
		t.Fatal(err)
	}
	one := got.Tests[0]
	// Means 0.6 and −0.6; the mean of all is 0, and the squares are 1, 0.04, 1 and 0.04.
	if want := 1.2 / math.Sqrt(2.08/4); !near(one.EffectSize, want) || !near(got.EffectSize, want) {
		t.Errorf("effect size %v and %v, want %v", one.EffectSize, got.EffectSize, want)
	}
	if want := 1.2 / math.Sqrt(2.08/3); !near(one.EffectSizeSample, want) {
		t.Errorf("effect size %v with n − 1, want %v", one.EffectSizeSample, want)
	}
	// S is 2.4, and of no other of the six partitions.
	if !near(one.Statistic, 2.4) || one.P != 0 || one.PWithTies != 1.0/6 || one.Partitions != 6 || !one.Exact {
		t.Errorf("%+v", one)
	}
	// x̄ = (0.9, 0.3) and ȳ = (0.3, 0.9). A is (1, 0): √(0.1² + 0.3²) − √(0.7² + 0.9²).
	if want := math.Sqrt(0.1) - math.Sqrt(1.3); !near(one.A.RND.Sum, want) || !near(one.B.RND.Sum, -want) || one.X.RND != nil {
		t.Errorf("RND %+v and %+v, want ±%v", one.A.RND, one.B.RND, want)
	}
	if east := one.Targets[0]; len(one.Targets) != 4 || east != (eval.Target{Word: "east", List: "x", Association: 1}) || !near(eval.Score(one.Targets[3].Association), -0.2) {
		t.Errorf("%+v", one.Targets)
	}
	if !one.Complete || one.Unbalanced || one.Refused != "" || len(result.Summary.Notes) != 0 || got.Scored != 1 {
		t.Errorf("%+v", got)
	}
	sample := result.Sample
	if x := sample.Score([]float64{1, 1, 1, 1}); !near(eval.Score(x), float64(got.EffectSize)) || len(sample.Items) != 4 || sample.Items[2].Key != "one\tY\tnorth" {
		t.Errorf("%v of %+v", x, sample.Items)
	}
	// east and north alone: means 1 and −1, deviation 1.
	if x := sample.Score([]float64{2, 0, 3, 0}); !near(eval.Score(x), 2) {
		t.Errorf("weighted: %v", x)
	}
	summary := result.Summary
	if summary.Metric != "effect_size" || summary.Items != 4 || summary.Used != 4 || len(summary.Parts) != 4 || summary.Parts[1].Metric != "p_value" || summary.Parts[2].Name != "one: A" {
		t.Errorf("%+v", summary)
	}
}

// Lost words are named. A test that loses many is refused, and the others are scored.
func TestBiasLosesWords(t *testing.T) {
	s := wordSet([]string{"a", "b", "east", "north", "low", "high", "up"},
		[]float32{2, 0}, []float32{0, 3}, []float32{1, 0}, []float32{0, 1}, []float32{4, 3}, []float32{3, 4}, []float32{1, 4})
	const text = ": one\nX: east low son\nY: north high up\nA man: a\nB: b\n: two\nX: east low\nY: north high\nA: a\nB: b\n"
	tests := []struct {
		name    string
		maxLost float64
		refused string
		note    string
		scored  int
	}{
		{"by default", 0, "X (X) lost more than 20 % of its words", "one: refused, because X (X) lost more than 20 % of its words: X (X) lost 1 of 3 words: son; X and Y now have 2 and 3 words", 1},
		{"any loss", -1, "X (X) lost more than 0 % of its words", "one: refused, because X (X) lost more than 0 % of its words: X (X) lost 1 of 3 words: son; X and Y now have 2 and 3 words", 1},
		{"a half may be lost", 0.5, "", "one: X (X) lost 1 of 3 words: son; X and Y now have 2 and 3 words", 2},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			result, got, err := evaluated[eval.BiasResult](t.Context(), s, mustBias(t, text), eval.Options{MaxLost: test.maxLost})
			if err != nil {
				t.Fatal(err)
			}
			one := got.Tests[0]
			if one.Refused != test.refused || one.Complete || !one.Unbalanced || one.EffectSize.Defined() != (test.refused == "") || got.Scored != test.scored {
				t.Errorf("%+v", one)
			}
			if !slices.Equal(result.Summary.Notes, []string{test.note}) || !slices.Equal(one.X.Missing, []string{"son"}) || !slices.Equal(got.Missing, []string{"son"}) {
				t.Errorf("%q", result.Summary.Notes)
			}
			if !got.Tests[1].Complete || !got.Tests[1].EffectSize.Defined() {
				t.Errorf("%+v", got.Tests[1])
			}
			if len(result.Sample.Items) != result.Summary.Used {
				t.Errorf("%d items, %d used", len(result.Sample.Items), result.Summary.Used)
			}
			if _, err := json.Marshal(got); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestBiasWithoutScores(t *testing.T) {
	s := wordSet([]string{"a", "b", "c", "d"}, []float32{1, 0}, []float32{1, 0}, []float32{1, 0}, []float32{1, 0})
	none, err := details[eval.BiasResult](t.Context(), s, mustBias(t, ": t\nX: x1 x2\nY: y1 y2\nA: a\nB: b\n"), eval.Options{MaxLost: 1})
	if err != nil || none.Scored != 0 || none.EffectSize.Defined() || none.Tests[0].Refused == "" {
		t.Errorf("%+v, %v", none, err)
	}
	result, same, err := evaluated[eval.BiasResult](t.Context(), s, mustBias(t, ": t\nX: a b\nY: c d\nA: a\nB: b\n"), eval.Options{})
	if err != nil || same.Scored != 0 || same.Tests[0].Refused != "" || !strings.Contains(strings.Join(result.Summary.Notes, ""), "all associations are the same") {
		t.Errorf("%+v, %v", same, err)
	}
	for _, r := range []eval.BiasResult{none, same} {
		if _, err := json.Marshal(r); err != nil {
			t.Error(err)
		}
	}
	if _, err := details[eval.BiasResult](t.Context(), s, eval.Set{Task: eval.TaskBias}, eval.Options{MaxLost: 1.5}); err == nil || err.Error() != "eval: the share of words that a list may lose is 1.5, must be at most 1" {
		t.Error(err)
	}
	if _, err := details[eval.BiasResult](t.Context(), s, eval.Set{Task: eval.TaskBias}, eval.Options{Permutations: -1}); err == nil || err.Error() != "eval: permutations is -1, must be 0 (200000) or more" {
		t.Error(err)
	}
}

func ExampleEvaluate_bias() {
	s := wordSet([]string{"joy", "woe", "rose", "aster", "ant", "flea"},
		[]float32{1, 0}, []float32{0, 1}, []float32{4, 3}, []float32{1, 0}, []float32{3, 4}, []float32{0, 1})
	set, err := eval.ReadSet(strings.NewReader(`
: flowers and insects
X flowers: rose aster
Y insects: ant flea
A pleasant: joy
B unpleasant: woe
`), "garden", eval.TaskBias)
	if err != nil {
		fmt.Println(err)
		return
	}
	result, err := eval.Evaluate(context.Background(), s, set, eval.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	r := result.Details.(eval.BiasResult)
	fmt.Printf("effect size %.2f, p = %.3f or less\n", r.Tests[0].EffectSize, r.Tests[0].PWithTies)
	// Output: effect size 1.66, p = 0.167 or less
}
