package eval_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/eval"
	"github.com/w2v-go/w2v/vectors"
)

func measured(t *testing.T, s *vectors.Set, text string, opt eval.Options) eval.Record {
	t.Helper()
	sets, err := eval.ReadContents([]eval.Content{{Path: "ours/set.txt", Text: []byte(text)}}, "")
	if err != nil {
		t.Fatal(err)
	}
	r, err := eval.Measure(t.Context(), s, sets[0], opt)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Cosines are 0.6, 0 and 0.8 for the numbers 2, 1 and 3. With the missing pair, cosine 0 and
// number 4, the ranks are 3 1.5 4 1.5 and 2 1 3 4: deviations .5 -1 1.5 -1 and -.5 -1.5 .5 1.5, so
// the correlation is 0.5/√(4.5·5).
func TestConventionsOfSimilarity(t *testing.T) {
	s := wordSet([]string{"a", "b", "c"}, []float32{1, 0}, []float32{3, 4}, []float32{0, 2})
	r := measured(t, s, "a b 2\na c 1\nb c 3\na x 4\n", eval.Options{})
	c := r.Conventions
	if c.InVocabulary.Used != 3 || c.InVocabulary.Score != 1 || c.Composed.Used != 3 || c.Composed.Score != 1 || c.ComposedZero != nil {
		t.Errorf("%+v", c)
	}
	if want := 0.5 / math.Sqrt(4.5*5); c.Zero == nil || c.Zero.Used != 4 || math.Abs(float64(c.Zero.Score)-want) > 1e-12 {
		t.Errorf("missing pairs as zero: %+v, want %v", c.Zero, want)
	}
	if r.Set != "set" || r.Task != eval.TaskSimilarity || r.Metric != "spearman" || r.Items != 4 || r.Used != 3 || strings.Join(r.Missing, " ") != "x" {
		t.Errorf("%+v", r)
	}
}

// With n-grams, composed words count by two of the conventions.
func TestConventionsWithComposedWords(t *testing.T) {
	s := subwordSet("north", "south", "east", "west")
	r := measured(t, s, "north south 1\nnorth east 2\nsouth west 4\nnorth northern 3\nsouth southern 5\n", eval.Options{})
	c := r.Conventions
	if c.InVocabulary.Used != 3 || c.Composed.Used != 5 || c.Composed.Score != r.Score || c.Zero.Used != 5 || c.ComposedZero.Score != r.Score {
		t.Errorf("%+v", c)
	}
	known := measured(t, s, "north south 1\nnorth east 2\nsouth west 4\n", eval.Options{})
	if math.Abs(float64(c.InVocabulary.Score-known.Score)) > 1e-12 {
		t.Errorf("%v over known words, and %v without the others", c.InVocabulary.Score, known.Score)
	}
	unknown := measured(t, s.Plain(), "north south 1\nnorth east 2\nsouth west 4\nnorth northern 3\nsouth southern 5\n", eval.Options{})
	if c.Zero.Score != unknown.Conventions.Zero.Score {
		t.Errorf("composed pairs as zero: %v, and %v without n-grams", c.Zero.Score, unknown.Conventions.Zero.Score)
	}
	if len(r.ByWords) != 3 || r.ByWords[0].Items != 3 || r.ByWords[1].Items != 2 || r.ByWords[2].Items != 0 || r.ByWords[2].Score.Defined() {
		t.Errorf("%+v", r.ByWords)
	}
}

// Questions with missing words are wrong by the third convention.
func TestConventionsOfAnalogy(t *testing.T) {
	s := wordSet([]string{"king", "queen", "man", "woman"}, []float32{1, 0, 1}, []float32{0, 1, 1}, []float32{1, 0, 0}, []float32{0, 1, 0})
	c := measured(t, s, "man woman king queen\nman woman boy girl\nwoman man queen king\n", eval.Options{}).Conventions
	if c.Composed.Score != 1 || c.Composed.Used != 2 || c.Zero == nil || math.Abs(float64(c.Zero.Score)-2.0/3) > 1e-12 || c.Zero.Used != 3 {
		t.Errorf("%+v, %+v", c, c.Zero)
	}
}

// An item is in the band of its rarest word.
func TestBands(t *testing.T) {
	s := wordSet([]string{"a", "b", "c", "d"}, []float32{1, 0}, []float32{3, 4}, []float32{0, 2}, []float32{4, 3})
	r := measured(t, s, "a b 1\nb a 2\na c 1\nb c 4\na d 3\n", eval.Options{Bands: []int{2, 3, 100}})
	want := []eval.Band{{Name: "1-2", From: 1, To: 2, Items: 2}, {Name: "3-3", From: 3, To: 3, Items: 2, Score: 1}, {Name: "4-4", From: 4, To: 4, Items: 1}}
	if len(r.Bands) != len(want) {
		t.Fatalf("%+v", r.Bands)
	}
	for i, b := range r.Bands {
		if b.Name != want[i].Name || b.From != want[i].From || b.To != want[i].To || b.Items != want[i].Items || b.Score.Defined() != (i == 1) || i == 1 && math.Abs(float64(b.Score)-1) > 1e-12 {
			t.Errorf("%+v, want %+v", b, want[i])
		}
	}
	for _, ranks := range [][]int{{0}, {3, 3}, {5, 2}} {
		if _, err := eval.Measure(t.Context(), s, eval.SetFile{Set: mustPairs(t, "a b 1\n")}, eval.Options{Bands: ranks}); err == nil || !strings.Contains(err.Error(), "must be 1 or more and rise") {
			t.Errorf("%v: %v", ranks, err)
		}
	}
}

// The settings of a record have the defaults filled in.
func TestSettings(t *testing.T) {
	s := wordSet([]string{"a", "b"}, []float32{1, 0}, []float32{3, 4})
	for _, test := range []struct {
		opt  eval.Options
		want string
	}{
		{eval.Options{}, `{"case":"auto","ignore_case":true,"fold_vocab":false,"restrict":0,"composes":false,"ties":"equal values share the mean of their ranks","normalization":"cosine","resamples":10000,"seed":0}`},
		{eval.Options{Case: vectors.CaseKept, FoldVocab: true, Restrict: 2, Resamples: -1, Seed: 7},
			`{"case":"kept","ignore_case":true,"fold_vocab":true,"restrict":2,"composes":false,"ties":"equal values share the mean of their ranks","normalization":"cosine","resamples":0,"seed":7}`},
	} {
		got, err := json.Marshal(measured(t, s, "a b 1\nb b 2\n", test.opt).Settings)
		if err != nil || string(got) != test.want {
			t.Errorf("%s, %v\nwant %s", got, err, test.want)
		}
	}
}

// An interval from 0 to 0, such as that of a model's difference from itself, is not the same as none.
func TestIntervalsInJSON(t *testing.T) {
	type result struct {
		CI eval.Interval `json:"ci,omitzero"`
	}
	for _, test := range []struct {
		interval eval.Interval
		want     string
	}{
		{eval.Interval{}, `{}`},
		{eval.Between(0, 0), `{"ci":[0,0]}`},
		{eval.Between(-0.25, 0.5), `{"ci":[-0.25,0.5]}`},
		{eval.Between(math.NaN(), 1), `{}`},
		{eval.Between(0, math.Inf(1)), `{}`},
	} {
		text, err := json.Marshal(result{test.interval})
		if err != nil || string(text) != test.want {
			t.Errorf("%v is written as %s (%v), want %s", test.interval, text, err, test.want)
		}
		var read result
		if err := json.Unmarshal(text, &read); err != nil || read.CI != test.interval {
			t.Errorf("%s is read as %v (%v), want %v", text, read.CI, err, test.interval)
		}
	}
	if text, err := json.Marshal(eval.Interval{}); err != nil || string(text) != "null" {
		t.Errorf("no interval is %s (%v), want null", text, err)
	}
	for _, wrong := range []string{`"0"`, `{"low":1}`, `[0,"1"]`} {
		if err := json.Unmarshal([]byte(wrong), new(eval.Interval)); err == nil {
			t.Errorf("%s was read as an interval", wrong)
		}
	}
}
