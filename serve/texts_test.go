package serve

import (
	"slices"
	"testing"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/query"
)

// encoder returns one of a set of words that was trained so.
func encoderOf(t *testing.T, training vectors.Training, words ...string) *encoder {
	t.Helper()
	rows := vectors.NewMatrix(len(words), 2)
	for i := range words {
		rows.Row(i)[0], rows.Row(i)[1] = 1, float32(i)
	}
	set, err := vectors.New(vectors.Parts{Words: vectors.NewWords(words...), Input: rows, Training: training})
	if err != nil {
		t.Fatal(err)
	}
	finder, err := query.New(set, vectors.CaseAuto)
	if err != nil {
		t.Fatal(err)
	}
	e, err := newEncoder(finder, "", "", vectors.CaseAuto)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func wordsOf(tokens []vectors.Token) (words []string) {
	for _, token := range tokens {
		words = append(words, token.Word)
	}
	return words
}

// Texts are cut as in training, and tokens that nobody knows are looked into.
func TestCut(t *testing.T) {
	for _, test := range []struct {
		training vectors.Training
		words    []string
		text     string
		want     []string
	}{
		{vectors.Training{}, []string{"the", "end", "u.s."}, "The END. (u.s.) U.S. x-y\nthe", []string{"the", "end", "u.s", "u.s.", "x", "y", "the"}},
		{vectors.Training{}, []string{"End.", "end"}, "End. end. END", []string{"End.", "end", "END"}},
		{vectors.NewTraining("tokenizer", "unicode", "lowercase", true), []string{"it's", "a"}, "It's A—test!", []string{"it's", "a", "test"}},
		{vectors.Training{}, []string{"a"}, " \t\n", nil},
	} {
		e := encoderOf(t, test.training, test.words...)
		if got, err := e.cut(test.text); err != nil || !slices.Equal(wordsOf(got), test.want) {
			t.Errorf("%q is cut into %q, %v, want %q", test.text, wordsOf(got), err, test.want)
		}
	}
}

func TestTokensAndSizes(t *testing.T) {
	e := encoderOf(t, vectors.Training{}, "a", "b")
	if got, err := e.tokens([]int{1, 0, 1}); err != nil || !slices.Equal(got, []vectors.Token{{Word: "b", ID: 1}, {Word: "a", ID: 0}, {Word: "b", ID: 1}}) {
		t.Errorf("%+v, %v", got, err)
	}
	for _, id := range []int{-1, 2} {
		if _, err := e.tokens([]int{id}); err == nil {
			t.Errorf("%d is a token", id)
		}
	}
	for n, fits := range map[int]bool{1: true, 2: true, 3: false} {
		if err := e.checkSize(n); (err == nil) != fits {
			t.Errorf("%d dimensions of 2: %v", n, err)
		}
	}
}
