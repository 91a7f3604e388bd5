package labels

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/w2v-go/w2v/eval"
)

var names = []string{"a", "b", "c", "d"}

// Twelve texts with one or two of four labels, and their probabilities, some of which are equal.
var (
	owns = [][]int{{0, 3}, {1, 2}, {1, 3}, {1}, {2}, {0}, {0}, {0}, {0, 2}, {0, 1}, {1}, {0, 3}}
	ps   = [][]float32{
		{0.875, 0.25, 0.375, 0.75}, {0, 0.75, 0.5, 0.625}, {0, 0.75, 0.625, 0.5}, {0.625, 0.875, 0, 0.5},
		{0, 0.375, 0.625, 0.125}, {0.5, 0.625, 0.25, 0.125}, {0.75, 0.375, 0.5, 0.125}, {0.5, 0.5, 0.375, 0.375},
		{0.5, 0, 1, 0}, {0.875, 0.5, 0.625, 0.25}, {0.625, 0.75, 0.125, 0.5}, {0.75, 0.5, 0.375, 0.5},
	}
)

// ranked returns the labels of a text, the most probable first and equal ones in their order.
func ranked(p []float32) (all []Guess) {
	for i, x := range p {
		all = append(all, Guess{i, x})
	}
	slices.SortStableFunc(all, func(a, b Guess) int { return cmp.Compare(b.Probability, a.Probability) })
	return all
}

