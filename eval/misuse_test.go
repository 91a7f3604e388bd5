package eval_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/w2v-go/w2v/eval"
	"github.com/w2v-go/w2v/vectors"
)

// What a caller gets wrong is an error that says so.
func TestMisuse(t *testing.T) {
	var nobody context.Context
	set := newSet(vectors.Parts{Words: vectors.NewWords("a", "b"), Input: vectors.NewMatrix(2, 3)})
	pairs := eval.PairSet{Name: "p", Pairs: []eval.Pair{{A: "a", B: "b", Score: 1}}}
	questions := eval.QuestionSet{Name: "q", Sections: []eval.QuestionSection{{Questions: []eval.Question{{"a", "b", "a", "b"}}}}}
	const none, invalid = "eval: there is no set of vectors to evaluate: it is nil", "vectors: the set is not valid: 1 input rows for 2 words and 0 buckets"
	similarity := func(s *vectors.Set, o eval.SimilarityOptions) error {
		_, err := eval.Similarity(s, pairs, o)
		return err
	}
	analogy := func(ctx context.Context, s *vectors.Set, o eval.AnalogyOptions) error {
		_, err := eval.Analogy(ctx, s, questions, o)
		return err
	}
	for _, test := range []struct {
		name string
		do   func() error
		want string
	}{
		{"similarity of nothing", func() error { return similarity(nil, eval.SimilarityOptions{}) }, none},
		{"a set of fewer rows than words", func() error {
			_, err := vectors.New(vectors.Parts{Words: vectors.NewWords("a", "b"), Input: vectors.NewMatrix(1, 3)})
			return err
		}, invalid},
		{"similarity by case 3", func() error {
			return similarity(set, eval.SimilarityOptions{Rules: eval.Rules{Spelling: eval.Spelling{Case: 3}}})
		}, "vectors: unknown case rule 3"},
		{"similarity by case -1", func() error {
			return similarity(set, eval.SimilarityOptions{Rules: eval.Rules{Spelling: eval.Spelling{Case: -1}}})
		}, "vectors: unknown case rule -1"},
		{"analogies of nothing", func() error { return analogy(t.Context(), nil, eval.AnalogyOptions{}) }, none},
		{"analogies without a context", func() error { return analogy(nobody, set, eval.AnalogyOptions{}) }, "eval: there is no context to ask in: it is nil"},
		{"analogies by case 9", func() error {
			return analogy(t.Context(), set, eval.AnalogyOptions{Rules: eval.Rules{Spelling: eval.Spelling{Case: 9}}})
		}, "vectors: unknown case rule 9"},
		{"analogies by an unknown method", func() error { return analogy(t.Context(), set, eval.AnalogyOptions{Method: "add"}) }, `eval: unknown analogy method "add", want 3cosadd, 3cosmul or pairdirection`},
		{"analogies of -1 words", func() error { return analogy(t.Context(), set, eval.AnalogyOptions{Rules: eval.Rules{Restrict: -1}}) }, "eval: restrict is -1, must be 0 (all words) or more"},
		{"coverage of nothing", func() error { _, err := eval.Cover(nil, nil, vectors.CaseAuto); return err }, none},
		{"coverage by case 7", func() error { _, err := eval.Cover(set, nil, 7); return err }, "vectors: unknown case rule 7"},
		{"pairs of nothing", func() error { _, err := eval.ReadPairs(nil, "ws"); return err }, "ws: there is no reader of the set: it is nil"},
		{"pairs of a nil buffer", func() error { _, err := eval.ReadPairs((*bytes.Buffer)(nil), "ws"); return err }, "ws: there is no reader of the set: it is nil"},
		{"questions of nothing", func() error { _, err := eval.ReadQuestions(nil, "qw"); return err }, "qw: there is no reader of the set: it is nil"},
		{"questions of a nil buffer", func() error { _, err := eval.ReadQuestions((*bytes.Buffer)(nil), "qw"); return err }, "qw: there is no reader of the set: it is nil"},
		{"pairs of what cannot be read", func() error { _, err := eval.ReadPairs(iotest.ErrReader(errors.New("jam")), "ws"); return err }, "ws:1: jam"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if err := test.do(); err == nil || err.Error() != test.want {
				t.Errorf("error %v\nwant  %s", err, test.want)
			}
		})
	}
}

// Nothing to ask, and nobody to ask, have no score.
func TestZeroValues(t *testing.T) {
	for name, set := range map[string]*vectors.Set{
		"nothing":   newSet(vectors.Parts{}),
		"two words": newSet(vectors.Parts{Words: vectors.NewWords("a", "b"), Input: vectors.NewMatrix(2, 3)}),
	} {
		s, err := eval.Similarity(set, eval.PairSet{}, eval.SimilarityOptions{})
		if err != nil || s.Used != 0 || s.Spearman.Defined() || s.Pearson.Defined() {
			t.Errorf("%s: %+v, %v", name, s, err)
		}
		a, err := eval.Analogy(t.Context(), set, eval.QuestionSet{}, eval.AnalogyOptions{})
		if err != nil || a.Used != 0 || a.Accuracy.Defined() {
			t.Errorf("%s: %+v, %v", name, a, err)
		}
		c, err := eval.Cover(set, nil, vectors.CaseAuto)
		if err != nil || c != (eval.Coverage{}) {
			t.Errorf("%s: %+v, %v", name, c, err)
		}
	}
	asked := eval.QuestionSet{Sections: []eval.QuestionSection{{Questions: []eval.Question{{}, {"a", "b", "c", "d"}}}}}
	if a, err := eval.Analogy(t.Context(), newSet(vectors.Parts{}), asked, eval.AnalogyOptions{}); err != nil || a.OOV != 2 {
		t.Errorf("%+v, %v", a, err)
	}
	var set eval.PairSet
	if len(set.Words())+len(asked.Words()[:0])+len((eval.QuestionSet{}).Words()) != 0 {
		t.Error("sets of nothing have words")
	}
	if got := (&eval.ParseError{Set: "ws"}).Error(); !strings.HasPrefix(got, "ws: ") {
		t.Error(got)
	}
}
