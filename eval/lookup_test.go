package eval_test

import (
	"slices"
	"testing"

	"github.com/w2v-go/w2v/eval"
	"github.com/w2v-go/w2v/vectors"
)

// Words that are not in the vocabulary count once, and as composed if there is
// anything to compose them of.
func TestCover(t *testing.T) {
	s := subwordSet("cat", "dog")
	words := []string{"cat", "CAT", "cats", "doge", "cats", "", "dog"} // "<>" has no n-gram of three
	got, err := eval.Cover(s, words, vectors.CaseAuto)
	if err != nil {
		t.Fatal(err)
	}
	if want := (eval.Coverage{Words: 3, Composed: 2}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	// A word whose n-grams are all zeros has a vector that says nothing.
	s = subwordSet("cat", "dog")
	s = with(s, func(p *vectors.Parts) { p.BucketRows = slices.Repeat([]int32{-1}, 50) })
	got, err = eval.Cover(s, words, vectors.CaseKept)
	if err != nil {
		t.Fatal(err)
	}
	if want := (eval.Coverage{Words: 4}); got != want {
		t.Errorf("without rows of buckets: got %+v, want %+v", got, want)
	}
	if _, err := eval.Cover(s, words, vectors.Case(9)); err == nil {
		t.Error("an unknown rule: no error")
	}
}

func TestWords(t *testing.T) {
	if got := mustPairs(t, "a b 1\nc a 2\n").Words(); !slices.Equal(got, []string{"a", "b", "c", "a"}) {
		t.Errorf("pairs of %q", got)
	}
	q := eval.Set{Task: eval.TaskAnalogy, Sections: []eval.QuestionSection{
		{Questions: []eval.Question{{"a", "b", "c", "d"}}}, {Questions: []eval.Question{{"e", "f", "g", "a"}}},
	}}
	if got := q.Words(); !slices.Equal(got, []string{"a", "b", "c", "d", "e", "f", "g", "a"}) {
		t.Errorf("questions of %q", got)
	}
}

func TestSimilarityOfFoldedVocabulary(t *testing.T) {
	s := wordSet([]string{"Straße", "paris", "STRASSE", "Paris", "rom"},
		[]float32{1, 0}, []float32{3, 4}, []float32{0, 1}, []float32{-1, 0}, []float32{0, 2})
	set := mustPairs(t, "strasse PARIS 2\nPaRiS rom 3\nParis Paris 4\noslo rom 1")
	folded := eval.Options{FoldVocab: true}
	// Cosines of the first spellings: Straße with paris 0.6, paris with rom 0.8 and with itself 1.
	got := mustSimilarity(t, s, set, folded)
	if got.Used != 3 || got.Spearman != 1 || !got.FoldVocab || !got.IgnoreCase || !slices.Equal(got.Missing, []string{"oslo"}) {
		t.Errorf("folded: %+v", got)
	}
	// Of four words the last is not looked at.
	got = mustSimilarity(t, s, set, eval.Options{FoldVocab: true, Restrict: 4})
	if got.Used != 2 || got.Restrict != 4 || !slices.Equal(got.Missing, []string{"rom", "oslo"}) {
		t.Errorf("folded and restricted: %+v", got)
	}
	got = mustSimilarity(t, s, set, eval.Options{Restrict: 2})
	if got.Used != 0 || !slices.Equal(got.Missing, []string{"strasse", "PARIS", "PaRiS", "rom", "Paris", "oslo"}) {
		t.Errorf("restricted: %+v", got)
	}
	if _, err := details[eval.SimilarityResult](t.Context(), s, set, eval.Options{Restrict: -1}); err == nil {
		t.Error("no error for a negative restriction")
	}
}

func TestAnalogyOfFoldedVocabulary(t *testing.T) {
	// QUEEN is nearer to the answer's place than queen, and WOMAN nearer still; their other
	// spellings come first.
	words := []string{"man", "woman", "king", "queen", "apple", "QUEEN", "WOMAN"}
	s := wordSet(words, []float32{1, 0, 1}, []float32{1, 1, 0}, []float32{4, 0, 1}, []float32{4, 1, 0},
		[]float32{0, 3, 1}, []float32{4, 1.8, 0}, []float32{4, 1.9, 0.1})
	set := mustQuestions(t, "man woman king queen\nMAN Woman King QUEEN\nman WOMAN king Queen\nman woman king apple")
	tests := []struct {
		options       eval.Options
		used, correct int
	}{
		{eval.Options{}, 2, 0}, // WOMAN is the answer to all; two questions have words of no such spelling
		{eval.Options{FoldVocab: true}, 4, 3},
		{eval.Options{FoldVocab: true, Restrict: 4}, 3, 3},
		{eval.Options{FoldVocab: true, Restrict: 3}, 0, 0},
	}
	for _, test := range tests {
		got := mustAnalogy(t, s, set, test.options)
		if got.Used != test.used || got.Correct != test.correct {
			t.Errorf("%+v: %d of %d used, want %d of %d", test.options, got.Correct, got.Used, test.correct, test.used)
		}
	}
}