// resultOf predicts k labels of each of the texts above.
func resultOf(t *testing.T, by Metric, k int, order []int) *Result {
	t.Helper()
	r, err := NewResult(names, by)
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range order {
		all, own := ranked(ps[i]), slices.Clone(owns[i])
		r.Add(NewOutcome(own, all[:k]))
		if err := r.Rank(own, all); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

func upwards(n int) (all []int) {
	for i := range n {
		all = append(all, i)
	}
	return all
}

// Numbers are those of scikit-learn 1.2.1: precision_score, recall_score, f1_score, roc_auc_score and
// precision_recall_curve.
func TestScikitLearns(t *testing.T) {
	r := resultOf(t, Metric{Kind: AUC}, 2, upwards(12))
	got := []float64{r.Precision(), r.Recall(), r.F1(), r.MacroF1(), r.LabelAUC(0), r.LabelAUC(1), r.LabelAUC(2), r.LabelAUC(3), r.MacroAUC()}
	want := []float64{0.5833333333333334, 0.7777777777777778, 0.6666666666666666, 0.5975961538461538, 0.8285714285714285, 0.9428571428571428, 0.8703703703703703, 0.8518518518518519, 0.8734126984126984}
	for i := range want {
		if math.Abs(got[i]-want[i]) > 1e-15 {
			t.Errorf("number %d is %v, want %v", i, got[i], want[i])
		}
	}
	for text, want := range map[string]float64{
		"f1": 0.6666666666666666, "macro-f1": 0.5975961538461538, "auc": 0.8734126984126984, "auc:b": 0.9428571428571428,
		"recall-at-precision:0.6": 1, "recall-at-precision:0.7": 0.5555555555555556, "recall-at-precision:0.7:b": 0.8, "recall-at-precision:0.6:b": 1,
		"precision-at-recall:0.5": 1, "precision-at-recall:0.6": 0.6470588235294118, "precision-at-recall:0.8": 0.6206896551724138, "precision-at-recall:0.8:b": 1,
	} {
		m, err := ParseMetric(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := resultOf(t, m, 2, upwards(12)).Score(); math.Abs(got-want) > 1e-15 {
			t.Errorf("%s is %v, want %v", text, got, want)
		}
	}
}

// Numbers are bit for bit the same in any order of texts, by any number of goroutines.
func TestOrderDoesNotMatter(t *testing.T) {
	want := resultOf(t, Metric{Kind: AUC}, 1, upwards(12))
	for seed := range uint64(20) {
		r, err := NewResult(names, Metric{Kind: AUC})
		if err != nil {
			t.Fatal(err)
		}
		var all sync.WaitGroup
		for _, i := range rand.New(rand.NewPCG(seed, 1)).Perm(12) {
			all.Go(func() {
				own := slices.Clone(owns[i])
				r.Add(NewOutcome(own, ranked(ps[i])[:1]))
				if err := r.Rank(own, ranked(ps[i])); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if r.Score() != want.Score() || r.Bins != want.Bins || !slices.Equal(r.Labels, want.Labels) || r.CalibrationError() != want.CalibrationError() ||
			r.Bootstrap(20, 3) != want.Bootstrap(20, 3) || !slices.Equal(r.Confusions(), want.Confusions()) {
			t.Fatalf("seed %d: %+v, want %+v", seed, r, want)
		}
	}
}

// Six texts, of which three have the label 0, in the order right, wrong, right, right and wrong at once, wrong; and then
// four that no probability is known of, of which one has the label.
func TestRanks(t *testing.T) {
	r, err := NewResult(names[:2], Metric{Kind: AUC})
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range []float32{0.2, 0.9, 0.7, 0.8, 0.5, 0.5, -1, -1, -1, -1} {
		own, all := []int{1}, []Guess{{0, p}}
		if i == 1 || i == 2 || i == 4 || i == 6 {
			own = []int{0, 0}
		}
		if p < 0 {
			all = []Guess{{0, float32(math.NaN())}}
		}
		if err := r.Rank(own, all); err != nil {
			t.Fatal(err)
		}
		if i == 5 {
			if got, want := r.LabelAUC(0), (3+2+1.5)/9; math.Abs(got-want) > 1e-15 {
				t.Errorf("the area is %v, want %v", got, want)
			}
		}
	}
	if got, want := r.LabelAUC(0), (6+5+4.5+1.5)/24; math.Abs(got-want) > 1e-15 {
		t.Errorf("the area is %v, want %v", got, want)
	}
}

// What is not defined is NaN, and too many probabilities are an error.
func TestUndefined(t *testing.T) {
	r, err := NewResult(names, Metric{Kind: AUC})
	if err != nil {
		t.Fatal(err)
	}
	r.room = 3
	for i := range 3 {
		r.Add(NewOutcome([]int{0}, []Guess{{0, 0.5}}))
		if err := r.Rank([]int{0}, []Guess{{0, 0.5}}); err != nil {
			t.Errorf("text %d: %v", i, err)
		}
	}
	if err := r.Rank([]int{0}, []Guess{{0, 0.5}}); err == nil || !strings.Contains(err.Error(), "more than 1 GiB") {
		t.Errorf("too many probabilities: %v", err)
	}
	for _, x := range []float64{r.Score(), r.LabelAUC(0), r.LabelAUC(1), r.Labels[1].F1(), r.Labels[1].Recall(), new(Result).CalibrationError(), new(Result).MacroF1()} {
		if !math.IsNaN(x) {
			t.Errorf("%v, want NaN", x)
		}
	}
	if r, err := NewResult(names, Metric{Kind: F1, Label: "e"}); err == nil {
		t.Errorf("a label that is not there: %+v", r)
	}
}

// Outcomes are decoded as they were, also of all of many labels and in any order of them.
func TestOutcomes(t *testing.T) {
	g := rand.New(rand.NewPCG(1, 1))
	for range 300 {
		var own []int
		for range 1 + g.IntN(3) {
			own = append(own, g.IntN(40))
		}
		all := ranked(make([]float32, 40))
		g.Shuffle(40, func(i, j int) { all[i], all[j] = all[j], all[i] })
		all = all[:g.IntN(41)]
		o := outcomeOf(NewOutcome(own, all).key)
		first, right := -1, 0
		if len(all) > 0 {
			first = all[0].Label
		}
		for range o.rights {
			right++
		}
		for id := range 40 {
			predicted := slices.ContainsFunc(all, func(g Guess) bool { return g.Label == id })
			if o.has(id) != predicted {
				t.Fatalf("label %d of %v: %v", id, all, o)
			}
			if predicted && slices.Contains(own, id) {
				right--
			}
		}
		if o.first != first || o.predicted() != uint64(len(all)) || right != 0 || !slices.Equal(o.own, own) {
			t.Fatalf("%v, %v: %+v", own, all, o)
		}
	}
	many := NewOutcome([]int{7}, ranked(make([]float32, 100_000)))
	if len(many.key) > 10 {
		t.Errorf("all of 100,000 labels take %d bytes", len(many.key))
	}
}

// Samples of all texts are the texts.
func TestSampler(t *testing.T) {
	for k := 1; k <= 4; k++ {
		r := resultOf(t, Metric{}, k, upwards(12))
		var all []outcome
		for _, key := range r.outcomes {
			all = append(all, outcomeOf(key))
		}
		s := newSampler(all)
		if m := s.measure(r.counts); m.Counts != r.Counts || m.accuracy() != r.Accuracy() || m.macroF1 != r.MacroF1() || m.texts != r.Texts {
			t.Errorf("%d labels: %+v, want %+v", k, m, r)
		}
	}
	r := resultOf(t, Metric{}, 1, upwards(12))
	e := r.Bootstrap(500, 1)
	if at := e.Accuracy.Interval; float64(e.Accuracy.Value) != 11./12 || at.Low > 0.75 || at.High != 1 {
		t.Errorf("%+v", e)
	}
	want := []Confusion{{"a", "a", 5}, {"b", "b", 4}, {"c", "c", 2}, {"a", "b", 1}}
	if got := r.Confusions(); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// Reasons, doubt and bins are counted, and only texts that count for both are compared.
// Rare labels, which are as good as others, better or worse: the intervals of the macro F1 cover the F1 of all texts there are.
func TestIntervalsOfMacroF1CoverTheTruth(t *testing.T) {
	zipf := []float64{40, 20, 13, 10, 8, 6, 5, 5, 4, 4, 3, 3}
	for name, of := range map[string]struct {
		sizes, recalls []float64 // of each label
	}{
		"balanced":              {[]float64{1, 1, 1, 1}, []float64{0.9, 0.8, 0.9, 0.7}},
		"two rare and good":     {[]float64{100, 80, 3, 2}, []float64{0.95, 0.95, 0.9, 0.9}},
		"two rare and bad":      {[]float64{100, 80, 3, 2}, []float64{0.9, 0.85, 0.4, 0.3}},
		"many rare":             {zipf, slices.Repeat([]float64{0.9}, len(zipf))},
		"many rare, ever worse": {zipf, []float64{0.95, 0.95, 0.9, 0.9, 0.85, 0.8, 0.8, 0.7, 0.6, 0.6, 0.5, 0.5}},
	} {
		const texts, times = 180, 160
		r := rand.New(rand.NewPCG(1, 5))
		total := 0.
		for _, size := range of.sizes {
			total += size
		}
		other := func(own int) int { // a wrong label, each as often as it is
			for {
				at := r.Float64() * total
				for k, size := range of.sizes {
					if at -= size; at < 0 && k != own {
						return k
					} else if at < 0 {
						break
					}
				}
			}
		}
		right := make([]float64, len(of.sizes)) // F1 of all texts there are
		for k, size := range of.sizes {
			predicted := size * of.recalls[k]
			for j, others := range of.sizes {
				if j != k {
					predicted += others * (1 - of.recalls[j]) * size / (total - others)
				}
			}
			right[k] = 2 * size * of.recalls[k] / (size + predicted)
		}
		covered, above := 0, 0
		for range times {
			result, err := NewResult(make([]string, len(of.sizes)), Metric{})
			if err != nil {
				t.Fatal(err)
			}
			has := map[int]bool{}
			for range texts {
				at, own := r.Float64()*total, 0
				for at -= of.sizes[0]; at >= 0 && own+1 < len(of.sizes); at -= of.sizes[own] {
					own++
				}
				guess := own
				if r.Float64() >= of.recalls[own] {
					guess = other(own)
				}
				has[own] = true
				result.Add(NewOutcome([]int{own}, []Guess{{Label: guess, Probability: 1}}))
			}
			truth := 0.
			for k := range has {
				truth += right[k] / float64(len(has))
			}
			e := result.Bootstrap(200, r.Uint64()).MacroF1
			if !e.Interval.Excludes(truth) {
				covered++
			}
			if e.Interval.Low == float64(e.Value) {
				above++
			}
		}
		if share := float64(covered) / times; share < 0.88 || above > times/20 {
			t.Errorf("%s: %.3f of the intervals cover the macro F1, and %d of %d begin at the estimate", name, share, above, times)
		}
	}
}

func TestCompare(t *testing.T) {
	a, b := resultOf(t, Metric{}, 1, upwards(12)), resultOf(t, Metric{}, 1, upwards(12))
	for _, r := range []*Result{a, b} {
		r.Add(LeftOut(Unlabeled))
		r.Add(LeftOut(UnknownLabel))
	}
	a.Add(LeftOut(Wordless))
	b.Add(NewOutcome([]int{0}, []Guess{{-1, 0.25}}))
	if a.All() != 15 || a.LeftOut() != 3 || a.Unlabeled != 1 || a.Unknown != 1 || a.Wordless != 1 || b.Texts != 13 || b.Doubtful != 1 || b.Predicted != 12 {
		t.Errorf("%+v, %+v", a, b)
	}
	binned := uint64(0)
	for _, bin := range b.Bins {
		binned += bin.Texts
	}
	if binned != 12 {
		t.Errorf("%d texts in bins", binned)
	}
	all, err := Compare("texts", []string{"a", "b"}, []*Result{a, b}, 50, 1)
	if err != nil || len(all) != 3 {
		t.Fatalf("%v, %v", all, err)
	}
	for _, c := range all {
		if c.Items != 12 || c.ItemsA != 12 || c.ItemsB != 13 || c.SetItems != 15 || c.Difference != 0 || c.PValue != 1 {
			t.Errorf("%+v", c)
		}
	}
	none := resultOf(t, Metric{}, 1, nil)
	for range 15 {
		none.Add(LeftOut(UnknownLabel))
	}
	if all, err := Compare("texts", []string{"a", "b"}, []*Result{a, none}, 50, 1); err == nil {
		t.Errorf("no text counts for both: %v", all)
	}
	perfect := resultOf(t, Metric{}, 1, nil)
	for range 20 {
		perfect.Add(NewOutcome([]int{0}, []Guess{{0, 0.9}}))
	}
	for _, e := range []eval.Estimate{perfect.Bootstrap(1000, 1).Accuracy, perfect.Bootstrap(1000, 1).F1} {
		if e.Value != 1 || e.Interval.Low < 0.8 || e.Interval.Low > 0.9 || e.Interval.High != 1 {
			t.Errorf("20 right ones of 20: %+v", e)
		}
	}
	if all, err := Compare("texts", []string{"a", "b"}, []*Result{a, resultOf(t, Metric{}, 1, upwards(4))}, 50, 1); err == nil {
		t.Errorf("results of other texts: %v", all)
	}
}

func TestMcNemar(t *testing.T) {
	for _, test := range []struct {
		a, b uint64
		want float64
	}{{0, 0, 1}, {3, 3, 1}, {0, 5, 2. / 32}, {1, 9, 2 * 11. / 1024}, {72, 48, 0.035323682537769574}, {0, 2000, 0}} {
		for _, got := range []float64{mcNemar(test.a, test.b), mcNemar(test.b, test.a)} {
			if math.Abs(got-test.want) > 1e-9 {
				t.Errorf("%d and %d: %v, want %v", test.a, test.b, got, test.want)
			}
		}
	}
}

func TestParseMetric(t *testing.T) {
	for text, want := range map[string]Metric{
		"f1": {Kind: F1}, "f1:__label__a:b": {Kind: F1, Label: "__label__a:b"}, "accuracy": {Kind: Accuracy},
		"recall-at-precision:0.9": {RecallAtPrecision, 0.9, ""}, "precision-at-recall:.5:x:y": {PrecisionAtRecall, 0.5, "x:y"},
		"auc": {Kind: AUC}, "macro-f1": {Kind: MacroF1},
	} {
		if got, err := ParseMetric(text); err != nil || got != want {
			t.Errorf("%s is %+v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "f2", "f1:", "accuracy:x", "recall-at-precision", "recall-at-precision:2", "precision-at-recall:0", "precision-at-recall:nan", "recall-at-precision:0.5:", "auc:"} {
		if got, err := ParseMetric(text); err == nil {
			t.Errorf("%q is %+v", text, got)
		}
	}
}

func ExampleResult() {
	r, err := NewResult([]string{"cat", "dog"}, Metric{Kind: F1, Label: "dog"})
	if err != nil {
		panic(err)
	}
	r.Add(NewOutcome([]int{0}, []Guess{{Label: 0, Probability: 0.9}}))
	r.Add(NewOutcome([]int{0}, []Guess{{Label: 1, Probability: 0.6}}))
	r.Add(NewOutcome([]int{1}, []Guess{{Label: 1, Probability: 0.8}}))
	fmt.Printf("accuracy %.2f, macro F1 %.2f, F1 of dogs %.2f\n", r.Accuracy(), r.MacroF1(), r.Score())
	// Output: accuracy 0.67, macro F1 0.67, F1 of dogs 0.67
}
