package eval_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/w2v-go/w2v/eval"
	"github.com/w2v-go/w2v/internal/faults"
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

// Sets of questions are read whole or not at all.
func TestReadOfWhatGivesLittleOrFails(t *testing.T) {
	broken := errors.New("broken")
	for _, tt := range []struct {
		text string
		read func(r io.Reader) (any, error)
	}{
		{"word1\tword2\tscore\ncat\tdog\t7.5\nnaïve\told\t1\n", func(r io.Reader) (any, error) { return eval.ReadPairs(r, "pairs") }},
		{": capitals\nparis france rome italy\n: plural\ncat cats dog dogs\n", func(r io.Reader) (any, error) { return eval.ReadQuestions(r, "questions") }},
	} {
		want, err := tt.read(strings.NewReader(tt.text))
		if err != nil {
			t.Fatal(err)
		}
		for most := 1; most < 4; most++ {
			got, err := tt.read(&faults.Reader{R: strings.NewReader(tt.text), Most: most})
			if err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("reads of at most %d bytes: %+v, %v", most, got, err)
			}
		}
		for room := range int64(len(tt.text)) {
			if _, err := tt.read(&faults.Reader{R: strings.NewReader(tt.text), Err: broken, Room: room}); !errors.Is(err, broken) {
				t.Errorf("after %d of %q: %v", room, tt.text, err)
			}
		}
	}
}
