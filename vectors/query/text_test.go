package query_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/corpus/pipeline"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/query"
)

// set returns a set of these words whose text was cut as training says.
func set(t *testing.T, training vectors.Training, words ...string) *vectors.Set {
	t.Helper()
	s, err := vectors.New(vectors.Parts{Words: vectors.NewWords(words...), Input: vectors.NewMatrix(len(words), 2), Training: training})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// joining returns the training of a text whose "new york" is one token.
func joining() vectors.Training {
	table := "w2v-phrases-1\t1\t1\t_\nnew_york\tnew\tyork\t9\t1\n"
	training := vectors.NewTraining("phrases", true, "phrase_table", fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(table))))
	training.Attach(vectors.AttachedPhrases, []byte(table))
	return training
}

// A token of white space that is neither known nor one word is replaced by the words in it, before phrases are joined.
func TestTokens(t *testing.T) {
	words := []string{"cat.", "dog", "it", "new_york", "well"}
	for _, test := range []struct {
		training vectors.Training
		text     string
		want     string // tokens, those that are not known in brackets
	}{
		{vectors.Training{}, "cat. dog. (well-known) -- It\nend.", "cat. dog well (known) it (end)"},
		{joining(), "cat. dog. (well-known) -- It\nend.", "cat. dog well (known) it (end)"},
		{vectors.NewTraining("text_tokens", 2), "well-known end. it", "well (known) (end)"},
		{vectors.Training{}, "in New York.", "(in) (new) (york)"},
		{joining(), "in new york.", "(in) new_york"},
		{joining(), "new\nyork", "(new) (york)"}, // of two sentences
		{vectors.NewTraining("tokenizer", "characters"), "cat.", "(c) (a) (t) (.)"},
		{vectors.NewTraining("split", ","), "dog, cat., well-known", "dog cat. (well-known)"},
	} {
		f, err := query.New(set(t, test.training, words...), vectors.CaseIgnored)
		if err != nil {
			t.Fatal(err)
		}
		tokens, left, err := f.Tokens(test.text)
		if err != nil || left.Tokens > 0 {
			t.Fatalf("%q: %v %v", test.text, left, err)
		}
		var got []string
		for _, token := range tokens {
			if token.ID < 0 {
				token.Word = "(" + token.Word + ")"
			}
			got = append(got, token.Word)
		}
		if is := strings.Join(got, " "); is != test.want {
			t.Errorf("%v: %q becomes %s, want %s", test.training.Known(), test.text, is, test.want)
		}
	}
}

func TestWithTokenizer(t *testing.T) {
	file := []byte(`{"pre_tokenizer":{"type":"WhitespaceSplit"},"model":{"type":"WordLevel","vocab":{"sun":0,"[UNK]":1},"unk_token":"[UNK]"}}`)
	other := bytes.Replace(file, []byte("sun"), []byte("moon"), 1)
	folder := t.TempDir()
	path := func(name string, text []byte) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	mine, another := path("mine.json", file), path("another.json", other)
	lacking := vectors.NewTraining("tokenizer", fmt.Sprintf("tokenizer.json sha256:%x", sha256.Sum256(file)))
	for _, test := range []struct {
		name     string
		training vectors.Training
		path     string
		want     string // of the error; empty for none
	}{
		{"the file", lacking, mine, ""},
		{"a set that says nothing", vectors.Training{}, mine, ""},
		{"another file", lacking, another, "cut by another one"},
		{"words", vectors.NewTraining("tokenizer", "unicode"), mine, "no tokenizer.json cut"},
		{"k-mers", vectors.NewTraining("kmers", 3), mine, "no tokenizer.json cut"},
		{"no file", lacking, filepath.Join(folder, "none.json"), "none.json"},
	} {
		s, err := query.WithTokenizer(set(t, test.training, "sun", "[UNK]"), test.path)
		if test.want != "" {
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%s: error %v, want %q in it", test.name, err, test.want)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		f, err := query.New(s, vectors.CaseAuto)
		if err != nil {
			t.Fatal(err)
		}
		if tokens, _, err := f.Tokens("sun star"); err != nil || !slices.Equal(tokens, []vectors.Token{{Word: "sun", ID: 0}, {Word: "[UNK]", ID: 1}}) {
			t.Errorf("%s: %v %v", test.name, tokens, err)
		}
	}
	f, err := query.New(set(t, lacking, "sun", "[UNK]"), vectors.CaseAuto)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := f.Tokens("sun"); !errors.Is(err, pipeline.ErrNoTokenizer) {
		t.Errorf("error %v, want %v", err, pipeline.ErrNoTokenizer)
	}
}
