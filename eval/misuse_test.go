package eval_test

import (
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
	s := newSet(vectors.Parts{Words: vectors.NewWords("a", "b"), Input: vectors.NewMatrix(2, 3)})
	for _, task := range eval.Tasks() {
		for _, test := range []struct {
			opt  eval.Options
			want string
		}{
			{eval.Options{}, ""},
			{eval.Options{Case: 9}, "vectors: unknown case rule 9"},
			{eval.Options{Case: -1}, "vectors: unknown case rule -1"},
			{eval.Options{Restrict: -1}, "eval: restrict is -1, must be 0 (all words) or more"},
		} {
			if _, err := eval.Evaluate(t.Context(), s, eval.Set{Task: task}, test.opt); err == nil && test.want != "" || err != nil && err.Error() != test.want {
				t.Errorf("%s: error %v, want %q", task, err, test.want)
			}
		}
		if _, err := eval.ReadSet(iotest.ErrReader(errors.New("jam")), "ws", task); err == nil || err.Error() != "ws: jam" {
			t.Errorf("%s: error %v", task, err)
		}
	}
	if _, err := eval.Cover(s, nil, 7); err == nil || err.Error() != "vectors: unknown case rule 7" {
		t.Error(err)
	}
	if _, err := eval.Evaluate(t.Context(), s, eval.Set{Task: eval.TaskAnalogy}, eval.Options{Method: "add"}); err == nil || err.Error() != `eval: unknown analogy method "add", want 3cosadd, 3cosmul or pairdirection` {
		t.Error(err)
	}
	if _, err := eval.Evaluate(t.Context(), s, eval.Set{}, eval.Options{}); err == nil || !strings.HasPrefix(err.Error(), `eval: there is no task ""`) {
		t.Error(err)
	}
}

// Nothing to ask, and nobody to ask, have no score.
func TestZeroValues(t *testing.T) {
	for name, set := range map[string]*vectors.Set{
		"nothing":   newSet(vectors.Parts{}),
		"two words": newSet(vectors.Parts{Words: vectors.NewWords("a", "b"), Input: vectors.NewMatrix(2, 3)}),
	} {
		s, err := details[eval.SimilarityResult](t.Context(), set, eval.Set{Task: eval.TaskSimilarity}, eval.Options{})
		if err != nil || s.Used != 0 || s.Spearman.Defined() || s.Pearson.Defined() {
			t.Errorf("%s: %+v, %v", name, s, err)
		}
		a, err := details[eval.AnalogyResult](t.Context(), set, eval.Set{Task: eval.TaskAnalogy}, eval.Options{})
		if err != nil || a.Used != 0 || a.Accuracy.Defined() {
			t.Errorf("%s: %+v, %v", name, a, err)
		}
		c, err := eval.Cover(set, nil, vectors.CaseAuto)
		if err != nil || c != (eval.Coverage{}) {
			t.Errorf("%s: %+v, %v", name, c, err)
		}
	}
	asked := eval.Set{Task: eval.TaskAnalogy, Sections: []eval.QuestionSection{{Questions: []eval.Question{{}, {"a", "b", "c", "d"}}}}}
	if a, err := details[eval.AnalogyResult](t.Context(), newSet(vectors.Parts{}), asked, eval.Options{}); err != nil || a.OOV != 2 {
		t.Errorf("%+v, %v", a, err)
	}
	if got := (&eval.ParseError{Name: "ws"}).Error(); !strings.HasPrefix(got, "ws: ") {
		t.Error(got)
	}
}

// Sets of questions are read whole or not at all.
func TestReadOfWhatGivesLittleOrFails(t *testing.T) {
	broken := errors.New("broken")
	for _, tt := range []struct {
		text string
		read func(r io.Reader) (any, error)
	}{
		{"word1\tword2\tscore\ncat\tdog\t7.5\nnaïve\told\t1\n", func(r io.Reader) (any, error) { return eval.ReadSet(r, "pairs", eval.TaskSimilarity) }},
		{": capitals\nparis france rome italy\n: plural\ncat cats dog dogs\n", func(r io.Reader) (any, error) { return eval.ReadSet(r, "questions", eval.TaskAnalogy) }},
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
