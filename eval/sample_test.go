package eval_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/w2v-go/w2v/eval"
	"github.com/w2v-go/w2v/vectors"
)

// repeated returns the pairs of a set so often as weights say.
func repeated(set eval.PairSet, weights []float64) eval.PairSet {
	var all eval.PairSet
	for i, p := range set.Pairs {
		for range int(weights[i]) {
			all.Pairs = append(all.Pairs, p)
		}
	}
	return all
}

// A pair of weight 3 counts like three pairs, also in the ranks of all others.
func TestSampleOfSimilarity(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 9))
	s := newSet(vectors.Parts{Words: numbered(12), Input: vectors.NewMatrix(12, 2)})
	for i := range s.Input().Data {
		s.Input().Data[i] = float32(rng.IntN(3)) // many equal cosines, and vectors of zeros
	}
	var set eval.PairSet
	for range 60 {
		set.Pairs = append(set.Pairs, eval.Pair{A: fmt.Sprint("w", rng.IntN(12)), B: fmt.Sprint("w", rng.IntN(12)), Score: float64(rng.IntN(5))})
	}
	opt := eval.SimilarityOptions{Rules: eval.Rules{Resamples: -1}}
	r, err := eval.Similarity(s, set, opt)
	if err != nil {
		t.Fatal(err)
	}
	sample := r.Sample()
	for trial := range 50 {
		weights := make([]float64, len(set.Pairs))
		for i := range weights {
			weights[i] = 1
			if trial > 0 {
				weights[i] = float64(rng.IntN(4))
			}
		}
		kept := append([]float64{}, weights...)
		want, err := eval.Similarity(s, repeated(set, weights), opt)
		if err != nil {
			t.Fatal(err)
		}
		if got := sample.Score(weights); math.Abs(got-float64(want.Spearman)) > 1e-12 {
			t.Errorf("weights %v: %v, and %v for repeated pairs", weights, got, want.Spearman)
		}
		if !reflect.DeepEqual(weights, kept) {
			t.Error("Score changed the weights")
		}
	}
	weights := make([]float64, len(set.Pairs))
	if got := sample.Score(weights); !math.IsNaN(got) {
		t.Errorf("without weights %v", got)
	}
	weights[3] = 7
	if got := sample.Score(weights); !math.IsNaN(got) {
		t.Errorf("of one pair %v", got)
	}
}

func TestJudgements(t *testing.T) {
	set := eval.PairSet{Name: "p", Pairs: []eval.Pair{{A: "man", B: "woman", Score: 9}, {A: "man", B: "nobody", Score: 1}, {A: "man", B: "man", Score: 10}}}
	r, err := eval.Similarity(royal(), set, eval.SimilarityOptions{})
	if err != nil {
		t.Fatal(err)
	}
	want := []eval.Judgement{
		{Item: eval.Item{Key: "0 man woman", Words: []string{"man", "woman"}}, Human: 9, Model: 0.5},
		{Item: eval.Item{Key: "2 man man", Words: []string{"man", "man"}}, Human: 10, Model: 1},
	}
	got := r.Judgements()
	for i := range got {
		got[i].Model = math.Round(got[i].Model*1e12) / 1e12
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	sum := r.Summary()
	if sum.Set != "p" || sum.Task != eval.TaskSimilarity || sum.Items != 3 || sum.Used != 2 || sum.Score != r.Spearman || sum.Interval != r.CI95 {
		t.Errorf("summary %+v", sum)
	}
}

func TestSampleOfAnalogies(t *testing.T) {
	set := mustQuestions(t, ": family\nman woman king queen\nman woman king nobody\n: gram1\nman woman king queen2\nwoman man queen2 king/apple\n")
	r := mustAnalogy(t, royal(), set, eval.AnalogyOptions{})
	want := []eval.Answered{
		{Section: "family", Words: [4]string{"man", "woman", "king", "queen"}, Used: true, Answer: "queen", Correct: true},
		{Section: "family", Words: [4]string{"man", "woman", "king", "nobody"}},
		{Section: "gram1", Words: [4]string{"man", "woman", "king", "queen2"}, Used: true, Answer: "queen"},
		{Section: "gram1", Words: [4]string{"woman", "man", "queen2", "king/apple"}, Used: true, Answer: "king", Correct: true},
	}
	answers := r.Answers()
	if len(answers) != len(want) {
		t.Fatalf("%d answers, want %d", len(answers), len(want))
	}
	for i, a := range answers {
		if a.Section != want[i].Section || a.Words != want[i].Words || a.Used != want[i].Used || a.Answer != want[i].Answer || a.Correct != want[i].Correct {
			t.Errorf("answer %d: %+v, want %+v", i, a, want[i])
		}
	}
	sample := r.Sample()
	if len(sample.Items) != 3 || sample.Items[1].Key != "2 man woman king queen2" || !reflect.DeepEqual(sample.Items[2].Words, []string{"woman", "man", "queen2", "king/apple"}) {
		t.Errorf("items %+v", sample.Items)
	}
	if got := sample.Score([]float64{1, 3, 2}); got != 0.5 {
		t.Errorf("weighted accuracy %v, want 0.5", got)
	}
	if got := sample.Score([]float64{0, 0, 0}); !math.IsNaN(got) {
		t.Errorf("accuracy without weights %v", got)
	}
	sum := r.Summary()
	if sum.Metric != "accuracy" || sum.Items != 4 || sum.Used != 3 || len(sum.Parts) != 2 || sum.Parts[1].Name != "gram1" || sum.Parts[1].Score != 0.5 {
		t.Errorf("summary %+v", sum)
	}
}

// A slash is a part of words that have one.
func TestAnswersWithSlashes(t *testing.T) {
	rows := [][]float32{{1, 0, 1}, {1, 1, 0}, {4, 0, 1}, {4, 1, 0}, {0, 3, 1}}
	s := wordSet([]string{"man", "woman", "king", "queen", "queen/king"}, rows...)
	tests := []struct {
		answer        string
		used, correct int
	}{
		{"queen", 1, 1},
		{"queen/king", 1, 0}, // is a word
		{"king/queen", 1, 1},
		{"woman/nobody/queen", 1, 1},
		{"woman/nobody", 1, 0},
		{"nobody/nothing", 0, 0},
		{"/queen/", 1, 1},
		{"//", 0, 0},
	}
	for _, test := range tests {
		set := mustQuestions(t, "man woman king "+test.answer)
		for _, fold := range []bool{false, true} {
			got := mustAnalogy(t, s, set, eval.AnalogyOptions{Rules: eval.Rules{Spelling: eval.Spelling{FoldVocab: fold}}})
			if got.Used != test.used || got.Correct != test.correct {
				t.Errorf("%q, folded %t: used %d, correct %d; want %d, %d", test.answer, fold, got.Used, got.Correct, test.used, test.correct)
			}
		}
	}
	// Two spellings of a right answer.
	set := mustQuestions(t, "man woman king nobody/Queen")
	if got := mustAnalogy(t, s, set, eval.AnalogyOptions{Rules: eval.Rules{Spelling: eval.Spelling{FoldVocab: true}}}); got.Correct != 1 {
		t.Errorf("folded: %+v", got)
	}
}
