package battery

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/eval"
	"github.com/w2v-go/w2v/vectors"
)

// Each language has its sets, in the order of its scores. A set that is missing is an error.
func TestRead(t *testing.T) {
	for language, want := range map[string][]string{
		"en": {"WS353", "SimLex-999", "RW", "MTurk-287", "RG65", "YP130", "Verb143", "questions-words", "MSR"},
		"de": {"GUR350", "ZG222", "SimLex-de", "questions-de"},
	} {
		folder := t.TempDir()
		for _, f := range similarityFiles(language) {
			write(t, filepath.Join(folder, f.path), "a\tb\t1\na\tc\t2\n")
		}
		for _, f := range analogyFiles(language) {
			write(t, filepath.Join(folder, f.path), "a b c d\n")
		}
		b, err := Read(folder, language)
		if err != nil || !slices.Equal(b.Names(), want) {
			t.Errorf("%s: %v, %v", language, b.Names(), err)
		}
		last := analogyFiles(language)[0].path
		if err := os.Remove(filepath.Join(folder, last)); err != nil {
			t.Fatal(err)
		}
		if _, err := Read(folder, language); err == nil || !strings.Contains(err.Error(), filepath.Base(last)) {
			t.Errorf("%s without %s: %v", language, last, err)
		}
	}
	if _, err := Read(t.TempDir(), "fr"); err == nil {
		t.Error("there is no battery for fr")
	}
}

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
}

// Scores come in the order of the names. One that cannot be computed leaves no mean.
func TestScore(t *testing.T) {
	m := vectors.NewMatrix(4, 2)
	for i, row := range [][]float32{{1, 0}, {1, 0.1}, {0, 1}, {0.1, 1}} {
		copy(m.Row(i), row)
	}
	s, err := vectors.New(vectors.Parts{Words: vectors.NewWords("a", "b", "c", "d"), Input: m})
	if err != nil {
		t.Fatal(err)
	}
	b := Battery{
		Similarity: []eval.Set{{Task: eval.TaskSimilarity, Name: "pairs", Pairs: []eval.Pair{{A: "a", B: "b", Score: 9}, {A: "a", B: "d", Score: 5}, {A: "a", B: "c", Score: 1}}}},
		Analogy:    []eval.Set{{Task: eval.TaskAnalogy, Name: "questions", Sections: []eval.QuestionSection{{Name: "all", Questions: []eval.Question{{"a", "b", "c", "d"}}}}}},
	}
	scores, err := b.Score(t.Context(), s)
	if err != nil || len(scores) != 2 || scores[0] != (Score{"pairs", 1, 3}) || scores[1].Set != "questions" || scores[1].Used != 1 {
		t.Errorf("%v, %v", scores, err)
	}
	if mean := Mean([]Score{{Value: 0.2}, {Value: 0.4}}); math.Abs(mean-0.3) > 1e-12 {
		t.Errorf("mean %v", mean)
	}
	for _, scores := range [][]Score{nil, {{Value: 0.2}, {Value: eval.Score(math.NaN())}}} {
		if mean := Mean(scores); !math.IsNaN(mean) {
			t.Errorf("the mean of %v is %v", scores, mean)
		}
	}
}
