package classify

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/eval/labels"
	"github.com/w2v-go/w2v/sgns"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
)

// others are texts of the classes, with words and a label that the corpus lacks.
func others() []Example {
	all := toyExamples(40, "a", "b", "c")[60:]
	for i := range all {
		if i%4 == 0 {
			all[i].Text += " unseen words"
		}
	}
	return append(all, Example{"all1 all2", []string{"none"}}, Example{"unseen", []string{"a"}}, Example{"class0word1", []string{"none", "a"}})
}

// Held-out texts of their own are measured as a test measures them: with their unknown words, which have n-grams, and without
// those whose labels are all unknown.
func TestHeldOutTexts(t *testing.T) {
	o := toyOptions(func(o *Options) { o.Epochs, o.MaxN, o.Threads, o.Deterministic = 3, 4, 2, true })
	plain, err := Train(t.Context(), Examples(each(toyExamples(60, "a", "b", "c"))), o, Hooks{})
	if err != nil {
		t.Fatal(err)
	}
	var results []*labels.Result
	var losses []float64
	h := Hooks{Tested: func(r *labels.Result) { results = append(results, r) }}
	h.Evaluated = func(e sgns.Evaluation) { losses = append(losses, e.Loss) }
	corpus := Examples(each(toyExamples(60, "a", "b", "c")))
	trained, err := Train(t.Context(), corpus.HoldingOut(Examples(each(others()))), o, h)
	if err != nil {
		t.Fatal(err)
	}
	if string(bytesOf(t, trained.Vectors)) != string(bytesOf(t, plain.Vectors)) {
		t.Error("held-out texts change the model")
	}
	m, err := New(trained.Vectors)
	if err != nil {
		t.Fatal(err)
	}
	var texts, right uint64
	for _, e := range others() {
		best, err := m.Predict(e.Text, 1, 0)
		if err != nil {
			t.Fatal(err)
		}
		if e.Labels[len(e.Labels)-1] != "none" {
			texts++
			if best[0].Label == e.Labels[len(e.Labels)-1] {
				right++
			}
		}
	}
	if len(results) != 3 || len(losses) != 3 {
		t.Fatalf("%d results and %d losses of 3 epochs", len(results), len(losses))
	}
	got := results[2]
	if got.Texts != texts || got.First != right || texts != 62 {
		t.Errorf("%d of %d texts are right, by predictions %d of %d", got.First, got.Texts, right, texts)
	}
	if !(losses[2] < losses[0]) {
		t.Errorf("losses %v", losses)
	}
}

// Early stopping goes by the metric, and keeps the best model of it.
func TestEarlyStoppingByAMetric(t *testing.T) {
	var scores []float64
	o := toyOptions(func(o *Options) { o.Epochs, o.Patience, o.Metric = 40, 2, labels.Metric{Kind: labels.F1, Label: "b"} })
	h := Hooks{}
	h.Evaluated = func(e sgns.Evaluation) { scores = append(scores, e.Score) }
	corpus := Examples(each(toyExamples(60, "a", "b", "c"))).HoldingOut(Examples(each(others())))
	trained, err := Train(t.Context(), corpus, o, h)
	if err != nil {
		t.Fatal(err)
	}
	best := 0.0
	for _, score := range scores {
		best = max(best, score)
	}
	n := len(scores)
	if trained.Evaluation == nil || trained.Evaluation.Score != best || n == 40 || scores[n-3] != best || scores[n-1] > best || math.IsNaN(best) || !trained.Progress.Early {
		t.Errorf("scores %v, the model has %+v", scores, trained.Evaluation)
	}
}

// Held-out texts that say nothing of the labels are an error.
func TestHeldOutTextsOfOtherLabels(t *testing.T) {
	for _, other := range []Example{{"all1 all2", []string{"z"}}, {"never seen", []string{"z"}}} {
		corpus := Examples(each(toyExamples(60, "a", "b"))).HoldingOut(Examples(each([]Example{other})))
		_, err := Train(t.Context(), corpus, toyOptions(func(*Options) {}), Hooks{})
		if want := "the held-out texts have no loss: none has a label and a word that are trained"; err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: error %v, want %s", other, err, want)
		}
	}
}

