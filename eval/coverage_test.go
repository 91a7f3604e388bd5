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
	q := eval.QuestionSet{Sections: []eval.QuestionSection{
		{Questions: []eval.Question{{"a", "b", "c", "d"}}}, {Questions: []eval.Question{{"e", "f", "g", "a"}}},
	}}
	if got := q.Words(); !slices.Equal(got, []string{"a", "b", "c", "d", "e", "f", "g", "a"}) {
		t.Errorf("questions of %q", got)
	}
}
