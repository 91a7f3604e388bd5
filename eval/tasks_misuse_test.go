package eval_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/w2v-go/w2v/eval"
	"github.com/w2v-go/w2v/vectors"
)

// Readers and scores of all tasks say what a caller gets wrong.
func TestMisuseOfTasks(t *testing.T) {
	var nobody context.Context
	s := newSet(vectors.Parts{Words: vectors.NewWords("a", "b"), Input: vectors.NewMatrix(2, 3)})
	readers := map[string]func(r *bytes.Buffer, broken bool) error{
		"categories": func(r *bytes.Buffer, broken bool) error {
			_, err := eval.ReadCategories(either(r, broken), "s")
			return err
		},
		"outliers": func(r *bytes.Buffer, broken bool) error {
			_, err := eval.ReadOutliers(either(r, broken), "s")
			return err
		},
		"bias": func(r *bytes.Buffer, broken bool) error { _, err := eval.ReadBias(either(r, broken), "s"); return err },
		"sentences": func(r *bytes.Buffer, broken bool) error {
			_, err := eval.ReadSentences(either(r, broken), "s")
			return err
		},
	}
	for name, read := range readers {
		if err := read(nil, false); err == nil || err.Error() != "s: there is no reader of the set: it is nil" {
			t.Errorf("%s of nothing: %v", name, err)
		}
		if err := read(nil, true); err == nil || err.Error() != "s:1: jam" {
			t.Errorf("%s of what cannot be read: %v", name, err)
		}
	}
	wrong := eval.Rules{Spelling: eval.Spelling{Case: 9}}
	scores := map[string]func(s *vectors.Set, r eval.Rules) error{
		"categories": func(s *vectors.Set, r eval.Rules) error {
			_, err := eval.Categorization(t.Context(), s, eval.CategorySet{}, eval.CategoryOptions{Rules: r})
			return err
		},
		"outliers": func(s *vectors.Set, r eval.Rules) error {
			_, err := eval.Outliers(s, eval.OutlierSet{}, eval.OutlierOptions{Rules: r})
			return err
		},
		"bias": func(s *vectors.Set, r eval.Rules) error {
			_, err := eval.Bias(s, eval.BiasSet{}, eval.BiasOptions{Rules: r})
			return err
		},
		"sentences": func(s *vectors.Set, r eval.Rules) error {
			_, err := eval.Sentences(s, eval.SentenceSet{}, eval.SentenceOptions{Rules: r})
			return err
		},
	}
	for name, score := range scores {
		if err := score(nil, eval.Rules{}); err == nil || err.Error() != "eval: there is no set of vectors to evaluate: it is nil" {
			t.Errorf("%s by no vectors: %v", name, err)
		}
		if err := score(s, wrong); err == nil || err.Error() != "vectors: unknown case rule 9" {
			t.Errorf("%s by case 9: %v", name, err)
		}
		if err := score(s, eval.Rules{Restrict: -1}); err == nil || !strings.HasPrefix(err.Error(), "eval: restrict is -1") {
			t.Errorf("%s of -1 words: %v", name, err)
		}
		if err := score(s, eval.Rules{}); err != nil {
			t.Errorf("%s of an empty set: %v", name, err)
		}
	}
	if _, err := eval.Categorization(nobody, s, eval.CategorySet{}, eval.CategoryOptions{}); err == nil || err.Error() != "eval: there is no context to cluster words in: it is nil" {
		t.Error(err)
	}
}

func either(r *bytes.Buffer, broken bool) io.Reader {
	if broken {
		return iotest.ErrReader(errors.New("jam"))
	}
	return r
}