// A run that is measured on other texts goes on with them alone, to the same bytes.
func TestResumeWithHeldOutTexts(t *testing.T) {
	texts := func() Corpus { return Examples(each(toyExamples(60, "a", "b", "c"))) }
	held := func() Corpus { return Examples(each(others())) }
	o := toyOptions(func(o *Options) { o.Epochs, o.Patience, o.Metric = 6, 6, labels.Metric{Kind: labels.Accuracy} })
	path := t.TempDir() + "/ck.w2v"
	h := Hooks{Save: func(set *vectors.Set) error { return format.Write(t.Context(), path, set, format.W2V) }}
	whole, err := Train(t.Context(), texts().HoldingOut(held()), o, Hooks{})
	if err != nil {
		t.Fatal(err)
	}
	o.Epochs = 3
	if _, err = Train(t.Context(), texts().HoldingOut(held()), o, h); err != nil {
		t.Fatal(err)
	}
	from, err := format.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer from.Close()
	more, err := OptionsOf(from)
	if err != nil || more.Epochs != 3 {
		t.Fatalf("%d epochs, %v", more.Epochs, err)
	}
	more.Epochs = 6
	if _, err := Resume(t.Context(), texts(), from, more, Hooks{}); err == nil || !strings.Contains(err.Error(), "must be given again") {
		t.Errorf("without the texts: %v", err)
	}
	longer, err := Resume(t.Context(), texts().HoldingOut(held()), from, more, Hooks{})
	if err != nil || longer.Evaluation == nil || whole.Evaluation == nil {
		t.Fatalf("%v", err)
	}
	if _, err := Train(t.Context(), texts().HoldingOut(held()), toyOptions(func(o *Options) { o.HeldOut = 0.1 }), Hooks{}); err == nil || !strings.Contains(err.Error(), "only one of them is possible") {
		t.Errorf("both: %v", err)
	}
	if _, err := Train(t.Context(), texts(), toyOptions(func(o *Options) { o.Patience = 1 }), Hooks{}); err == nil || !strings.Contains(err.Error(), "early stopping needs held-out texts") {
		t.Errorf("nothing to go by: %v", err)
	}
	if _, err := Train(t.Context(), texts().HoldingOut(Files(nil, path+".none")), o, Hooks{}); err == nil || !strings.Contains(err.Error(), "the held-out texts: ") {
		t.Errorf("no file: %v", err)
	}
}

// A fraction of the texts has texts of all labels, though the corpus is sorted by them or they take turns, and no piece of a
// text. Pieces are kept with their texts.
func TestSplit(t *testing.T) {
	for _, test := range []struct {
		texts, labels int
		sorted        bool
		share         float64
		held          int
	}{
		{100, 2, true, 0.1, 10}, {100, 10, true, 0.2, 20}, {1000, 2, false, 0.5, 500}, {3000, 3, false, 2. / 3, 2000},
		{3000, 3, false, 1. / 3, 1000}, {40, 4, true, 0.9, 36}, {20000, 5, true, 0.01, 200},
	} {
		var examples []Example
		for i := range test.texts {
			label := i % test.labels
			if test.sorted {
				label = i * test.labels / test.texts
			}
			examples = append(examples, Example{fmt.Sprintf("a%d b%d c%d d%d e%d", i, i, i, i, i), []string{fmt.Sprint(label)}})
		}
		for _, short := range []bool{false, true} {
			o := toyOptions(func(o *Options) { o.ShortTexts = short })
			x, err := o.read(t.Context(), Examples(each(examples)), nil)
			if err != nil {
				t.Fatal(err)
			}
			kept, held, err := x.Split(test.share)
			if err != nil {
				t.Fatal(err)
			}
			whole := map[string]bool{} // the numbers of held-out texts
			labels := map[string]int{}
			for words, err := range held.sentences() {
				if err != nil || len(words) != 7 {
					t.Fatalf("%+v: held out: %q, %v", test, words, err)
				}
				labels[words[0]]++
				whole[words[1][1:]] = true
			}
			if len(whole) != test.held || len(labels) != test.labels {
				t.Errorf("%+v: %d texts of labels %v", test, len(whole), labels)
			}
			trained := 0
			for words, err := range kept.sentences() {
				if err != nil {
					t.Fatal(err)
				}
				trained++
				if word := words[min(1, len(words)-3)]; whole[word[1:]] {
					t.Fatalf("%+v: %q is trained, a part of a held-out text", test, words)
				}
			}
			want := test.texts - test.held
			if short {
				want *= 2
			}
			if trained != want {
				t.Errorf("%+v: %d sentences are trained, want %d", test, trained, want)
			}
			if err := errors.Join(kept.Close(), held.Close(), x.ids.Close()); err != nil {
				t.Error(err)
			}
		}
	}
}

func TestSplitOfTooFew(t *testing.T) {
	for share, want := range map[float64]string{0.01: "holds none of them out: take a larger one", 0.99: "leaves none to train on: take a smaller one"} {
		o := toyOptions(func(o *Options) { o.HeldOut = share })
		if _, err := Train(t.Context(), Examples(each(toyExamples(5, "a", "b"))), o, Hooks{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v", share, err)
		}
	}
}
