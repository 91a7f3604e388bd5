package eval_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/eval"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
)

// wordSet returns a set of the words, whose vectors are the rows.
func wordSet(words []string, rows ...[]float32) *vectors.Set {
	s := newSet(vectors.Parts{Words: vectors.NewWords(words...), Input: vectors.NewMatrix(len(rows), len(rows[0]))})
	for i, row := range rows {
		copy(s.Input().Row(i), row)
	}
	return s
}

// subwordSet is a random set that composes words from n-grams of three.
func subwordSet(words ...string) *vectors.Set {
	const buckets, dim = 50, 6
	s := newSet(vectors.Parts{
		Words:   vectors.NewWords(words...),
		Subword: subword.FastText{MinN: 3, MaxN: 3, Buckets: buckets},
		Input:   vectors.NewMatrix(len(words)+buckets, dim),
	})
	rng := rand.New(rand.NewPCG(1, 1))
	for i := range s.Input().Data {
		s.Input().Data[i] = rng.Float32() - 0.5
	}
	return s
}

func mustPairs(t testing.TB, text string) eval.PairSet {
	t.Helper()
	set, err := eval.ReadPairs(strings.NewReader(text), "test")
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func mustSimilarity(t testing.TB, s *vectors.Set, set eval.PairSet, opt eval.SimilarityOptions) eval.SimilarityResult {
	t.Helper()
	got, err := eval.Similarity(s, set, opt)
	if err != nil {
		t.Fatal(err)
	}
	if got.Used+got.OOV != got.Pairs {
		t.Errorf("used %d + oov %d ≠ pairs %d", got.Used, got.OOV, got.Pairs)
	}
	return got
}

func TestSimilarity(t *testing.T) {
	nan := float32(math.NaN())
	s := wordSet([]string{"a", "b", "c", "zero", "broken"},
		[]float32{1, 0}, []float32{3, 4}, []float32{0, 2}, []float32{0, 0}, []float32{nan, 1})
	tests := []struct {
		name, pairs       string
		used              int
		spearman, pearson float64
		missing           []string
	}{
		// Cosines 0.6, 0, 0.8 and 1 for judgements 2, 1, 4 and 3: ranks 2 1 3 4
		// and 2 1 4 3, 1 − 6·2/60 = 0.8. Deviations 0 -.6 .2 .4, products sum to
		// 1.4, squares to 0.56 and 5.
		{"all words", "a b 2\na c 1\nb c 4\nc c 3", 4, 0.8, 1.4 / math.Sqrt(0.56*5), []string{}},
		{"missing words", "a x 5\na b 2\ny a 3\na c 1\nx y 9\nb c 4\nc c 3", 4, 0.8, 1.4 / math.Sqrt(0.56*5), []string{"x", "y"}},
		{"zeros have cosine 0", "a b 2\na c 1\na zero 1", 3, 1, 1, []string{}},
		{"vectors that are not finite are missing", "a b 2\na c 1\na broken 7", 2, 1, 1, []string{"broken"}},
		{"no pair used", "x y 1\na x 2", 0, math.NaN(), math.NaN(), []string{"x", "y"}},
		{"one pair used", "a b 1\na x 2", 1, math.NaN(), math.NaN(), []string{"x"}},
		{"the same judgement everywhere", "a b 1\na c 1", 2, math.NaN(), math.NaN(), []string{}},
		{"the same cosine everywhere", "a b 1\nb a 2\na b 3", 3, math.NaN(), math.NaN(), []string{}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := mustSimilarity(t, s, mustPairs(t, test.pairs), eval.SimilarityOptions{})
			if got.Used != test.used || !slices.Equal(got.Missing, test.missing) || got.Missing == nil || got.Set != "test" {
				t.Errorf("got %+v", got)
			}
			for _, x := range []struct {
				got  eval.Score
				want float64
			}{{got.Spearman, test.spearman}, {got.Pearson, test.pearson}} {
				if x.got.Defined() == math.IsNaN(x.want) || math.Abs(float64(x.got)-x.want) > 1e-6 {
					t.Errorf("got %v, want %v", x.got, x.want)
				}
			}
			if got.InVocabulary != nil || got.Composed != 0 {
				t.Errorf("a set without subwords composed words: %+v", got)
			}
		})
	}
}

func TestSimilarityJSON(t *testing.T) {
	s := wordSet([]string{"a", "b", "c"}, []float32{1, 0}, []float32{3, 4}, []float32{0, 2})
	tests := []struct{ pairs, want string }{
		{"a b 2\na c 1\nb c 4\nc c 3\nx y 1",
			`{"set":"test","pairs":5,"used":4,"oov":1,"spearman":0.8,"pearson":%v,"ci95":[%v,%v],"pearson_ci95":[%v,%v],"composed":0,"ignore_case":true,"missing":["x","y"]}`},
		{"a x 1", `{"set":"test","pairs":1,"used":0,"oov":1,"spearman":null,"pearson":null,"composed":0,"ignore_case":true,"missing":["x"]}`},
	}
	for _, test := range tests {
		result := mustSimilarity(t, s, mustPairs(t, test.pairs), eval.SimilarityOptions{})
		got, err := json.Marshal(result)
		if err != nil {
			t.Fatal(err)
		}
		want := test.want
		if strings.Contains(want, "%v") {
			want = fmt.Sprintf(want, result.Pearson, result.CI95.Low, result.CI95.High, result.PearsonCI95.Low, result.PearsonCI95.High)
		}
		if string(got) != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
		if p := result.PearsonCI95; result.Used > 0 && !(p.Known && p.Low < float64(result.Pearson) && float64(result.Pearson) < p.High) {
			t.Errorf("Pearson %v has the interval %v", result.Pearson, p)
		}
		var back eval.SimilarityResult
		if err := json.Unmarshal(got, &back); err != nil || back.Spearman.Defined() != result.Spearman.Defined() || back.Used != result.Used {
			t.Errorf("read back %+v, %v", back, err)
		}
	}
}

func TestCase(t *testing.T) {
	row := []float32{1}
	tests := []struct {
		name    string
		words   []string
		rule    vectors.Case
		ignored bool
		missing []string
	}{
		{"no capitals", []string{"paris", "</s>", "東京", "straße"}, vectors.CaseAuto, true, []string{"Rom"}},
		{"no capitals, kept", []string{"paris", "straße"}, vectors.CaseKept, false, []string{"PARIS", "Rom", "STRAßE"}},
		{"a capital", []string{"paris", "Straße"}, vectors.CaseAuto, false, []string{"PARIS", "Rom", "STRAßE", "straße"}},
		{"a capital, ignored", []string{"paris", "Straße"}, vectors.CaseIgnored, true, []string{"Rom", "STRAßE", "straße"}},
		{"a title-case letter", []string{"paris", "straße", "ǅ"}, vectors.CaseAuto, false, []string{"PARIS", "Rom", "STRAßE"}},
		{"a capital that is not ASCII", []string{"paris", "straße", "Ωmega"}, vectors.CaseAuto, false, []string{"PARIS", "Rom", "STRAßE"}},
		{"as it is comes first", []string{"paris", "PARIS", "straße"}, vectors.CaseIgnored, true, []string{"Rom"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			rows := make([][]float32, len(test.words))
			for i := range rows {
				rows[i] = row
			}
			got := mustSimilarity(t, wordSet(test.words, rows...), mustPairs(t, "PARIS Rom 1\nSTRAßE straße 2"), eval.SimilarityOptions{Rules: eval.Rules{Spelling: eval.Spelling{Case: test.rule}}})
			if got.IgnoreCase != test.ignored || !slices.Equal(got.Missing, test.missing) {
				t.Errorf("ignored %v, missing %q; want %v, %q", got.IgnoreCase, got.Missing, test.ignored, test.missing)
			}
		})
	}

	s := wordSet([]string{"a", "A", "b"}, []float32{1, 0}, []float32{0, 1}, []float32{1, 1})
	got := mustSimilarity(t, s, mustPairs(t, "a a 2\nA B 1\na B 1\nA a 0"), eval.SimilarityOptions{Rules: eval.Rules{Spelling: eval.Spelling{Case: vectors.CaseIgnored}}})
	// Cosines 1, √½, √½, 0: the upper-case A is not the lower-case one.
	if got.Used != 4 || math.Abs(float64(got.Spearman)-1) > 1e-9 {
		t.Errorf("got %+v", got)
	}

	if _, err := eval.Similarity(s, eval.PairSet{}, eval.SimilarityOptions{Rules: eval.Rules{Spelling: eval.Spelling{Case: 7}}}); err == nil {
		t.Error("no error for an unknown case rule")
	}
}

func TestSimilarityOfComposedWords(t *testing.T) {
	s := subwordSet("one", "two", "three")
	set := mustPairs(t, "one two 1\ntwo three 2\none three 5\nTwofold Two 3\none unseen 4\none Unseen 4")
	got := mustSimilarity(t, s, set, eval.SimilarityOptions{})
	if got.Used != 6 || got.Composed != 3 || len(got.Missing) != 0 {
		t.Errorf("got %+v", got)
	}
	known := mustSimilarity(t, s, eval.PairSet{Pairs: set.Pairs[:3]}, eval.SimilarityOptions{})
	if v := got.InVocabulary; v == nil || v.Used != 3 || v.Spearman != known.Spearman || v.Pearson != known.Pearson {
		t.Errorf("in vocabulary %+v, want %+v", got.InVocabulary, known)
	}
	lower := mustSimilarity(t, s, mustPairs(t, "one two 1\ntwo three 2\none three 5\ntwofold two 3\none unseen 4\none unseen 4"), eval.SimilarityOptions{})
	if lower.Spearman != got.Spearman {
		t.Errorf("Spearman %v, of the lower-cased set %v", got.Spearman, lower.Spearman)
	}
	// With case kept, "Two" is composed too, of other n-grams.
	kept := mustSimilarity(t, s, set, eval.SimilarityOptions{Rules: eval.Rules{Spelling: eval.Spelling{Case: vectors.CaseKept}}})
	if kept.Used != 6 || kept.Pearson == got.Pearson {
		t.Errorf("case kept %+v, ignored %+v", kept, got)
	}
	// An n-gram takes three letters: "" between < and > has two.
	if got := mustSimilarity(t, s, eval.PairSet{Pairs: []eval.Pair{{A: "one", B: ""}}}, eval.SimilarityOptions{}); got.OOV != 1 {
		t.Errorf("a word without n-grams: %+v", got)
	}
}

func ExampleSimilarity() {
	s := newSet(vectors.Parts{
		Words: vectors.NewWords("cat", "dog", "car"),
		Input: vectors.Matrix{Data: []float32{3, 4, 4, 3, 4, -3}, Rows: 3, Cols: 2, Stride: 2},
	})
	set, err := eval.ReadPairs(strings.NewReader("Cat\tdog\t8.5\ncat\tcar\t1\ndog\tcar\t2\ncat\tcod\t7\n"), "pets")
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := eval.Similarity(s, set, eval.SimilarityOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s: Spearman %.2f over %d of %d pairs, missing %v\n", r.Set, r.Spearman, r.Used, r.Pairs, r.Missing)
	// Output:
	// pets: Spearman 1.00 over 3 of 4 pairs, missing [cod]
}
